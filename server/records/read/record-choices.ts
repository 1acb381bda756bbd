// What a user who takes a transition decides about the records that it creates: create one, use an existing one (and fill in
// what it lacks), or leave it out. Finds candidates among the records that the caller may read.
import { type Message, say } from "../../../contract/messages.ts";
import { authorize } from "../../access/matrix.ts";
import { isFilledIn } from "../../fields/field-type.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { noSuchRecord, requireRecordId } from "../../plan/plan-read.ts";
import type { RecordChoice, RecordChoices } from "../../plan/sent-stage.ts";
import { lockRecords } from "../../query/lock-rows.ts";
import { shown, type Tree } from "../../request/tree.ts";
import type { Effect } from "../../workflow/workflow.ts";
import type { Work } from "../hooks.ts";
import { columnNames, fieldRow, isUnset, rowOf } from "./record-row.ts";

export type CreateEffect = Extract<Effect, { kind: "create" }>;

/** By name: choices about records that are not created, or that cannot be chosen. */
export function choiceFaults(choices: RecordChoices, effects: readonly Effect[]): Readonly<Record<string, Message>> {
  const created = new Map(
    effects.flatMap((one) => (one.kind === "create" && one.as !== undefined ? [[one.as, one]] : [])),
  );
  const faults: Record<string, Message> = {};
  for (const [name, { use }] of choices) {
    const effect = created.get(name);
    if (!effect) {
      const names = created.size === 0 ? say("no_actions") : [...created.keys()];
      faults[name] = say("no_such_choice", { name: shown(name), names });
    } else if (use === "none" && !effect.offers.has("skip")) faults[name] = say("not_skippable", { name: shown(name) });
    else if (use !== "none" && use !== "new" && !effect.offers.has("existing")) {
      faults[name] = say("always_new", { name: shown(name) });
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
  const { rows } = await work.transaction.run(lockRecords(type, work.caller, [id], columns));
  const row = rowOf(columns, rows[0] ?? []);
  if (!rows[0] || row.deleted === "1") throw noSuchRecord(type);
  if (!merge) return id;
  const lacking = Object.entries(values).filter(([name, value]) => {
    const field = type.field.get(name);
    return field && !isFilledIn(field) && value != null && value !== "" && isUnset(fieldRow(type, field, row));
  });
  // Worked out by the workflow: texts, and the values of fields with parts, which are trees.
  if (lacking.length > 0) await save(type, id, Object.fromEntries(lacking) as Tree);
  return id;
}
