// Takes a freshly founded organization; fills it with the demo, in the transaction that founds it: all of it or nothing.
// The demo's own ids are moved behind what is already there.
import { refreshAcl } from "../server/access/acl-sets.ts";
import { readDistributed } from "../server/database/citus/distributed.ts";
import type { Queryable } from "../server/database/database.ts";
import { ident, sql } from "../server/database/sql.ts";
import { createUser, nextPrincipals } from "../server/identity/create-user.ts";
import type { FirstOrganization } from "../server/identity/first-organization.ts";
import type { RecordType } from "../server/metadata/record-type.ts";
import { requireType, type Snapshot } from "../server/metadata/snapshot.ts";
import { settleComputed } from "../server/records/computed/settle.ts";
import { type ColumnValues, rowValues } from "../server/records/read/row-values.ts";
import { insertRows } from "../server/records/save/insert-rows.ts";
import { type DemoRow, demoOrganization, generateDemo, type MasterId } from "./generate.ts";
import { addSettings } from "./settings.ts";
import { type NodesOf, putOnTheirWay } from "./ways.ts";

const context = { locale: "en-US", timeZone: "UTC" };

export const demoOrganizationName = demoOrganization.name;

export async function loadDemo(
  transaction: Queryable,
  snapshot: Snapshot,
  first: FirstOrganization,
  options: { readonly today?: string; readonly scale?: number } = {},
): Promise<void> {
  const today = options.today ?? new Date().toISOString().slice(0, 10);
  const offsets = new Map<string, bigint>();
  const masterId = await masterIds(transaction, snapshot);
  const demo = generateDemo({ today, scale: options.scale ?? 1, masterId });
  await transaction.run(sql`
    update access_controls__organizations
    set currency_id = ${masterId("masters/currencies", demoOrganization.currency)}::bigint
    where organization_id = ${first.organizationId}::bigint and id = ${first.organizationId}::bigint`);
  const nodesOf = await stageNodes(transaction, first);
  const managers = new Map<string, string | null>();
  const managerOf = (user: string) => managers.get(user) ?? null;
  for (const batch of demo) {
    const type = requireType(snapshot, batch.type);
    if (type.idKind === "integer") offsets.set(type.key, await highestId(transaction, type));
    const rows = batch.rows.map((row) => toColumns(type, row, first, offsets));
    if (type.key === "access_controls/users") {
      await addUsers(transaction, snapshot, first, rows);
      for (const row of rows) managers.set(row.id ?? "", row.manager_id ?? null);
    } else {
      if (type.field.has("principal_id")) {
        const principals = await nextPrincipals(transaction, rows.length);
        rows.forEach((row, index) => {
          row.principal_id = principals[index] ?? null;
        });
      }
      const ways = batch.rows.map(({ way }) => (typeof way === "string" ? way : undefined));
      const log = putOnTheirWay(type.key, rows, ways, nodesOf, managerOf);
      await insertRows(transaction, snapshot, type, first.organizationId, rows);
      await insertRows(transaction, snapshot, requireType(snapshot, "core/stage_log"), first.organizationId, log);
    }
    if (type.idKind === "integer") {
      await transaction.run(sql`
        select setval(pg_get_serial_sequence(${type.table}, 'id'), (select max(id) from ${ident(type.table)}))`);
    }
  }
  // The administrator sells too: discounts wait for them to decide.
  const administratorRole = { role_id: first.roles.get("sales_manager") ?? null, user_id: first.administratorId };
  const memberships = requireType(snapshot, "access_controls/roles_users");
  await insertRows(transaction, snapshot, memberships, first.organizationId, [administratorRole]);
  await addSettings(transaction, snapshot, first, today);
  await refreshAcl(transaction, snapshot, first.organizationId);
  await settleComputed({ transaction, snapshot, organizationId: first.organizationId });
  // Statements are planned once for all values: they should not be planned by the statistics of empty tables.
  // Of a distributed table, not in the transaction that wrote it.
  if (await readDistributed(transaction)) return;
  for (const type of snapshot.types.values()) await transaction.run(sql`analyze ${ident(type.table)}`);
}

async function stageNodes(transaction: Queryable, first: FirstOrganization): Promise<NodesOf> {
  const rows = await transaction.rows(sql`
    select w.controller, n.key, n.id from core__workflow_nodes n
    join core__workflows w on w.organization_id = n.organization_id and w.id = n.workflow_id
    where n.organization_id = ${first.organizationId}::bigint`);
  return (controller) =>
    new Map(rows.filter((row) => row.controller === controller).map((row) => [row.key ?? "", row.id ?? ""]));
}

async function highestId(transaction: Queryable, type: RecordType): Promise<bigint> {
  const row = await transaction.row(sql`select coalesce(max(id), 0)::text as id from ${ident(type.table)}`);
  return BigInt(row?.id ?? "0");
}

/** Wire values to columns, with every id moved by what its own type was moved by. */
function toColumns(
  type: RecordType,
  row: DemoRow,
  first: FirstOrganization,
  offsets: ReadonlyMap<string, bigint>,
): ColumnValues {
  const moved = (key: string, id: string) => (BigInt(id) + (offsets.get(key) ?? 0n)).toString();
  const { role, way: _, mine, ...fields } = row;
  const wire: Record<string, unknown> = { ...fields, id: moved(type.key, row.id) };
  for (const name of ["body", "text"]) {
    const text = wire[name];
    if (typeof text === "string") wire[name] = text.replaceAll("{{administrator}}", first.userName);
  }
  if (typeof role === "string") wire.role_id = first.roles.get(role);
  for (const association of type.associations) {
    if (association.kind === "belongs-to") {
      const id = wire[association.via];
      if (typeof id === "string" && offsets.has(association.type)) wire[association.via] = moved(association.type, id);
    } else if (association.kind === "belongs-to-any") {
      wire.related_id = moved(String(wire.related_type), String(wire.related_id));
    }
  }
  if (mine === "1") wire.owned_by = first.administratorId;
  const { columns, errors } = rowValues(type, wire, context);
  const [wrong] = Object.entries(errors);
  if (wrong) throw new Error(`the demo's ${type.key} ${row.id} does not fit: ${wrong[0]} ${wrong[1].join(", ")}`);
  return columns;
}

/** They share the administrator's password, so that the service can be tried as each of them. */
async function addUsers(
  transaction: Queryable,
  snapshot: Snapshot,
  first: FirstOrganization,
  rows: readonly ColumnValues[],
): Promise<void> {
  const secret = await transaction.row(sql`
    select hash from access_controls__secrets
    where organization_id = ${first.organizationId}::bigint and kind = 'password' and subject = ${first.administratorId}`);
  for (const columns of rows) {
    await createUser(transaction, snapshot, first.organizationId, {
      userName: columns.user_name ?? "",
      firstName: columns.first_name ?? null,
      lastName: columns.last_name ?? "",
      roleIds: [],
      passwordHash: secret?.hash ?? undefined,
      columns: { ...columns, manager_id: null },
    });
  }
  // Managers may come after those they manage.
  await transaction.run(sql`
    update access_controls__users u set manager_id = given.manager_id::bigint
    from unnest(${rows.map((row) => row.id ?? null)}::text[], ${rows.map((row) => row.manager_id ?? null)}::text[])
      as given(id, manager_id)
    where u.organization_id = ${first.organizationId}::bigint and u.id = given.id::bigint`);
}

async function masterIds(transaction: Queryable, snapshot: Snapshot): Promise<MasterId> {
  const keys = {
    "masters/countries": "iso2",
    "masters/states": "code",
    "masters/currencies": "code",
    "masters/locales": "code",
  };
  const ids = new Map<string, string>();
  for (const [key, field] of Object.entries(keys)) {
    const rows = await transaction.rows(
      sql`select id::text as id, ${ident(field)} as key from ${ident(requireType(snapshot, key).table)}`,
    );
    for (const row of rows) ids.set(`${key} ${row.key}`, row.id ?? "");
  }
  return (type, key) => {
    const id = ids.get(`${type} ${key}`);
    if (id === undefined) throw new Error(`there is no ${key} among ${type}`);
    return id;
  };
}
