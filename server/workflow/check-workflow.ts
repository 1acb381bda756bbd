// Takes a definition, the record type it is for and the snapshot; gives everything that is wrong with it, each named by
// where it is. Pure: that roles, groups and users exist is for whoever can ask the database.
import { fieldsOf, parseCondition } from "../../contract/conditions.ts";
import { fieldsOfExpression, newsOfExpression, parseExpression, parseTemplate } from "../../contract/expressions.ts";
import type { ActorName, EffectDefinition, WorkflowDefinition } from "../../contract/workflow.ts";
import { actionsOf } from "../forms/actions.ts";
import { referencedBy } from "../metadata/associations.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { normalizeAction } from "../request/call.ts";
import { fromOf } from "./compile-workflow.ts";
import { readDefinition } from "./definition-schema.ts";
import { effectRefusal, takesWorkflow } from "./effect-fields.ts";
import { checkStageField } from "./stage-field.ts";
import { isTemplatePath } from "./template-paths.ts";

export type WorkflowCheck =
  | { readonly ok: true; readonly definition: WorkflowDefinition }
  | { readonly ok: false; readonly errors: readonly string[] };

const saving = new Set(actionsOf("edit").map((action) => normalizeAction(action.name)));

export function checkWorkflow(input: unknown, type: RecordType, snapshot: Snapshot): WorkflowCheck {
  const shape = readDefinition(input);
  if (!shape.ok) return shape;
  const { definition } = shape;
  const wrong: string[] = [];
  checkStages(definition, wrong);
  checkTransitions(definition, type, wrong);
  wrong.push(...checkStageField(definition, type));
  const checkEffects = effectChecker(type, snapshot, wrong);
  for (const stage of definition.stages) {
    checkActors(stage.actors ?? [], type, `stages.${stage.key}.actors`, wrong);
    const made = stage.enter?.some((effect) => "create" in effect || "mail" in effect || "notify" in effect);
    if (stage.kind === "start" && made) {
      wrong.push(`stages.${stage.key}.enter: a record that is only being made can have fields set, no more`);
    }
    for (const name of stage.fixed ?? []) {
      const field = type.field.get(name);
      if (!field || field.system)
        wrong.push(`stages.${stage.key}.fixed: ${type.label} has no field ${name} of its own`);
    }
    checkEffects(stage.enter ?? [], `stages.${stage.key}.enter`);
  }
  for (const transition of definition.transitions) {
    checkEffects(transition.effects ?? [], `transitions.${transition.name}.effects`);
  }
  return wrong.length === 0 ? { ok: true, definition } : { ok: false, errors: wrong };
}

function checkStages({ stages, transitions }: WorkflowDefinition, wrong: string[]): void {
  const keys = stages.map((stage) => stage.key);
  for (const key of new Set(keys)) {
    if (keys.filter((one) => one === key).length > 1) wrong.push(`stages.${key}: there are two of that key`);
  }
  const names = stages.map((stage) => stage.name.toLowerCase());
  if (new Set(names).size < names.length) wrong.push("stages: two have the same name");
  const starts = stages.filter((stage) => stage.kind === "start");
  if (starts.length !== 1) wrong.push(`stages: exactly one must be the start, not ${starts.length}`);
  const reached = new Set(starts.map((stage) => stage.key));
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (const one of transitions) if (fromOf(one).some((from) => reached.has(from))) reached.add(one.to);
  }
  for (const stage of stages) {
    const leads = transitions.some((one) => fromOf(one).includes(stage.key));
    if (!reached.has(stage.key)) wrong.push(`stages.${stage.key}: no way leads there from the start`);
    if (stage.kind === "end" && leads) wrong.push(`stages.${stage.key}: a transition leads out of an end`);
    if (stage.kind === "end" && (stage.actors?.length ?? 0) > 0)
      wrong.push(`stages.${stage.key}: an end has no actors`);
    if (stage.kind !== "end" && !leads)
      wrong.push(`stages.${stage.key}: no transition leads out, and it is not an end`);
  }
}

function checkTransitions({ stages, transitions }: WorkflowDefinition, type: RecordType, wrong: string[]): void {
  const known = new Map(stages.map((stage) => [stage.key, stage]));
  const seen = new Set<string>();
  for (const one of transitions) {
    const at = `transitions.${one.name}`;
    const action = normalizeAction(one.name);
    if (action === "" || saving.has(action)) wrong.push(`${at}: this name is taken`);
    if (!known.has(one.to)) wrong.push(`${at}.to: there is no stage ${one.to}`);
    for (const from of fromOf(one)) {
      const stage = known.get(from);
      if (!stage) wrong.push(`${at}.from: there is no stage ${from}`);
      if (seen.has(`${from} ${action}`)) wrong.push(`${at}: ${from} has two actions of that name`);
      seen.add(`${from} ${action}`);
      if (from === one.to) wrong.push(`${at}: it leads to where it starts`);
      const votes = one.kind === "approve" || one.kind === "reject";
      if (votes && (stage?.actors?.length ?? 0) === 0) wrong.push(`${at}: ${from} has no actors who could ${one.kind}`);
    }
    if (one.needs !== undefined && one.kind !== "approve") wrong.push(`${at}.needs: only an approval needs any or all`);
    if (one.needs === "all" && one.by) wrong.push(`${at}.by: an approval by all is by the actors of its stage`);
    if (one.kind === "reject" && one.reason !== undefined && one.reason !== "required") {
      wrong.push(`${at}.reason: who rejects says why`);
    }
    checkActors(one.by ?? [], type, `${at}.by`, wrong);
    checkCondition(one.condition, type, `${at}.condition`, wrong);
    for (const name of one.required ?? []) {
      const field = type.field.get(name);
      if (!field || field.system) wrong.push(`${at}.required: ${type.key} has no field ${name} that can be filled in`);
    }
  }
}

function checkActors(actors: readonly ActorName[], type: RecordType, at: string, wrong: string[]): void {
  for (const actor of actors) {
    if (!actor.startsWith("field:")) continue;
    const field = type.field.get(actor.slice("field:".length));
    if (!field || referencedBy(type, field) !== "access_controls/users") {
      wrong.push(`${at}: ${actor} is not a field that names a user`);
    }
  }
}

function checkCondition(text: string | undefined, type: RecordType, at: string, wrong: string[]): void {
  if (text === undefined) return;
  const parsed = parseCondition(text);
  if (!parsed.ok) wrong.push(`${at}: ${parsed.error}`);
  else
    for (const name of fieldsOf(parsed.condition))
      if (!type.field.has(name)) wrong.push(`${at}: there is no field ${name}`);
}

function effectChecker(type: RecordType, snapshot: Snapshot, wrong: string[]) {
  const checkFields = (fields: ReadonlySet<string>, at: string): void => {
    for (const name of fields) if (!type.field.has(name)) wrong.push(`${at}: there is no field ${name}`);
  };
  const checkValue = (text: string, made: ReadonlySet<string>, at: string): void => {
    const parsed = parseExpression(text);
    if (!parsed.ok) {
      wrong.push(`${at}: ${parsed.error}`);
      return;
    }
    checkFields(fieldsOfExpression(parsed.expression), at);
    for (const name of newsOfExpression(parsed.expression)) {
      if (!made.has(name)) wrong.push(`${at}: nothing was made as ${name} before`);
    }
  };
  const checkText = (text: string, at: string): void => {
    const parsed = parseTemplate(text);
    if (!parsed.ok) wrong.push(`${at}: ${parsed.error}`);
    else {
      const paths = parsed.template.flatMap((part) => (typeof part === "string" ? [] : [...fieldsOfExpression(part)]));
      for (const path of new Set(paths)) {
        if (!isTemplatePath(snapshot, type, path)) wrong.push(`${at}: ${type.label} has no field ${path} to print`);
      }
    }
  };
  const checkWritten = (target: RecordType, name: string, effect: "set" | "create", at: string): void => {
    const refusal = effectRefusal(target, name, effect);
    if (refusal !== undefined) wrong.push(`${at}: ${refusal}`);
  };

  return (effects: readonly EffectDefinition[], place: string): void => {
    const made = new Set<string>();
    effects.forEach((effect, index) => {
      const at = `${place}.${index}`;
      checkCondition(effect.when, type, `${at}.when`, wrong);
      if ("set" in effect) {
        for (const [name, text] of Object.entries(effect.set)) {
          checkWritten(type, name, "set", `${at}.set.${name}`);
          checkValue(text, made, `${at}.set.${name}`);
        }
      } else if ("create" in effect) {
        const target = snapshot.types.get(effect.create);
        if (!target || !takesWorkflow(target)) {
          wrong.push(`${at}.create: ${effect.create} is not a record type that a workflow can make records of`);
          return;
        }
        for (const [name, text] of Object.entries(effect.values)) {
          checkWritten(target, name, "create", `${at}.values.${name}`);
          checkValue(text, made, `${at}.values.${name}`);
        }
        if (effect.as !== undefined) made.add(effect.as);
        else if (effect.offer !== undefined) wrong.push(`${at}.offer: name the record with "as" first`);
      } else if ("mail" in effect) {
        for (const to of effect.mail.to) {
          const field = to.startsWith("email:") ? type.field.get(to.slice("email:".length)) : undefined;
          if (to.startsWith("email:") && !(field && typeOf(field).isMailAddress))
            wrong.push(`${at}.mail.to: ${to} is not an e-mail field`);
        }
        // The schema admits actors and e-mail fields only.
        const people = effect.mail.to.filter((to) => !to.startsWith("email:")) as ActorName[];
        checkActors(people, type, `${at}.mail.to`, wrong);
        checkText(effect.mail.subject, `${at}.mail.subject`);
        checkText(effect.mail.text, `${at}.mail.text`);
      } else {
        checkActors(effect.notify.to, type, `${at}.notify.to`, wrong);
        checkText(effect.notify.text, `${at}.notify.text`);
      }
    });
  };
}
