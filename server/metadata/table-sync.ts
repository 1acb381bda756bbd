// Takes a snapshot; brings the real tables up to it by adding what is missing. It never drops, renames or re-types
// anything: that is redesign.ts, and only when asked.
import { createHash } from "node:crypto";
import { type Message, say } from "../../contract/messages.ts";
import { write } from "../../contract/texts/write.ts";
import { openTablePlaces } from "../database/citus/new-tables.ts";
import type { Queryable } from "../database/database.ts";
import { lockTables } from "../database/locks.ts";
import { quote, sql } from "../database/sql.ts";
import { type ExistingTable, readTable } from "./catalog.ts";
import type { Snapshot } from "./snapshot.ts";
import {
  fingerprintOf,
  SEARCH_COLUMN,
  type ShapedColumn,
  type ShapedIndex,
  shapeTable,
  type TableShape,
} from "./table-shape.ts";

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

/** Tells one definition of the search column from another; kept as the column's comment. */
const searchPrint = (column: ShapedColumn): string =>
  createHash("sha256").update(column.constraint).digest("hex").slice(0, 16);

/** `how`: "concurrently", and the like. */
export function indexText(table: string, index: ShapedIndex, how = ""): string {
  const create = `create ${index.unique ? "unique " : ""}index ${how}${how && " "}${quote(index.name)} on ${quote(table)}`;
  if (index.trigram !== undefined) {
    const columns = index.columns.map((name) => (name === index.trigram ? `${quote(name)} gin_trgm_ops` : quote(name)));
    return `${create} using gin (${columns.join(", ")})`;
  }
  const include = index.include.length > 0 ? ` include (${list(index.include)})` : "";
  const conditions = [
    ...(index.live ? ["deleted = 0"] : []),
    ...(index.filled === undefined ? [] : [`${quote(index.filled)} is not null`]),
  ];
  const where = conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
  const columns = [...index.columns.map(quote), ...(index.expression === undefined ? [] : [`(${index.expression})`])];
  return `${create} (${columns.join(", ")})${include}${where}`;
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
      if (column.name === SEARCH_COLUMN && is !== undefined) {
        // Made from other columns: it is made anew when what it is made from changes, and nothing is lost by that.
        if (existing.columns.get(column.name)?.comment === searchPrint(column)) continue;
        // In one statement: the table is written anew once.
        first.push(`alter table ${table} drop column ${quote(column.name)}, add column ${columnText(column)}`);
      } else if (is === undefined) first.push(`alter table ${table} add column ${columnText(column)}`);
      else if (is !== column.type) mismatched.push({ column: column.name, is, wanted: column.type });
    }
  }
  const search = shape.columns.find((column) => column.name === SEARCH_COLUMN);
  const searchIsNew = search !== undefined && existing?.columns.get(SEARCH_COLUMN)?.comment !== searchPrint(search);
  if (searchIsNew) first.push(`comment on column ${table}.${quote(SEARCH_COLUMN)} is '${searchPrint(search)}'`);
  for (const index of shape.indexes) {
    if (existing?.indexes.has(index.name) && !(index.trigram !== undefined && searchIsNew)) continue;
    first.push(indexText(shape.table, index));
  }
  if (shape.appendOnly) {
    // Two: where a table is distributed, one for TRUNCATE too would be on none of its parts.
    for (const [name, event] of [
      ["append_only", "update or delete"],
      ["never_truncated", "truncate"],
    ])
      first.push(
        `create or replace trigger ${name} before ${event} on ${table} ` +
          "for each statement execute function dossier_append_only()",
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

/** A column is there with another type than the wanted one. */
export class ColumnMismatch extends Error {
  readonly said: Message;

  constructor(said: Message) {
    super(write(said, "en"));
    this.said = said;
  }
}

/** Call within a transaction and the schema lock. Gives the tables that were touched. */
export async function syncTables(transaction: Queryable, snapshot: Snapshot): Promise<string[]> {
  const known = new Map(
    (await transaction.rows(sql`select table_name, fingerprint from metadata__synced_tables`)).map((row) => [
      row.table_name,
      row.fingerprint,
    ]),
  );
  const places = await openTablePlaces(transaction);
  const touched: string[] = [];
  const foreignKeys: string[] = [];
  for (const type of snapshot.types.values()) {
    const shape = shapeTable(type, snapshot);
    const print = fingerprintOf(shape);
    if (known.get(shape.table) === print) continue;
    const existing = await readTable(transaction, shape.table);
    const changes = diffTable(shape, existing);
    const [wrong] = changes.mismatched;
    if (wrong) {
      throw new ColumnMismatch(
        say("column_differs", { column: `${shape.table}.${wrong.column}`, is: wrong.is, wanted: wrong.wanted }),
      );
    }
    if (changes.first.length + changes.then.length > 0) await lockTables(transaction);
    for (const [index, statement] of changes.first.entries()) {
      await transaction.script(statement);
      // The table itself comes first; its indexes and triggers go where it is.
      if (!existing && index === 0) await places.place(shape.table, type.scope);
    }
    foreignKeys.push(...changes.then);
    await transaction.run(sql`
      insert into metadata__synced_tables (table_name, fingerprint) values (${shape.table}, ${print})
      on conflict (table_name) do update set fingerprint = excluded.fingerprint`);
    touched.push(shape.table);
  }
  for (const statement of foreignKeys) await transaction.script(statement);
  return touched;
}
