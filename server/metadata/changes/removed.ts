// The bin of designs (metadata__removed): fields and record types that somebody removed, each with what it was. Values stay in their table,
// in columns that no field can have, so that nothing is copied and nothing written meanwhile is lost. Deleting for good is purge-removed.ts.
import { z } from "zod";
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, quote, sql } from "../../database/sql.ts";
import { storedJson } from "../../database/stored-json.ts";
import type { Column, Field } from "../../fields/field-type.ts";
import { referencedBy } from "../associations.ts";
import { readTable } from "../catalog.ts";
import { missingFields } from "../preview-changes.ts";
import type { FieldDefinition, RecordType, RecordTypeDefinition } from "../record-type.ts";
import { detachFromSearch, wireOf } from "../redesign.ts";
import type { Snapshot } from "../snapshot.ts";

/** How long they can be brought back. */
export const DAYS_KEPT = 30;

export interface Removed {
  readonly id: string;
  readonly type: string;
  /** Null: the whole type. */
  readonly field: string | null;
  readonly label: string;
  readonly definition: string;
  readonly columns: readonly Column[];
  readonly values: number;
  readonly removed: string;
  readonly expires: string;
  readonly userName: string | null;
  readonly organizationId: string | null;
}

const columnsSchema = z.array(z.object({ name: z.string(), type: z.string(), collation: z.string().exactOptional() }));

const selected = sql`id::text as id, record_type, field, label, definition::text as definition, columns::text as columns,
  value_count::text as value_count, removed::text as removed, (removed + make_interval(days => ${DAYS_KEPT}::integer))::text as expires,
  user_name, organization_id::text as organization_id`;

const read = (row: Readonly<Record<string, string | null>>): Removed => ({
  id: row.id ?? "",
  type: row.record_type ?? "",
  field: row.field ?? null,
  label: row.label ?? "",
  definition: row.definition ?? "{}",
  columns: storedJson(columnsSchema, row.columns ?? "[]", "metadata__removed.columns"),
  values: Number(row.value_count ?? 0),
  removed: row.removed ?? "",
  expires: row.expires ?? "",
  userName: row.user_name ?? null,
  organizationId: row.organization_id ?? null,
});

/** More than anybody removes in a month and looks through. */
const MOST = 500;

/** Fields of a type, or all types, newest first. */
export async function readRemoved(db: Queryable, type: string | undefined): Promise<readonly Removed[]> {
  const which = type === undefined ? sql`field is null` : sql`record_type = ${type} and field is not null`;
  const rows = await db.rows(sql`
    select ${selected} from metadata__removed m where ${which} and state = 'removed' order by m.removed desc, m.id desc limit ${MOST}::integer`);
  return rows.map(read);
}

export async function requireRemoved(db: Queryable, id: string): Promise<Removed> {
  const row = /^\d{1,18}$/.test(id)
    ? await db.row(sql`select ${selected} from metadata__removed where id = ${id}::bigint and state = 'removed'`)
    : undefined;
  if (!row) throw new Failure("conflict", { with: { reason: say("removed_gone") } });
  return read(row);
}

export async function readExpired(db: Queryable): Promise<readonly Removed[]> {
  const rows = await db.rows(sql`
    select ${selected} from metadata__removed m
    where state = 'removed' and removed < (now() at time zone 'utc') - make_interval(days => ${DAYS_KEPT}::integer) order by m.id limit ${MOST}::integer`);
  return rows.map(read);
}

/** Removed fields that referred to a type. */
export async function readReferring(db: Queryable, type: string): Promise<readonly Removed[]> {
  const rows = await db.rows(sql`
    select ${selected} from metadata__removed m
    where state = 'removed' and field is not null and definition -> 'settings' ->> 'to' = ${type} order by m.id`);
  return rows.map(read);
}

/** The last that was given out: what came before is of this field, what comes later of another one. */
const lastId = (table: string) =>
  sql`coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}::text, 'id')::regclass), 0)`;

/**
 * The fields that leave a type, with how many values each has; refused where one was not named. Reads the whole table: call before anybody
 * has to wait for it. What is written in between is kept all the same.
 */
export async function countLeaving(
  db: Queryable,
  before: RecordType,
  after: RecordType,
  discard: readonly string[] = [],
): Promise<ReadonlyMap<Field, number>> {
  const leaving = missingFields(before, after);
  const unnamed = leaving.filter((name) => !discard.includes(name));
  if (unnamed.length > 0) {
    const faults = unnamed.map((name) => say("discard_unconfirmed", { name }));
    throw new Failure("definition_refused", { with: { faults } });
  }
  const values = new Map<Field, number>();
  for (const field of leaving.flatMap((name) => before.field.get(name) ?? [])) {
    const counted = await db.row(sql`
      select count(value)::text as count from (select (${wireOf(field)})::text as value from ${ident(before.table)}) as with_value`);
    values.set(field, Number(counted?.count ?? 0));
  }
  return values;
}

/** Takes the field out of the table's shape. Its indexes and references are gone already. `values`: how many it had. */
export async function putFieldAside(
  transaction: Queryable,
  type: RecordType,
  field: Field,
  definition: FieldDefinition,
  values: number,
): Promise<string> {
  await detachFromSearch(transaction, type, field);
  const row = await transaction.row(sql`
    insert into metadata__removed (record_type, field, label, definition, value_count)
    values (${type.key}, ${field.name}, ${field.label}, ${JSON.stringify(definition)}::jsonb, ${values}::bigint) returning id::text as id`);
  const id = row?.id ?? "";
  const columns: Column[] = [];
  for (const [place, column] of (type.columns.get(field.name) ?? []).entries()) {
    const name = `_removed_${id}_${place}`;
    await transaction.script(`alter table ${quote(type.table)} rename column ${quote(column.name)} to ${quote(name)}`);
    columns.push({ ...column, name });
  }
  await transaction.run(sql`
    update metadata__removed m set columns = ${JSON.stringify(columns)}::jsonb, revisions_up_to = ${lastId("core__revisions")},
      files_up_to = ${lastId("core__files")}, values_up_to = ${lastId("metadata__discarded_values")},
      revisions_after = earlier.revisions, files_after = earlier.files, values_after = earlier.values
    from (
      select coalesce(min(revisions_after) filter (where state = 'restored'), max(revisions_up_to), 0) as revisions,
        coalesce(min(files_after) filter (where state = 'restored'), max(files_up_to), 0) as files,
        coalesce(min(values_after) filter (where state = 'restored'), max(values_up_to), 0) as values
      from metadata__removed where record_type = ${type.key} and field = ${field.name} and id < ${id}::bigint
    ) as earlier where m.id = ${id}::bigint`);
  await transaction.run(sql`
    delete from metadata__removed where record_type = ${type.key} and field = ${field.name} and state = 'restored'`);
  await transaction.run(sql`delete from metadata__synced_tables where table_name = ${type.table}`);
  return id;
}

/** Its table and records stay where they are. */
export async function putTypeAside(
  transaction: Queryable,
  type: RecordType,
  definition: RecordTypeDefinition,
): Promise<string> {
  const counted = await transaction.row(sql`select count(*)::text as count from ${ident(type.table)}`);
  const values = Number(counted?.count ?? 0);
  const row = await transaction.row(sql`
    insert into metadata__removed (record_type, label, definition, value_count)
    values (${type.key}, ${type.plural}, ${JSON.stringify(definition)}::jsonb, ${values}::bigint) returning id::text as id`);
  return row?.id ?? "";
}

/** Gives a field of the new design the columns that it had. Call before the table is brought up to that design. */
export async function takeFieldBack(
  transaction: Queryable,
  after: Snapshot,
  type: RecordType,
  name: string,
  id: string | undefined,
): Promise<void> {
  const row = await transaction.row(sql`
    select ${selected} from metadata__removed m
    where record_type = ${type.key} and field = ${name} and state = 'removed'
      and (${id ?? null}::bigint is null or id = ${id ?? null}::bigint)
    order by m.id desc limit 1 for update`);
  const field = type.field.get(name);
  const columns = type.columns.get(name) ?? [];
  if (!row || !field) return;
  const kept = read(row);
  // Only definitions that the service has checked are kept.
  const was = JSON.parse(kept.definition) as FieldDefinition;
  const target = referencedBy(type, field);
  const fits =
    field.type === was.type &&
    (target === undefined || target === was.settings?.to) &&
    columns.length === kept.columns.length &&
    columns.every((one, at) => one.type === kept.columns[at]?.type);
  if (!fits) throw new Failure("conflict", { with: { reason: say("removed_differs", { field: kept.label }) } });
  const existing = await readTable(transaction, type.table);
  for (const [at, column] of columns.entries()) {
    if (existing?.columns.has(column.name)) {
      throw new Failure("conflict", { with: { reason: say("removed_taken", { field: kept.label, name }) } });
    }
    const from = kept.columns[at]?.name ?? "";
    await transaction.script(`alter table ${quote(type.table)} rename column ${quote(from)} to ${quote(column.name)}`);
  }
  await dropDangling(transaction, after, type, field);
  await transaction.run(sql`
    update metadata__removed set state = 'restored', columns = '[]' where id = ${kept.id}::bigint`);
  await transaction.run(sql`delete from metadata__synced_tables where table_name = ${type.table}`);
}

/** What a reference named may have been purged meanwhile. */
async function dropDangling(transaction: Queryable, after: Snapshot, type: RecordType, field: Field): Promise<void> {
  const target = after.types.get(referencedBy(type, field) ?? "");
  if (target?.scope !== "organization" || type.scope !== "organization") return;
  const column = ident(field.name);
  await transaction.run(sql`
    update ${ident(type.table)} r set ${column} = null where r.${column} is not null and not exists (
      select from ${ident(target.table)} t where t.organization_id = r.organization_id and t.id = r.${column})`);
}

/** A type that is saved again under its key has its records again. */
export const forgetRemovedType = (transaction: Queryable, type: string): Promise<unknown> =>
  transaction.run(sql`delete from metadata__removed where record_type = ${type} and field is null`);

export const noteRemover = (
  transaction: Queryable,
  ids: readonly string[],
  by: { readonly organizationId: string; readonly userName: string },
): Promise<unknown> =>
  transaction.run(sql`
    update metadata__removed set organization_id = ${by.organizationId}::bigint, user_name = ${by.userName}
    where id = any(${ids}::bigint[])`);
