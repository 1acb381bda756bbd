// Takes a type as it is and as it would be; tells which fields only get another name, and gives them that name in the table, its indexes and
// whatever the service keeps by field. No value is read or written anew. The old name stays as an alias of the new one.
import { say } from "../../../contract/messages.ts";
import { recordChanges } from "../../database/changes.ts";
import type { Queryable } from "../../database/database.ts";
import { tellAllToListAgain } from "../../database/events/write-events.ts";
import { notify } from "../../database/processes/notify.ts";
import { ident, quote, sql } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import { associationName } from "../associations.ts";
import { readTable } from "../catalog.ts";
import { typeOf } from "../compile.ts";
import { definitionRefused } from "../definition-refusal.ts";
import type { Association, RecordType } from "../record-type.ts";
import { attachSearch, SEARCH_COLUMN, SEARCH_TRIGGER, searchPrint } from "../search-text.ts";
import type { Snapshot } from "../snapshot.ts";
import { shapeTable, type TableShape } from "../table-shape.ts";
import { searchFunction } from "../table-sync.ts";
import { takeTables } from "./take-tables.ts";

/** Old name → new name. */
export type Renames = ReadonlyMap<string, string>;

/** Kept by the service in every type of its kind: not a designer's to name. */
const isOfService = (field: Field): boolean => field.system && typeOf(field).running === undefined;

/** A field that names the one that goes as its alias is the same field; so is one that goes back to a name that was its alias. */
export function renamedFields(before: RecordType, after: RecordType): Renames {
  const renamed = new Map<string, string>();
  const consider = (from: string, to: string): void => {
    const field = before.field.get(from);
    const isGone = field !== undefined && !isOfService(field) && !after.field.has(from);
    const isNew = after.field.has(to) && !before.field.has(to) && ![...renamed.values()].includes(to);
    if (isGone && isNew && !renamed.has(from)) renamed.set(from, to);
  };
  for (const [alias, name] of after.fieldAliases) consider(alias, name);
  for (const [alias, name] of before.fieldAliases) consider(name, alias);
  return renamed;
}

/** The type with the new names and everything else as it is. */
export function withNames(type: RecordType, renames: Renames): RecordType {
  if (renames.size === 0) return type;
  const called = (name: string): string => renames.get(name) ?? name;
  const all = (lists: readonly (readonly string[])[]) => lists.map((list) => list.map(called));
  const fields = type.fields.map((field) =>
    renames.has(field.name) ? Object.freeze({ ...field, name: called(field.name) }) : field,
  );
  const columns = new Map(
    fields.map((field) => {
      const known = type.columns.get(field.name);
      return [field.name, known ?? typeOf(field).columns(field)] as const;
    }),
  );
  const associations = type.associations.map((one): Association => {
    if (one.kind !== "belongs-to" || !renames.has(one.via)) return one;
    return { ...one, via: called(one.via), name: associationName(called(one.via)) };
  });
  return Object.freeze({
    ...type,
    fields,
    field: new Map(fields.map((field) => [field.name, field])),
    computed: new Map([...type.computed].map(([name, one]) => [called(name), one])),
    columns,
    associations,
    association: new Map(associations.map((one) => [one.name, one])),
    displayField: called(type.displayField),
    sortField: called(type.sortField),
    unique: all(type.unique),
    indexes: all(type.indexes),
    duplicates: all(type.duplicates),
  });
}

/** Gives the snapshot with the new names; call within the transaction that saves the design. */
export async function renameFields(
  transaction: Queryable,
  present: Snapshot,
  before: RecordType,
  renames: Renames,
  { rehearses = false }: { readonly rehearses?: boolean },
): Promise<Snapshot> {
  const renamed = withNames(before, renames);
  const after: Snapshot = { ...present, types: new Map([...present.types, [before.key, renamed]]) };
  const shapes = [shapeTable(before, present), shapeTable(renamed, after)] as const;
  await takeTables(transaction, [before.table], { rehearses });
  await renameColumns(transaction, before, renamed, renames);
  await renameIndexes(transaction, ...shapes);
  await keepSearch(transaction, renamed, ...shapes);
  for (const [from, to] of renames) await renameKept(transaction, before.key, from, to);
  await moveRolePermissions(transaction, before.key, renames);
  await tellAllToListAgain(transaction, before.key);
  return after;
}

async function renameColumns(transaction: Queryable, before: RecordType, renamed: RecordType, renames: Renames) {
  const existing = await readTable(transaction, before.table);
  for (const [from, to] of renames) {
    const columns = renamed.columns.get(to) ?? [];
    for (const [index, { name }] of (before.columns.get(from) ?? []).entries()) {
      const wanted = columns[index]?.name;
      if (wanted === undefined || wanted === name) continue;
      // Left by a field of that name whose values were kept in place.
      if (existing?.columns.has(wanted)) {
        throw definitionRefused([{ at: `fields.${to}`, wrong: say("column_taken", { column: wanted }) }]);
      }
      await transaction.script(`alter table ${quote(before.table)} rename column ${quote(name)} to ${quote(wanted)}`);
    }
  }
}

/** Both shapes list the same things in the same order. */
async function renameIndexes(transaction: Queryable, before: TableShape, after: TableShape): Promise<void> {
  if (before.indexes.length === after.indexes.length) {
    for (const [place, { name }] of before.indexes.entries()) {
      const wanted = after.indexes[place]?.name ?? name;
      if (wanted !== name) await transaction.script(`alter index if exists ${quote(name)} rename to ${quote(wanted)}`);
    }
  }
  const [existing, isDistributed] = [await readTable(transaction, after.table), await transaction.isDistributed()];
  for (const [place, { name }] of before.foreignKeys.entries()) {
    const wanted = after.foreignKeys[place]?.name ?? name;
    if (wanted === name || !existing?.constraints.has(name)) continue;
    // Citus renames none: it goes, and table sync adds it under its new name.
    const change = isDistributed
      ? `drop constraint ${quote(name)}`
      : `rename constraint ${quote(name)} to ${quote(wanted)}`;
    await transaction.script(`alter table ${quote(after.table)} ${change}`);
  }
}

/** PostgreSQL follows a generated column by itself; a trigger names the columns in its text. */
async function keepSearch(transaction: Queryable, type: RecordType, before: TableShape, after: TableShape) {
  const [old, now] = [before, after].map(({ columns }) => columns.find(({ name }) => name === SEARCH_COLUMN));
  const existing = await readTable(transaction, type.table);
  if (!old || !now || existing?.columns.get(SEARCH_COLUMN)?.comment !== searchPrint(old)) return;
  if (existing.triggers.has(SEARCH_TRIGGER)) {
    for (const statement of attachSearch(type, searchFunction(type.table))) await transaction.script(statement);
  }
  const print = searchPrint(now);
  await transaction.script(`comment on column ${quote(type.table)}.${quote(SEARCH_COLUMN)} is '${print}'`);
  await transaction.run(sql`
    update metadata__table_work set name = ${print}
    where table_name = ${type.table} and kind = 'search' and name = ${searchPrint(old)}`);
}

/** Numbers that run on, files, indexes that were asked for, what is still to be computed. */
async function renameKept(transaction: Queryable, key: string, from: string, to: string): Promise<void> {
  await transaction.run(
    sql`delete from core__auto_numbers where record_type = ${key} and split_part(field, ' ', 1) = ${to}`,
  );
  await transaction.run(
    sql`update core__auto_numbers set field = ${to} || substr(field, length(${from}::text) + 1)
    where record_type = ${key} and split_part(field, ' ', 1) = ${from}`,
  );
  await transaction.run(sql`update core__files set field = ${to} where related_type = ${key} and field = ${from}`);
  for (const table of [ident("metadata__indexes"), ident("metadata__index_wishes")]) {
    await transaction.run(sql`delete from ${table} where record_type = ${key} and field = ${to}`);
    await transaction.run(sql`update ${table} set field = ${to} where record_type = ${key} and field = ${from}`);
  }
  await transaction.run(sql`
    update core__computed_work set fields = array_replace(fields, ${from}, ${to})
    where record_type = ${key} and ${from} = any(fields)`);
}

const ROLE_FIELDS = "access_controls/role_fields";

/** What a role may do with the field, it may do with it by its new name; what was left of a field that had the name is gone. */
async function moveRolePermissions(transaction: Queryable, key: string, renames: Renames): Promise<void> {
  const [names, wanted] = [[...renames.keys()], [...renames.values()]];
  const gone = await transaction.rows(sql`
    update access_controls__role_fields set deleted = 1
    where record_type = ${key} and field = any(${wanted}::text[]) and deleted = 0
    returning organization_id::text as organization, id::text as id, acl_id::text as acl`);
  const moved = await transaction.rows(sql`
    update access_controls__role_fields r set field = given.wanted
    from unnest(${names}::text[], ${wanted}::text[]) as given(name, wanted)
    where r.record_type = ${key} and r.field = given.name
    returning r.organization_id::text as organization, r.id::text as id, r.acl_id::text as acl, r.deleted::text as deleted`);
  const told = [
    ...gone.map(({ organization, id, acl }) => ({ organization, id, acl, delta: -1, operation: "delete" as const })),
    ...moved
      .filter(({ deleted }) => deleted === "0")
      .map(({ organization, id, acl }) => ({ organization, id, acl, delta: 0, operation: "edit" as const })),
  ];
  for (const organization of new Set(told.map((row) => row.organization ?? ""))) {
    const changes = told
      .filter((row) => row.organization === organization)
      .map(({ id, acl, delta, operation }) => ({ id: id ?? "", aclId: acl ?? "0", delta, operation }));
    await recordChanges(transaction, organization, ROLE_FIELDS, changes);
    await notify(transaction, "dossier_access", organization);
  }
}
