// Which associations of a record type a record brings along, and which fields of such a child a form shows.
import type { Association, RecordType } from "../metadata/record-type.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";

export type OwnedAssociation = Extract<Association, { kind: "has-many" | "has-many-polymorphic" }>;
export type RelatedAssociation = Extract<
  Association,
  { kind: "has-many" | "has-many-polymorphic" | "has-many-through" }
>;

export const isOwned = (association: Association): association is OwnedAssociation =>
  (association.kind === "has-many" || association.kind === "has-many-polymorphic") && association.owned === true;

export const isRelated = (association: Association): association is RelatedAssociation =>
  association.kind === "has-many-through" ||
  ((association.kind === "has-many" || association.kind === "has-many-polymorphic") && association.owned !== true);

export const ownedAssociations = (type: RecordType): readonly OwnedAssociation[] => type.associations.filter(isOwned);

export const childTypeOf = (snapshot: Snapshot, association: { readonly type: string }): RecordType =>
  requireType(snapshot, association.type);

/** Filled from the parent, never by a person: what ties a child to it. */
export function tiesOf(association: OwnedAssociation): readonly string[] {
  return association.kind === "has-many" ? [association.via] : ["related_type", "related_id"];
}

/** Kept with the parent rather than with the child, as far as a form goes. */
const ofTheParent = new Set(["owned_by", "primary_acl_group", "category_id"]);

/** The fields of a child that a grid can show. */
export function gridFields(child: RecordType, association: OwnedAssociation): readonly string[] {
  const ties = tiesOf(association);
  return child.fields
    .filter((field) => !field.system && !ofTheParent.has(field.name) && !ties.includes(field.name))
    .map((field) => field.name);
}
