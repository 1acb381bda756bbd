// Takes a definition from before stages named the option of their field; gives the same definition with that said, if one
// choice field is set to an option of its own by every stage. Pure.
import { parseExpression } from "../../contract/expressions.ts";
import type { EffectDefinition, StageDefinition, WorkflowDefinition } from "../../contract/workflow.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { checkStageField, mayBeStage } from "./stage-field.ts";

/** Undefined where no field is the stage. */
export function adoptStageField(definition: WorkflowDefinition, type: RecordType): WorkflowDefinition | undefined {
  if (definition.stage_field !== undefined) return undefined;
  for (const field of type.fields) {
    if (!mayBeStage(field)) continue;
    const values = definition.stages.map((stage) => constantOf(stage, field.name));
    if (new Set(values).size < values.length || values.includes(undefined)) continue;
    const adopted = {
      ...definition,
      stage_field: field.name,
      stages: definition.stages.map((stage, index) => ({ ...without(stage, field.name), value: values[index] })),
    };
    if (checkStageField(adopted, type).length === 0) return adopted;
  }
  return undefined;
}

const isSet = (effect: EffectDefinition): effect is Extract<EffectDefinition, { readonly set: object }> =>
  "set" in effect;

/** The text that every arrival at a stage sets a field to. */
function constantOf({ enter = [] }: StageDefinition, field: string): string | undefined {
  const texts = enter.flatMap((effect) => {
    const text = isSet(effect) && effect.when === undefined ? effect.set[field] : undefined;
    return text === undefined ? [] : [text];
  });
  const parsed = texts.length === 1 ? parseExpression(texts[0] ?? "") : undefined;
  return parsed?.ok && parsed.expression.kind === "value" ? String(parsed.expression.value) : undefined;
}

function without(stage: StageDefinition, field: string): StageDefinition {
  const { enter = [], ...rest } = stage;
  const left = enter.flatMap((effect): EffectDefinition[] => {
    if (!isSet(effect)) return [effect];
    const { [field]: _, ...set } = effect.set;
    return Object.keys(set).length === 0 ? [] : [{ ...effect, set }];
  });
  return left.length === 0 ? rest : { ...rest, enter: left };
}
