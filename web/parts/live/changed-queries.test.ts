import { expect, test } from "vitest";
import type { FollowedChange } from "../../../client/records/changes.ts";
import { changedBy, isConcerned } from "./changed-queries.ts";
import { pauseAfter } from "./pause-after.ts";

const place = { at: null, cursor: "" };
const edit = (controller: string, id: string): FollowedChange => ({ ...place, operation: "edit", controller, id });
const reset = (controller: string | null): FollowedChange => ({ ...place, operation: "reset", controller, id: null });

test.each<[string, FollowedChange[], readonly unknown[], boolean]>([
  ["a list of its type", [edit("crm/leads", "1")], ["list", "crm/leads", {}, 1], true],
  ["a list of another type", [edit("crm/leads", "1")], ["list", "crm/companies", {}, 1], false],
  ["the record", [edit("crm/leads", "1")], ["record", "crm/leads", "1", "view"], true],
  ["another record", [edit("crm/leads", "1")], ["record", "crm/leads", "2", "view"], false],
  ["a form that may be filled in", [edit("crm/leads", "1")], ["record", "crm/leads", "1", "edit"], false],
  ["the form of a cell", [edit("crm/leads", "1")], ["record", "crm/leads", "1", "edit", "inline"], false],
  ["what a transition asks", [edit("crm/leads", "1")], ["record", "crm/leads", "1", "transition", "x"], false],
  ["its timeline", [edit("crm/leads", "1")], ["record", "crm/leads", "1", "timeline", []], true],
  ["a timeline, of a comment", [edit("core/comments", "9")], ["record", "crm/leads", "1", "timeline", []], true],
  ["a record, of a comment", [edit("core/comments", "9")], ["record", "crm/leads", "1", "view"], false],
  ["what waits for one, of an edit", [edit("crm/leads", "1")], ["my-work", "count"], false],
  ["what waits for one", [{ ...edit("crm/leads", "1"), operation: "transition" }], ["my-work", "count"], true],
  ["the bell", [edit("core/notifications", "3")], ["unread"], true],
  ["the bell, of a lead", [edit("crm/leads", "1")], ["unread"], false],
  [
    "any record of a type of which the set of readable records changed",
    [reset("crm/leads")],
    ["record", "crm/leads", "7", "view"],
    true,
  ],
  ["a list, where everything may be another", [edit("crm/leads", "1"), reset(null)], ["list", "crm/people", {}], true],
  ["a form, where everything may be another", [reset(null)], ["record", "crm/leads", "1", "edit"], false],
  ["a schema", [reset("crm/leads")], ["schema", "crm/leads"], false],
  ["my work, where nothing happened", [], ["my-work", "count"], false],
])("%s", (_, changes, queryKey, concerned) => {
  expect(isConcerned(changedBy(changes), queryKey)).toBe(concerned);
});

test("a slow screen changes less often, but who is at a record asks again before they count as gone", () => {
  const slow = [10, 300, 500, 1_000, 5_000];
  expect(slow.map((work) => pauseAfter(work, false))).toEqual([700, 700, 1_500, 3_500, 5_000]);
  expect(slow.map((work) => pauseAfter(work, true))).toEqual([700, 700, 1_500, 2_000, 700]);
});
