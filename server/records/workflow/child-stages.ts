// Takes the drafts of a save; refuses changes to child rows that only their own workflow can make: to the field that is
// their stage, and to fields that their stage locks.
import { say } from "../../../contract/messages.ts";
import { sql } from "../../database/sql.ts";
import { workflowPointer } from "../../query/workflow-pointer.ts";
import { takesWorkflow } from "../../workflow/effect-fields.ts";
import type { Work } from "../hooks.ts";
import type { Draft } from "../save/draft.ts";
import { takeWanted } from "./stage-by-field.ts";
import { checkFixed, stateOf } from "./workflow-step.ts";

export async function checkChildStages(work: Work, drafts: readonly Draft[]): Promise<void> {
  const pointers = new Map<string, string | null>();
  for (const draft of drafts) {
    const { type, association, before, operation, plan, errors } = draft;
    if (!association || operation === "delete" || !takesWorkflow(type)) continue;
    let pointer = pointers.get(type.key);
    if (pointer === undefined) {
      const rows = await work.transaction.prepared(sql`select ${workflowPointer(work.caller, type)}`);
      pointer = rows[0]?.[0] ?? null;
      pointers.set(type.key, pointer);
    }
    const state = await stateOf(work, draft, pointer);
    if (!state) continue;
    if (before?.current_stage != null) checkFixed(draft, state);
    const wanted = takeWanted(draft, state);
    if (!wanted) continue;
    const { field } = wanted;
    const said = say("change_on_child", { field: field.label, type: type.noun });
    errors[`${plan.path}.${field.name}`] = [said];
  }
}
