// Takes drafts without errors; finds records of the same type with the same email address, phone number or other value that the
// type uses to find duplicates. Reports only records that the caller may read. Call within the save's transaction.
import { Failure } from "../../../contract/failures.ts";
import { fieldMask, seesName } from "../../access/field-mask.ts";
import { mayLook } from "../../access/matrix.ts";
import { mayRead, wall } from "../../access/visibility.ts";
import { expression, ident, join, quote, type Sql, sql } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import { childTypeOf, isOwned, type OwnedAssociation } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { likenessOf } from "../../metadata/table-shape.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { echo } from "../../request/echo.ts";
import type { Tree } from "../../request/tree.ts";
import type { Work } from "../hooks.ts";
import { type Draft, isChangedField } from "./draft.ts";

interface Place {
  readonly type: RecordType;
  readonly field: Field;
  /** Undefined for a field of the record itself. */
  readonly association: OwnedAssociation | undefined;
}

const MOST = 10;
const FEW = 20;
/** Stands for the value in an expression of a field type. */
const MARK = "\u0000";

export async function refuseDuplicates(
  work: Work,
  main: Draft,
  drafts: readonly Draft[],
  sent: Tree,
): Promise<Failure | undefined> {
  const found = await findDuplicates(work, main, drafts);
  if (found.length === 0) return undefined;
  const names = found.map(({ name, id }) => name ?? id);
  return new Failure("possible_duplicate", {
    with: { names },
    body: { data: { [main.type.alias]: echo(sent) }, duplicates: found },
  });
}

/** Up to here each record is looked up by itself. */
const FEW_RECORDS = 3;

interface Checked {
  readonly main: Draft;
  readonly children: readonly Draft[];
}

/** Of many records, those that bring a value which some record has already: one statement tells that most of them bring none. */
export async function mayHaveDuplicates<One extends Checked>(
  work: Work,
  type: RecordType,
  records: readonly One[],
): Promise<ReadonlySet<One>> {
  if (records.length <= FEW_RECORDS) return new Set(records);
  const found = new Set<One>();
  for (const paths of type.duplicates) {
    const places = paths.flatMap((path) => placeOf(work, type, path) ?? []);
    const brought = records.map((record) =>
      places.flatMap((place) => newValues(record.main, [record.main, ...record.children], place)),
    );
    const values = [...new Set(brought.flat())];
    if (values.length === 0) continue;
    const alike = places.map((place) => {
      const stored = expression(likenessOf(place.field, (column) => `h.${quote(column)}`));
      const given = expression(likenessOf(place.field, () => "given.value"));
      return sql`select given.value from unnest(${values}::text[]) as given(value) where exists (
        select 1 from ${ident(place.type.table)} h where ${wall(work.caller, place.type, "h")} and h.deleted = 0 and ${stored} = ${given})`;
    });
    const { rows } = await work.transaction.run(join(alike, " union "));
    const taken = new Set(rows.map(([value]) => value));
    for (const [index, record] of records.entries())
      if (brought[index]?.some((value) => taken.has(value))) found.add(record);
  }
  return found;
}

export interface Duplicate {
  readonly id: string;
  readonly name: string | null;
  readonly controller: string;
  /** What they have in common, in words. */
  readonly labels: readonly string[];
}

/** `likeness`: lists of fields, any of which makes two records look like one. */
export async function findDuplicates(
  work: Work,
  main: Draft,
  drafts: readonly Draft[],
  likeness: RecordType["duplicates"] = main.type.duplicates,
): Promise<Duplicate[]> {
  const { type } = main;
  const { caller } = work;
  if (!mayLook(caller, type.key)) return [];
  const asked = likeness.flatMap((paths) => {
    const places = paths.flatMap((path) => placeOf(work, type, path) ?? []);
    const values = places.flatMap((place) => newValues(main, drafts, place));
    return places.length > 0 && values.length > 0 ? [{ places, values }] : [];
  });
  if (asked.length === 0) return [];
  const alike = asked.flatMap(({ places, values }) => places.map((place) => sameIn(work, type, place, values)));
  const display = seesName(type, caller) ? type.field.get(type.displayField) : undefined;
  const name = display ? typeOf(display).select(display, (column) => `r.${quote(column)}`) : "null";
  const others = main.id === undefined ? sql`true` : sql`r.id <> ${main.id}::${idTypeOf(type)}`;
  const rows = await work.transaction.prepared(sql`
    select r.id::text, ${expression(`(${name})::text`)}, string_agg(distinct alike.label, ';')
    from (${join(alike, " union all ")}) alike
    join ${ident(type.table)} r on r.id = alike.id
    where ${mayRead(caller, type, "r", "few")} and r.deleted = 0 and ${others}
    group by r.id, 2 order by r.id desc limit ${expression(String(MOST))}`);
  return rows.map(([id, shown, labels]) => ({
    id: id ?? "",
    name: shown ?? null,
    controller: type.key,
    labels: (labels ?? "").split(";"),
  }));
}

function placeOf({ snapshot, caller }: Work, type: RecordType, path: string): Place | undefined {
  const [first = "", second] = path.split(".");
  const association = second === undefined ? undefined : type.association.get(first);
  if (association && !isOwned(association)) return undefined;
  const holder = association ? childTypeOf(snapshot, association) : type;
  const field = holder.field.get(second ?? first);
  // A field that is hidden from the caller is not compared: a warning would tell what stands in it.
  const isSeen = field !== undefined && fieldMask(holder, caller).visible.has(field.name);
  return isSeen ? { type: holder, field, association } : undefined;
}

/** What this save brings: a record that was saved in spite of a warning is not warned of at every change. */
function newValues(main: Draft, drafts: readonly Draft[], { field, association }: Place): string[] {
  const holders = association ? drafts.filter((draft) => draft.association === association) : [main];
  return holders.flatMap((draft) => (isChangedField(draft, field) ? (draft.after[field.name] ?? []) : []));
}

/** Ids of records that have one of the values in that place. */
function sameIn({ caller }: Work, type: RecordType, place: Place, values: readonly string[]): Sql {
  const stored = expression(likenessOf(place.field, (column) => `h.${quote(column)}`));
  // Each by itself: PostgreSQL knows how rare one value is, and nothing of an array that it has yet to work out.
  const wanted =
    values.length > FEW
      ? sql`select ${expression(likenessOf(place.field, () => "given.value"))} from unnest(${values}::text[]) as given(value)`
      : join(values.map((value) => likenessTo(place.field, value)));
  const label = expression(`'${place.field.label.replaceAll("'", "''").replaceAll(";", ",")}'::text`);
  const { association } = place;
  const id =
    association === undefined
      ? sql`h.id`
      : association.kind === "has-many"
        ? sql`h.${ident(association.via)}`
        : sql`h.related_id::${idTypeOf(type)}`;
  const tied = association?.kind === "has-many-polymorphic" ? sql`and h.related_type = ${type.key}` : sql``;
  return sql`(select ${id} as id, ${label} as label from ${ident(place.type.table)} h
    where ${wall(caller, place.type, "h")} and h.deleted = 0 ${tied}
      and ${stored} in (${wanted}))`;
}

function likenessTo(field: Field, value: string): Sql {
  const [before = "", ...rest] = likenessOf(field, () => MARK).split(MARK);
  return { strings: [before, ...rest.map((part) => `::text${part}`)], values: rest.map(() => value) };
}
