// Takes rows as column texts; writes any number of them in few statements, with ids, numbers and access sets filled in.
// Checks nothing of the caller: plans do. Call within a transaction.
import { internAcl } from "../../access/acl-sets.ts";
import { logEntries } from "../../database/changes.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, join, sql, typeName } from "../../database/sql.ts";
import { uuidv7 } from "../../lib/uuid.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { nextNumbers } from "./auto-number.ts";
import { recipesOf } from "./recipes.ts";

/** One text array per column; a few thousand rows keep a statement around a megabyte. */
const BATCH = 2_500;

/** Up to here the plan hardly matters, and making it costs more than the rows. */
const FEW = 10;

const columnTypes = (type: RecordType): Map<string, string> =>
  new Map([...type.columns.values()].flat().map((column) => [column.name, column.type]));

/** Gives the ids in the order of the rows. `organizationId` is undefined for shared types only. */
export async function insertRows(
  transaction: Queryable,
  snapshot: Snapshot,
  type: RecordType,
  organizationId: string | undefined,
  rows: readonly ColumnValues[],
): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < rows.length; start += BATCH) {
    ids.push(...(await insertBatch(transaction, snapshot, type, organizationId, rows.slice(start, start + BATCH))));
  }
  return ids;
}

async function insertBatch(
  transaction: Queryable,
  snapshot: Snapshot,
  type: RecordType,
  organizationId: string | undefined,
  given: readonly ColumnValues[],
): Promise<string[]> {
  const rows = given.map((row) => ({ ...row }));
  if (type.idKind === "uuid") for (const row of rows) row.id ??= uuidv7();
  const types = columnTypes(type);
  if (type.scope === "organization") {
    if (organizationId === undefined) throw new Error(`${type.key} belongs to an organisation`);
    const recipes = await recipesOf(transaction, snapshot, type, organizationId, rows);
    const aclIds = await internAcl(transaction, snapshot, organizationId, recipes, arrivingUsers(type, rows));
    types.set("acl_id", "integer");
    rows.forEach((row, index) => {
      row.organization_id = organizationId;
      row.acl_id = aclIds[index] ?? null;
    });
    await fillNumbers(transaction, type, organizationId, rows);
  }
  // A column that only some rows name would hide its default from the others: those rows are written on their own.
  const groups = new Map<string, ColumnValues[]>();
  for (const row of rows) {
    const shape = Object.keys(row).sort().join(" ");
    const group = groups.get(shape);
    if (group) group.push(row);
    else groups.set(shape, [row]);
  }
  const written = new Map<ColumnValues, string>();
  for (const group of groups.values()) {
    const names = Object.keys(group[0] ?? {});
    const arrays = names.map((name) => sql`${group.map((row) => row[name] ?? null)}::text[]`);
    const aliases = names.map((_, index) => ident(`v${index}`));
    const values = names.map((name, index) => {
      const columnType = types.get(name);
      if (columnType === undefined) throw new Error(`${type.table} has no column ${name}`);
      return sql`given.${aliases[index] ?? ident("v0")}::${typeName(columnType)}`;
    });
    const changes = group.map((row) => ({ aclId: row.acl_id ?? "0", delta: row.deleted === "1" ? 0 : 1 }));
    // One statement for both: while a number is being given out, others wait for every one of them.
    const statement = sql`
      with logged as (${logEntries(organizationId ?? "0", type.key, changes)})
      insert into ${ident(type.table)} (${join(names.map((name) => ident(name)))})
      select ${join(values)} from unnest(${join(arrays)}) with ordinality as given(${join([...aliases, ident("ord")])})
      order by given.ord returning id`;
    const inserted =
      group.length > FEW ? (await transaction.run(statement)).rows : await transaction.prepared(statement);
    group.forEach((row, index) => {
      written.set(row, inserted[index]?.[0] ?? "");
    });
  }
  return rows.map((row) => written.get(row) ?? "");
}

/** Those who own the very rows that make them known. */
const arrivingUsers = (type: RecordType, rows: readonly ColumnValues[]): ReadonlyMap<string, number> =>
  new Map(
    type.key === "access_controls/users"
      ? rows.flatMap(({ id, principal_id: principal }) =>
          id != null && principal != null ? [[id, Number(principal)]] : [],
        )
      : [],
  );

async function fillNumbers(
  transaction: Queryable,
  type: RecordType,
  organizationId: string,
  rows: readonly ColumnValues[],
): Promise<void> {
  for (const field of type.fields) {
    if (!typeOf(field).running) continue;
    const without = rows.filter((row) => row[field.name] === undefined || row[field.name] === null);
    const numbers = await nextNumbers(transaction, type, field, organizationId, without.length);
    without.forEach((row, index) => {
      row[field.name] = numbers[index] ?? null;
    });
  }
}
