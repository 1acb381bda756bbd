// What people add to a record type that the service comes with, kept apart from its definition: their own fields, related
// lists, names and options. Takes both, gives the type as it is in force; or takes a whole design, gives what is people's own in it.
import { z } from "zod";
import { humanize } from "../../contract/labels.ts";
import { type Message, say } from "../../contract/messages.ts";
import type { DesignFault } from "../lib/design-fault.ts";
import { issueFaults } from "../lib/issue-message.ts";
import {
  associationSchema,
  duplicatesSchema,
  fieldSchema,
  labelSchema,
  rulesSchema,
  uniqueSchema,
} from "./definition-schema.ts";
import type { AssociationDefinition, FieldDefinition, RecordTypeDefinition, RuleDefinition } from "./record-type.ts";

/** No field or related list of a definition that ships begins with it, now or later: what people add cannot collide. */
export const OWN_PREFIX = "x_";

const changeSchema = z.strictObject({
  label: labelSchema.optional(),
  help: z.string().max(500).optional(),
  /** Null: none, where the definition has one. */
  initial: z.string().max(1000).nullable().optional(),
  initialFormula: z.string().max(500).optional(),
  /** Which records a reference can name. */
  where: z.string().max(2_000).optional(),
  required: z.literal(true).optional(),
  isHidden: z.literal(true).optional(),
  options: z
    .array(z.looseObject({ value: z.string(), label: z.string() }))
    .max(500)
    .optional(),
});

const extensionSchema = z.strictObject({
  extends: z.string(),
  label: labelSchema.optional(),
  plural: labelSchema.optional(),
  icon: z.string().max(60).optional(),
  fields: z.array(fieldSchema).max(500),
  changed: z.record(z.string(), changeSchema),
  associations: z.array(associationSchema).max(100),
  unique: uniqueSchema,
  duplicates: duplicatesSchema.optional(),
  rules: rulesSchema.optional(),
});

type FieldChange = z.output<typeof changeSchema>;

export interface Extension {
  /** The record type, as `<module>/<controller>`. */
  readonly extends: string;
  readonly label?: string;
  readonly plural?: string;
  readonly icon?: string;
  readonly fields: readonly FieldDefinition[];
  /** What is different about fields that the service comes with. */
  readonly changed: Readonly<Record<string, FieldChange>>;
  readonly associations: readonly AssociationDefinition[];
  readonly unique: readonly (readonly string[])[];
  /** In place of the definition's. */
  readonly duplicates?: RecordTypeDefinition["duplicates"];
  readonly rules?: RecordTypeDefinition["rules"];
}

/** As it was stored; undefined where it is no such thing. */
export function readExtension(input: unknown): Extension | undefined {
  const parsed = extensionSchema.safeParse(input);
  // zod's optional keys may hold undefined, ours may be absent only; the values are the same.
  return parsed.success ? (parsed.data as Extension) : undefined;
}

/** Whether people can add to it: its records are an organization's, and it is people who write them. */
export const isExtensible = ({ scope, writtenByService, appendOnly, refuses }: RecordTypeDefinition): boolean =>
  scope !== "shared" && !writtenByService && !appendOnly && !(refuses?.add && refuses.edit);

/** A later version may lack what an extension speaks of: that is passed over, so that nothing keeps the service from starting. */
export function extend(definition: RecordTypeDefinition, extension: Extension): RecordTypeDefinition {
  const own = [
    ...definition.fields.map((field) => changedField(field, extension.changed[field.name])),
    ...extension.fields.map(labeled),
  ];
  const names = new Set(own.map(({ name }) => name));
  const associations = [...(definition.associations ?? []), ...extension.associations.map(labeled)];
  const isKnown = (path: string): boolean => {
    const [first = "", second] = path.split(".");
    return second === undefined ? names.has(first) : associations.some(({ name }) => name === first);
  };
  const duplicates = extension.duplicates?.filter((paths) => paths.every(isKnown));
  const unique = extension.unique.filter((list) => list.every((name) => names.has(name)));
  return {
    ...definition,
    label: extension.label ?? definition.label,
    plural: extension.plural ?? definition.plural,
    ...(extension.icon === undefined ? {} : { icon: extension.icon }),
    fields: own,
    ...(associations.length === 0 ? {} : { associations }),
    ...(unique.length === 0 ? {} : { unique: [...(definition.unique ?? []), ...unique] }),
    ...(duplicates === undefined ? {} : { duplicates }),
    ...(extension.rules === undefined ? {} : { rules: [...(definition.rules ?? []), ...extension.rules] }),
  };
}

const labelOf = ({ label, name }: FieldDefinition): string => label ?? humanize(name);

/** With the label that each field has, said or not: what a designer starts from. */
export const withLabels = (definition: RecordTypeDefinition): RecordTypeDefinition => ({
  ...definition,
  fields: definition.fields.map((field) => ({ ...field, label: labelOf(field) })),
});

/** Nobody reads the prefix. */
const labeled = <Named extends { readonly name: string; readonly label?: string }>(one: Named): Named =>
  one.label === undefined ? { ...one, label: humanize(one.name.slice(OWN_PREFIX.length)) } : one;

type Option = NonNullable<FieldChange["options"]>[number];

const optionsOf = (field: FieldDefinition): readonly Option[] | undefined =>
  changeSchema.shape.options.safeParse(field.settings?.options).data;

function changedField(field: FieldDefinition, change: FieldChange | undefined): FieldDefinition {
  if (change === undefined) return field;
  const { isHidden, options, label, help, initial, initialFormula, where, required } = change;
  const { initial: shippedInitial, ...rest } = field;
  const starts = initial === undefined ? shippedInitial : initial;
  const shipped = optionsOf(field);
  const values = new Set(options?.map(({ value }) => value));
  // One that a later version brings stands behind those that people have put in order.
  const all = options && shipped ? [...options, ...shipped.filter(({ value }) => !values.has(value))] : undefined;
  return {
    ...rest,
    ...(label === undefined ? {} : { label }),
    ...(help === undefined ? {} : { help }),
    ...(starts == null || initialFormula !== undefined ? {} : { initial: starts }),
    ...(initialFormula === undefined ? {} : { initialFormula }),
    ...(where === undefined ? {} : { where }),
    ...(required ? { required } : {}),
    // A later version may ask for it.
    ...(isHidden && !field.required ? { permission: 1 as const } : {}),
    ...(all ? { settings: { ...field.settings, options: all } } : {}),
  };
}

/** Parts of a definition that an extension has something of its own for. */
const open = ["label", "plural", "icon", "fields", "associations", "unique", "duplicates", "rules"] as const;
const openOfField = ["label", "help", "initial", "initialFormula", "where", "required", "permission", "settings"];

const same = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** Deeper than any definition is. */
const DEEPEST = 20;

/** Keys in one order; those without a value are not there. */
function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return typeof value === "object" ? null : value;
  if (Array.isArray(value)) return value.map((one) => sorted(one, depth + 1));
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const inOrder = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(inOrder.map(([key, one]) => [key, sorted(one, depth + 1)]));
}

/** The extension that makes the shipped definition what was sent, or what cannot be changed about it. */
export function extensionOf(shipped: RecordTypeDefinition, sent: unknown): Extension | readonly DesignFault[] {
  const faults: DesignFault[] = [];
  const refuse = (at: string, wrong: Message) => faults.push({ at, wrong });
  const parsed = sentSchema.safeParse(sent);
  if (!parsed.success) return issueFaults(parsed.error.issues, sent, "definition");
  const wanted = parsed.data;
  const kept = new Map<string, unknown>(Object.entries(shipped));
  for (const key of new Set([...kept.keys(), ...Object.keys(wanted)])) {
    if (open.some((one) => one === key)) continue;
    if (!same(kept.get(key), Object.hasOwn(wanted, key) ? wanted[key] : undefined)) refuse(key, say("built_in_kept"));
  }
  // zod's optional keys may hold undefined, ours may be absent only; the values are the same.
  const fields = wanted.fields as readonly FieldDefinition[];
  const changed: Record<string, FieldChange> = {};
  for (const field of shipped.fields) {
    const now = fields.find(({ name }) => name === field.name);
    if (now === undefined) refuse(`fields.${field.name}`, say("built_in_field_kept"));
    else {
      const change = changeOf(field, now, shipped, (setting, wrong) =>
        refuse(`fields.${field.name}.${setting}`, wrong),
      );
      if (Object.keys(change).length > 0) changed[field.name] = change;
    }
  }
  const ownFields = fields.filter(({ name }) => !shipped.fields.some((field) => field.name === name));
  for (const { name, aliases = [] } of ownFields) {
    if (!name.startsWith(OWN_PREFIX)) refuse(`fields.${name}`, ownName());
    if (!aliases.every((alias) => alias.startsWith(OWN_PREFIX))) refuse(`fields.${name}.aliases`, ownName());
  }
  const associations = ownAssociations(shipped, wanted.associations as readonly AssociationDefinition[], refuse);
  for (const list of shipped.unique ?? []) {
    if (!wanted.unique.some((one) => same(one, list))) refuse("unique", say("built_in_kept"));
  }
  const unique = wanted.unique.filter((list) => !shipped.unique?.some((one) => same(one, list)));
  for (const name of unique.flat()) {
    if (!fields.some((field) => field.name === name)) refuse("unique", say("missing_field", { name }));
  }
  for (const rule of shipped.rules ?? []) {
    if (!wanted.rules.some((one) => same(one, rule))) refuse("rules", say("built_in_kept"));
  }
  // zod's optional keys may hold undefined, ours may be absent only; the values are the same.
  const rules = wanted.rules.filter(
    (rule) => !shipped.rules?.some((one) => same(one, rule)),
  ) as readonly RuleDefinition[];
  if (faults.length > 0) return faults;
  return {
    extends: `${shipped.module}/${shipped.controller}`,
    ...(wanted.label === shipped.label ? {} : { label: wanted.label }),
    ...(wanted.plural === shipped.plural ? {} : { plural: wanted.plural }),
    ...(wanted.icon === undefined || wanted.icon === shipped.icon ? {} : { icon: wanted.icon }),
    fields: ownFields,
    changed,
    associations,
    unique,
    ...(same(wanted.duplicates ?? [], shipped.duplicates ?? []) ? {} : { duplicates: wanted.duplicates ?? [] }),
    ...(rules.length === 0 ? {} : { rules }),
  };
}

const ownName = (): Message => say("own_name_prefix", { prefix: OWN_PREFIX });

/** Everything else that was sent stays to be compared: only what an extension can say has a shape. */
const sentSchema = z
  .looseObject({
    label: labelSchema,
    plural: labelSchema,
    icon: z.string().max(60).optional(),
    fields: z.array(fieldSchema).min(1).max(500),
    associations: z.array(associationSchema).max(100).default([]),
    unique: uniqueSchema.default([]),
    duplicates: duplicatesSchema.optional(),
    rules: rulesSchema.default([]),
  })
  .readonly();

function ownAssociations(
  shipped: RecordTypeDefinition,
  wanted: readonly AssociationDefinition[],
  refuse: (at: string, wrong: Message) => void,
): readonly AssociationDefinition[] {
  for (const association of shipped.associations ?? []) {
    if (!wanted.some((one) => same(one, association))) refuse(`associations.${association.name}`, say("built_in_kept"));
  }
  const own = wanted.filter(({ name }) => !shipped.associations?.some((one) => one.name === name));
  for (const { name, kind } of own) {
    if (!name.startsWith(OWN_PREFIX)) refuse(`associations.${name}`, ownName());
    if (kind === "belongs-to-any") refuse(`associations.${name}`, say("built_in_kept"));
  }
  return own;
}

function changeOf(
  field: FieldDefinition,
  now: FieldDefinition,
  { displayField }: RecordTypeDefinition,
  refuse: (setting: string, wrong: Message) => void,
): FieldChange {
  const before = new Map<string, unknown>(Object.entries(field));
  const after = new Map<string, unknown>(Object.entries(now));
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (!openOfField.includes(key) && !same(before.get(key), after.get(key))) refuse(key, say("built_in_kept"));
  }
  if (field.required && !now.required) refuse("required", say("built_in_required"));
  // Nobody could fill it in, and nothing could be added any more.
  if (now.required && !field.required && (now.permission ?? 2) !== 2) refuse("required", say("required_not_editable"));
  if (now.initialFormula !== undefined && now.initial !== undefined && now.initial !== field.initial) {
    refuse("initialFormula", say("initial_twice"));
  }
  if (field.where !== undefined && now.where === undefined) refuse("where", say("built_in_kept"));
  const isHidden = now.permission === 1 && field.permission !== 1;
  if (!isHidden && (now.permission ?? 2) !== (field.permission ?? 2)) refuse("permission", say("built_in_kept"));
  if (isHidden && (now.required || field.name === displayField)) refuse("permission", say("built_in_shown"));
  const [options, others] = [optionsOf(now), optionsOf(field)];
  if (now.settings?.options !== undefined && !options) refuse("settings.options", say("not_valid"));
  if (!same({ ...now.settings, options: null }, { ...field.settings, options: null }))
    refuse("settings", say("built_in_kept"));
  if (others?.some(({ value }) => !options?.some((one) => one.value === value))) {
    refuse("settings.options", say("built_in_options_kept"));
  }
  return {
    ...(now.label === undefined || now.label === labelOf(field) ? {} : { label: now.label }),
    ...((now.help ?? "") === (field.help ?? "") ? {} : { help: now.help ?? "" }),
    ...(now.initial === field.initial || now.initialFormula !== undefined ? {} : { initial: now.initial ?? null }),
    ...(now.initialFormula === undefined ? {} : { initialFormula: now.initialFormula }),
    ...(now.where === undefined || now.where === field.where ? {} : { where: now.where }),
    ...(now.required && !field.required ? { required: true as const } : {}),
    ...(isHidden ? { isHidden: true as const } : {}),
    ...(options === undefined || same(options, others) ? {} : { options: [...options] }),
  };
}
