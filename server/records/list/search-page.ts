// Runs the page of a search. Where a word is common, the page is full after a few thousand rows of the order; where it is
// rare, the index of words finds all there is. Which it is shows in the first rows, and decides how to go on.
import { ACL_SETS } from "../../access/acl-sets.ts";
import type { Database } from "../../database/database.ts";
import type { TextRows } from "../../database/text-rows.ts";
import type { VersionedTable } from "../../database/versions.ts";
import type { FilterPlan } from "../../plan/filter-plan.ts";
import type { ReadablePlan } from "../../plan/readable-plan.ts";
import { rareTrigrams, type TrigramShares } from "../../plan/search/rare-trigrams.ts";
import { tablesRead } from "../../plan/tables-read.ts";
import {
  alongIndex,
  countedColumn,
  isMerged,
  type ListShape,
  type LiveRows,
  type PageRequest,
} from "../../query/compile-list.ts";
import { wordReferences } from "../../query/search/word-references.ts";
import type { VersionOf } from "./matches.ts";

/** A search with the names that its words stand for. */
export interface LookedUp {
  readonly plan: ReadablePlan;
  /** Whether the tables that the names stand in are still as they were then. */
  isCurrent(versionOf: VersionOf): boolean;
}

const nothingRead = (): boolean => true;

const hasParts = (shown: FilterPlan | undefined): boolean =>
  shown !== undefined && !(shown.kind === "or" && shown.of.length === 0);

/** The rows of an access set lie as far apart as those that a word finds, but each of them is looked at. */
const READ_AS_FOUND = 2;

/** With the trigrams of its words that are rare in the table, where that is known. Of those who may read less than these find, none. */
export function withRareTrigrams(
  plan: ReadablePlan,
  shares: TrigramShares | undefined,
  { mine }: LiveRows,
): ReadablePlan {
  const isElsewhere = (word: number): boolean => hasParts((plan.found ?? plan.shown)[word]);
  const isNarrowed = plan.filter !== undefined || plan.words.some((_, word) => isElsewhere(word));
  const rare = shares && rareTrigrams(plan.words, shares, { isElsewhere, isNarrowed });
  if (!rare) return plan;
  const isLittle = plan.access.view.readable !== undefined && mine < READ_AS_FOUND * rare.found;
  return { ...plan, rare: isLittle ? { ...rare, of: rare.of.map(() => []), isWithin: true, listed: 0 } : rare };
}

/** One short statement for all words: the page's own then has ids to look for, and none where nobody is called so. */
export async function lookUpNames(db: Database, plan: ReadablePlan): Promise<LookedUp> {
  const { organizationId } = plan.scope.caller;
  const targets = [...tablesRead([], plan.shown)].map(
    ({ key, scope }): VersionedTable => ({
      organizationId: scope === "shared" ? "0" : organizationId,
      recordType: key,
    }),
  );
  const tables = [{ organizationId, recordType: ACL_SETS }, ...targets];
  const references = targets.length === 0 ? undefined : wordReferences(plan, tables);
  if (!references) return { plan, isCurrent: nothingRead };
  const rows = await db.rows(references.statement);
  const ids = new Map<number, string[]>();
  for (const { lookup, id } of rows) {
    if (lookup == null || id == null) continue;
    const known = ids.get(Number(lookup));
    if (known) known.push(id);
    else ids.set(Number(lookup), [id]);
  }
  const seen = rows[0]?.versions ?? "";
  return {
    plan: { ...plan, found: references.resolve((lookup) => ids.get(lookup) ?? []) },
    isCurrent: (versionOf) => tables.map(({ recordType }) => versionOf(recordType)).join(" ") === seen,
  };
}

/** Tables smaller than this are searched in one go. */
const WORTH_A_LOOK = 20_000;
/** How many rows of the order are looked through first. */
const FIRST_LOOK = 1_000;
/** And then at most: about a tenth of a second. */
const MOST_WALKED = 50_000;
/** A record that the index of words finds is fetched from anywhere; those along an order mostly lie side by side. */
const FETCHED_AS_WALKED = 3;
/** So many entries of the index of words are read in the time in which one record is walked past. */
const LISTED_AS_WALKED = 400;
/** Where it is not known how common the words are, as if every so many-th record of the table were walked past. */
const TABLE_AS_WALKED = 120;
/** Where so many are expected, more are looked through: words are not spread evenly. */
const SPARE = 1.5;

export interface SearchPage {
  readonly rows: TextRows;
  /** How many match altogether, where that came along. */
  readonly total?: number;
}

export async function searchPage(
  run: (shape: ListShape, page: PageRequest) => Promise<TextRows>,
  plan: ReadablePlan,
  { all, mine }: LiveRows,
  page: PageRequest,
): Promise<SearchPage> {
  if (!plan.live || !alongIndex(plan) || all < WORTH_A_LOOK) return { rows: await run("free", page) };
  const wanted = page.offset + page.limit;
  // Who may read little, by many sets, would have to go far back for the first of it.
  const mayWalk = (newest: number): boolean => mine * 20 > all || isMerged(plan, newest);
  const listed = plan.rare ? plan.rare.listed / LISTED_AS_WALKED : all / TABLE_AS_WALKED;
  const byIndex = (fetched: number): number => FETCHED_AS_WALKED * fetched + listed;
  const isRare = plan.rare !== undefined && byIndex(plan.rare.found) < FIRST_LOOK;
  if (wanted <= FIRST_LOOK && !isRare && mayWalk(FIRST_LOOK)) {
    const first = await run("recent", { ...page, newest: FIRST_LOOK });
    if (first.length === page.limit) return { rows: first };
    const hits = first.length > 0 ? page.offset + first.length : page.offset / 2;
    const walked = Math.ceil((SPARE * wanted * FIRST_LOOK) / hits);
    const fetched = Math.max((hits * mine) / FIRST_LOOK, plan.rare?.found ?? 0);
    if (walked <= MOST_WALKED && walked < byIndex(fetched) && mayWalk(walked)) {
      const second = await run("recent", { ...page, newest: walked });
      if (second.length === page.limit) return { rows: second };
    }
  }
  // Backwards or onwards from a row, what was collected is not all there is.
  const counted = page.boundary === undefined;
  const rows = await run("collect", { ...page, counted });
  if (!counted || rows.length === 0) return { rows };
  return { rows, total: Number(rows.text(0, countedColumn(plan))) };
}
