// Takes a workflow; gives the fields of a record that a step of it reads or writes, apart from the records that it creates, and
// the actors that it names. Pure.
import { fieldsOf } from "../../contract/conditions.ts";
import { fieldsOfExpression } from "../../contract/expressions.ts";
import type { Actor } from "../access/acl.ts";
import { actorsFor } from "./state.ts";
import type { Effect, Recipient, Workflow } from "./workflow.ts";

const namedField = (name: Recipient): string[] =>
  name.startsWith("field:") || name.startsWith("email:") ? [name.slice(name.indexOf(":") + 1)] : [];

function fieldsOfEffect(effect: Effect): string[] {
  const when = effect.when === undefined ? [] : [...fieldsOf(effect.when)];
  if (effect.kind === "create") return when;
  if (effect.kind !== "set") return [...when, ...effect.to.flatMap(namedField)];
  return [...when, ...effect.values.flatMap(([name, expression]) => [name, ...fieldsOfExpression(expression)])];
}

/** `moves`: whether records may go from stage to stage; what is only saved needs less. */
export function fieldsOfWorkflow({ stageField, stages }: Workflow, moves: boolean): ReadonlySet<string> {
  const always = [
    ...(stageField === undefined ? [] : [stageField]),
    ...stages.flatMap(({ actors }) => actors.flatMap(namedField)),
  ];
  if (!moves) return new Set(always);
  const onTheWay = stages.flatMap(({ enter, fixed, out }) => [
    ...fixed,
    ...enter.flatMap(fieldsOfEffect),
    ...out.flatMap(({ by = [], condition, required, effects }) => [
      ...by.flatMap(namedField),
      ...(condition === undefined ? [] : fieldsOf(condition)),
      ...required,
      ...effects.flatMap(fieldsOfEffect),
    ]),
  ]);
  return new Set([...always, ...onTheWay]);
}

/** Whoever may take a step, apart from those whom a record's own fields name. */
export const actorsOfWorkflow = ({ stages }: Workflow): Actor[] =>
  actorsFor(
    stages.flatMap(({ actors, out }) => [...actors, ...out.flatMap(({ by = [] }) => by)]),
    () => null,
  );
