// Takes fields that were deleted for good; takes their values out of the history of records, piece by piece, each in a transaction of its own.
// What is cut off goes on at the next start. Values of another field that has, or had, the same name stay.
import { z } from "zod";
import { recordChanges } from "../../../database/changes.ts";
import type { Database } from "../../../database/database.ts";
import { sql } from "../../../database/sql.ts";
import { storedJson } from "../../../database/stored-json.ts";

/** Entries of the history that one statement looks at. */
const PIECE = 2_000;

interface Purge {
  readonly id: string;
  readonly type: string;
  /** The names that the field had. */
  readonly names: readonly string[];
  readonly after: string;
  readonly upTo: string | null;
  readonly removed: string;
  /** What other fields of these names have written, which are still in the bin: after one id, up to another. */
  readonly others: readonly (readonly [string, string])[];
}

const namesSchema = z.array(z.string());

/** All of them, or the one with this id in the bin. */
export async function finishPurges(database: Database, id?: string): Promise<void> {
  const rows = await database.rows(sql`
    select id::text as id, record_type, removed::text as removed, revisions_up_to::text as up_to,
      (jsonb_build_array(field) || coalesce(definition -> 'aliases', '[]'))::text as names,
      revisions_after::text as after
    from metadata__removed
    where state = 'purged' and field is not null and (${id ?? null}::bigint is null or id = ${id ?? null}::bigint)
    order by id desc limit 500`);
  const organizations =
    rows.length === 0
      ? []
      : await database.rows(sql`
    select id::text as id from access_controls__organizations order by id`);
  for (const row of rows) {
    const names = storedJson(namesSchema, row.names ?? "[]", "metadata__removed.definition");
    const others = await database.rows(sql`
      select revisions_after::text as after, revisions_up_to::text as up_to from metadata__removed
      where record_type = ${row.record_type ?? null} and field = any(${names}::text[]) and state = 'removed'
        and revisions_up_to is not null`);
    const purge: Purge = {
      id: row.id ?? "",
      type: row.record_type ?? "",
      names,
      others: others.map(({ after, up_to }) => [after ?? "0", up_to ?? "0"] as const),
      after: row.after ?? "0",
      upTo: row.up_to ?? null,
      removed: row.removed ?? "",
    };
    for (const organization of organizations) await stripHistory(database, organization.id ?? "", purge);
    await database.run(sql`delete from metadata__removed where id = ${purge.id}::bigint`);
  }
}

async function stripHistory(database: Database, organization: string, purge: Purge): Promise<void> {
  let last: readonly [string, string] | undefined = ["", "0"];
  while (last) last = await stripPiece(database, organization, purge, last);
}

/** Gives where the next piece begins. */
async function stripPiece(
  database: Database,
  organization: string,
  { type, names, after, upTo, removed, others }: Purge,
  [record, entry]: readonly [string, string],
): Promise<readonly [string, string] | undefined> {
  return database.transaction(async (transaction) => {
    const piece = await transaction.rows(sql`
      select related_id, id::text as id, acl_id::text as acl, (changes ?| ${names}::text[] and id > ${after}::bigint
        and coalesce(id <= ${upTo}::bigint, created <= ${removed}::timestamp)
        and not exists (select from unnest(${others.map(([from]) => from)}::bigint[], ${others.map(([, to]) => to)}::bigint[]) as o(after, up_to)
          where core__revisions.id > o.after and core__revisions.id <= o.up_to))::int::text as has
      from core__revisions
      where organization_id = ${organization}::bigint and related_type = ${type} and (related_id, id) > (${record}, ${entry}::bigint)
      order by related_id, id limit ${PIECE}::integer`);
    const found = piece.filter(({ has }) => has === "1");
    if (found.length > 0) {
      await transaction.run(sql`
        update core__revisions set changes = changes - ${names}::text[]
        where organization_id = ${organization}::bigint and id = any(${found.map((row) => row.id ?? "")}::bigint[])`);
      const changes = found.map(({ acl }) => ({ aclId: acl ?? "0", delta: 0 }));
      await recordChanges(transaction, organization, "core/revisions", changes);
    }
    const end = piece.length < PIECE ? undefined : piece.at(-1);
    return end && ([end.related_id ?? "", end.id ?? "0"] as const);
  });
}
