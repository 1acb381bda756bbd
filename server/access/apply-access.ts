// Takes the current record types; recomputes the access sets of records whose type's own policy has changed since they were
// made: after a redesign, when a type is restored, or after an upgrade of the service.
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { factKeys } from "../metadata/policies/policy.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { refreshAcl } from "./acl-sets.ts";
import { tyingTypes } from "./rule.ts";

const PREFIX = "access of ";

/** Safe to run by any number of processes at once. What was not finished is done at the next start. */
export async function applyAccess(db: Database, snapshot: Snapshot): Promise<void> {
  const rows = await db.rows(sql`
    select table_name, fingerprint from metadata__synced_tables where starts_with(table_name, ${PREFIX})`);
  const applied = new Map(rows.map((row) => [row.table_name?.slice(PREFIX.length) ?? "", row.fingerprint]));
  const gone = [...applied.keys()].filter((key) => !snapshot.types.has(key));
  if (gone.length > 0) {
    await db.run(sql`
      delete from metadata__synced_tables where table_name = any(${gone.map((key) => PREFIX + key)}::text[])`);
  }
  const wanted = [...snapshot.types.values()]
    .filter(({ scope }) => scope === "organization")
    .map((type) => {
      const held = tyingTypes(type);
      return { key: type.key, print: JSON.stringify(held ? { ...type.access, held } : type.access) };
    })
    .filter(({ key, print }) => applied.get(key) !== print);
  if (wanted.length === 0) return;
  const keys = wanted.map(({ key }) => key);
  // What a policy wants to know of records is to be known before there is one.
  const asks = keys.some((key) => factKeys(requireType(snapshot, key).access).length > 0);
  const organizations = await db.rows(
    asks
      ? sql`select organization_id::text as id from access_controls__organization_list`
      : sql`select distinct organization_id::text as id from core__acl_sets where record_type = any(${keys}::text[])`,
  );
  for (const { id } of organizations) {
    await db.transaction((transaction) => refreshAcl(transaction, snapshot, id ?? ""));
  }
  await db.run(sql`
    insert into metadata__synced_tables (table_name, fingerprint)
    select * from unnest(${keys.map((key) => PREFIX + key)}::text[], ${wanted.map(({ print }) => print)}::text[])
    on conflict (table_name) do update set fingerprint = excluded.fingerprint`);
}
