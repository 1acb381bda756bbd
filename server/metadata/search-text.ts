// All text of a record that words are looked for in, folded, in one column, so that one index serves every word. PostgreSQL makes the column from
// the others by itself: as a generated column, or on a large table, which would have to be written anew for that, by a trigger.
import { createHash } from "node:crypto";
import { quote } from "../database/sql.ts";
import type { Field } from "../fields/field-type.ts";
import { typeOf } from "./compile.ts";
import type { RecordType } from "./record-type.ts";

export const SEARCH_COLUMN = "search_text";
/** Stands between the texts of two fields: no word spans it. */
export const BETWEEN_TEXTS = "E'\\x1f'";
/** Stands between the searchable texts and those that are only searched where a list shows them. */
export const BEFORE_OTHERS = "E'\\x1e'";

const othersOf = new WeakMap<RecordType, readonly Field[]>();

/** The texts of a type that people list which are not searchable, but found by their words where a list shows them. */
export function otherTexts(type: RecordType): readonly Field[] {
  let others = othersOf.get(type);
  if (!others) {
    const isListed = !type.hidden && type.fields.some((field) => field.searchable);
    others = type.fields.filter(
      (field) =>
        isListed &&
        !field.searchable &&
        typeOf(field).findWord?.("a", field)?.by === "words" &&
        type.columns.get(field.name)?.[0]?.type === "text",
    );
    othersOf.set(type, others);
  }
  return others;
}

const searchedFields = (type: RecordType): readonly Field[] => {
  const searchable = type.fields.filter((field) => field.searchable);
  return searchable.length === 0 ? [] : [...searchable, ...otherTexts(type)];
};

/** Whether the text of a record is made of this field, among others. */
export const isSearched = (type: RecordType, field: Field): boolean =>
  searchedFields(type).some(({ name }) => name === field.name);

/** The expression that gives the text; `at` says where a column is. Folded in the one collation that all folding is done in. */
export function searchText(type: RecordType, at: (column: string) => string = quote): string | undefined {
  const texts = (fields: readonly Field[]) =>
    fields.map((field) => `coalesce(${typeOf(field).select(field, at)}, '')`).join(` || ${BETWEEN_TEXTS} || `);
  const searchable = type.fields.filter((field) => field.searchable);
  if (searchable.length === 0) return undefined;
  const others = otherTexts(type);
  const all = [texts(searchable), ...(others.length === 0 ? [] : [texts(others)])];
  return `dossier_fold((${all.join(` || ${BEFORE_OTHERS} || `)}) collate "default")`;
}

export const SEARCH_TRIGGER = "search_text";

export const dropSearchTrigger = (table: string): string =>
  `drop trigger if exists ${SEARCH_TRIGGER} on ${quote(table)}`;

/** From now on a plain column, with the values that it has. */
export const detachSearch = (table: string): readonly string[] => [
  dropSearchTrigger(table),
  `alter table ${quote(table)} alter column ${quote(SEARCH_COLUMN)} drop expression if exists`,
  `comment on column ${quote(table)}.${quote(SEARCH_COLUMN)} is null`,
];

/** `name`: of the function. What is written from now on has its text; what is there already keeps what it has. */
export function attachSearch(type: RecordType, name: string): readonly string[] {
  const text = searchText(type, (column) => `new.${quote(column)}`);
  const columns = searchedFields(type).flatMap((field) => type.columns.get(field.name) ?? []);
  return [
    `create or replace function ${quote(name)}() returns trigger language plpgsql as ` +
      `$make$ begin new.${quote(SEARCH_COLUMN)} := public.${text}; return new; end $make$`,
    `create or replace trigger ${SEARCH_TRIGGER} before insert or update of ${columns.map((column) => quote(column.name)).join(", ")} ` +
      `on ${quote(type.table)} for each row execute function ${quote(name)}()`,
  ];
}

/** Tells one definition of the search column from another; kept as the column's comment. */
export const searchPrint = (column: { readonly constraint: string }): string =>
  createHash("sha256").update(column.constraint).digest("hex").slice(0, 16);
