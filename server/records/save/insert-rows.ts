// Takes rows as column texts; writes any number of them in few statements, with ids, numbers and access sets filled in.
// Checks nothing of the caller: plans do. Call within a transaction.
import { internAcl } from "../../access/acl-sets.ts";
import { type Change, insertLogged, writeLogged } from "../../database/changes.ts";
import type { Queryable } from "../../database/database.ts";
import { isFollowed } from "../../database/events/followed-types.ts";
import { ident, join, quote, type Sql, sql, typeName } from "../../database/sql.ts";
import { uuidv7 } from "../../lib/uuid.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { computeFormulas } from "../computed/draft-formulas.ts";
import { noteChange } from "../computed/touched.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { nextNumbers } from "./auto-number.ts";
import { recipesOf } from "./recipes.ts";

/** One text array per column; a few thousand rows keep a statement around a megabyte. */
const BATCH = 2_500;

/** Up to here the plan hardly matters, and making it costs more than the rows. */
const FEW = 10;

const knownTypes = new WeakMap<RecordType, ReadonlyMap<string, string>>();

function columnTypes(type: RecordType): ReadonlyMap<string, string> {
  const known = knownTypes.get(type);
  if (known) return known;
  const columns = [...type.columns.values()].flat().map((column) => [column.name, column.type] as const);
  const types = new Map([...columns, ...(type.scope === "organization" ? ([["acl_id", "integer"]] as const) : [])]);
  knownTypes.set(type, types);
  return types;
}

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
    const filled = await filledIn(transaction, snapshot, type, organizationId, rows.slice(start, start + BATCH));
    const written = new Map<ColumnValues, string>();
    for (const group of byShape(filled)) {
      if (hasIds(group)) {
        await writeKnown(transaction, organizationId ?? "0", type, group);
        await transaction.settled();
        for (const row of group) written.set(row, row.id ?? "");
        continue;
      }
      // One statement for both: while a number is being given out, others wait for every one of them.
      const statement = insertLogged(organizationId ?? "0", type.key, changesOf(type, group), insertion(type, group));
      const inserted =
        group.length > FEW ? (await transaction.run(statement)).rows : await transaction.prepared(statement);
      for (const [index, row] of group.entries()) written.set(row, inserted[index]?.[0] ?? "");
    }
    ids.push(...filled.map((row) => written.get(row) ?? ""));
  }
  // Whoever writes settles in the same transaction.
  for (const id of ids) noteChange({ transaction, snapshot }, type, id, "all");
  return ids;
}

/** The same for rows whose ids are known, or nobody asks for: they are sent and not waited for (`Queryable.write`). */
export async function appendRows(
  transaction: Queryable,
  snapshot: Snapshot,
  type: RecordType,
  organizationId: string | undefined,
  rows: readonly ColumnValues[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) {
    const filled = await filledIn(transaction, snapshot, type, organizationId, rows.slice(start, start + BATCH));
    for (const group of byShape(filled)) {
      await writeKnown(transaction, organizationId ?? "0", type, group);
      for (const { id } of group) if (id != null) noteChange({ transaction, snapshot }, type, id, "all");
    }
  }
}

const hasIds = (rows: readonly ColumnValues[]): boolean => rows.every(({ id }) => id != null);

/**
 * On a distributed database this asks the organization's own machine alone; where ids are only known in the statement, what it does with
 * them there is sent to every machine.
 */
function writeKnown(
  transaction: Queryable,
  organizationId: string,
  type: RecordType,
  rows: readonly ColumnValues[],
): Promise<void> {
  const told = rows.flatMap(({ id }) => (id == null ? [] : [{ id, before: null }]));
  return writeLogged(transaction, insertion(type, rows), organizationId, type.key, changesOf(type, rows), told);
}

/** Rows with what the service itself knows of them: ids of their own, whose they are, who may read them, their numbers. */
async function filledIn(
  transaction: Queryable,
  snapshot: Snapshot,
  type: RecordType,
  organizationId: string | undefined,
  given: readonly ColumnValues[],
): Promise<ColumnValues[]> {
  const rows = given.map((row) => ({ ...row }));
  if (type.idKind === "uuid") for (const row of rows) row.id ??= uuidv7();
  if (type.scope === "organization") {
    if (await transaction.isDistributed()) await fillIds(transaction, type, rows);
    if (organizationId === undefined) throw new Error(`${type.key} belongs to an organization`);
    await fillNumbers(transaction, type, organizationId, rows);
    for (const row of rows) computeFormulas(type, row, true);
    const recipes = await recipesOf(transaction, snapshot, type, organizationId, rows);
    const aclIds = await internAcl(transaction, snapshot, organizationId, recipes, arrivingUsers(type, rows));
    rows.forEach((row, index) => {
      row.organization_id = organizationId;
      row.acl_id = aclIds[index] ?? null;
    });
  }
  return rows;
}

/** A column that only some rows name would hide its default from the others: those rows are written on their own. */
function byShape(rows: readonly ColumnValues[]): Iterable<ColumnValues[]> {
  const groups = new Map<string, ColumnValues[]>();
  const shapes = new Map<string, string>();
  for (const row of rows) {
    const keys = Object.keys(row);
    const asWritten = keys.join(" ");
    const shape = shapes.get(asWritten) ?? keys.sort().join(" ");
    shapes.set(asWritten, shape);
    const group = groups.get(shape);
    if (group) group.push(row);
    else groups.set(shape, [row]);
  }
  return groups.values();
}

const changesOf = (type: RecordType, rows: readonly ColumnValues[]): Change[] =>
  rows.map((row) => ({
    aclId: row.acl_id ?? "0",
    delta: row.deleted === "1" ? 0 : 1,
    created: row.created ?? "now",
    ...(isFollowed(type) && row.deleted !== "1" ? { id: row.id ?? undefined, operation: "add", revision: "1" } : {}),
  }));

/** Writes rows that name the same columns. One row goes as plain values, which costs PostgreSQL less than arrays of one. */
function insertion(type: RecordType, rows: readonly ColumnValues[]): Sql {
  const names = Object.keys(rows[0] ?? {}).sort();
  const types = columnTypes(type);
  const typeOfColumn = (name: string): Sql => {
    const columnType = types.get(name);
    if (columnType === undefined) throw new Error(`${type.table} has no column ${name}`);
    return typeName(columnType);
  };
  const into = sql`insert into ${ident(type.table)} (${join(names.map((name) => ident(name)))})`;
  const [one] = rows;
  if (one && rows.length === 1) {
    return sql`${into} values (${join(names.map((name) => sql`${one[name] ?? null}::${typeOfColumn(name)}`))})`;
  }
  const arrays = names.map((name) => sql`${rows.map((row) => row[name] ?? null)}::text[]`);
  const aliases = names.map((_, index) => ident(`v${index}`));
  const values = names.map((name, index) => sql`given.${aliases[index] ?? ident("v0")}::${typeOfColumn(name)}`);
  return sql`${into}
    select ${join(values)} from unnest(${join(arrays)}) with ordinality as given(${join([...aliases, ident("ord")])})
    order by given.ord`;
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

/** Known before the statement: see `writeKnown`. */
async function fillIds(transaction: Queryable, type: RecordType, rows: ColumnValues[]): Promise<void> {
  const without = rows.filter(({ id }) => id == null);
  if (without.length === 0) return;
  const ids = await transaction.prepared(sql`
    select nextval(pg_get_serial_sequence(${quote(type.table)}, 'id'))::text from generate_series(1, ${without.length}::integer)`);
  without.forEach((row, index) => {
    row.id = ids[index]?.[0] ?? null;
  });
}

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
