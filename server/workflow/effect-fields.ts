// Which fields the effects of a workflow may write. Asked when a workflow is saved, and again when an effect runs: a
// definition may be older than the rule. Pure.
import type { Field } from "../fields/field-type.ts";
import type { RecordType } from "../metadata/record-type.ts";

/** Only types whose records carry a stage take part in workflows: as the record itself, or as one that is created. */
export const takesWorkflow = (type: RecordType): boolean => type.field.has("current_stage");

/** Fields that decide who may do what with a record. People hand a record over with their own rights. */
const decidesAccess = ({ personalFlag }: RecordType, name: string): boolean =>
  ["owned_by", "primary_acl_group", "related_type", "related_id"].includes(name) || name === personalFlag;

/** Why an effect may not write a field, of its own record or of one that it creates; undefined where it may. */
export function effectRefusal(type: RecordType, name: string, effect: "set" | "create"): string | undefined {
  if (!takesWorkflow(type)) return `${type.plural} cannot be changed by a workflow`;
  const field = type.field.get(name);
  if (!field) return `there is no field ${name}`;
  if (field.system) return `${name} is a system field`;
  if (decidesAccess(type, name)) return `${name} decides who has access, so a workflow cannot set it`;
  return isWritable(field, effect) ? undefined : `${name} is read-only, so a workflow cannot set it`;
}

const isWritable = ({ permission, setByWorkflow }: Field, effect: "set" | "create"): boolean =>
  permission === 0 || permission === 2 || (permission === 4 && setByWorkflow && effect === "set");
