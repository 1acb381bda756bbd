// Takes a snapshot; brings the real tables up to it by adding what is missing. It never drops, renames or re-types
// anything: that is redesign.ts, and only when asked.
import type { Queryable } from "../database/database.ts";
import { quote, sql } from "../database/sql.ts";
import { type ExistingTable, readTable } from "./catalog.ts";
import type { Snapshot } from "./snapshot.ts";
import { fingerprintOf, type ShapedColumn, shapeTable, type TableShape } from "./table-shape.ts";

export interface TableChanges {
  /** Tables, columns, indexes. */
  readonly first: readonly string[];
  /** Foreign keys, once every table exists. */
  readonly then: readonly string[];
  /** Columns whose type is not the wanted one: nothing is done about them here. */
  readonly mismatched: readonly { readonly column: string; readonly is: string; readonly wanted: string }[];
}

const list = (names: readonly string[]): string => names.map(quote).join(", ");

export function columnText(column: ShapedColumn): string {
  const collation = column.collation ? ` collate ${quote(column.collation)}` : "";
  return `${quote(column.name)} ${column.type}${collation} ${column.constraint}`.trimEnd();
}

/** Pure: what has to be said to PostgreSQL to bring `existing` up to `shape`. */
export function diffTable(shape: TableShape, existing: ExistingTable | undefined): TableChanges {
  const table = quote(shape.table);
  const first: string[] = [];
  const mismatched: { column: string; is: string; wanted: string }[] = [];
  if (!existing) {
    const columns = shape.columns.map(columnText).join(",\n  ");
    first.push(`create table ${table} (\n  ${columns},\n  primary key (${list(shape.primaryKey)})\n)`);
  } else {
    for (const column of shape.columns) {
      const is = existing.columns.get(column.name)?.type;
      if (is === undefined) first.push(`alter table ${table} add column ${columnText(column)}`);
      else if (is !== column.type) mismatched.push({ column: column.name, is, wanted: column.type });
    }
  }
  for (const index of shape.indexes) {
    if (existing?.indexes.has(index.name)) continue;
    const include = index.include.length > 0 ? ` include (${list(index.include)})` : "";
    const where = index.live ? " where deleted = 0" : "";
    first.push(
      `create ${index.unique ? "unique " : ""}index ${quote(index.name)} on ${table} (${list(index.columns)})${include}${where}`,
    );
  }
  const then = shape.foreignKeys
    .filter((key) => !existing?.constraints.has(key.name))
    .map(
      (key) =>
        `alter table ${table} add constraint ${quote(key.name)} foreign key (${list(key.columns)}) ` +
        `references ${quote(key.table)} (${list(key.references)})`,
    );
  return { first, then, mismatched };
}

/** Call within a transaction and the schema lock. Gives the tables that were touched. */
export async function syncTables(transaction: Queryable, snapshot: Snapshot): Promise<string[]> {
  const known = new Map(
    (await transaction.rows(sql`select table_name, fingerprint from metadata__synced_tables`)).map((row) => [
      row.table_name,
      row.fingerprint,
    ]),
  );
  const touched: string[] = [];
  const foreignKeys: string[] = [];
  for (const type of snapshot.types.values()) {
    const shape = shapeTable(type, snapshot);
    const print = fingerprintOf(shape);
    if (known.get(shape.table) === print) continue;
    const changes = diffTable(shape, await readTable(transaction, shape.table));
    const [wrong] = changes.mismatched;
    if (wrong) {
      throw new Error(
        `${shape.table}.${wrong.column} is ${wrong.is} and should be ${wrong.wanted}; ` +
          "a column's type changes only when asked for, by a migration or by redesigning the record type",
      );
    }
    for (const statement of changes.first) await transaction.script(statement);
    foreignKeys.push(...changes.then);
    await transaction.run(sql`
      insert into metadata__synced_tables (table_name, fingerprint) values (${shape.table}, ${print})
      on conflict (table_name) do update set fingerprint = excluded.fingerprint`);
    touched.push(shape.table);
  }
  for (const statement of foreignKeys) await transaction.script(statement);
  return touched;
}
