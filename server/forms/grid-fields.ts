// Takes a child's record type; gives the fields of it that a grid in the parent's form can show. Pure.
import { type OwnedAssociation, tiesOf } from "../metadata/associations.ts";
import type { RecordType } from "../metadata/record-type.ts";

/** Kept with the parent rather than with the child, as far as a form goes. */
const ofTheParent = new Set(["owned_by", "primary_acl_group", "category_id"]);

/** The fields of a child that a grid can show. */
export function gridFields(child: RecordType, association: OwnedAssociation): readonly string[] {
  const ties = tiesOf(association);
  return child.fields
    .filter((field) => !field.system && !ofTheParent.has(field.name) && !ties.includes(field.name))
    .map((field) => field.name);
}
