// A saved mapping by its id: the parameters of an import that somebody kept, and that the caller may read.
import { Failure } from "../../contract/failures.ts";
import { savedParameters } from "../../contract/import-settings.ts";
import { say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import { mayRead } from "../access/visibility.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { recordIdOf } from "../fields/record-id.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { parseJson } from "../request/json/json.ts";
import { isTree, type Tree } from "../request/tree.ts";

const saved: ReadonlySet<string> = new Set(savedParameters);

export async function findMapping(
  db: Queryable,
  snapshot: Snapshot,
  caller: Caller,
  controller: string,
  sentId: string,
): Promise<Tree> {
  const type = requireType(snapshot, "core/import_mappings");
  const id = recordIdOf(sentId, type.idKind);
  const row =
    id &&
    (await db.row(sql`
    select r.settings::text as settings from core__import_mappings r
    where ${mayRead(caller, type, "r", "few")} and r.id = ${id}::bigint and r.deleted = 0 and r.controller = ${controller}`));
  if (!row)
    throw new Failure("malformed_parameter", { with: { name: "mapping_id", reason: say("must_name_mapping") } });
  const { value } = parseJson(row.settings ?? "{}", undefined, undefined, "all");
  return isTree(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => saved.has(name))) : {};
}
