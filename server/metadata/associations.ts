// Which associations of a record type a record brings along as its own children, and which are other records that it is
// related to; which type a reference field points to. Pure.
import type { Association, RecordType } from "./record-type.ts";
import { requireType, type Snapshot } from "./snapshot.ts";

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

/** Comes with the record to be read, without being its own. */
export const isShown = (association: Association): boolean =>
  association.kind === "has-many" && association.shown === true;

/** What a view of the record brings along as arrays. */
export const broughtAssociations = (type: RecordType): readonly OwnedAssociation[] =>
  type.associations.filter((one): one is OwnedAssociation => isOwned(one) || isShown(one));

export const ownedAssociations = (type: RecordType): readonly OwnedAssociation[] => type.associations.filter(isOwned);

export const childTypeOf = (snapshot: Snapshot, association: { readonly type: string }): RecordType =>
  requireType(snapshot, association.type);

/** Filled from the parent, never by a person: what ties a child to it. */
export function tiesOf(association: OwnedAssociation): readonly string[] {
  return association.kind === "has-many" ? [association.via] : ["related_type", "related_id"];
}

/** What the reference of a field is followed by. */
export const associationName = (field: string): string => field.replace(/_id$/, "");

/** A reference by another name of its field, or by what that name says of the association. */
export const referenceNamed = ({ fieldAliases }: RecordType, segment: string): string | undefined =>
  fieldAliases.get(segment) ?? [...fieldAliases].find(([alias]) => associationName(alias) === segment)?.[1];

const targets = new WeakMap<RecordType, ReadonlyMap<string, string>>();

/** The record type that a reference field points to; undefined for other fields. */
export function referencedBy(type: RecordType, field: { readonly name: string }): string | undefined {
  let known = targets.get(type);
  if (!known) {
    known = new Map(
      type.associations.flatMap((association) =>
        association.kind === "belongs-to" ? [[association.via, association.type] as const] : [],
      ),
    );
    targets.set(type, known);
  }
  return known.get(field.name);
}
