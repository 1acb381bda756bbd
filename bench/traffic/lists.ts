// The lists that people ask for: what the generator sends, and the lean statements with the same distribution of pages,
// sorts, filters and words.

import { leanList, randomPage } from "../lean/list-statements.ts";
import type { Script } from "../lean/pgbench.ts";
import type { Asked } from "../load/http-load.ts";
import { type CallerName, callerNames } from "../organization/people.ts";
import type { Universe } from "../organization/universe.ts";
import { VIEW_ID } from "../organization/view.ts";
import { statuses, vocabulary } from "../organization/vocabulary.ts";
import { createRandom, type Random, weighted, zipf } from "./random.ts";

export interface Traffic {
  readonly name: string;
  readonly caller: CallerName;
  readonly next: (random: Random) => Asked;
  /** The same for pgbench. */
  readonly scripts: readonly Script[];
}

const LIMIT = 50;
const FAR_ENOUGH = 200;
const base = `/crm/leads/index.json?track_open=0&current_listview=${VIEW_ID}&limit=${LIMIT}`;

const pagesOf = (rows: number): number => Math.max(1, Math.floor(rows / LIMIT));
const nearPages = (rows: number): number => Math.min(FAR_ENOUGH, pagesOf(rows));

/** What people click on: two columns with an index of their order, three without. */
const sorts = [
  { asked: "sort=leads.name&dir=ASC", lean: "r.name asc, r.id asc" },
  { asked: "sort=leads.created&dir=ASC", lean: "r.created asc, r.id asc" },
  { asked: "sort=leads.company_name&dir=ASC", lean: "r.company_name asc, r.id asc" },
  { asked: "sort=leads.amount&dir=DESC", lean: "r.amount desc, r.id desc" },
  { asked: "sort=leads.last_contacted&dir=DESC", lean: "r.last_contacted desc, r.id desc" },
] as const;

export const FIVE_SORTS = "five sorts × pages";
/** The first page by each of them. */
export const sortedLists: readonly string[] = sorts.map(({ asked }) => `${base}&${asked}`);

const where = (conditions: Record<string, unknown>): string =>
  `q=${encodeURIComponent(JSON.stringify({ where: conditions }))}`;

export function listTraffic(universe: Universe, caller: CallerName): readonly Traffic[] {
  const { readable } = universe.readers[caller];
  const near = nearPages(readable);
  const lean = (more: { where?: string; order?: string }) => (offset: string) =>
    leanList({ universe, caller, offset, ...more });
  const one = (text: string): readonly Script[] => [{ text, weight: 1 }];
  const shares = statuses.map((status) => [status, universe.statuses[status] ?? 0] as const);
  const status = weighted(shares);
  const pagesWith = (count: number) => nearPages((count * readable) / universe.rows);
  return [
    {
      name: "same page again and again, nobody writes",
      caller,
      next: () => ({ path: base }),
      scripts: one(`${lean({})("0")}\n`),
    },
    {
      name: "pages 1–200",
      caller,
      next: (random) => ({ path: `${base}&page=${random.integer(1, near)}` }),
      scripts: one(randomPage(near, lean({}))),
    },
    {
      name: FIVE_SORTS,
      caller,
      next: (random) => ({ path: `${base}&${random.pick(sorts).asked}&page=${random.integer(1, near)}` }),
      scripts: sorts.map(({ lean: order }) => ({ text: randomPage(near, lean({ order })), weight: 1 })),
    },
    {
      name: "status filters × pages",
      caller,
      next: (random) => {
        const value = status(random);
        const page = random.integer(1, pagesWith(universe.statuses[value] ?? 0));
        return { path: `${base}&${where({ "leads.status": value })}&page=${page}` };
      },
      scripts: shares.map(([value, count]) => ({
        text: randomPage(pagesWith(count), lean({ where: `r.status = '${value}'` })),
        weight: Math.max(1, Math.round((1000 * count) / universe.rows)),
      })),
    },
    {
      name: "far pages, random",
      caller,
      next: (random) => ({ path: `${base}&page=${random.integer(1, pagesOf(readable))}` }),
      scripts: one(randomPage(pagesOf(readable), lean({}))),
    },
  ];
}

export const allListTraffic = (universe: Universe): readonly Traffic[] =>
  callerNames.flatMap((caller) => listTraffic(universe, caller));

/** Two words that somebody types: names, companies and cities, common or rare. */
export function searchWords(): Readonly<Record<"common" | "mixed" | "rare", (random: Random) => readonly string[]>> {
  const { firstNames, lastNames, companyWords, cities } = vocabulary;
  const first = zipf(firstNames.length, 0.7);
  const at = (list: readonly string[], rank: number) => (list[rank - 1] ?? "").toLowerCase();
  const rareName = (random: Random) => at(lastNames, random.integer(1_000, lastNames.length));
  return {
    common: (random) => [at(firstNames, first(random)), random.pick(companyWords).toLowerCase()],
    mixed: (random) => [at(firstNames, first(random)), rareName(random)],
    rare: (random) => [rareName(random), at(cities, random.integer(200, cities.length))],
  };
}

/** As many pairs of words as pgbench takes scripts, drawn by the same generator. */
const PAIRS = 100;

export function searchTraffic(universe: Universe, caller: CallerName): readonly Traffic[] {
  return Object.entries(searchWords()).map(([kind, words]) => {
    const drawn = createRandom(universe.seed);
    return {
      name: `two words, ${kind}`,
      caller,
      next: (random: Random) => ({ path: `${base}&search_basic=${encodeURIComponent(words(random).join(" "))}` }),
      scripts: Array.from({ length: PAIRS }, () => ({
        text: `${leanList({
          universe,
          caller,
          where: words(drawn)
            .map((word) => `r.search_text like '%${word}%'`)
            .join(" and "),
        })}\n`,
        weight: 1,
      })),
    };
  });
}
