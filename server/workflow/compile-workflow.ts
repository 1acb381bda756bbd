// Takes a definition that was checked, and the nodes that its stages are known by; gives the workflow. Pure. A part that
// the record type has outgrown (a field that is gone) stays as it was written and comes to nothing.
import { type Condition, parseCondition } from "../../contract/conditions.ts";
import { type Expression, parseExpression, parseTemplate, type Template } from "../../contract/expressions.ts";
import type {
  EffectDefinition,
  StageDefinition,
  TransitionDefinition,
  WorkflowDefinition,
} from "../../contract/workflow.ts";
import type { RecordTypeKey } from "../metadata/record-type.ts";
import type { Effect, Recipient, Stage, Transition, Values, Workflow } from "./workflow.ts";

export interface WorkflowSource {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly type: RecordTypeKey;
  readonly definition: WorkflowDefinition;
  /** Node ids by stage key. */
  readonly nodes: ReadonlyMap<string, string>;
}

export const fromOf = ({ from }: Pick<TransitionDefinition, "from">): readonly string[] =>
  typeof from === "string" ? [from] : from;

const conditionOf = (text: string | undefined): Condition | undefined => {
  const parsed = text === undefined ? undefined : parseCondition(text);
  return parsed?.ok ? parsed.condition : undefined;
};
const nothing: Expression = { kind: "value", value: "" };
const expressionOf = (text: string): Expression => {
  const parsed = parseExpression(text);
  return parsed.ok ? parsed.expression : nothing;
};
const templateOf = (text: string): Template => {
  const parsed = parseTemplate(text);
  return parsed.ok ? parsed.template : [text];
};
const valuesOf = (given: Readonly<Record<string, string>>): Values =>
  Object.entries(given).map(([field, text]) => [field, expressionOf(text)]);

/** `stageField` is the stage's own to set. */
function effectOf(given: EffectDefinition, stageField: string | undefined): Effect {
  const when = conditionOf(given.when);
  if ("set" in given) {
    return { kind: "set", when, values: valuesOf(given.set).filter(([field]) => field !== stageField) };
  }
  if ("create" in given) {
    return {
      kind: "create",
      when,
      type: given.create,
      as: given.as,
      offers: new Set(given.offer),
      values: valuesOf(given.values),
    };
  }
  if ("mail" in given) {
    const { to, subject, text } = given.mail;
    // The schema admits actors and e-mail fields only.
    return { kind: "mail", when, to: to as readonly Recipient[], subject: templateOf(subject), text: templateOf(text) };
  }
  return { kind: "notify", when, to: given.notify.to, text: templateOf(given.notify.text) };
}

function transitionOf(given: TransitionDefinition, stageField: string | undefined): Transition {
  const kind = given.kind ?? "move";
  return {
    name: given.name,
    label: given.label,
    to: given.to,
    kind,
    by: given.by ?? (kind === "recall" ? ["owner"] : undefined),
    needsAll: kind === "approve" && given.needs === "all",
    condition: conditionOf(given.condition),
    conditionText: given.condition,
    required: given.required ?? [],
    reason: given.reason ?? (kind === "reject" ? "required" : "optional"),
    effects: (given.effects ?? []).map((one) => effectOf(one, stageField)),
    canUndo: given.undo ?? false,
  };
}

function stageOf(given: StageDefinition, node: string, definition: WorkflowDefinition): Stage {
  const { transitions, stage_field: stageField } = definition;
  const out = transitions.filter((one) => fromOf(one).includes(given.key)).map((one) => transitionOf(one, stageField));
  return {
    id: node,
    key: given.key,
    name: given.name,
    kind: given.kind ?? "stage",
    value: given.value ?? null,
    color: given.color ?? null,
    actors: given.actors ?? [],
    grants: new Set(["read", ...(given.grants ?? ["edit"])] as const),
    fixed: new Set(given.fixed),
    enter: (given.enter ?? []).map((one) => effectOf(one, stageField)),
    needsAll: out.some((one) => one.needsAll),
    out,
  };
}

export function compileWorkflow(source: WorkflowSource): Workflow {
  const { id, name, version, type, definition, nodes } = source;
  const stages = definition.stages.map((stage) => stageOf(stage, nodes.get(stage.key) ?? "", definition));
  const start = stages.find((stage) => stage.kind === "start");
  if (!start) throw new Error(`the workflow ${id} has no start`);
  return {
    id,
    name,
    version,
    type,
    stageField: definition.stage_field,
    stages,
    byKey: new Map(stages.map((stage) => [stage.key, stage])),
    byNode: new Map(stages.map((stage) => [stage.id, stage])),
    start,
  };
}
