// Records of another type that name a record: the first of them, and how many there are.

import type { ListHeader, ListRow } from "../lists/lists.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";
import type { RelatedTie } from "./records.ts";

export interface RelatedPage {
  readonly rows: readonly ListRow[];
  readonly header: readonly ListHeader[];
  readonly total: number;
  readonly isExact: boolean;
  readonly idColumn: string;
}

export async function readRelated(
  call: Call,
  far: RecordTypeKey,
  model: RecordTypeKey,
  /** Undefined: through any association that leads to the record. */
  where: RelatedTie | undefined,
  id: string,
  limit: number,
  signal?: AbortSignal,
): Promise<RelatedPage> {
  const { paginate } = await call<{
    paginate: {
      data: readonly ListRow[];
      header: readonly ListHeader[];
      total_count: number;
      total_count_is_exact?: 0 | 1;
      primary_key: string;
    };
  }>(`${far}/view`, {
    query: {
      q: JSON.stringify({ ...(where === undefined ? {} : { where }), related_model_class: model }),
      related_to: where === undefined ? id : undefined,
      limit,
    },
    signal,
  });
  return {
    rows: paginate.data,
    header: paginate.header,
    total: paginate.total_count,
    isExact: paginate.total_count_is_exact !== 0,
    idColumn: paginate.primary_key,
  };
}
