// How a timeline is read: what is folded, what is kept apart, and by which day.
import { expect, test } from "vitest";
import type { ChangeEntry, TimelineEntry } from "../../../../client/records/timeline.ts";
import { besideMove, changesTogether, timelineDays } from "./timeline-entries.ts";

const change = (field: string, from: string | null, to: string | null) => ({
  field,
  label: field,
  from,
  to,
  __from: from,
  __to: to,
});

const edit = (id: string, at: string, more: Partial<ChangeEntry> = {}): ChangeEntry => ({
  kind: "change",
  id,
  revision: id,
  operation: "edit",
  at: `2026-03-04 ${at}`,
  created: `2026-03-04 ${at}`,
  created_by: "1",
  __created_by: "Ada",
  job_id: null,
  along: [],
  changes: [change("city", null, id)],
  step: null,
  ...more,
});

const comment = (id: string, at: string): TimelineEntry => ({
  kind: "comment",
  id,
  at: `2026-03-04 ${at}`,
  comment: null,
  answers: [],
  answer_count: 0,
});

const step = { id: "1", step: "move", label: "Qualify", __from: "New", __to: "Qualified", comment: null } as const;
const dayOf = (at: string) => at.slice(0, 10);
const read = (entries: readonly TimelineEntry[]) =>
  timelineDays(entries, dayOf).flatMap((day) =>
    day.entries.map((entry) => (entry.kind === "edits" ? entry.edits.map(({ id }) => id).join("+") : entry.id)),
  );

test.each<[string, readonly TimelineEntry[], readonly string[]]>([
  ["edits of one sitting are one", [edit("3", "10:20:00"), edit("2", "10:10:00"), edit("1", "09:30:00")], ["3+2+1"]],
  ["more than an hour between them keeps them apart", [edit("2", "11:00:01"), edit("1", "10:00:00")], ["2", "1"]],
  ["another person is another entry", [edit("2", "10:00:01", { created_by: "2" }), edit("1", "10:00:00")], ["2", "1"]],
  [
    "a comment between them keeps them apart",
    [edit("2", "10:02:00"), comment("9", "10:01:00"), edit("1", "10:00:00")],
    ["2", "9", "1"],
  ],
  ["a bulk edit stands alone", [edit("2", "10:02:00", { job_id: "5" }), edit("1", "10:00:00")], ["2", "1"]],
  ["a move stands alone", [edit("2", "10:02:00", { step }), edit("1", "10:00:00")], ["2", "1"]],
  ["so does a restored version", [edit("2", "10:02:00", { operation: "revert" }), edit("1", "10:00:00")], ["2", "1"]],
  ["what comes twice is there once", [comment("9", "10:00:00"), comment("9", "10:00:00")], ["9"]],
])("%s", (_name, entries, expected) => {
  expect(read(entries)).toEqual(expected);
});

test("the day that an entry stands in is the reader's", () => {
  const days = timelineDays([edit("2", "23:30:00"), edit("1", "23:10:00")], (at) =>
    at > "2026-03-04 23:20" ? "5" : "4",
  );
  expect(days.map(({ day, entries }) => [day, entries.map(({ id }) => id)])).toEqual([
    ["5", ["2"]],
    ["4", ["1"]],
  ]);
});

test("folded edits tell what they come to: the first value and the last, and nothing that came back", () => {
  const edits = [
    edit("3", "10:02:00", { changes: [change("city", "Bonn", "Köln"), change("score", "2", "1")] }),
    edit("2", "10:01:00", { changes: [change("score", "1", "2")] }),
    edit("1", "10:00:00", { changes: [change("city", "Ulm", "Bonn")] }),
  ];
  expect(changesTogether(edits)).toEqual([change("city", "Ulm", "Köln")]);
});

test("a move does not say its stage twice", () => {
  const changes = [
    change("current_stage", "a", "b"),
    change("status", "New", "Qualified"),
    change("city", null, "Ulm"),
  ];
  expect(besideMove(edit("1", "10:00:00", { step, changes })).map(({ field }) => field)).toEqual(["city"]);
});
