// Takes a field that is to have another type; reads every value as the new type would, and refuses the whole change where one does
// not fit. What leaves a column, or is spelled otherwise in it, is kept in metadata__discarded_values first.
import { Failure } from "../../../contract/failures.ts";
import { about, type Message, say } from "../../../contract/messages.ts";
import type { Queryable } from "../../database/database.ts";
import { isFollowed } from "../../database/events/followed-types.ts";
import { ident, join, quote, type Sql, sql, typeName } from "../../database/sql.ts";
import type { Field, RowValue } from "../../fields/field-type.ts";
import { isLargeTable } from "../catalog.ts";
import { typeOf } from "../compile.ts";
import type { RecordType } from "../record-type.ts";
import { detachFromSearch, discardField, dropColumns, organizationOf, wireOf } from "../redesign.ts";
import { columnText } from "../table-sync.ts";
import { takeTables } from "./take-tables.ts";
import { type EventHeads, readEventHeads, writtenSince } from "./written-since.ts";

/** The condition for the records of a type, under an alias, that whoever designs may read. */
export type Readable = (type: RecordType, alias: string) => Sql;

interface ConvertedRow {
  readonly organizationId: string;
  readonly id: string;
  /** As it was read. */
  readonly was: string;
  readonly values: readonly RowValue[];
}

export interface Converted {
  /** How many values the other field can hold. */
  readonly fitting: number;
  /** Those to be written; not collected unless asked for. */
  readonly rows: readonly ConvertedRow[];
  /** How many values the other field cannot hold. */
  readonly refused: number;
  /** Some of these in words; none of a record that whoever designs may not read. */
  readonly examples: readonly Message[];
}

interface Asked {
  readonly from: Field;
  readonly to: Field;
  readonly readable: Readable | undefined;
  readonly collects?: boolean;
  /** Of which records; of all, unless said. */
  readonly which?: Sql;
  readonly most?: number;
  readonly limit?: TimeLimit | undefined;
}

/** What is only looked at has an end, since others wait for it: of performance.now(), and the seconds that there were. */
export interface TimeLimit {
  readonly until: number;
  readonly seconds: number;
}

const BATCH = 2_000;
const MOST_EXAMPLES = 10;

/** More would be held in memory, and keep everybody waiting, for too long. */
const MOST_CONVERTED = 500_000;

/** Text that stays text stays where it is: only what the other field spells otherwise is written. */
export function staysInPlace(from: Field | undefined, to: Field | undefined): boolean {
  const sides = [from, to].map((field) => (field ? typeOf(field).columns(field) : []));
  return sides.every((columns) => columns.length === 1 && columns[0]?.type === "text");
}

const tooMany = (from: Field, to: Field, most: number): Failure =>
  refusal(to, say("too_many_to_convert", { name: from.label, most, type: typeOf(to).label }));

const refusal = (to: Field, said: Message): Failure =>
  new Failure("definition_refused", {
    with: { faults: [said] },
    byField: { [`record_types.fields.${to.name}.type`]: [said] },
  });

function requireTime(limit: TimeLimit | undefined, from: Field, to: Field): void {
  if (limit === undefined || performance.now() <= limit.until) return;
  throw refusal(to, say("conversion_check_too_long", { name: from.label, seconds: limit.seconds }));
}

/** The records with the value, under names that no field can have. */
const withValue = (type: RecordType, field: Field): Sql =>
  sql`(select *, (${wireOf(field)})::text as _value from ${ident(type.table)}) as r`;

/** Before anybody has to wait for it. */
async function requireFew(
  db: Queryable,
  type: RecordType,
  from: Field,
  to: Field,
  most = MOST_CONVERTED,
): Promise<void> {
  const row = await db.row(sql`
    select count(*)::text as count from (
      select 1 as one from ${withValue(type, from)} where _value is not null limit ${most + 1}::integer) as counted`);
  if (Number(row?.count) > most) throw tooMany(from, to, most);
}

/** Every value of a field as another would hold it. */
export async function readConverted(
  db: Queryable,
  type: RecordType,
  { from, to, readable, collects = false, which = sql`true`, most = MOST_CONVERTED, limit }: Asked,
): Promise<Converted> {
  const stays = staysInPlace(from, to);
  if (!stays && !collects) await requireFew(db, type, from, to, most);
  let [fitting, refused, differing] = [0, 0, 0];
  const examples: Message[] = [];
  const rows: ConvertedRow[] = [];
  const idType = typeName(type.idKind === "uuid" ? "uuid" : "bigint");
  const isOwned = type.scope === "organization";
  const order = isOwned ? sql`r.organization_id, r.id` : sql`r.id`;
  let last: Pick<ConvertedRow, "organizationId" | "id"> | undefined;
  for (;;) {
    const after =
      last === undefined
        ? sql`true`
        : isOwned
          ? sql`(r.organization_id, r.id) > (${last.organizationId}::bigint, ${last.id}::${idType})`
          : sql`r.id > ${last.id}::${idType}`;
    const read = await db.rows(sql`
      select ${organizationOf(type)}::text as organization, id::text as id, _value as was
      from ${withValue(type, from)} where _value is not null and ${which} and ${after} order by ${order} limit ${BATCH}`);
    const misfits: { readonly id: string; readonly example: Message }[] = [];
    for (const { organization, id, was } of read) {
      const row = { organizationId: organization ?? "", id: id ?? "", was: was ?? "" };
      const parsed = typeOf(to).parse(row.was, to, { locale: "en-US", timeZone: "UTC" });
      if (parsed.ok) {
        fitting += 1;
        if (stays && parsed.row[0] === row.was) continue;
        differing += 1;
        if (collects) rows.push({ ...row, values: parsed.row });
      } else {
        refused += 1;
        const faults = parsed.errors.map((one) => about(JSON.stringify(row.was), one));
        misfits.push({ id: row.id, example: say("record_value", { id: row.id, faults }) });
      }
    }
    if (examples.length < MOST_EXAMPLES && misfits.length > 0 && readable) {
      const ids = misfits.map(({ id }) => id);
      const told = await db.rows(sql`
        select r.id::text as id from ${ident(type.table)} r
        where ${readable(type, "r")} and r.id = any(${ids}::${idType}[])`);
      const mayTell = new Set(told.map(({ id }) => id));
      const mine = misfits.filter(({ id }) => mayTell.has(id)).map(({ example }) => example);
      examples.push(...mine.slice(0, MOST_EXAMPLES - examples.length));
    }
    if (differing > most) throw tooMany(from, to, most);
    const end = read.at(-1);
    last = { organizationId: end?.organization ?? "", id: end?.id ?? "" };
    if (read.length < BATCH) return { fitting, rows, refused, examples };
    requireTime(limit, from, to);
  }
}

export interface Conversion {
  readonly from: Field;
  readonly to: Field;
  readonly readable: Readable | undefined;
  readonly converted: Converted;
  /** Where the events ended before everything was read; undefined where nobody could write meanwhile. */
  readonly since: EventHeads | undefined;
  /** The values themselves are not written: a rehearsal on a large table. */
  readonly isEmpty?: boolean;
}

/**
 * Every value must be readable by the new type, else nothing changes. Text of a large table is read while others write; what they
 * wrote is read again when the table is locked (`convertField`), which takes a moment.
 */
export async function planConversion(
  transaction: Queryable,
  before: RecordType,
  after: RecordType,
  name: string,
  {
    convert,
    readable,
    rehearses = false,
    limit,
    collects = false,
  }: {
    readonly convert?: readonly string[];
    readonly readable?: Readable;
    readonly rehearses?: boolean;
    readonly limit?: TimeLimit | undefined;
    /** Values of a rehearsal are looked at together. */
    readonly collects?: boolean;
  },
): Promise<Conversion> {
  const [from, to] = [before.field.get(name), after.field.get(name)];
  if (!from || !to)
    throw new Failure("definition_refused", { with: { faults: [say("nothing_to_convert", { name })] } });
  if (!convert?.includes(name)) {
    const unconfirmed = say("convert_unconfirmed", { name, from: typeOf(from).label, to: typeOf(to).label });
    throw new Failure("definition_refused", { with: { faults: [unconfirmed] } });
  }
  const isLarge = (rehearses || staysInPlace(from, to)) && (await isLargeTable(transaction, before.table));
  if (isLarge && rehearses) {
    if (collects && !staysInPlace(from, to)) await requireFew(transaction, before, from, to);
    const converted = await readConverted(transaction, before, { from, to, readable, collects, limit });
    requireFitting(converted, to);
    return { from, to, readable, converted, since: undefined, isEmpty: true };
  }
  // Of values that are worked out, whoever fills all records tells once, and of none by itself.
  const isTold = isFollowed(before) && from.computed === undefined;
  const since = isLarge && isTold ? await readEventHeads(transaction) : undefined;
  if (since === undefined) {
    await requireFew(transaction, before, from, to);
    await takeTables(transaction, [before.table], { rehearses });
  }
  const converted = await readConverted(transaction, before, { from, to, readable, collects: true, limit });
  requireFitting(converted, to);
  return { from, to, readable, converted, since };
}

function requireFitting({ fitting, refused, examples }: Converted, to: Field): void {
  if (refused === 0) return;
  const misfit = say("values_do_not_fit", { refused, count: fitting + refused, type: typeOf(to).label });
  const byField = { [`record_types.fields.${to.name}.type`]: [misfit] };
  const named = say("in_key", { key: to.label, reason: misfit });
  throw new Failure("definition_refused", { with: { faults: [named] }, errors: examples, byField });
}

/** Gives a field its other type. The table is locked by now. */
export async function convertField(
  transaction: Queryable,
  before: RecordType,
  after: RecordType,
  { from, to, readable, converted, since, isEmpty = false }: Conversion,
): Promise<void> {
  const stays = staysInPlace(from, to);
  const idType = typeName(after.idKind === "uuid" ? "uuid" : "bigint");
  // Unique text that becomes empty is written in a rehearsal too: it is no longer like any other.
  const isWritten = ({ values }: ConvertedRow): boolean => !isEmpty || (stays && (values[0] ?? null) === null);
  let rows = converted.rows.filter(isWritten);
  if (since !== undefined) {
    const written = await writtenSince(transaction, before, since);
    const again = new Map([...written].map(([organizationId, ids]) => [organizationId, new Set(ids)]));
    rows = rows.filter(({ organizationId, id }) => !again.get(organizationId)?.has(id));
    for (const [organizationId, ids] of written) {
      // Everybody waits: a list of all of them would be looked through once for every page that is read.
      for (let start = 0; start < ids.length; start += BATCH) {
        const some = ids.slice(start, start + BATCH);
        const which = sql`r.organization_id = ${organizationId}::bigint and r.id = any(${some}::${idType}[])`;
        const meanwhile = await readConverted(transaction, before, { from, to, readable, collects: true, which });
        requireFitting(meanwhile, to);
        rows.push(...meanwhile.rows);
      }
    }
  }
  const columns = after.columns.get(to.name) ?? [];
  if (stays) await sortAs(transaction, before, from, to);
  else {
    await (isEmpty ? dropColumns : discardField)(transaction, before, from);
    for (const column of columns) {
      const text = columnText({ ...column, constraint: "" });
      await transaction.script(`alter table ${quote(after.table)} add column ${text}`);
    }
  }
  const isOwned = after.scope === "organization";
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows.slice(start, start + BATCH);
    const names = columns.map((_, index) => ident(`c${index}`));
    const assignments = columns.map((column, index) => sql`${ident(column.name)} = given.${ident(`c${index}`)}`);
    const arrays = columns.map((_, index) => sql`${batch.map((row) => row.values[index] ?? null)}::text[]`);
    const values = columns.map((column, index) => sql`${ident(`c${index}`)}::${typeName(column.type)}`);
    const given = sql`given(organization_id, id, was, ${join(names)}) as materialized (
        select organization_id::bigint, id::${idType}, was, ${join(values)}
        from unnest(${batch.map((row) => row.organizationId)}::text[], ${batch.map((row) => row.id)}::text[], ${batch.map((row) => row.was)}::text[],
          ${join(arrays)}) as sent(organization_id, id, was, ${join(names)}))`;
    // What was written since it was read is among those that were read again.
    const same = sql`${isOwned ? sql`record.organization_id = given.organization_id and ` : sql``}record.id = given.id
      ${stays ? sql` and record.${ident(to.name)} = given.was` : sql``}`;
    if (stays) {
      await transaction.run(sql`
        with ${given} insert into metadata__discarded_values (organization_id, record_type, record_id, field, value)
        select given.organization_id, ${before.key}, given.id::text, ${from.name}, given.was
        from given join ${ident(after.table)} as record on ${same}`);
    }
    await transaction.run(
      sql`with ${given} update ${ident(after.table)} as record set ${join(assignments)} from given where ${same}`,
    );
  }
}

/** The column stays, and sorts as the new type does. Table sync makes the search text anew, as far as it is another. */
async function sortAs(transaction: Queryable, type: RecordType, from: Field, to: Field): Promise<void> {
  await detachFromSearch(transaction, type, from);
  const collation = quote(typeOf(to).columns(to)[0]?.collation ?? "default");
  await transaction.script(
    `alter table ${quote(type.table)} alter column ${quote(from.name)} type text collate ${collation}`,
  );
  await transaction.run(sql`delete from metadata__synced_tables where table_name = ${type.table}`);
}
