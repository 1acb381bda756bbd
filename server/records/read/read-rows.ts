// Takes the ids of records that were just written; gives each one's own fields as the caller may see them, in one statement.
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayRead } from "../../access/visibility.ts";
import { expression, quote, sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { partsOf } from "../../plan/plan-read.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { columnsOf } from "../../query/read-record.ts";
import type { Reader } from "./display-texts.ts";
import { type WireRecord, wireValues } from "./read-record.ts";

/** By id; those that the caller may not read are left out. */
export async function readRows(
  reader: Reader,
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WireRecord>> {
  const [part] = partsOf(snapshot, type, caller, fieldMask(type, caller)).parts;
  if (part === undefined || ids.length === 0) return new Map();
  const rows = await reader.run(sql`
    select r.id::text, ${columnsOf(part)} from ${expression(quote(type.table))} r
    where ${mayRead(caller, type, "r", "few")} and r.id = any(${ids}::${idTypeOf(type)}[])`);
  return new Map(rows.map((row) => [row[0] ?? "", wireValues(part, row)]));
}
