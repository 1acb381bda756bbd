// Takes the words of a search; gives the conditions that a record has them: in the folded column of all searchable text
// (for callers who may not see all of that, in what they may see as well), or in what the list shows of it.
import { expression, ident, join, quote, type Sql, sql } from "../database/sql.ts";
import { typeOf } from "../metadata/compile.ts";
import { SEARCH_COLUMN } from "../metadata/table-shape.ts";
import type { RowsPlan } from "../plan/plan-rows.ts";
import { compileFilter } from "./filter.ts";
import type { Joins } from "./joins.ts";

/** The conditions of all words. */
export const searchConditions = (plan: RowsPlan, joins: Joins): Sql[] =>
  plan.words.map((word, index) => {
    const kept = keptCondition(plan, joins.root.alias, word);
    const shown = plan.shown[index];
    if (shown === undefined || (shown.kind === "or" && shown.of.length === 0)) return kept;
    return sql`(${kept} or ${compileFilter(shown, joins)})`;
  });

function keptCondition({ scope, searched }: RowsPlan, alias: string, word: string): Sql {
  const { type } = scope;
  if (!type.fields.some((field) => field.searchable) || searched?.length === 0) return sql`false`;
  const pattern = sql`'%' || replace(replace(replace(dossier_fold(${word}), '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`;
  // Fewer than three letters have no trigram: the index would be read from end to end. `|| ''` keeps it out of it.
  const column = isShort(word) ? sql`(${ident(alias, SEARCH_COLUMN)} || '')` : ident(alias, SEARCH_COLUMN);
  const anywhere = sql`${column} like ${pattern}`;
  if (searched === undefined) return anywhere;
  const at = (column: string) => `${quote(alias)}.${quote(column)}`;
  const texts = searched.map(
    (field) => sql`coalesce((${expression(typeOf(field).select(field, at))})::text collate "default", '')`,
  );
  // The column's index finds the few that have the word somewhere; the visible texts decide among them.
  return sql`(${anywhere} and dossier_fold(${join(texts, ` || E'\\x1f' || `)}) like ${pattern})`;
}

const isShort = (word: string): boolean => [...word.normalize("NFKD").replace(/\p{M}/gu, "")].length < 3;
