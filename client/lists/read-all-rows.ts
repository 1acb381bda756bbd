// All rows of a small table, as the wire gives them: `<alias>.<column>`.
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";

export type SmallRow = Readonly<Record<string, string | null>>;

export async function readRows(
  call: Call,
  key: RecordTypeKey,
  fields: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
): Promise<readonly SmallRow[]> {
  const alias = key.split("/")[1] ?? "";
  const q = JSON.stringify({ fields: fields.map((field) => `${alias}.${field}`), limit: -1, pheader: "0", ...more });
  const answer = await call<{ paginate: { data: readonly SmallRow[] } }>(`${key}/index`, {
    query: { q, track_open: 0 },
    signal,
  });
  return answer.paginate.data;
}

/** A row's columns by their bare names; empty where there is nothing. */
export const reader = (alias: string, row: SmallRow) => (field: string) => row[`${alias}.${field}`] ?? "";
