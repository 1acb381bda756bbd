// Takes the entries of a timeline, newest first; gives them as they are read: small edits of the same person folded into one, and
// all of it by day. Pure.
import type { FieldChange } from "../../../../client/records/history.ts";
import type { ChangeEntry, TimelineEntry } from "../../../../client/records/timeline.ts";
import { readInstant } from "../../../../client/transport/instant.ts";

/** Edits of one person, the newest first. */
export interface FoldedEdits {
  readonly kind: "edits";
  readonly id: string;
  readonly at: string;
  readonly edits: readonly ChangeEntry[];
  /** What they come to together, in the order in which fields were first changed. */
  readonly changes: readonly FieldChange[];
}

export type ShownEntry = TimelineEntry | FoldedEdits;

export interface TimelineDay {
  readonly day: string;
  readonly entries: readonly ShownEntry[];
}

/** Edits that are further apart are told apart. */
const FOLD_MINUTES = 60;

const time = (at: string): number => readInstant(at)?.getTime() ?? 0;

/** Nobody wants to read a bulk edit, a restored version or a move as part of something else. That a workflow begins is no move. */
const isPlainEdit = (entry: TimelineEntry): entry is ChangeEntry =>
  entry.kind === "change" &&
  entry.operation === "edit" &&
  (entry.step === null || entry.step.step === "start") &&
  entry.job_id === null &&
  entry.along.length === 0;

function isOneSitting(later: ChangeEntry, earlier: ChangeEntry): boolean {
  return later.created_by === earlier.created_by && time(later.at) - time(earlier.at) <= FOLD_MINUTES * 60_000;
}

/** From what it was before all of them to what it is after; what came back to where it was did not change. */
export function changesTogether(edits: readonly ChangeEntry[]): readonly FieldChange[] {
  const together = new Map<string, FieldChange>();
  for (const edit of edits.toReversed()) {
    for (const change of besideMove(edit)) {
      const first = together.get(change.field);
      together.set(change.field, first ? { ...change, from: first.from, __from: first.__from } : change);
    }
  }
  return [...together.values()].filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}

function asOne(edits: readonly ChangeEntry[]): ShownEntry | undefined {
  const [newest] = edits;
  if (newest === undefined || edits.length === 1) return newest;
  return { kind: "edits", id: newest.id, at: newest.at, edits, changes: changesTogether(edits) };
}

/** Within a day: what stands between two edits keeps them apart. */
function foldEdits(entries: readonly TimelineEntry[]): readonly ShownEntry[] {
  const shown: ShownEntry[] = [];
  let edits: ChangeEntry[] = [];
  const flush = (): void => {
    const one = asOne(edits);
    if (one) shown.push(one);
    edits = [];
  };
  for (const entry of entries) {
    const last = edits.at(-1);
    if (!isPlainEdit(entry)) {
      flush();
      shown.push(entry);
    } else {
      if (last && !isOneSitting(last, entry)) flush();
      edits.push(entry);
    }
  }
  flush();
  return shown;
}

/** `dayOf`: the day of an instant where the reader is. */
export function timelineDays(entries: readonly TimelineEntry[], dayOf: (at: string) => string): readonly TimelineDay[] {
  const days = new Map<string, TimelineEntry[]>();
  const seen = new Set<string>();
  for (const entry of entries) {
    // A thread that was answered while one was reading comes twice, in two pages.
    const name = `${entry.kind} ${entry.id}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const day = dayOf(entry.at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].map(([day, some]) => ({ day, entries: foldEdits(some) }));
}

/** What a move changed beside the stage: a field that mirrors the stage says the same again. */
export const besideMove = ({ changes, step }: ChangeEntry): readonly FieldChange[] =>
  step === null
    ? changes
    : changes.filter(
        ({ field, __from, __to }) => field !== "current_stage" && !(__from === step.__from && __to === step.__to),
      );
