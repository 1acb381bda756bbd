// Gives the removed fields whose entries in the history of records are still there, by record type: a field that has the name of one of
// them by now is another field, perhaps for other eyes.
import { z } from "zod";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { storedJson } from "../../database/stored-json.ts";
import type { FormerField, RecordTypeKey } from "../record-type.ts";

export type FormerFields = ReadonlyMap<RecordTypeKey, readonly FormerField[]>;

const namesSchema = z.array(z.string());

export async function readFormerFields(db: Queryable): Promise<FormerFields> {
  const rows = await db.rows(sql`
    select record_type, (jsonb_build_array(field) || coalesce(definition -> 'aliases', '[]'))::text as names,
      revisions_after::text as after, revisions_up_to::text as up_to
    from metadata__removed where field is not null and state <> 'restored' and revisions_up_to is not null order by id`);
  const former = new Map<RecordTypeKey, FormerField[]>();
  for (const { record_type, names, after, up_to } of rows) {
    const key = record_type ?? "";
    const field: FormerField = {
      names: storedJson(namesSchema, names ?? "[]", "metadata__removed.definition"),
      after: after ?? "0",
      upTo: up_to ?? "0",
    };
    former.set(key, [...(former.get(key) ?? []), field]);
  }
  return former;
}
