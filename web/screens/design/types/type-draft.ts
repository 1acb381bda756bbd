// A record type while it is being designed: its definition with fields that can be told apart before they have a name, and
// whether they are stored already. Pure.
import type { FieldTypeId } from "../../../../contract/field-types.ts";
import { humanize } from "../../../../contract/labels.ts";
import type { FieldDefinition, RecordTypeDefinition } from "../../../../contract/record-type.ts";
import { freeName, slug } from "../../../fields/design/option-rows.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { renamedDefinition } from "./changes/renamed-definition.ts";

export interface DraftField extends FieldDefinition {
  readonly id: string;
  /** Records have it, under the name that is its id. */
  readonly isStored: boolean;
  /** What it is now, where it is stored. */
  readonly storedType?: FieldTypeId;
  /** It is stored without a label: this one is made of its name. */
  readonly impliedLabel?: string;
  /** As it ships, where the type is built in and has it: most of it stays. */
  readonly shipped?: FieldDefinition;
}

export interface TypeDraft extends Omit<RecordTypeDefinition, "fields"> {
  readonly fields: readonly DraftField[];
  /** The built-in type that this one is made of. */
  readonly shipped?: RecordTypeDefinition;
}

/** What is added to a built-in type is called so: nothing that ships is. */
const OWN_PREFIX = "x_";

/** Of a name that somebody or something thought of. */
export const ownName = ({ shipped }: TypeDraft, name: string): string =>
  shipped === undefined || name === "" ? name : `${OWN_PREFIX}${name}`.slice(0, 40).replace(/_$/u, "");

const newId = (): string => crypto.randomUUID();

export const draftOf = (definition: RecordTypeDefinition, shipped?: RecordTypeDefinition): TypeDraft => ({
  ...definition,
  ...(shipped ? { shipped } : {}),
  fields: definition.fields.map((field) => {
    const base = shipped?.fields.find(({ name }) => name === field.name);
    const implied = humanize(field.name);
    return {
      ...field,
      ...(field.label === undefined ? { label: implied, impliedLabel: implied } : {}),
      id: field.name,
      isStored: true,
      storedType: field.type,
      ...(base ? { shipped: base } : {}),
    };
  }),
});

/** A type of its own from the first keystroke: one field, which its records are called by. */
export const newDraft = (label: string): TypeDraft => ({
  module: "",
  controller: "",
  label: "",
  plural: "",
  icon: "folder",
  displayField: "name",
  allowComments: true,
  fields: [{ id: newId(), isStored: false, name: "name", label, type: "short-text", required: true, searchable: true }],
  access: {
    read: ["organization"],
    edit: ["owner", "owner_groups", "role:administrator"],
    delete: ["owner", "role:administrator"],
    comment: ["organization"],
  },
});

/** With what is stored under another name calling it so everywhere. */
export function definitionOf({ fields, shipped: _, ...rest }: TypeDraft): RecordTypeDefinition {
  // A combination that nobody has chosen fields for yet is none.
  const unique = rest.unique?.filter((names) => names.length > 0);
  const plain = {
    ...rest,
    ...(unique === undefined ? {} : { unique }),
    fields: fields.map(plainField),
  };
  return renamedDefinition(plain, renamesOf(fields));
}

/** A label that nobody wrote is left to the name, until the field gets another one. */
function plainField(draft: DraftField): FieldDefinition {
  const { id, isStored: _, storedType: __, shipped: ___, impliedLabel, ...field } = draft;
  if (impliedLabel === undefined || field.label !== impliedLabel || field.name !== id) return field;
  const { label: ____, ...unnamed } = field;
  return unnamed;
}

/** Old name → new name: a stored field is known by the name that it is stored under. */
export const renamesOf = (fields: readonly DraftField[]): ReadonlyMap<string, string> =>
  new Map(fields.flatMap(({ id, name, isStored }) => (isStored && name !== id && name !== "" ? [[id, name]] : [])));

/** As English does it, most of the time; the designer has the last word. */
export function pluralOf(label: string): string {
  if (label.trim() === "") return "";
  if (/[^aeiou]y$/iu.test(label)) return `${label.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/iu.test(label) ? `${label}es` : `${label}s`;
}

/** Plural and name follow the label for as long as nobody wrote them. */
export function withLabel(draft: TypeDraft, label: string, isNew: boolean): TypeDraft {
  const plural = draft.plural === pluralOf(draft.label) ? pluralOf(label) : draft.plural;
  const named = { ...draft, label };
  return withPlural(named, plural, isNew);
}

export function withPlural(draft: TypeDraft, plural: string, isNew: boolean): TypeDraft {
  const follows = isNew && draft.controller === nameOf(draft.plural);
  return { ...draft, plural, ...(follows ? { controller: nameOf(plural) } : {}) };
}

/** The service takes at most 40 letters, and a letter first. */
export const nameOf = (text: string): string =>
  slug(text)
    .replace(/^[^a-z]+/u, "")
    .slice(0, 40)
    .replace(/_$/u, "");

const fieldNameOf = (draft: TypeDraft, label: string, others: readonly DraftField[]): string => {
  const name = ownName(draft, nameOf(label));
  return name === ""
    ? ""
    : freeName(
        name,
        others.map((one) => one.name),
      );
};

export function withField(draft: TypeDraft, type: FieldTypeId): { readonly draft: TypeDraft; readonly id: string } {
  const id = newId();
  const { searched } = fieldTypes[type].design;
  const field: DraftField = {
    id,
    isStored: false,
    name: "",
    label: "",
    type,
    ...(searched ? { searchable: true } : {}),
  };
  return { draft: { ...draft, fields: [...draft.fields, field] }, id };
}

/** The ways in which a field's values can be worked out, in the order in which a designer offers them. */
export const computedKinds = ["formula", "lookup", "roll-up"] as const;
export type ComputedKind = (typeof computedKinds)[number];

const startOf: Readonly<Record<ComputedKind, Pick<FieldDefinition, "type" | "computed">>> = {
  formula: { type: "decimal", computed: { kind: "formula", formula: "" } },
  lookup: { type: "short-text", computed: { kind: "lookup", through: [], field: "" } },
  "roll-up": { type: "integer", computed: { kind: "roll-up", type: "", via: "", function: "count" } },
};

export function withComputed(draft: TypeDraft, kind: ComputedKind): { readonly draft: TypeDraft; readonly id: string } {
  const id = newId();
  const field: DraftField = { id, isStored: false, name: "", label: "", ...startOf[kind] };
  return { draft: { ...draft, fields: [...draft.fields, field] }, id };
}

/** What is undefined is taken out. */
export type FieldChanges = { readonly [Name in keyof DraftField]?: DraftField[Name] | undefined };

/** The service takes no keys without a value. */
export function changeField(draft: TypeDraft, id: string, changes: FieldChanges): TypeDraft {
  let { displayField } = draft;
  const fields = draft.fields.map((field) => {
    if (field.id !== id) return field;
    const merged: Record<string, unknown> = { ...field, ...changes };
    if (changes.label !== undefined && !field.isStored) {
      const others = draft.fields.filter((one) => one.id !== id);
      if (field.name === fieldNameOf(draft, field.label ?? "", others)) {
        merged.name = fieldNameOf(draft, changes.label, others);
      }
    }
    for (const [key, value] of Object.entries(merged)) if (value === undefined) delete merged[key];
    // Every key came from a field.
    const changed = merged as unknown as DraftField;
    if (displayField === field.name) displayField = changed.name;
    return changed;
  });
  return { ...draft, fields, displayField };
}

/** Another type keeps what all fields have, and of settings only what the new one has too. */
export function retype(draft: TypeDraft, id: string, type: FieldTypeId): TypeDraft {
  const field = draft.fields.find((one) => one.id === id);
  if (!field) return draft;
  const kept = Object.entries(field.settings ?? {}).filter(([name]) =>
    fieldTypes[type].design.settings?.some((setting) => setting.name === name),
  );
  const settings = kept.length === 0 ? undefined : Object.fromEntries(kept);
  const plain = {
    settings,
    initial: undefined,
    initialFormula: undefined,
    where: undefined,
    sortable: undefined,
    searchable: undefined,
    unique: undefined,
    computed: undefined,
  };
  return changeField(draft, id, { type, ...plain, indexed: undefined });
}

export function withoutField(draft: TypeDraft, id: string): TypeDraft {
  const gone = draft.fields.find((field) => field.id === id)?.name;
  const fields = draft.fields.filter((field) => field.id !== id);
  const displayField = draft.displayField === gone ? (fields[0]?.name ?? "") : draft.displayField;
  return { ...draft, fields, displayField };
}

/** What was refused, by a place in the draft; a field is named by its number or its name. */
export function errorsUnder(errors: Readonly<Record<string, readonly string[]>>, draft: TypeDraft) {
  const found = new Map<string, string>();
  for (const [path, words] of Object.entries(errors)) {
    const [, part = "", which = "", ...rest] = path.split(".");
    const sentence = words.join(" ");
    if (part !== "fields") {
      found.set([part, which, ...rest].filter(Boolean).join("."), sentence);
      continue;
    }
    const field = /^\d+$/u.test(which)
      ? draft.fields[Number(which)]
      : draft.fields.findLast((one) => one.name === which);
    found.set(field ? ["field", field.id, ...(rest.length === 0 ? ["name"] : rest)].join(".") : "fields", sentence);
  }
  return found;
}

/** One that is not saved yet. */
export interface Kept {
  readonly draft: TypeDraft;
  /** What it was made on. */
  readonly revision: string | null;
  /** As that was. */
  readonly base?: TypeDraft;
}

/** The database keeps the keys of a definition in an order of its own. */
export const sortKeys = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const textOf = (draft: TypeDraft): string => JSON.stringify(definitionOf(draft), sortKeys);

export const same = (one: TypeDraft, other: TypeDraft): boolean => textOf(one) === textOf(other);

/** The same once saved: the service stores texts without the spaces around them. */
function sameOnceSaved(one: TypeDraft, other: TypeDraft): boolean {
  const trimmed = (key: string, value: unknown): unknown =>
    typeof value === "string" ? value.trim() : sortKeys(key, value);
  const [a, b] = [one, other].map((draft) => JSON.stringify(definitionOf(draft), trimmed));
  return a === b;
}

/** What was found, where there is something left to save. What was made on just what is stored now goes on from it. */
export function takeUp(found: Kept | undefined, stored: TypeDraft, revision: string | undefined): Kept | undefined {
  // It was saved, and the page was left before it could be forgotten.
  if (found === undefined || sameOnceSaved(found.draft, stored)) return undefined;
  const { draft, base } = found;
  if (base === undefined || !sameOnceSaved(base, stored)) return found;
  // What was new is stored by now, under its name.
  const fields = draft.fields.map((field) => {
    const name = base.fields.find(({ id }) => id === field.id)?.name;
    const now = stored.fields.find((one) => one.name === name);
    return now
      ? { ...field, id: now.id, isStored: now.isStored, ...(now.storedType && { storedType: now.storedType }) }
      : field;
  });
  return { draft: { ...draft, fields }, revision: revision ?? null, base: stored };
}
