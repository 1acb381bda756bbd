// Takes `stage_log` of what was sent with a record; gives what its sender says about the record's stage: the one that it
// saw, a comment, and what is chosen about the records that a transition creates. Pure.

import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { isTree, type Tree, type TreeValue } from "../request/tree.ts";

/** `use`: `new`, `none`, or the id of a record. */
export interface RecordChoice {
  readonly use: string;
  readonly merge: boolean;
}

/** By the name under which the effect creates it. */
export type RecordChoices = ReadonlyMap<string, RecordChoice>;

export interface SentStage {
  /** The stage that the sender saw. */
  readonly expected: string | undefined;
  readonly comment: string | null;
  readonly records: RecordChoices;
}

const nothingSent: SentStage = { expected: undefined, comment: null, records: new Map() };

/** Takes `stage_log` out of what was sent: it is no field. */
export function sentStage(sent: Tree): { readonly stage: SentStage; readonly rest: Tree } {
  if (sent.stage_log === undefined) return { stage: nothingSent, rest: sent };
  const { stage_log: log, ...rest } = sent;
  if (log === null || log === "") return { stage: nothingSent, rest };
  if (!isTree(log)) {
    throw new Failure("malformed_parameter", { with: { name: "stage_log", reason: say("must_hold_stage") } });
  }
  const text = (name: string): string | undefined => {
    const value = log[name];
    return typeof value === "string" && value.trim() !== "" && value.trim() !== "null" ? value.trim() : undefined;
  };
  return {
    stage: {
      expected: text("node_id")?.toLowerCase(),
      comment: text("comment") ?? null,
      records: sentChoices(log.records),
    },
    rest,
  };
}

/** `stage_log[records]`: `{company: "12"}` or `{company: {use: "12", merge: "1"}}`. */
function sentChoices(sent: TreeValue | undefined): RecordChoices {
  if (sent === undefined || sent === null || sent === "") return new Map();
  if (!isTree(sent)) {
    const reason = say("must_hold_choices");
    throw new Failure("malformed_parameter", { with: { name: "stage_log[records]", reason } });
  }
  return new Map(
    Object.entries(sent).map(([name, value]) => {
      const tree: Tree = isTree(value) ? value : { use: value ?? "new" };
      const use = typeof tree.use === "string" && tree.use.trim() !== "" ? tree.use.trim() : "new";
      return [name, { use, merge: tree.merge === "1" }] as const;
    }),
  );
}
