// What is left to do on large tables while the service runs (metadata__table_work): what there is, and doing it piece by piece, so
// that nobody waits and whoever comes after a process that was killed goes on where it was. table-sync.ts says what has to be done.
import { recordChanges } from "../database/changes.ts";
import type { Database, Queryable } from "../database/database.ts";
import { expression, ident, quote, type Sql, sql, typeName } from "../database/sql.ts";
import { tidyBetweenWrites } from "../database/upkeep/tidy-indexes.ts";
import { SHARED } from "../database/versions.ts";
import { createPieces } from "./changes/pieces.ts";
import { buildConcurrently } from "./concurrent-index.ts";
import type { RecordType } from "./record-type.ts";
import { BEFORE_OTHERS, BETWEEN_TEXTS, SEARCH_COLUMN, searchPrint, searchText } from "./search-text.ts";
import type { Snapshot } from "./snapshot.ts";
import { shapeTable, type TableShape } from "./table-shape.ts";

export interface TableWork {
  readonly kind: "search" | "index" | "reference";
  /** The index, the reference, or the fingerprint of what the text is made of. */
  readonly name: string;
}

export interface PendingWork extends TableWork {
  readonly table: string;
  /** Records that were looked at, and how many there were when it began; 0 where that is not counted. */
  readonly done: number;
  readonly total: number;
  readonly failure: string | null;
  /** When; again for what is to be done once more. */
  readonly requested: string;
}

/** Within the transaction that makes it necessary. What the table's present shape does not ask for goes. */
export async function leaveForLater(
  transaction: Queryable,
  { table, columns, indexes, foreignKeys }: TableShape,
  work: readonly TableWork[],
): Promise<void> {
  const search = columns.find((column) => column.name === SEARCH_COLUMN);
  const asked = [...indexes, ...foreignKeys].map(({ name }) => name);
  if (search) asked.push(searchPrint(search));
  const dropped = await transaction.rows(
    sql`delete from metadata__table_work where table_name = ${table} and name <> all(${asked}::text[]) returning kind`,
  );
  // A new field may leave the text as it is; what was not filled in before is not now either.
  const isUnfinished =
    search && dropped.some(({ kind }) => kind === "search") && work.every(({ kind }) => kind !== "search");
  const left = isUnfinished ? [...work, { kind: "search", name: searchPrint(search) }] : work;
  for (const { kind, name } of left) {
    await transaction.run(sql`
      insert into metadata__table_work (table_name, kind, name) values (${table}, ${kind}, ${name})
      on conflict (table_name, kind, name) do update
      set reached = null, done = 0, failure = null, requested = excluded.requested`);
  }
}

/** Texts first: what is indexed while they are filled in is written twice. */
const inOrder = sql`order by failure is not null, kind <> 'search', requested, table_name, kind, name`;

export async function pendingWork(db: Queryable): Promise<readonly PendingWork[]> {
  const rows = await db.rows(sql`
    select table_name, kind, name, done::text as done, total::text as total, failure, requested::text as requested
    from metadata__table_work ${inOrder}`);
  return rows.map((row) => ({
    table: row.table_name ?? "",
    kind: row.kind as TableWork["kind"], // the table checks it
    name: row.name ?? "",
    done: Number(row.done),
    total: Number(row.total),
    failure: row.failure ?? null,
    requested: row.requested ?? "",
  }));
}

/** The tables whose text for searches is not there yet for all records. */
export async function fillingTables(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db.rows(sql`select table_name from metadata__table_work where kind = 'search'`);
  return new Set(rows.map((row) => row.table_name ?? ""));
}

const which = ({ table, kind, name }: PendingWork): Sql =>
  sql`table_name = ${table} and kind = ${kind} and name = ${name}`;

/**
 * In the transaction that everybody learns it from. A standby that has not got the texts yet is behind then. What was requested once
 * more meanwhile stays.
 */
export async function forgetWork(transaction: Queryable, snapshot: Snapshot, work: PendingWork): Promise<void> {
  const { count } = await transaction.run(sql`
    delete from metadata__table_work where ${which(work)} and requested = ${work.requested}::timestamp`);
  const type = typeOfTable(snapshot, work.table);
  if (!type || work.kind !== "search" || count === 0) return;
  if (type.scope === "shared") return recordChanges(transaction, SHARED, type.key, [{ aclId: "0", delta: 0 }]);
  const rows = await transaction.rows(sql`
    select distinct on (organization_id) organization_id::text as organization, acl_id::text as acl_id
    from core__counters where record_type = ${type.key} order by organization_id`);
  for (const { organization, acl_id } of rows)
    await recordChanges(transaction, organization ?? "", type.key, [{ aclId: acl_id ?? "0", delta: 0 }]);
}

export const failWork = (db: Queryable, work: PendingWork, failure: string): Promise<unknown> =>
  db.run(sql`
    update metadata__table_work set failure = ${failure}
    where ${which(work)} and requested = ${work.requested}::timestamp`);

const typeOfTable = (snapshot: Snapshot, table: string): RecordType | undefined =>
  [...snapshot.types.values()].find((type) => type.table === table);

/**
 * Whether this program would leave the same work: an older one beside it knows other texts and indexes, and must not take
 * for done what it does not know.
 */
export function isOwnWork(snapshot: Snapshot, { table, kind, name }: TableWork & { readonly table: string }): boolean {
  const type = typeOfTable(snapshot, table);
  if (!type) return false;
  const { columns, indexes, foreignKeys } = shapeTable(type, snapshot);
  if (kind === "index") return indexes.some((index) => index.name === name);
  if (kind === "reference") return foreignKeys.some((key) => key.name === name);
  const search = columns.find((column) => column.name === SEARCH_COLUMN);
  return search !== undefined && searchPrint(search) === name;
}

/** Does one piece of own work to its end. `isClosing` is asked between pieces; false: it was, and there is more to do. */
export async function doWork(
  database: Database,
  session: Queryable,
  snapshot: Snapshot,
  work: PendingWork,
  isClosing: () => boolean,
): Promise<boolean> {
  const type = typeOfTable(snapshot, work.table);
  if (!type) return true;
  if (work.kind === "search") return fillSearch(database, type, work, isClosing);
  const shape = shapeTable(type, snapshot);
  if (work.kind === "index") {
    const index = shape.indexes.find(({ name }) => name === work.name);
    if (index) await buildConcurrently(session, type.table, index);
  } else if (shape.foreignKeys.some(({ name }) => name === work.name)) {
    await session.script(`alter table ${quote(type.table)} validate constraint ${quote(work.name)}`);
  }
  return true;
}

/** What somebody else is just writing is passed over, and looked at again in the next round. */
async function fillSearch(
  database: Database,
  type: RecordType,
  work: PendingWork,
  isClosing: () => boolean,
): Promise<boolean> {
  const text = searchText(type);
  if (text === undefined) return true;
  const keys = type.scope === "organization" ? ["organization_id", "id"] : ["id"];
  const plain = expression(keys.map(quote).join(", "));
  const lastKey = expression(keys.map((name) => `looked.${quote(name)}::text as ${quote(name)}`).join(", "));
  const lastFirst = expression(keys.map((name) => `looked.${quote(name)} desc`).join(", "));
  const key = sql`(${plain})`;
  const types = keys.map((name) => typeName(name === "id" && type.idKind === "uuid" ? "uuid" : "bigint"));
  const table = ident(type.table);
  // A field that is empty, as new ones are, only puts separators into the text: that is not worth writing a record anew.
  const [between, others] = [expression(BETWEEN_TEXTS), expression(BEFORE_OTHERS)];
  const bare = (one: Sql): Sql => sql`array_remove(string_to_array(
    replace(rtrim(${one}, ${between} || ${others}), ${others}, ${between} || ${others} || ${between}), ${between}), '')`;
  const differs = sql`${bare(ident(SEARCH_COLUMN))} is distinct from ${bare(expression(text))}`;
  const rowOf = (values: readonly string[]): Sql => {
    const [first, second] = values.map((value, index) => sql`${value}::${types[index] ?? typeName("bigint")}`);
    return second ? sql`(${first ?? sql``}, ${second})` : sql`(${first ?? sql``})`;
  };
  if (work.total === 0) {
    // Only to tell how far it is, so nothing is counted: a change of the design would wait for that.
    await database.run(sql`
      update metadata__table_work set total = (select greatest(reltuples, 0)::bigint from pg_class where oid = to_regclass(${quote(type.table)}))
      where ${which(work)} and total = 0`);
  }
  const tidyAfter = tidyBetweenWrites(database);
  const pieces = createPieces();
  // What a killed process passed over in the round that it began is not known.
  let isFirst = true;
  let passedOver = false;
  for (;;) {
    if (isClosing()) return false;
    const [piece, wrote] = [pieces.size, { differing: 0, count: 0, ms: 0 }];
    const outcome = await database.transaction(async (transaction) => {
      // Whoever changes the design meanwhile waits for this piece, or takes the work away before it begins.
      const row = await transaction.row(
        sql`select reached::text as reached from metadata__table_work where ${which(work)} for update`,
      );
      if (!row) return "gone";
      const reached = row.reached == null ? undefined : (JSON.parse(row.reached) as string[]);
      if (isFirst) passedOver = reached !== undefined;
      isFirst = false;
      const after = reached ? sql`${key} > ${rowOf(reached)}` : sql`true`;
      const last = await transaction.row(sql`
        select ${lastKey}, (count(*) over ())::text as looked_at, (count(*) filter (where differs) over ())::text as differing
        from (select ${plain}, ${differs} as differs from ${table} where ${after} order by ${plain} limit ${piece}) looked
        order by ${lastFirst} limit 1`);
      if (!last) {
        if (!passedOver) return "over";
        passedOver = false;
        await transaction.run(sql`update metadata__table_work set reached = null, done = 0 where ${which(work)}`);
        return "again";
      }
      const until = keys.map((name) => last[name] ?? "");
      const differing = Number(last.differing);
      if (!pieces.allows(differing)) return "fewer";
      wrote.differing = differing;
      if (differing > 0) {
        const began = performance.now();
        // By their places, which nobody changes while they are locked: a list of keys is joined in ways that take a thousand times as long.
        const { count } = await transaction.run(sql`
          update ${table} set ${ident(SEARCH_COLUMN)} = ${expression(text)} where ctid = any(array(
            select ctid from ${table} where ${after} and ${key} <= ${rowOf(until)} and ${differs} for no key update skip locked))`);
        passedOver ||= count < differing;
        Object.assign(wrote, { count, ms: performance.now() - began });
      }
      await transaction.run(sql`
        update metadata__table_work set reached = ${JSON.stringify(until)}::jsonb, done = least(nullif(total, 0), done + ${last.looked_at ?? "0"}::bigint)
        where ${which(work)}`);
      return "done";
    });
    if (outcome === "gone" || outcome === "over") return true;
    if (outcome === "again") await pause();
    if (outcome !== "done") continue;
    pieces.done(wrote.differing, wrote.count, wrote.ms);
    await tidyAfter(type.table, wrote.count);
  }
}

const PAUSE_MS = 200;
const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, PAUSE_MS));
