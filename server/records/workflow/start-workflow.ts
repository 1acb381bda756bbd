// Takes the draft of a new record; gives its start in the workflow in force, with what that sets, or undefined where its
// type has none.
import type { Tree } from "../../request/tree.ts";
import type { Work } from "../hooks.ts";
import type { Draft } from "../save/draft.ts";
import { setFields } from "./run-effects.ts";
import { planStep, sentStage, type WorkflowStep } from "./workflow-step.ts";

export async function planStart(
  work: Work,
  draft: Draft,
  pointer: string | null,
  sent: Tree,
): Promise<WorkflowStep | undefined> {
  const { stage } = sentStage(sent);
  const step = await planStep(work, { draft, pointer, action: { kind: "save" }, stage, mayEdit: true, sent });
  if (step) setFields(work, draft, step);
  return step;
}
