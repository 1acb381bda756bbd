// Takes a definition, the record type it is for and the snapshot; gives everything that is wrong with it, each named by
// where it is. Pure: that roles, groups and users exist is for whoever can ask the database.
import { fieldsOf, parseCondition } from "../../contract/conditions.ts";
import { fieldsOfExpression, newsOfExpression, parseExpression, parseTemplate } from "../../contract/expressions.ts";
import { type Message, say } from "../../contract/messages.ts";
import type { ActorName, EffectDefinition, WorkflowDefinition } from "../../contract/workflow.ts";
import { isFilledIn } from "../fields/field-type.ts";
import { actionsOf } from "../forms/actions.ts";
import type { DesignFault } from "../lib/design-fault.ts";
import { referencedBy } from "../metadata/associations.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { storedConditions, unknownOptions } from "../metadata/rules/condition-options.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { normalizeAction } from "../request/call.ts";
import { fromOf } from "./compile-workflow.ts";
import { readDefinition } from "./definition-schema.ts";
import { effectRefusal, takesWorkflow } from "./effect-fields.ts";
import { checkStageField } from "./stage-field.ts";
import { isTemplatePath } from "./template-paths.ts";

export type WorkflowCheck =
  | { readonly ok: true; readonly definition: WorkflowDefinition }
  | { readonly ok: false; readonly faults: readonly DesignFault[] };

/** Notes what is wrong, and where. */
type Refuse = (at: string, wrong: Message) => void;
type CheckCondition = (text: string | undefined, at: string) => void;

const saving = new Set(actionsOf("edit").map((action) => normalizeAction(action.name)));

/** `stored`: the definition as it is now; options that its conditions name may be gone. */
export function checkWorkflow(
  input: unknown,
  type: RecordType,
  snapshot: Snapshot,
  stored: string | null = null,
): WorkflowCheck {
  const shape = readDefinition(input);
  if (!shape.ok) return shape;
  const { definition } = shape;
  const faults: DesignFault[] = [];
  const refuse: Refuse = (at, wrong) => faults.push({ at, wrong });
  checkStages(definition, refuse);
  const checkCondition = conditionChecker(type, storedConditions(stored, "condition", "when"), refuse);
  checkTransitions(definition, type, checkCondition, refuse);
  faults.push(...checkStageField(definition, type));
  const checkEffects = effectChecker(type, snapshot, checkCondition, refuse);
  for (const stage of definition.stages) {
    checkActors(stage.actors ?? [], type, `stages.${stage.key}.actors`, refuse);
    const made = stage.enter?.some((effect) => "create" in effect || "mail" in effect || "notify" in effect);
    if (stage.kind === "start" && made) {
      refuse(`stages.${stage.key}.enter`, say("start_only_sets"));
    }
    for (const name of stage.fixed ?? []) {
      const field = type.field.get(name);
      if (!field || isFilledIn(field)) {
        refuse(`stages.${stage.key}.fixed`, say("not_own_field", { type: type.label, name }));
      }
    }
    checkEffects(stage.enter ?? [], `stages.${stage.key}.enter`);
  }
  for (const transition of definition.transitions) {
    checkEffects(transition.effects ?? [], `transitions.${transition.name}.effects`);
  }
  return faults.length === 0 ? { ok: true, definition } : { ok: false, faults };
}

function checkStages({ stages, transitions }: WorkflowDefinition, refuse: Refuse): void {
  const keys = stages.map((stage) => stage.key);
  for (const key of new Set(keys)) {
    if (keys.filter((one) => one === key).length > 1) refuse(`stages.${key}`, say("key_used_twice"));
  }
  const names = stages.map((stage) => stage.name.toLowerCase());
  if (new Set(names).size < names.length) refuse("stages", say("stage_name_twice"));
  const starts = stages.filter((stage) => stage.kind === "start");
  if (starts.length !== 1) refuse("stages", say("one_start", { count: starts.length }));
  const reached = new Set(starts.map((stage) => stage.key));
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (const one of transitions) if (fromOf(one).some((from) => reached.has(from))) reached.add(one.to);
  }
  for (const stage of stages) {
    const leads = transitions.some((one) => fromOf(one).includes(stage.key));
    const at = `stages.${stage.key}`;
    if (!reached.has(stage.key)) refuse(at, say("not_reached"));
    if (stage.kind === "end" && leads) refuse(at, say("leads_out_of_end"));
    if (stage.kind === "end" && (stage.actors?.length ?? 0) > 0) refuse(at, say("end_has_actors"));
    if (stage.kind !== "end" && !leads) refuse(at, say("dead_end"));
  }
}

function checkTransitions(
  { stages, transitions }: WorkflowDefinition,
  type: RecordType,
  checkCondition: CheckCondition,
  refuse: Refuse,
): void {
  const known = new Map(stages.map((stage) => [stage.key, stage]));
  const seen = new Set<string>();
  for (const one of transitions) {
    const at = `transitions.${one.name}`;
    const action = normalizeAction(one.name);
    if (action === "" || saving.has(action)) refuse(at, say("name_taken"));
    if (!known.has(one.to)) refuse(`${at}.to`, say("no_such_stage", { stage: one.to }));
    for (const from of fromOf(one)) {
      const stage = known.get(from);
      if (!stage) refuse(`${at}.from`, say("no_such_stage", { stage: from }));
      if (seen.has(`${from} ${action}`)) refuse(at, say("action_twice", { stage: from }));
      seen.add(`${from} ${action}`);
      if (from === one.to) refuse(at, say("leads_back"));
      const nobody = (stage?.actors?.length ?? 0) === 0;
      if (nobody && one.kind === "approve") refuse(at, say("nobody_approves", { stage: from }));
      if (nobody && one.kind === "reject") refuse(at, say("nobody_rejects", { stage: from }));
    }
    if (one.needs !== undefined && one.kind !== "approve") refuse(`${at}.needs`, say("needs_of_approval"));
    if (one.needs === "all" && one.by) refuse(`${at}.by`, say("all_are_actors"));
    if (one.kind === "reject" && one.reason !== undefined && one.reason !== "required") {
      refuse(`${at}.reason`, say("reject_with_reason"));
    }
    checkActors(one.by ?? [], type, `${at}.by`, refuse);
    checkCondition(one.condition, `${at}.condition`);
    for (const name of one.required ?? []) {
      const field = type.field.get(name);
      if (!field || isFilledIn(field)) refuse(`${at}.required`, say("not_fillable", { type: type.label, name }));
    }
  }
}

function checkActors(actors: readonly ActorName[], type: RecordType, at: string, refuse: Refuse): void {
  for (const actor of actors) {
    if (!actor.startsWith("field:")) continue;
    const field = type.field.get(actor.slice("field:".length));
    if (!field || referencedBy(type, field) !== "access_controls/users") {
      refuse(at, say("names_no_user", { actor }));
    }
  }
}

function conditionChecker(type: RecordType, stored: ReadonlySet<string>, refuse: Refuse): CheckCondition {
  return (text, at) => {
    if (text === undefined) return;
    const parsed = parseCondition(text);
    if (!parsed.ok) {
      refuse(at, parsed.error);
      return;
    }
    for (const name of fieldsOf(parsed.condition))
      if (!type.field.has(name)) refuse(at, say("missing_field", { name }));
    if (stored.has(text)) return;
    for (const wrong of unknownOptions((name) => type.field.get(name), parsed.condition)) refuse(at, wrong);
  };
}

function effectChecker(type: RecordType, snapshot: Snapshot, checkCondition: CheckCondition, refuse: Refuse) {
  const checkFields = (fields: ReadonlySet<string>, at: string): void => {
    for (const name of fields) if (!type.field.has(name)) refuse(at, say("missing_field", { name }));
  };
  const checkValue = (text: string, made: ReadonlySet<string>, at: string): void => {
    const parsed = parseExpression(text);
    if (!parsed.ok) {
      refuse(at, parsed.error);
      return;
    }
    checkFields(fieldsOfExpression(parsed.expression), at);
    for (const name of newsOfExpression(parsed.expression)) {
      if (!made.has(name)) refuse(at, say("not_made_before", { name }));
    }
  };
  const checkText = (text: string, at: string): void => {
    const parsed = parseTemplate(text);
    if (!parsed.ok) refuse(at, parsed.error);
    else {
      const paths = parsed.template.flatMap((part) => (typeof part === "string" ? [] : [...fieldsOfExpression(part)]));
      for (const path of new Set(paths)) {
        if (!isTemplatePath(snapshot, type, path)) refuse(at, say("not_printable", { type: type.label, path }));
      }
    }
  };
  const checkWritten = (target: RecordType, name: string, effect: "set" | "create", at: string): void => {
    const refusal = effectRefusal(target, name, effect);
    if (refusal !== undefined) refuse(at, refusal);
  };

  return (effects: readonly EffectDefinition[], place: string): void => {
    const made = new Set<string>();
    effects.forEach((effect, index) => {
      const at = `${place}.${index}`;
      checkCondition(effect.when, `${at}.when`);
      if ("set" in effect) {
        for (const [name, text] of Object.entries(effect.set)) {
          checkWritten(type, name, "set", `${at}.set.${name}`);
          checkValue(text, made, `${at}.set.${name}`);
        }
      } else if ("create" in effect) {
        const target = snapshot.types.get(effect.create);
        if (!target || !takesWorkflow(target)) {
          refuse(`${at}.create`, say("not_created", { type: effect.create }));
          return;
        }
        for (const [name, text] of Object.entries(effect.values)) {
          checkWritten(target, name, "create", `${at}.values.${name}`);
          checkValue(text, made, `${at}.values.${name}`);
        }
        if (effect.as !== undefined) made.add(effect.as);
        else if (effect.offer !== undefined) refuse(`${at}.offer`, say("name_it_first"));
      } else if ("mail" in effect) {
        for (const to of effect.mail.to) {
          const field = to.startsWith("email:") ? type.field.get(to.slice("email:".length)) : undefined;
          if (to.startsWith("email:") && !(field && typeOf(field).isMailAddress)) {
            refuse(`${at}.mail.to`, say("not_an_email_field", { name: to }));
          }
        }
        // The schema admits actors and email fields only.
        const people = effect.mail.to.filter((to) => !to.startsWith("email:")) as ActorName[];
        checkActors(people, type, `${at}.mail.to`, refuse);
        checkText(effect.mail.subject, `${at}.mail.subject`);
        checkText(effect.mail.text, `${at}.mail.text`);
      } else {
        checkActors(effect.notify.to, type, `${at}.notify.to`, refuse);
        checkText(effect.notify.text, `${at}.notify.text`);
      }
    });
  };
}
