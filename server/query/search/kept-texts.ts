// Takes a text; gives the conditions that a record has it in the folded column of its texts (table-shape.ts), in all or in
// some of them. The column has a trigram index, so what does not have the text anywhere is passed over without folding. While
// the column is being filled, the texts are folded as they are read.
import { and, expression, ident, join, quote, type Sql, sql } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { BEFORE_OTHERS, BETWEEN_TEXTS, otherTexts, SEARCH_COLUMN, searchText } from "../../metadata/search-text.ts";

/** Whether the column has the texts of this field, of every record. */
export const isKept = (type: RecordType, field: Field): boolean =>
  !type.isSearchFilling && (field.searchable || otherTexts(type).some(({ name }) => name === field.name));

const keptText = (type: RecordType, alias: string): Sql =>
  type.isSearchFilling
    ? expression(searchText(type, (column) => `${quote(alias)}.${quote(column)}`) ?? "''")
    : ident(alias, SEARCH_COLUMN);

/** Escaped after folding, which turns some characters into the pattern's own signs (a full-width %). */
export const foldedPattern = (text: string): Sql =>
  sql`regexp_replace(dossier_fold(${text}::text), '([\\\\%_])', '\\\\\\1', 'g')`;

const like = (side: Sql, text: string): Sql => sql`${side} like '%' || ${foldedPattern(text)} || '%'`;

/** The record has the text somewhere. `rare`: the trigrams of it that are looked for in the index, where not all of them are. */
export function hasKept(type: RecordType, alias: string, text: string, rare?: readonly string[]): Sql {
  const kept = keptText(type, alias);
  // What has no trigram would have the index read from end to end. `|| ''` keeps it out of it.
  const unindexed = sql`(${kept} || '')`;
  if (rare === undefined) return like(hasTrigram(text) ? kept : unindexed, text);
  return and([...rare.map((trigram) => like(kept, trigram)), like(unindexed, text)]);
}

/** One of its searchable texts has it. Together with `hasKept`. */
export const hasSearchable = (type: RecordType, alias: string, text: string): Sql =>
  like(sql`split_part(${keptText(type, alias)}, ${expression(BEFORE_OTHERS)}, 1)`, text);

/** One of these fields has it. Together with `hasKept`. */
export function hasAmong(alias: string, fields: readonly Field[], text: string): Sql {
  const at = (name: string) => `${quote(alias)}.${quote(name)}`;
  const texts = fields.map(
    (field) => sql`coalesce((${expression(typeOf(field).select(field, at))})::text collate "default", '')`,
  );
  return like(sql`dossier_fold(${join(texts, ` || ${BETWEEN_TEXTS} || `)})`, text);
}

/** As pg_trgm cuts a pattern up: letters and digits, with two blanks before and one after where something else stands there. */
export function hasTrigram(text: string): boolean {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "");
  for (const run of plain.matchAll(/[\p{L}\p{N}]+/gu)) {
    const end = run.index + run[0].length;
    if ([...run[0]].length + (run.index > 0 ? 2 : 0) + (end < plain.length ? 1 : 0) >= 3) return true;
  }
  return false;
}
