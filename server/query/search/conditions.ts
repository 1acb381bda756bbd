// Takes the words of a search; gives the conditions that a record has them: in the folded column of all searchable text
// (for callers who may not see all of that, in what they may see as well), or in what the list shows beside it.
import { join, type Sql, sql } from "../../database/sql.ts";
import { otherTexts } from "../../metadata/search-text.ts";
import type { RowsPlan } from "../../plan/plan-rows.ts";
import { compileFilter } from "../filter.ts";
import type { Joins } from "../joins.ts";
import { hasAmong, hasKept, hasSearchable } from "./kept-texts.ts";

/** The conditions of all words. */
export const searchConditions = (plan: RowsPlan, joins: Joins): Sql[] =>
  plan.words.map((word, index) => {
    const parts = keptCondition(plan, joins.root.alias, word, plan.rare?.of[index]);
    const shown = (plan.found ?? plan.shown)[index];
    for (const part of shown?.kind === "or" ? shown.of : []) parts.push(compileFilter(part, joins));
    if (parts.length === 0) return sql`false`;
    return parts.length === 1 ? join(parts) : sql`(${join(parts, " or ")})`;
  });

/** One condition, or none where the caller sees nothing of these texts. The index finds; what is not all of it decides. */
function keptCondition(
  { scope: { type }, searched, shownTexts }: RowsPlan,
  alias: string,
  word: string,
  rare: readonly string[] | undefined,
): Sql[] {
  const searchable = type.fields.filter((field) => field.searchable);
  const seen = searched ?? searchable;
  const isAll = seen.length === searchable.length;
  if (seen.length + shownTexts.length === 0) return [];
  const kept = hasKept(type, alias, word, rare);
  if (isAll && shownTexts.length === otherTexts(type).length) return [kept];
  const some = isAll ? shownTexts : [...seen, ...shownTexts];
  const parts = [
    ...(isAll ? [hasSearchable(type, alias, word)] : []),
    ...(some.length > 0 ? [hasAmong(alias, some, word)] : []),
  ];
  return [sql`(${kept} and (${join(parts, " or ")}))`];
}
