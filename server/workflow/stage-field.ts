// The field that is a record's stage under another name: which one it is, whether a definition maps it soundly, and which
// stages a new record can start in. Pure.
import { say } from "../../contract/messages.ts";
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import { type Field, isFilledIn } from "../fields/field-type.ts";
import type { DesignFault } from "../lib/design-fault.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { WorkflowState } from "./state.ts";
import type { Stage, Transition, Workflow } from "./workflow.ts";

/** One of a fixed list of options, which people and workflows set. */
export const mayBeStage = (field: Field): boolean => typeOf(field).picks === "one" && !isFilledIn(field);

/** Undefined where the workflow has none, or the record type no longer has the field. */
export function stageFieldOf(type: RecordType, { stageField }: Pick<Workflow, "stageField">): Field | undefined {
  const field = stageField === undefined ? undefined : type.field.get(stageField);
  return field && mayBeStage(field) ? field : undefined;
}

/** What people read for an option. */
export const optionLabel = (field: Field, value: string | null): string =>
  value === null ? "empty" : (typeOf(field).display?.(value, field) ?? value);

/** Where a record begins that is in no stage yet: what is stored in its field says so; a new one begins at the start. */
export function beginning(
  type: RecordType,
  workflow: Workflow,
  stored: Readonly<Record<string, unknown>> | undefined,
): WorkflowState {
  const field = stageFieldOf(type, workflow);
  const value = field ? stored?.[field.name] : undefined;
  const { stages, start } = workflow;
  const named = typeof value === "string" && value !== start.value && stages.find((stage) => stage.value === value);
  return { workflow, stage: named || start, agreed: [] };
}

/** Every stage that can be reached from one by transitions that `mayGo`, that one included; nearest first. */
export function stagesFrom(
  { byKey }: Workflow,
  start: Stage,
  mayGo: (from: Stage, transition: Transition) => boolean,
): readonly Stage[] {
  const found = new Set([start]);
  // A set that grows while it is walked: each stage is looked at once.
  for (const stage of found) {
    for (const transition of stage.out) {
      const to = byKey.get(transition.to);
      if (to && !found.has(to) && mayGo(stage, transition)) found.add(to);
    }
  }
  return [...found];
}

/** Everything that is wrong with how a definition maps its stages to the options of the field. */
export function checkStageField(
  { stage_field: name, stages, transitions }: WorkflowDefinition,
  type: RecordType,
): DesignFault[] {
  if (name === undefined) {
    return stages.flatMap(({ key, value }) =>
      value === undefined ? [] : [{ at: `stages.${key}.value`, wrong: say("name_stage_field") }],
    );
  }
  const field = type.field.get(name);
  if (!field || !mayBeStage(field) || (field.permission !== 0 && field.permission !== 2)) {
    return [{ at: "stage_field", wrong: say("not_a_stage_field", { name, type: type.key }) }];
  }
  const options = new Set(typeOf(field).ranked?.(field) ?? []);
  const wrong = stages.flatMap(({ key, value }) => {
    const at = `stages.${key}.value`;
    if (value === undefined) return [{ at, wrong: say("stage_without_option", { field: field.label }) }];
    return options.has(value) ? [] : [{ at, wrong: say("no_such_option", { field: field.label, option: value }) }];
  });
  const lists = [
    ...stages.map(({ key, enter }) => [`stages.${key}.enter`, enter ?? []] as const),
    ...transitions.map((one) => [`transitions.${one.name}.effects`, one.effects ?? []] as const),
  ];
  for (const [place, effects] of lists) {
    effects.forEach((effect, index) => {
      if ("set" in effect && Object.hasOwn(effect.set, name)) {
        const at = `${place}.${index}.set.${name}`;
        wrong.push({ at, wrong: say("stage_decides", { field: field.label }) });
      }
    });
  }
  return wrong;
}
