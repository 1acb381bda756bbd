// When a filtered count may be an estimate, and that an estimate never claims to be exact.
import { expect, onTestFinished, test, vi } from "vitest";
import type { AclView } from "../../access/acl-directory.ts";
import type { Database } from "../../database/database.ts";
import { buildSnapshot, requireType } from "../../metadata/snapshot.ts";
import { builtInTypes } from "../../modules/index.ts";
import { testCaller } from "../../plan/column-fixture.ts";
import { generatedView } from "../../plan/list-view.ts";
import { planList } from "../../plan/plan-list.ts";
import { withSets } from "../../plan/readable-plan.ts";
import { parseListParameters } from "../../request/list-parameters.ts";
import { createFilteredCounts } from "./filtered-counts.ts";
import { createLiveCounts } from "./live-counts.ts";
import type { Matches } from "./matches.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");
const caller = testCaller({ isAdministrator: true });
const acl: AclView = {
  version: "1",
  readable: undefined,
  readableText: "{}",
  fragment: () => "",
  actors: () => null,
};
const planOf = (sent: Record<string, string>) =>
  withSets(
    planList(
      { snapshot, type: leads, caller, now: new Date("2026-02-28T12:00:00Z") },
      generatedView(leads),
      parseListParameters(sent),
    ),
    acl,
  );
const filtered = planOf({ q: JSON.stringify({ where: { "leads.status": "new" } }) });
const searched = planOf({ search_basic: "maria copper" });

const EXACT = 123_456;
/** `hits` of a sample of 4,000 rows match; a count of every row gives EXACT. */
/** `takes`: what counting behind does beside counting. */
function countsWith(hits: number, plan = filtered, takes = () => {}) {
  let counted = 0;
  const matches: Matches = {
    find: () => undefined,
    renew: async () => undefined,
    last: () => undefined,
    make: async () => {
      counted += 1;
      takes();
      return { sets: [{ aclId: "1", count: EXACT, sums: [], values: [], currencies: [] }], snapshot: "" };
    },
  };
  // Only the sample asks the database.
  const db = { row: async () => ({ seen: "4000", hits: String(hits) }) } as unknown as Database;
  const counts = createFilteredCounts(db, matches);
  return {
    counted: () => counted,
    count: (all: number, bounds = {}) => counts.count(plan, () => "1", { all, mine: all }, bounds),
  };
}

test("a table of up to 200,000 rows is counted on the spot", async () => {
  expect(await countsWith(3_000).count(200_000)).toEqual({ total: EXACT, exact: true });
});

test("above that, a common value is estimated, is told as an estimate, and is counted behind", async () => {
  const counts = countsWith(3_000);
  expect(await counts.count(200_001)).toEqual({ total: 150_001, exact: false });
  expect(counts.counted()).toBe(1);
});

test.each([1_900, 2_050])("above that, what may be fewer than 100,000 is counted (%i of 4,000)", async (hits) => {
  expect(await countsWith(hits).count(200_001)).toEqual({ total: EXACT, exact: true });
});

test("what is counted of the few rows that somebody may read is kept until the table changes", async () => {
  let total = 7;
  const nothing: Matches = {
    find: () => undefined,
    renew: async () => undefined,
    last: () => undefined,
    make: () => Promise.reject(new Error("not asked for")),
  };
  const db = { row: async () => ({ total: String(total) }) } as unknown as Database;
  const counts = createFilteredCounts(db, nothing);
  const count = async (version: string) =>
    (await counts.count(filtered, () => version, { all: 1_000_000, mine: 10 })).total;
  expect(await count("1")).toBe(7);
  total = 8;
  expect([await count("1"), await count("2")]).toEqual([7, 8]);
});

test("a search of a large table is never counted on the spot, however little it may match", async () => {
  expect(await countsWith(1_900, searched).count(200_000)).toEqual({ total: EXACT, exact: true });
  expect(await countsWith(4, searched).count(1_000_000)).toEqual({ total: 1_000, exact: false });
});

test("an estimate is never less than what was seen, nor more than what can be", async () => {
  expect(await countsWith(0, searched).count(1_000_000, { least: 50 })).toEqual({ total: 50, exact: false });
  expect(await countsWith(4, searched).count(1_000_000, { most: 100 })).toEqual({ total: 100, exact: false });
});

test("searches are counted behind one at a time, with a rest after each, and not where they match very much", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const few = countsWith(4, searched, () => vi.advanceTimersByTime(100));
  for (let times = 0; times < 3; times += 1) await few.count(1_000_000);
  expect(few.counted()).toBe(1);
  vi.advanceTimersByTime(399);
  await few.count(1_000_000);
  expect(few.counted()).toBe(1);
  vi.advanceTimersByTime(2);
  await few.count(1_000_000);
  expect(few.counted()).toBe(2);
  const many = countsWith(2_000, searched);
  expect(await many.count(1_000_000)).toEqual({ total: 500_000, exact: false });
  expect(many.counted()).toBe(0);
});

test("the rows of all access sets are read once for everybody who lists at that moment, and again for who saw another version", async () => {
  let version = 0;
  let asked = 0;
  const prepared = async () => {
    asked += 1;
    version += 1;
    return [[String(version), "7 8 9", "3 4 -2"]];
  };
  const counts = createLiveCounts({ prepared } as unknown as Database);
  const plan = planOf({});
  const some = withSets(plan, { ...acl, readable: new Set(["8", "9", "10"]) });
  const seen = await Promise.all([plan, plan, some, some].map((one) => counts.count(one, "2")));
  expect(seen.at(0)).toEqual({ all: 5, mine: 5 });
  expect(seen.at(3)).toEqual({ all: 5, mine: 2 });
  // One, and one more for those who came when it was sent already.
  expect(asked).toBe(2);
  await counts.count(plan, "2");
  expect(asked).toBe(2);
  // Also one from before: a database that was put back counts on from there.
  await counts.count(plan, "1");
  expect(asked).toBe(3);
});
