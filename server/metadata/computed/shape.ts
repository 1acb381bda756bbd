// Takes the definition of a computed field; gives the settings that its values have: of a lookup those of the field it shows, else
// its own. Looks at definitions alone, so that columns are known before record types are compiled.
import { type Message, say } from "../../../contract/messages.ts";
import type { ComputedDefinition, FieldDefinition, RecordTypeDefinition } from "../../../contract/record-type.ts";
import { fieldTypes } from "../../fields/index.ts";
import { systemFields } from "../system-fields.ts";

export type Lookup = (key: string) => RecordTypeDefinition | undefined;

/** References that a lookup goes through. */
export const MOST_STEPS = 3;

/** System fields that never change once a record is there, or only the way people change fields. */
export const openSystemFields: readonly string[] = [
  "id",
  "created",
  "created_by",
  "owned_by",
  "business_key",
  "category_id",
];

interface Place {
  readonly owner: RecordTypeDefinition;
  readonly lookup: Lookup;
}

interface Shape {
  readonly type: FieldDefinition["type"];
  readonly settings: Readonly<Record<string, unknown>> | undefined;
}

export function shapeOfComputed(
  definition: FieldDefinition,
  computed: ComputedDefinition,
  place: Place,
  refuse: (wrong: Message) => void,
): Shape | undefined {
  const { required, unique, initial, initialFormula, setByWorkflow, permission } = definition;
  if (
    required ||
    unique ||
    setByWorkflow ||
    initial !== undefined ||
    initialFormula !== undefined ||
    permission === 2
  ) {
    refuse(say("computed_takes_none"));
    return undefined;
  }
  if (place.owner.scope === "shared") {
    refuse(say("computed_of_shared"));
    return undefined;
  }
  if (computed.kind !== "lookup") return { type: definition.type, settings: definition.settings };
  if (computed.through.length > MOST_STEPS) {
    refuse(say("lookup_too_long", { max: MOST_STEPS, count: computed.through.length }));
    return undefined;
  }
  const shown = shownBy(computed, place, 0);
  if ("code" in shown) {
    refuse(shown);
    return undefined;
  }
  if (shown.type !== definition.type) {
    refuse(say("lookup_type", { type: fieldTypes[shown.type].label, id: shown.type }));
    return undefined;
  }
  return shown;
}

const fieldsOf = (definition: RecordTypeDefinition): readonly FieldDefinition[] => [
  ...definition.fields,
  ...systemFields(definition, "run-time").flatMap(({ field: { name, type, settings } }) =>
    // Settings of system fields are plain objects of our own.
    openSystemFields.includes(name) ? [{ name, type, settings: settings as Record<string, unknown> }] : [],
  ),
];

/** By its name, or one that it had before. */
const fieldNamed = (definition: RecordTypeDefinition, wanted: string): FieldDefinition | undefined => {
  const fields = fieldsOf(definition);
  return fields.find(({ name }) => name === wanted) ?? fields.find(({ aliases }) => aliases?.includes(wanted));
};

/** Lookups of lookups; longer ones go in a circle, which is found later. */
const DEEPEST = 20;

function shownBy(
  { through, field }: Extract<ComputedDefinition, { kind: "lookup" }>,
  { owner, lookup }: Place,
  depth: number,
): Shape | Message {
  let at = owner;
  for (const via of through) {
    const reference = fieldNamed(at, via);
    if (!reference) return say("missing_field", { name: via });
    const key = fieldTypes[reference.type].target?.(reference.settings ?? {});
    const next = key === undefined ? undefined : key === `${owner.module}/${owner.controller}` ? owner : lookup(key);
    if (!next) return say("no_reference", { name: via });
    at = next;
  }
  const found = fieldNamed(at, field);
  if (!found) return say("missing_field", { name: field });
  const type = fieldTypes[found.type];
  if (type.value === undefined) return say("field_without_value", { name: field });
  if (found.computed?.kind === "lookup" && depth < DEEPEST)
    return shownBy(found.computed, { owner: at, lookup }, depth + 1);
  return type.lookedUpAs?.(found.settings ?? {}) ?? { type: found.type, settings: found.settings };
}
