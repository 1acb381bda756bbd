// Which index a list wants: told at once where all of a large table is sorted, and by the clock where it is narrowed.
import { expect, test } from "vitest";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { parseListParameters } from "../request/list-parameters.ts";
import { testCaller } from "./column-fixture.ts";
import { generatedView } from "./list-view.ts";
import { neededIndex } from "./needed-index.ts";
import { planList } from "./plan-list.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const leads = requireType(snapshot, "crm/leads");
const scope = { snapshot, type: leads, caller: testCaller({ isAdministrator: true }), now: new Date() };

const wanted = (sent: Record<string, string>, tookMs: number, rows = 300_000): string | undefined =>
  neededIndex(planList(scope, generatedView(leads), parseListParameters(sent)), { rows, large: 200_000, tookMs })?.name;
const where = (conditions: Record<string, unknown>) => ({ q: JSON.stringify({ where: conditions }) });

test.each([
  ["a sort of all", { sort: "leads.score" }, 1, "score"],
  ["a sort by text", { sort: "leads.company_name" }, 1, "company_name"],
  ["a sort along an index", { sort: "leads.name" }, 9_000, undefined],
  ["newest first", {}, 9_000, undefined],
  ["a sort through a reference", { sort: "leads.owned_by" }, 9_000, undefined],
  ["a narrowed sort that was quick", { sort: "leads.score", search_basic: "maria" }, 900, undefined],
  ["a narrowed sort that was slow", { sort: "leads.score", search_basic: "maria" }, 1_100, "score"],
  ["a search for a word", { search_basic: "maria" }, 9_000, undefined],
  [
    "a search for a number, in columns of numbers",
    { q: JSON.stringify({ fields: ["leads.name", "leads.employees"] }), search_basic: "4917012345" },
    1_100,
    "employees",
  ],
  ["a filter that was quick", where({ "leads.score": "7" }), 900, undefined],
  ["a filter that was slow", where({ "leads.score": "7" }), 1_100, "score"],
  ["one of two filters", where({ "leads.status": "new", "leads.amount": { op: ">", value: "5" } }), 1_100, "amount"],
  ["a filter by a column with an index", where({ "leads.status": "new" }), 1_100, undefined],
  ["a filter by a reference", where({ "leads.owned_by": "1" }), 1_100, undefined],
  ["a filter within a text", where({ "leads.description": { op: "contains", value: "abc" } }), 1_100, undefined],
])("%s", (_, sent, tookMs, expected) => {
  expect(wanted(sent, tookMs)).toBe(expected);
  // Where one may read little, nothing is slow for want of an index.
  expect(wanted(sent, tookMs, 200_000)).toBeUndefined();
});
