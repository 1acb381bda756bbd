// Takes a snapshot; brings the real tables up to it by adding what is missing. It never drops, renames or re-types
// anything: that is redesign.ts, and only when asked.
import { type Message, say } from "../../contract/messages.ts";
import { write } from "../../contract/texts/write.ts";
import { openTablePlaces } from "../database/citus/new-tables.ts";
import type { Queryable } from "../database/database.ts";
import { lockTables } from "../database/locks.ts";
import { quote, sql } from "../database/sql.ts";
import { type ExistingTable, isLargeTable, readTable } from "./catalog.ts";
import { indexText, list } from "./index-text.ts";
import type { RecordType } from "./record-type.ts";
import {
  attachSearch,
  detachSearch,
  dropSearchTrigger,
  SEARCH_COLUMN,
  SEARCH_TRIGGER,
  searchPrint,
} from "./search-text.ts";
import type { Snapshot } from "./snapshot.ts";
import {
  fingerprintOf,
  identifier,
  type ShapedColumn,
  searchColumn,
  shapeTable,
  type TableShape,
} from "./table-shape.ts";
import { leaveForLater, type TableWork } from "./table-work.ts";

export interface TableChanges {
  /** Tables, columns, indexes. */
  readonly first: readonly string[];
  /** Foreign keys, once every table exists. */
  readonly then: readonly string[];
  /** What a large table gets while the service runs. */
  readonly later: readonly TableWork[];
  /** Columns whose type is not the wanted one: nothing is done about them here. */
  readonly mismatched: readonly { readonly column: string; readonly is: string; readonly wanted: string }[];
}

export function columnText(column: ShapedColumn): string {
  const collation = column.collation ? ` collate ${quote(column.collation)}` : "";
  return `${quote(column.name)} ${column.type}${collation} ${column.constraint}`.trimEnd();
}

/** The function of its trigger. */
export const searchFunction = (table: string): string => identifier(table, SEARCH_COLUMN);

/** The fingerprint of the text without the fields whose columns are only now added, empty. */
function printWithoutNew(type: RecordType, { columns }: TableShape, existing: ExistingTable): string | undefined {
  const added = columns.filter(({ name, constraint }) => constraint === "" && !existing.columns.has(name));
  const isNew = new Set(added.map(({ name }) => name));
  const fields = type.fields.filter(({ name }) => !type.columns.get(name)?.some((column) => isNew.has(column.name)));
  const text = searchColumn({ ...type, fields });
  return text && searchPrint(text);
}

/** Of a small table the text is made anew at once; of a large one as a job, with what is written meanwhile right from the start. */
function searchChanges(type: RecordType, shape: TableShape, existing: ExistingTable, isLarge: boolean) {
  const column = shape.columns.find((one) => one.name === SEARCH_COLUMN);
  const [table, there] = [quote(type.table), existing.columns.get(SEARCH_COLUMN)];
  const name = quote(SEARCH_COLUMN);
  if (!column) return { first: there && there.comment === null ? [`alter table ${table} drop column ${name}`] : [] };
  if (there?.comment === searchPrint(column)) return { first: [] };
  const comment = `comment on column ${table}.${name} is '${searchPrint(column)}'`;
  if (isLarge) {
    const plain = there ? detachSearch(type.table) : [`alter table ${table} add column ${name} ${column.type}`];
    const first = [...plain, ...attachSearch(type, searchFunction(type.table)), comment];
    // Empty fields add nothing to a text that is there.
    const isKept = there?.comment != null && there.comment === printWithoutNew(type, shape, existing);
    if (isKept) return { first };
    return { first, later: { kind: "search" as const, name: searchPrint(column) } };
  }
  // In one statement: the table is written anew once.
  const drop = there ? `drop column ${name}, ` : "";
  const detach = existing.triggers.has(SEARCH_TRIGGER) ? [dropSearchTrigger(type.table)] : [];
  return { first: [...detach, `alter table ${table} ${drop}add column ${columnText(column)}`, comment] };
}

/** Pure: what has to be said to PostgreSQL to bring `existing` up to `shape`. What would take long on a large table is left for later. */
export function diffTable(
  type: RecordType,
  shape: TableShape,
  existing: ExistingTable | undefined,
  isLarge: boolean,
): TableChanges {
  const table = quote(shape.table);
  const first: string[] = [];
  const later: TableWork[] = [];
  const mismatched: { column: string; is: string; wanted: string }[] = [];
  const search = shape.columns.find((column) => column.name === SEARCH_COLUMN);
  let searchIsNew = false;
  if (!existing) {
    const columns = shape.columns.map(columnText).join(",\n  ");
    first.push(`create table ${table} (\n  ${columns},\n  primary key (${list(shape.primaryKey)})\n)`);
    if (search) first.push(`comment on column ${table}.${quote(SEARCH_COLUMN)} is '${searchPrint(search)}'`);
  } else {
    for (const column of shape.columns) {
      const is = existing.columns.get(column.name)?.type;
      if (column === search) continue;
      if (is === undefined) first.push(`alter table ${table} add column ${columnText(column)}`);
      else if (is !== column.type) mismatched.push({ column: column.name, is, wanted: column.type });
    }
    const changes = searchChanges(type, shape, existing, isLarge);
    first.push(...changes.first);
    if (changes.later) later.push(changes.later);
    searchIsNew = changes.first.length > 0 && !isLarge;
  }
  for (const index of shape.indexes) {
    const state = index.trigram !== undefined && searchIsNew ? undefined : existing?.indexes.get(index.name);
    if (state === "valid") continue;
    // What must be unique is so from the start.
    if (isLarge && !index.unique) later.push({ kind: "index", name: index.name });
    else first.push(...(state ? [`drop index ${quote(index.name)}`] : []), indexText(shape.table, index));
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
  const missing = shape.foreignKeys.filter((key) => !existing?.constraints.has(key.name));
  if (isLarge) later.push(...missing.map(({ name }) => ({ kind: "reference" as const, name })));
  const then = missing.map(
    (key) =>
      `alter table ${table} add constraint ${quote(key.name)} foreign key (${list(key.columns)}) ` +
      `references ${quote(key.table)} (${list(key.references)})${isLarge ? " not valid" : ""}`,
  );
  return { first, then, later, mismatched };
}

/** A column is there with another type than the wanted one. */
export class ColumnMismatch extends Error {
  readonly said: Message;

  constructor(said: Message) {
    super(write(said, "en"));
    this.said = said;
  }
}

/** Called for each table that was touched, with how long it took. */
export type OnTable = (table: string, ms: number, later: readonly TableWork[]) => void;

/** Call within a transaction and the schema lock. Gives the tables that were touched. */
export async function syncTables(transaction: Queryable, snapshot: Snapshot, onTable?: OnTable): Promise<string[]> {
  const known = new Map(
    (await transaction.rows(sql`select table_name, fingerprint from metadata__synced_tables`)).map((row) => [
      row.table_name,
      row.fingerprint,
    ]),
  );
  const places = await openTablePlaces(transaction);
  const broken = await brokenTables(transaction);
  const touched: string[] = [];
  const foreignKeys: string[] = [];
  for (const type of snapshot.types.values()) {
    const shape = shapeTable(type, snapshot);
    const print = fingerprintOf(shape);
    if (known.get(shape.table) === print && !broken.has(shape.table)) continue;
    const began = performance.now();
    const existing = await readTable(transaction, shape.table);
    const changes = diffTable(
      type,
      shape,
      existing,
      existing !== undefined && (await isLargeTable(transaction, shape.table)),
    );
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
    await leaveForLater(transaction, shape, changes.later);
    await transaction.run(sql`
      insert into metadata__synced_tables (table_name, fingerprint) values (${shape.table}, ${print})
      on conflict (table_name) do update set fingerprint = excluded.fingerprint`);
    touched.push(shape.table);
    if (changes.first.length + changes.then.length + changes.later.length > 0)
      onTable?.(shape.table, performance.now() - began, changes.later);
  }
  for (const statement of foreignKeys) await transaction.script(statement);
  return touched;
}

/** Those with an index that was left half built, unless the builder goes on with it. */
async function brokenTables(transaction: Queryable): Promise<ReadonlySet<string>> {
  const rows = await transaction.rows(sql`
    select distinct t.relname as name from pg_index i
    join pg_class t on t.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
    where not i.indisvalid and t.relnamespace = 'public'::regnamespace
      and not exists (select from metadata__table_work w where w.table_name = t.relname and w.name = x.relname)
      and not exists (select from metadata__indexes d where replace(d.record_type, '/', '__') = t.relname)`);
  return new Set(rows.map((row) => row.name ?? ""));
}
