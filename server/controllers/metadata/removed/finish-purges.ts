// Takes fields that were deleted for good; takes their values out of the history of records, piece by piece, each in a transaction of its own.
// Nobody waits for it. What is cut off goes on at the next start. Values of another field that has, or had, the same name stay.
import { z } from "zod";
import { recordChanges } from "../../../database/changes.ts";
import type { Database } from "../../../database/database.ts";
import { apartFromRequests } from "../../../database/scope.ts";
import { sql } from "../../../database/sql.ts";
import { storedJson } from "../../../database/stored-json.ts";
import { written, writtenBy } from "./written-by.ts";

/** Entries of the history that one statement looks at. */
const PIECE = 2_000;

interface Purge {
  readonly id: string;
  readonly type: string;
  /** The names that the field had. */
  readonly names: readonly string[];
}

const namesSchema = z.array(z.string());

/** What is called when a field was deleted: goes through the history after whatever it still goes through. */
export function purgeFinisher(database: Database, failed: (error: unknown) => void): () => void {
  let last = Promise.resolve();
  return () => {
    last = apartFromRequests(() => last.then(() => finishPurges(database)).catch(failed));
  };
}

/** One that fails holds up only those of the same name, whose values are told apart by it; it is tried again at the next start. */
export async function finishPurges(database: Database): Promise<void> {
  const rows = await database.rows(sql`
    select id::text as id, record_type, field, (jsonb_build_array(field) || coalesce(definition -> 'aliases', '[]'))::text as names
    from metadata__removed r where state = 'purged' and field is not null order by r.id desc limit 500`);
  const organizations =
    rows.length === 0
      ? []
      : await database.rows(sql`
    select id::text as id from access_controls__organizations o order by o.id`);
  const faults: unknown[] = [];
  const heldUp = new Set<string>();
  for (const { id, record_type, field, names } of rows) {
    const [type, known] = [record_type ?? "", new Set([field ?? ""])];
    try {
      const purge: Purge = {
        id: id ?? "",
        type,
        names: storedJson(namesSchema, names ?? "[]", "metadata__removed.definition"),
      };
      for (const name of purge.names) known.add(name);
      if (purge.names.some((name) => heldUp.has(`${type} ${name}`))) continue;
      for (const organization of organizations) await stripHistory(database, organization.id ?? "", purge);
      await database.run(sql`delete from metadata__removed where id = ${purge.id}::bigint`);
    } catch (error) {
      faults.push(error);
      for (const name of known) heldUp.add(`${type} ${name}`);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} purged fields could not be finished`);
}

async function stripHistory(database: Database, organization: string, purge: Purge): Promise<void> {
  let last: readonly [string, string] | undefined = ["", "0"];
  while (last) last = await stripPiece(database, organization, purge, last);
}

/** Gives where the next piece begins. */
async function stripPiece(
  database: Database,
  organization: string,
  { id, type, names }: Purge,
  [record, entry]: readonly [string, string],
): Promise<readonly [string, string] | undefined> {
  return database.transaction(async (transaction) => {
    const isItsOwn = await writtenBy(transaction, id, names, written.revisions);
    const piece = await transaction.rows(sql`
      select related_id, id::text as id, acl_id::text as acl,
        (changes ?| ${names}::text[] and ${isItsOwn})::int::text as has
      from core__revisions given
      where organization_id = ${organization}::bigint and related_type = ${type} and (related_id, id) > (${record}, ${entry}::bigint)
      order by given.related_id, given.id limit ${PIECE}::integer`);
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
