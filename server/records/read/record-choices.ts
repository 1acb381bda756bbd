// What somebody who takes a transition says about the records that it creates: create one, use one that is there (and fill
// in what it lacks), or leave it out. Reads what was sent; finds candidates among the records that the caller may read.
import { Failure } from "../../../contract/failures.ts";
import { authorize } from "../../access/matrix.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { noSuchRecord, requireRecordId } from "../../plan/plan-read.ts";
import { lockRecord } from "../../query/lock-rows.ts";
import { isTree, shown, type Tree, type TreeValue } from "../../request/tree.ts";
import type { Effect } from "../../workflow/workflow.ts";
import type { Work } from "../hooks.ts";
import { columnNames, fieldRow, isUnset, rowOf } from "./record-row.ts";

/** `use`: `new`, `none`, or the id of a record. */
export interface RecordChoice {
  readonly use: string;
  readonly merge: boolean;
}

/** By the name under which the effect creates it. */
export type RecordChoices = ReadonlyMap<string, RecordChoice>;

export type CreateEffect = Extract<Effect, { kind: "create" }>;

/** `stage_log[records]`: `{company: "12"}` or `{company: {use: "12", merge: "1"}}`. */
export function sentChoices(sent: TreeValue | undefined): RecordChoices {
  if (sent === undefined || sent === null || sent === "") return new Map();
  if (!isTree(sent)) {
    const reason = "must hold a choice for each record, such as records[company]=12";
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

/** Sentences by name: choices about records that are not created, or that cannot be chosen. */
export function choiceFaults(choices: RecordChoices, effects: readonly Effect[]): Readonly<Record<string, string>> {
  const created = new Map(
    effects.flatMap((one) => (one.kind === "create" && one.as !== undefined ? [[one.as, one]] : [])),
  );
  const faults: Record<string, string> = {};
  for (const [name, { use }] of choices) {
    const effect = created.get(name);
    if (!effect)
      faults[name] = `No record ${shown(name)} is created here; possible: ${[...created.keys()].join(", ") || "none"}`;
    else if (use === "none" && !effect.offers.has("skip")) faults[name] = `${shown(name)} cannot be left out`;
    else if (use !== "none" && use !== "new" && !effect.offers.has("existing")) {
      faults[name] = `${shown(name)} is always a new record`;
    }
  }
  return faults;
}

export type SaveMerged = (type: RecordType, id: string, sent: Tree) => Promise<unknown>;

/** A record that is there, instead of a new one; what it lacks is filled in with the caller's own rights, if asked for. */
export async function chosenRecord(
  work: Work,
  type: RecordType,
  { use, merge }: RecordChoice,
  values: Readonly<Record<string, unknown>>,
  save: SaveMerged,
): Promise<string> {
  authorize(work.caller, type, merge ? "edit" : "view");
  const id = requireRecordId(type, use);
  const columns = columnNames(type);
  const { rows } = await work.transaction.run(lockRecord(type, work.caller, id, columns));
  const row = rowOf(columns, rows[0] ?? []);
  if (!rows[0] || row.deleted === "1") throw noSuchRecord(type);
  if (!merge) return id;
  const lacking = Object.entries(values).filter(([name, value]) => {
    const field = type.field.get(name);
    return field && !field.system && value != null && value !== "" && isUnset(fieldRow(type, field, row));
  });
  // Worked out by the workflow: texts, and the values of fields with parts, which are trees.
  if (lacking.length > 0) await save(type, id, Object.fromEntries(lacking) as Tree);
  return id;
}
