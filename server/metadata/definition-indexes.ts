// The indexes that a definition itself asks for ("Fast sorting"), where its table has records already: takes a design that is
// being saved, leaves building and removing to index-builder.ts, and gives the indexes that count until that is done.
import type { Queryable } from "../database/database.ts";
import { notify } from "../database/processes/notify.ts";
import { ident, quote, sql } from "../database/sql.ts";
import { refuseIndex } from "./indexes.ts";
import type { RecordType, RecordTypeDefinition } from "./record-type.ts";
import type { AddedIndexes } from "./snapshot.ts";
import { fieldIndexes, orderIndexes } from "./table-shape.ts";

interface Design {
  readonly before: RecordType | undefined;
  readonly after: RecordType;
  /** Fields whose columns go or are made anew, with their indexes. */
  readonly changing: readonly string[];
}

interface Left {
  readonly indexes: AddedIndexes;
  /** Names of those that the builder drops. */
  readonly removing: ReadonlySet<string>;
}

/** Within the save's transaction. An empty table gets its indexes at once: nobody waits for that. */
export async function leaveToBuilder(
  transaction: Queryable,
  { before, after, changing }: Design,
  definition: RecordTypeDefinition,
  indexes: AddedIndexes,
): Promise<Left> {
  if (!(await hasRecords(transaction, after.table))) return { indexes, removing: new Set() };
  const wanted = definition.fields.filter((field) => field.indexed).map(({ name }) => name);
  const added = new Map(indexes.get(after.key));
  const isAdded = (name: string) => indexes.get(after.key)?.get(name) === true;
  // One that was added by itself is the definition's own from now on.
  const known = wanted.filter((name) => isAdded(name) && !changing.includes(name));
  const missing: string[] = [];
  for (const name of wanted)
    if (changing.includes(name) || !(await isThere(transaction, after, name))) missing.push(name);
  const dropped = (before?.fields ?? [])
    .filter(({ name, system }) => !system && !wanted.includes(name) && !changing.includes(name))
    .filter(({ name, indexed }) => indexed && !isAdded(name))
    .map(({ name }) => name);
  // Could not be built, and is not asked for any more.
  const failed: string[] = [];
  for (const [name, isReady] of added)
    if (!isReady && !wanted.includes(name) && (await isDefined(transaction, after.key, name))) failed.push(name);

  await forget(transaction, after.key, [...known, ...failed]);
  for (const name of [...known, ...failed]) added.delete(name);
  for (const [names, state] of [[missing, "building"] as const, [dropped, "removing"] as const]) {
    for (const name of names) {
      added.set(name, false);
      await transaction.run(sql`
        insert into metadata__indexes (record_type, field, state) values (${after.key}, ${name}, ${state})
        on conflict (record_type, field) do update
          set state = excluded.state, failure = null, requested = excluded.requested, automatic = false`);
    }
  }
  for (const name of dropped) await refuseIndex(transaction, after.key, name);
  if (missing.length + dropped.length > 0) await notify(transaction, "dossier_indexes", after.key);
  const removing = dropped.flatMap((name) => fieldIndexes(after, name)).map(({ name }) => name);
  return { indexes: new Map([...indexes, [after.key, added]]), removing: new Set(removing) };
}

/** Whether the definition that is stored asks for it. */
export async function isDefined(db: Queryable, key: string, field: string): Promise<boolean> {
  const fields = JSON.stringify([{ name: field, indexed: true }]);
  const row = await db.row(sql`
    select 1 as found from metadata__record_types where key = ${key} and definition -> 'fields' @> ${fields}::jsonb`);
  return row !== undefined;
}

const forget = (transaction: Queryable, key: string, fields: readonly string[]): Promise<unknown> =>
  transaction.run(sql`delete from metadata__indexes where record_type = ${key} and field = any(${fields}::text[])`);

async function hasRecords(db: Queryable, table: string): Promise<boolean> {
  const there = await db.row(sql`select 1 as found where to_regclass(${quote(table)}) is not null`);
  return there !== undefined && (await db.row(sql`select 1 as found from ${ident(table)} limit 1`)) !== undefined;
}

export async function isThere(db: Queryable, type: RecordType, field: string): Promise<boolean> {
  const names = orderIndexes(type, field).map(({ name }) => quote(name));
  const row = await db.row(sql`
    select count(*)::text as count from unnest(${names}::text[]) as n(name)
      join pg_index i on i.indexrelid = to_regclass(n.name) where i.indisvalid`);
  return row?.count === String(names.length);
}
