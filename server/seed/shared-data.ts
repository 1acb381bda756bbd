// Takes the shared rows that the service ships (master data, navigation); upserts them by natural key, and only when
// they differ from what was written last. Ids, and rows that are no longer shipped, stay.
import { createHash } from "node:crypto";
import type { Database, Queryable } from "../database/database.ts";
import { withSchemaLock } from "../database/migrate.ts";
import { ident, join, sql, typeName } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { menuData } from "../modules/development_base/menu-data.ts";
import { type MasterData, masterData } from "../modules/masters/data.ts";
import type { ColumnValues } from "../records/read/row-values.ts";
import { insertRows } from "../records/save/insert-rows.ts";

/** Gives the record types whose rows were written. Where there are none, it waits for nobody who changes the design. */
export async function seedSharedData(db: Database, snapshot: Snapshot): Promise<string[]> {
  const all = [...masterData, ...menuData(snapshot)];
  const stored = await readPrints(db);
  if (all.every((data) => stored.get(markerOf(data)) === printOf(data.rows()))) return [];
  return withSchemaLock(db, async (session) => {
    const written: string[] = [];
    for (const data of all) if (await seed(session, snapshot, data)) written.push(data.type);
    return written;
  });
}

/** The lists are the same for as long as the process runs, thousands of rows, and asked for with every design that is saved. */
const prints = new WeakMap<object, string>();

function printOf(rows: readonly object[]): string {
  const print = prints.get(rows) ?? createHash("sha256").update(JSON.stringify(rows)).digest("hex");
  prints.set(rows, print);
  return print;
}

const markerOf = ({ type }: MasterData): string => `rows of ${type}`;

async function readPrints(db: Queryable): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows(sql`
    select table_name, fingerprint from metadata__synced_tables where starts_with(table_name, 'rows of ')`);
  return new Map(rows.map((row) => [row.table_name ?? "", row.fingerprint ?? ""]));
}

async function seed(
  session: Queryable,
  snapshot: Snapshot,
  data: MasterData,
  inTransaction: InTransaction = own(session),
): Promise<boolean> {
  const rows = data.rows();
  const print = printOf(rows);
  const marker = markerOf(data);
  const before = await session.row(sql`select fingerprint from metadata__synced_tables where table_name = ${marker}`);
  if (before?.fingerprint === print) return false;
  await inTransaction(async () => {
    await upsert(session, snapshot, data, rows);
    await session.run(sql`
      insert into metadata__synced_tables (table_name, fingerprint) values (${marker}, ${print})
      on conflict (table_name) do update set fingerprint = excluded.fingerprint`);
  });
  return true;
}

/** New record types have their place in the navigation with the transaction that makes them. */
export async function seedNavigation(transaction: Queryable, snapshot: Snapshot): Promise<void> {
  for (const data of menuData(snapshot)) await seed(transaction, snapshot, data, (work) => work());
}

type InTransaction = (work: () => Promise<void>) => Promise<void>;

const own =
  (session: Queryable): InTransaction =>
  async (work) => {
    await session.script("begin");
    try {
      await work();
      await session.script("commit");
    } catch (error) {
      await session.script("rollback").catch(() => undefined);
      throw error;
    }
  };

async function upsert(
  transaction: Queryable,
  snapshot: Snapshot,
  data: MasterData,
  rows: readonly Readonly<Record<string, string | null>>[],
): Promise<void> {
  const type = requireType(snapshot, data.type);
  const resolved = rows.map((row): ColumnValues => ({ ...row }));
  const last = data.changedByPeople ? await lastOfArranged(transaction, type) : undefined;
  if (last !== undefined) {
    for (const [index, row] of resolved.entries()) row.sequence = String(last + index + 1);
  }
  for (const [field, reference] of Object.entries(data.references ?? {})) {
    const target = requireType(snapshot, reference.type);
    const found = await transaction.rows<{ id: string; key: string }>(
      sql`select id::text as id, ${ident(reference.by)} as key from ${ident(target.table)}`,
    );
    const ids = new Map(found.map((row) => [row.key, row.id]));
    for (const row of resolved) {
      row[field] = ids.get(row[reference.from] ?? "") ?? null;
      delete row[reference.from];
    }
  }
  const stored = await transaction.rows(
    sql`select id::text as id, ${ident(data.key)} as key from ${ident(type.table)}`,
  );
  const idOf = new Map(stored.map((row) => [row.key, row.id]));
  const isTaken = data.changedByPeople ? await takenIn(transaction, type) : () => false;
  await insertRows(
    transaction,
    snapshot,
    type,
    undefined,
    resolved.filter((row) => !idOf.has(row[data.key] ?? "") && !isTaken(row)),
  );
  for (const row of resolved) {
    const id = idOf.get(row[data.key] ?? "");
    if (id === undefined || id === null) continue;
    const names = Object.keys(row).filter((name) => name !== data.key && (name !== "sequence" || last === undefined));
    const sent = (name: string) => sql`${row[name] ?? null}::${typeName(type.columns.get(name)?.[0]?.type ?? "text")}`;
    await transaction.run(sql`
      update ${ident(type.table)}
      set ${join(names.map((name) => sql`${ident(name)} = ${sent(name)}`))}, modified = now() at time zone 'utc'
      where id::text = ${id} and ${data.changedByPeople ? sql`revision = 1 and deleted = 0` : sql`true`}
        and (${join(
          names.map((name) => sql`${ident(name)} is distinct from ${sent(name)}`),
          " or ",
        )})`);
  }
}

/** The greatest number, where people have arranged the rows: what is new follows then, and nothing moves. */
async function lastOfArranged(transaction: Queryable, { table }: RecordType): Promise<number | undefined> {
  const row = await transaction.row(sql`
    select max(sequence)::text as last from ${ident(table)} having bool_or(revision > 1)`);
  return row?.last == null ? undefined : Number(row.last);
}

/** Whether somebody's own row has what must be unique: theirs stays, ours is left out. */
async function takenIn(transaction: Queryable, type: RecordType): Promise<(row: ColumnValues) => boolean> {
  const names = [...new Set(type.unique.flat())];
  const stored = await transaction.rows(
    sql`select ${join(names.map((name) => sql`${ident(name)}::text as ${ident(name)}`))} from ${ident(type.table)}`,
  );
  const valuesOf = (list: readonly string[], row: ColumnValues) =>
    JSON.stringify(list.map((name) => row[name] ?? null));
  const taken = type.unique.map((list) => [list, new Set(stored.map((row) => valuesOf(list, row)))] as const);
  return (row) => taken.some(([list, values]) => values.has(valuesOf(list, row)));
}
