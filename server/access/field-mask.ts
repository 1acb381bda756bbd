// Which fields of a record type a caller may see and write, before any form narrows it further by the record's values. Pure.
import type { Field } from "../fields/field-type.ts";
import type { Computation, Crossing, Reading } from "../metadata/computed/computation.ts";
import type { PolicyEntry, RecordType } from "../metadata/record-type.ts";
import type { Caller } from "./caller.ts";
import { acrossRoles, type EffectivePermission, effectivePermission } from "./permission.ts";
import { mayLook } from "./rule.ts";

export interface FieldMask {
  /** Fields that exist for this caller: all others are unknown to it. */
  readonly visible: ReadonlySet<string>;
  /** All of them visible, but for those that are only written. */
  readonly editable: ReadonlySet<string>;
  /** Equal for callers whom the mask treats alike: what compiled SQL, headers and serializers are cached by. */
  readonly key: string;
}

export function fieldPermission(
  type: RecordType,
  name: string,
  caller: Caller,
  operation: "view" | "add" | "edit",
): EffectivePermission {
  const field = type.field.get(name);
  if (!field) return 1;
  const computation = type.computed.get(name);
  // Who may not see what a value is derived from does not see the value.
  if (computation && !maySeeComputed(computation, caller)) return 1;
  return ofField({ type: type.key, field: name, permission: field.permission }, caller, operation);
}

function ofField(
  { type, field, permission }: Reading,
  caller: Caller,
  operation: "view" | "add" | "edit",
): EffectivePermission {
  if (caller.hiddenByForms?.get(type)?.has(field)) return 1;
  const roles = caller.isAdministrator ? 2 : acrossRoles(caller.roles.map((role) => role.fields.get(type)?.get(field)));
  return effectivePermission({ parent: 2, declared: permission, roles, form: 0, operation });
}

const maySeeComputed = ({ reads, crosses }: Computation, caller: Caller): boolean =>
  reads.every((reading) => ofField(reading, caller, "view") !== 1) && crosses.every((one) => readsAlong(one, caller));

/**
 * Whether a value may be derived from records of another type: they come along with the record, or the caller may look at the type
 * and reads every record of it, or the designer shows it to all who may look.
 */
function readsAlong({ type, read, comesAlong, isPersonal, reveals }: Crossing, caller: Caller): boolean {
  if (comesAlong) return true;
  if (!mayLook(caller, type)) return false;
  if (reveals || caller.isAdministrator) return true;
  const grantees = caller.policies?.get(type) ?? read;
  return !isPersonal && grantees.some((one) => one === "organization" || one === "everyone" || isRole(one, caller));
}

const isRole = (grantee: PolicyEntry, { roles }: Caller): boolean =>
  roles.some(({ code }) => grantee === `role:${code}`);

/** No mask hides a field that was removed: it is named only to those for whom none was hidden. */
export const maySeeRemoved = (caller: Caller): boolean => caller.isAdministrator;

const masks = new WeakMap<Caller, WeakMap<RecordType, FieldMask>>();

/** Whether it may know what records are called. */
export const seesName = (type: RecordType, caller: Caller): boolean =>
  fieldMask(type, caller).visible.has(type.displayField);

/** Callers and record types never change, they are replaced: a mask is worked out once for each pair. */
export function fieldMask(type: RecordType, caller: Caller): FieldMask {
  let ofCaller = masks.get(caller);
  if (!ofCaller) {
    ofCaller = new WeakMap();
    masks.set(caller, ofCaller);
  }
  let mask = ofCaller.get(type);
  if (!mask) {
    mask = workOutMask(type, caller);
    ofCaller.set(type, mask);
  }
  return mask;
}

const mayWriteUnseen = (type: RecordType, { name, writeOnly }: Field, caller: Caller): boolean =>
  writeOnly === true && ofField({ type: type.key, field: name, permission: 2 }, caller, "edit") === 2;

function workOutMask(type: RecordType, caller: Caller): FieldMask {
  const visible = new Set<string>();
  const editable = new Set<string>();
  let key = "";
  for (const field of type.fields) {
    const permission = fieldPermission(type, field.name, caller, "edit");
    const isOnlyWritten = permission === 1 && mayWriteUnseen(type, field, caller);
    key += isOnlyWritten ? "w" : permission;
    if (permission !== 1) visible.add(field.name);
    if (permission === 2 || isOnlyWritten) editable.add(field.name);
  }
  return { visible, editable, key };
}
