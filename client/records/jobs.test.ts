// What is offered to undo of a job, by what became of it and of its last undo.
import { expect, test } from "vitest";
import { type Job, undoOffer } from "./jobs.ts";

const job: Job = {
  id: "7",
  title: "Import a.csv",
  kind: "import",
  controller: "crm/leads",
  state: "done",
  total: 3,
  done: 3,
  failed: 0,
  created: null,
  finished: null,
  startedBy: null,
  undoneBy: null,
  reasons: [],
  leftAlone: 0,
  leftRemoved: 0,
  kept: 0,
  counts: undefined,
  faults: [],
  isDryRun: false,
  hasResult: true,
};
const undone: Job = { ...job, undoneBy: "8" };
const undoing: Job = { ...job, id: "8", kind: "undo" };

test.each<[string, Job, Job | undefined, ReturnType<typeof undoOffer>]>([
  ["one that is done", job, undefined, "all"],
  ["one that was stopped", { ...job, state: "cancelled", done: 2 }, undefined, "all"],
  ["one that failed half-way", { ...job, state: "failed", done: 2 }, undefined, "all"],
  ["one that is under way", { ...job, state: "running" }, undefined, undefined],
  ["one that only checked", { ...job, isDryRun: true }, undefined, undefined],
  ["one that did nothing", { ...job, failed: 3 }, undefined, undefined],
  ["an undo", undoing, undefined, undefined],
  ["one that was undone", undone, undoing, undefined],
  ["one that somebody undid out of sight", undone, undefined, undefined],
  ["one that is being undone", undone, { ...undoing, state: "running", failed: 1 }, undefined],
  ["one whose undo was stopped", undone, { ...undoing, state: "cancelled" }, "all"],
  ["one whose undo failed", undone, { ...undoing, state: "failed" }, "all"],
  ["one with records that could not go back", undone, { ...undoing, failed: 1 }, "rest"],
  ["one with values of a removed field", undone, { ...undoing, leftAlone: 1, leftRemoved: 1 }, "rest"],
  ["one with values that people changed since", undone, { ...undoing, leftAlone: 2 }, undefined],
])("%s", (_, given, its, offer) => expect(undoOffer(given, its)).toBe(offer));
