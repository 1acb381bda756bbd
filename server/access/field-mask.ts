// Which fields of a record type a caller may see and write, before any form narrows it further by the record's values. Pure.
import type { RecordType } from "../metadata/record-type.ts";
import type { Caller } from "./caller.ts";
import { acrossRoles, type EffectivePermission, effectivePermission } from "./permission.ts";

export interface FieldMask {
  /** Fields that exist for this caller: all others are unknown to it. */
  readonly visible: ReadonlySet<string>;
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
  if (!field || caller.hiddenByForms?.get(type.key)?.has(name)) return 1;
  const roles = caller.isAdministrator
    ? 2
    : acrossRoles(caller.roles.map((role) => role.fields.get(type.key)?.get(name)));
  return effectivePermission({ parent: 2, declared: field.permission, roles, form: 0, operation });
}

const masks = new WeakMap<Caller, WeakMap<RecordType, FieldMask>>();

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

function workOutMask(type: RecordType, caller: Caller): FieldMask {
  const visible = new Set<string>();
  const editable = new Set<string>();
  let key = "";
  for (const field of type.fields) {
    const permission = fieldPermission(type, field.name, caller, "edit");
    key += permission;
    if (permission !== 1) visible.add(field.name);
    if (permission === 2) editable.add(field.name);
  }
  return { visible, editable, key };
}
