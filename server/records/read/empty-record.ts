// Returns a record that does not exist yet: every visible field with its starting value, no children, owned by the caller.
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayOperate } from "../../access/matrix.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import { broughtAssociations, referencedBy } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { partsOf } from "../../plan/plan-read.ts";
import { startingValue } from "../save/starting-value.ts";
import { type RunRows, readDisplayTexts } from "./display-texts.ts";
import type { EmptyRecord } from "./present-view.ts";
import type { WireRecord } from "./read-record.ts";

export function initialValues(type: RecordType, caller: Caller, form: Pick<CompiledForm, "defaults">): WireRecord {
  const values: WireRecord = {};
  for (const field of type.fields) {
    const fieldType = typeOf(field);
    // What is taken over is known once the record is saved.
    const isTaken = type.startsFrom.has(field.name) && !form.defaults.has(field.name);
    const start = isTaken ? undefined : startingValue(type, field, caller, form.defaults);
    const parsed = start === undefined ? undefined : fieldType.parse(start, field, caller);
    values[field.name] = parsed?.ok ? fieldType.present(parsed.row, field) : null;
  }
  if (type.field.has("owned_by")) values.owned_by = caller.userId;
  return values;
}

export async function emptyRecord(
  run: RunRows,
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  form: CompiledForm,
): Promise<EmptyRecord> {
  const mask = fieldMask(type, caller);
  const values = initialValues(type, caller, form);
  const ids = new Map<string, Set<string>>();
  for (const field of type.fields) {
    const target = referencedBy(type, field);
    const id = values[field.name];
    if (target !== undefined && typeof id === "string") ids.set(target, (ids.get(target) ?? new Set()).add(id));
  }
  return {
    id: null,
    values,
    children: new Map(broughtAssociations(type).map((association) => [association.name, []])),
    texts: await readDisplayTexts(run, snapshot, caller, partsOf(snapshot, type, caller, mask).referenced, ids),
    deleted: false,
    rights: { edit: mayOperate(caller, type, "add"), delete: false, comment: false },
    aclId: null,
    formPointer: null,
    stage: null,
    peopleVersion: undefined,
    workflowPointer: null,
    lastStep: undefined,
  };
}
