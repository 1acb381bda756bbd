// Takes what is wrong with a definition, place by place; gives the Failure that refuses it, with each fault under its place.
// A place begins with the part of the definition; a field is named by its name or by its number.
import { Failure } from "../../contract/failures.ts";
import { humanize } from "../../contract/labels.ts";
import { type Message, say } from "../../contract/messages.ts";
import { type DesignFault, placed } from "../lib/design-fault.ts";
import type { RecordTypeDefinition } from "./record-type.ts";

/** `key`: of the record type that is wrong, which may be another than the one that is designed. */
export function definitionRefused(faults: readonly DesignFault[], key?: string): Failure {
  const byField: Record<string, Message[]> = {};
  for (const { at, wrong } of faults) {
    const path = `record_types.${at === "" ? "definition" : at}`;
    byField[path] = [...(byField[path] ?? []), wrong];
  }
  const errors = faults.map(placed);
  const of = key === undefined ? {} : { body: { record_type: key } };
  return new Failure("definition_refused", { with: { faults: errors }, errors, byField, ...of });
}

/** A design that makes another type impossible has no place of its own where that could be mended: the other is told by its labels. */
export function elsewhere(error: unknown, key: string, definitions: readonly RecordTypeDefinition[]): unknown {
  const other = error instanceof Failure && error.code === "definition_refused" ? error.detail.body?.record_type : key;
  if (typeof other !== "string" || other === key || !(error instanceof Failure)) return error;
  const definition = definitions.find(({ module, controller }) => `${module}/${controller}` === other);
  const errors = (error.detail.errors ?? []).map((fault) => inType(definition, other, fault));
  return new Failure("definition_refused", { with: { faults: errors }, errors, cause: error });
}

/** A fault that has a place is told by the labels of the type and the field. */
function inType(definition: RecordTypeDefinition | undefined, key: string, fault: Message): Message {
  const { plural = key, fields = [] } = definition ?? {};
  const { key: at, reason } = fault.code === "in_key" ? fault.params : {};
  const field = typeof at === "string" ? fields.find(({ name }) => at.startsWith(`fields.${name}.`)) : undefined;
  return field && typeof reason === "object" && "code" in reason
    ? say("in_key", { key: `${plural} → ${field.label ?? humanize(field.name)}`, reason })
    : say("in_key", { key: plural, reason: fault });
}
