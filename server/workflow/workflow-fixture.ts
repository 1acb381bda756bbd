// Workflows for the tests of this folder: a definition compiled as it is stored, each stage known by a node named after it.
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { compileWorkflow } from "./compile-workflow.ts";
import type { Stage, Transition, Workflow } from "./workflow.ts";

export const snapshot = buildSnapshot(builtInTypes, [], "test");
export const leads = requireType(snapshot, "crm/leads");
export const quotes = requireType(snapshot, "crm/quotes");

export const compiled = (definition: WorkflowDefinition): Workflow =>
  compileWorkflow({
    id: "w",
    name: "Tested",
    version: "3",
    type: "crm/quotes",
    definition,
    nodes: new Map(definition.stages.map(({ key }) => [key, `node of ${key}`])),
  });

export function stageOf(workflow: Workflow, key: string): Stage {
  const stage = workflow.byKey.get(key);
  if (!stage) throw new Error(`no stage ${key}`);
  return stage;
}

export function transitionOf(stage: Stage, name: string): Transition {
  const transition = stage.out.find((one) => one.name === name);
  if (!transition) throw new Error(`no transition ${name}`);
  return transition;
}
