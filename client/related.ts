// Records of another type that name a record: the first of them, and how many there are.
import type { RecordTypeKey } from "./address.ts";
import type { ListHeader, ListRow } from "./lists.ts";
import type { Call } from "./transport.ts";

/** Stands for the record's id in a related list's conditions. */
const ID = "{{ID}}";

export type RelatedWhere = Readonly<Record<string, string>>;

export const whereOf = (where: RelatedWhere, id: string): RelatedWhere =>
  Object.fromEntries(Object.entries(where).map(([column, value]) => [column, value === ID ? id : value]));

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
  where: RelatedWhere,
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
  }>(`${far}/view`, { query: { q: JSON.stringify({ where, related_model_class: model }), limit }, signal });
  return {
    rows: paginate.data,
    header: paginate.header,
    total: paginate.total_count,
    isExact: paginate.total_count_is_exact !== 0,
    idColumn: paginate.primary_key,
  };
}
