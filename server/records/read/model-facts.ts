// Takes a record type; gives what a view response says of the type itself, as JSON made once: associations as far
// as the caller may see them, and behaviors. Pure.
import type { FieldMask } from "../../access/field-mask.ts";
import { isOwned } from "../../metadata/associations.ts";
import type { Association, RecordType } from "../../metadata/record-type.ts";

export interface ModelFacts {
  readonly associations: Buffer;
  readonly behaviors: Buffer;
}

const kinds: Readonly<Record<Association["kind"], "belongsTo" | "hasMany" | "hasManyThrough">> = {
  "belongs-to": "belongsTo",
  "belongs-to-any": "belongsTo",
  "has-many": "hasMany",
  "has-many-polymorphic": "hasMany",
  "has-many-through": "hasManyThrough",
};

const known = new WeakMap<FieldMask, ModelFacts>();

/** By mask, because a mask belongs to one compiled type. */
export function modelFacts(type: RecordType, mask: FieldMask): ModelFacts {
  let facts = known.get(mask);
  if (!facts) {
    facts = {
      associations: Buffer.from(JSON.stringify(associationsOf(type, mask))),
      behaviors: Buffer.from(JSON.stringify(behaviorsOf(type))),
    };
    known.set(mask, facts);
  }
  return facts;
}

function associationsOf(type: RecordType, mask: FieldMask) {
  const found: Record<string, Record<string, unknown>> = { belongsTo: {}, hasMany: {}, hasManyThrough: {} };
  for (const association of type.associations) {
    if (association.kind === "belongs-to" && !mask.visible.has(association.via)) continue;
    const group = found[kinds[association.kind]];
    if (group === undefined) continue;
    group[association.name] = {
      label: association.label,
      model: "type" in association ? association.type : null,
      foreign_key: "via" in association ? association.via : "related_id",
      through: association.kind === "has-many-through" ? association.through : null,
      owned: isOwned(association) ? 1 : 0,
      polymorphic: association.kind === "has-many-polymorphic" || association.kind === "belongs-to-any" ? 1 : 0,
    };
  }
  return found;
}

const behaviorsOf = (type: RecordType) => ({
  acl: type.scope === "organization" ? 1 : 0,
  revisions: 1,
  soft_delete: 1,
  comments: type.allowComments ? 1 : 0,
  categories: type.categories ? 1 : 0,
  business_key: type.businessKey ? 1 : 0,
});
