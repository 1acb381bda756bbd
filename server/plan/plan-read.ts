// Takes a record type, a caller and an id; gives the plan that reads the record with its children. Which rows exist for
// the caller and which fields they have is part of the plan. Pure.
import { Failure } from "../../contract/failures.ts";
import type { Caller } from "../access/caller.ts";
import { type FieldMask, fieldMask } from "../access/field-mask.ts";
import type { Field } from "../fields/field-type.ts";
import { parseRecordId } from "../fields/record-id.ts";
import { broughtAssociations, childTypeOf, type OwnedAssociation, referencedBy } from "../metadata/associations.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";

/** The record itself, or the children of one association. */
export interface ReadPart {
  readonly type: RecordType;
  readonly association: OwnedAssociation | undefined;
  /** The fields that the caller may see, and the columns behind each, in order. */
  readonly fields: readonly Field[];
  readonly columns: readonly string[];
}

export interface ReadPlan {
  readonly type: RecordType;
  readonly caller: Caller;
  readonly mask: FieldMask;
  readonly id: string;
  /** The record first. */
  readonly parts: readonly ReadPart[];
  /** The types that visible fields refer to, for their display texts. */
  readonly referenced: readonly RecordType[];
}

type Parts = Pick<ReadPlan, "parts" | "referenced">;

/** By mask, because a mask belongs to one caller and one compiled type. What an earlier snapshot had goes with it. */
const known = new WeakMap<Snapshot, WeakMap<FieldMask, Parts>>();

/** An id that no record can have is a record that does not exist. */
export function requireRecordId(type: RecordType, sent: string): string {
  const parsed = parseRecordId(sent, type.idKind);
  const id = parsed.ok ? parsed.row[0] : null;
  if (id == null) throw noSuchRecord(type);
  return id;
}

export const noSuchRecord = (type: RecordType): Failure =>
  new Failure("record_not_found", { with: { type: type.label } });

export function planRead(snapshot: Snapshot, type: RecordType, caller: Caller, sentId: string): ReadPlan {
  const mask = fieldMask(type, caller);
  return { type, caller, mask, id: requireRecordId(type, sentId), ...partsOf(snapshot, type, caller, mask) };
}

export function partsOf(snapshot: Snapshot, type: RecordType, caller: Caller, mask: FieldMask): Parts {
  const ofSnapshot = known.get(snapshot) ?? new WeakMap<FieldMask, Parts>();
  known.set(snapshot, ofSnapshot);
  const found = ofSnapshot.get(mask);
  if (found) return found;
  const own = partOf(type, undefined, mask);
  const children = broughtAssociations(type).map((association) => {
    const child = childTypeOf(snapshot, association);
    return partOf(child, association, fieldMask(child, caller));
  });
  const all = [own, ...children];
  const keys = new Set(all.flatMap((part) => part.fields.flatMap((field) => referencedBy(part.type, field) ?? [])));
  const parts = { parts: all, referenced: [...keys].map((key) => requireType(snapshot, key)) };
  ofSnapshot.set(mask, parts);
  return parts;
}

function partOf(type: RecordType, association: OwnedAssociation | undefined, mask: FieldMask): ReadPart {
  const fields = type.fields.filter((field) => mask.visible.has(field.name));
  const columns = fields.flatMap((field) => (type.columns.get(field.name) ?? []).map((column) => column.name));
  return { type, association, fields, columns };
}
