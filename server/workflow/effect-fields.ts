// Which fields the effects of a workflow may write. Asked when a workflow is saved, and again when an effect runs: a
// definition may be older than the rule. Pure.
import { type Message, say } from "../../contract/messages.ts";
import { type Field, isFilledIn } from "../fields/field-type.ts";
import type { RecordType } from "../metadata/record-type.ts";

/** Only types whose records carry a stage take part in workflows: as the record itself, or as one that is created. */
export const takesWorkflow = (type: RecordType): boolean => type.field.has("current_stage");

/** Fields that decide who may do what with a record. People hand a record over with their own rights. */
const decidesAccess = ({ personalFlag }: RecordType, name: string): boolean =>
  ["owned_by", "primary_acl_group", "related_type", "related_id"].includes(name) || name === personalFlag;

/** Why an effect may not write a field, of its own record or of one that it creates; undefined where it may. */
export function effectRefusal(type: RecordType, name: string, effect: "set" | "create"): Message | undefined {
  if (!takesWorkflow(type)) return say("not_by_workflow", { type: type.plural });
  const field = type.field.get(name);
  if (!field) return say("missing_field", { name });
  if (isFilledIn(field)) return say("is_system_field", { name });
  if (decidesAccess(type, name)) return say("decides_access", { name });
  return isWritable(field, effect) ? undefined : say("workflow_read_only", { name });
}

const isWritable = ({ permission, setByWorkflow }: Field, effect: "set" | "create"): boolean =>
  permission === 0 || permission === 2 || (permission === 4 && setByWorkflow && effect === "set");
