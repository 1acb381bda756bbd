// Takes definitions; gives compiled RecordTypes, or throws a Failure that names everything that is wrong with one.
// Pure: knows no database.

import {
  type Expression,
  type ExpressionScope,
  evaluateExpression,
  fieldsOfExpression,
  newsOfExpression,
  parseExpression,
} from "../../contract/expressions.ts";
import type { FieldSettings } from "../../contract/field-types.ts";
import { humanize, inlineLabel } from "../../contract/labels.ts";
import { about, type Message, say } from "../../contract/messages.ts";
import type { AnyFieldType, Column, Field } from "../fields/field-type.ts";
import { fieldTypes } from "../fields/index.ts";
import type { DesignFault } from "../lib/design-fault.ts";
import { issueFaults } from "../lib/issue-message.ts";
import { type Lookup, shapeOfComputed } from "./computed/shape.ts";
import { definitionRefused } from "./definition-refusal.ts";
import { onlyRead } from "./kept-by-the-service.ts";
import type {
  Association,
  AssociationDefinition,
  FieldDefinition,
  RecordType,
  RecordTypeDefinition,
} from "./record-type.ts";
import { systemFields } from "./system-fields.ts";

/** PostgreSQL cuts identifiers at 63 bytes; index names add to the table's. */
const MAX_TABLE_NAME = 58;

export const keyOf = (definition: { readonly module: string; readonly controller: string }): string =>
  `${definition.module}/${definition.controller}`;

export const tableOf = (definition: { readonly module: string; readonly controller: string }): string =>
  `${definition.module}__${definition.controller}`;

/** Columns that are not fields and must not be shadowed by one. */
const reserved = new Set([
  "acl_id",
  "action",
  "normalized",
  "is_edit",
  "is_delete",
  "is_comment",
  "record_display_name",
  "search_text",
  "stage_log",
  "current_workflow_actors",
  // Names that no request can send.
  "constructor",
  "prototype",
]);

/** Every table of PostgreSQL has these columns, so that no stored design has one of its own; another name of a field may be such a name. */
const systemColumns = new Set(["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"]);

/** What no field can be called, whatever its type has. */
export const reservedNames: ReadonlySet<string> = new Set([...reserved, ...systemColumns]);

/** A designer asked for its index, or it is not built yet. */
const withIndex = (field: Field, indexes: ReadonlyMap<string, boolean>): Field => {
  const indexed = indexes.get(field.name) ?? field.indexed;
  return indexed === field.indexed ? field : Object.freeze({ ...field, indexed });
};

/** Notes what is wrong, and where. */
type Refuse = (at: string, wrong: Message) => void;

export type { Lookup } from "./computed/shape.ts";

export function compileRecordType(
  definition: RecordTypeDefinition,
  lookup: Lookup,
  origin: "built-in" | "run-time",
  confidential: ReadonlySet<string> = new Set(),
  indexes: ReadonlyMap<string, boolean> = new Map(),
): RecordType {
  const faults: DesignFault[] = [];
  const refuse: Refuse = (at, wrong) => faults.push({ at, wrong });
  const key = keyOf(definition);
  const table = tableOf(definition);
  if (table.length > MAX_TABLE_NAME) refuse("", say("names_too_long", { max: MAX_TABLE_NAME }));

  const fields = new Map<string, Field>();
  const columns = new Map<string, readonly Column[]>();
  const takenColumns = new Set<string>();
  for (const { field, column } of systemFields(definition, origin)) {
    fields.set(field.name, withIndex(field, indexes));
    columns.set(field.name, [column]);
    takenColumns.add(column.name);
  }
  for (const fieldDefinition of definition.fields) {
    const { name } = fieldDefinition;
    if (fields.has(name) || reserved.has(name) || name.startsWith("_")) {
      refuse(`fields.${name}`, say("name_taken"));
      continue;
    }
    const field = compileField(fieldDefinition, { owner: definition, lookup }, refuse);
    if (!field) continue;
    const own = typeOf(field).columns(field);
    for (const column of own) {
      if (systemColumns.has(column.name)) refuse(`fields.${name}`, say("name_taken"));
      else if (takenColumns.has(column.name)) refuse(`fields.${name}`, say("column_taken", { column: column.name }));
      takenColumns.add(column.name);
    }
    fields.set(name, withIndex(field, indexes));
    columns.set(name, own);
  }

  for (const key of ["displayField", "sortField"] as const) {
    const name = definition[key];
    if (name !== undefined && !fields.has(name)) refuse(key, say("missing_field", { name }));
  }
  for (const list of [...(definition.unique ?? []), ...(definition.indexes ?? [])]) {
    for (const name of list) if (!fields.has(name)) refuse("unique/indexes", say("missing_field", { name }));
  }
  const { personalFlag } = definition;
  if (personalFlag !== undefined && !isYesNo(fields.get(personalFlag))) {
    refuse("personalFlag", say("no_such_flag", { name: personalFlag }));
  }
  if (definition.follows !== undefined && !definition.associations?.some(({ kind }) => kind === "belongs-to-any")) {
    refuse("follows", say("not_attached"));
  }
  for (const path of (definition.duplicates ?? []).flat()) {
    const wrong = duplicateFault(definition, fields, lookup, path);
    if (wrong) refuse(`duplicates.${path}`, wrong);
  }
  const fieldAliases = new Map<string, string>();
  for (const { name, aliases = [] } of definition.fields) {
    for (const alias of aliases) {
      const taken = fields.has(alias) || takenColumns.has(alias) || fieldAliases.has(alias) || reserved.has(alias);
      if (taken || alias.startsWith("_")) refuse(`fields.${name}.aliases`, say("alias_taken", { alias }));
      fieldAliases.set(alias, name);
    }
  }
  const associations = compileAssociations(definition, [...fields.values()], lookup, refuse);
  for (const { name } of associations) {
    if (fieldAliases.has(name)) refuse(`fields.${fieldAliases.get(name)}.aliases`, say("alias_taken", { alias: name }));
  }
  if (faults.length > 0) throw definitionRefused(faults, key);

  return Object.freeze({
    key,
    module: definition.module,
    controller: definition.controller,
    alias: definition.controller,
    table,
    names: [definition.controller, ...(definition.aliases ?? [])],
    fieldAliases,
    label: definition.label,
    plural: definition.plural,
    noun: inlineLabel(definition.label, "en"),
    nouns: inlineLabel(definition.plural, "en"),
    icon: definition.icon,
    scope: definition.scope ?? "organization",
    idKind: definition.idKind ?? "integer",
    displayField: definition.displayField,
    sortField: definition.sortField ?? definition.displayField,
    fields: Object.freeze([...fields.values()]),
    field: fields,
    computed: new Map(),
    rules: [],
    choices: new Map(),
    startsFrom: new Map(),
    columns,
    associations: Object.freeze(associations),
    association: new Map(associations.map((association) => [association.name, association])),
    access: definition.access,
    categories: definition.categories ?? false,
    businessKey: definition.businessKey,
    allowComments: definition.allowComments ?? false,
    personalFlag: definition.personalFlag,
    follows: definition.follows,
    confidential: definition.confidential ?? false,
    about: aboutOf(definition, confidential),
    movesUnlogged: definition.movesUnlogged ?? false,
    unique: definition.unique ?? [],
    indexes: definition.indexes ?? [],
    duplicates: definition.duplicates ?? [],
    takesForms: definition.forms ?? origin === "run-time",
    hidden: definition.hidden ?? false,
    isSetup: definition.setup ?? false,
    appendOnly: definition.appendOnly ?? false,
    refuses: definition.writtenByService ? onlyRead : (definition.refuses ?? {}),
    origin,
  } satisfies RecordType);
}

function aboutOf(definition: RecordTypeDefinition, confidential: ReadonlySet<string>): RecordType["about"] {
  const belongs = definition.associations?.some(({ kind }) => kind === "belongs-to-any") ?? false;
  const field = definition.about ?? (belongs ? "related_type" : undefined);
  return field === undefined ? undefined : { field, confidential, needs: definition.aboutNeeds };
}

/** Only texts are compared: of the record, or of what it owns. */
function duplicateFault(
  definition: RecordTypeDefinition,
  fields: ReadonlyMap<string, Field>,
  lookup: Lookup,
  path: string,
): Message | undefined {
  const [first = "", second] = path.split(".");
  if (second === undefined) {
    const field = fields.get(first);
    if (!field) return say("missing_field", { name: first });
    return comparable(typeOf(field));
  }
  const owned = definition.associations?.find((one) => one.name === first && "owned" in one && one.owned);
  const child = owned && "type" in owned ? lookup(owned.type) : undefined;
  const field = child?.fields.find(({ name }) => name === second);
  if (!field) return say("no_children_with", { children: first, field: second });
  return comparable(fieldTypes[field.type]);
}

const comparable = ({ likeness, label }: AnyFieldType): Message | undefined =>
  likeness ? undefined : say("type_not_compared", { type: label });

export const typeOf = (field: Field): AnyFieldType => fieldTypes[field.type];

/** The record type whose records a field names; undefined where it names none. */
export const targetOf = (field: Field): string | undefined => typeOf(field).target?.(field.settings);

/** As the key `settings` of what a client is told of a field; types that have none leave it out. */
export function settingsTold(field: Field): { readonly settings?: FieldSettings } {
  const settings = typeOf(field).clientSettings?.(field);
  return settings ? { settings } : {};
}

const isYesNo = (field: Field | undefined): boolean => field !== undefined && typeOf(field).isYesNo === true;

function compileField(
  definition: FieldDefinition,
  { owner, lookup }: { readonly owner: RecordTypeDefinition; readonly lookup: Lookup },
  refuse: Refuse,
): Field | undefined {
  const at = `fields.${definition.name}`;
  const type = fieldTypes[definition.type];
  const { computed } = definition;
  const shape =
    computed && shapeOfComputed(definition, computed, { owner, lookup }, (wrong) => refuse(`${at}.computed`, wrong));
  if (computed && !shape) return undefined;
  const settings: Record<string, unknown> = { ...(shape?.settings ?? definition.settings) };
  if (type.target) {
    const to = type.target(settings);
    const target = to === undefined ? undefined : lookup(to);
    if (!target && settings.to !== undefined) {
      refuse(`${at}.settings.to`, say("target_missing", { type: String(settings.to) }));
    } else if (target) settings.idKind = target.idKind ?? "integer";
  }
  const parsed = type.settings.safeParse(settings);
  if (!parsed.success) {
    for (const { at: setting, wrong } of issueFaults(parsed.error.issues, settings, "")) {
      refuse(setting === "" ? `${at}.settings` : `${at}.settings.${setting}`, wrong);
    }
    return undefined;
  }
  if (definition.sortable && !type.sortable) refuse(at, say("type_not_sorted", { type: type.label }));
  if (definition.searchable && !type.searchable) refuse(at, say("type_not_searched", { type: type.label }));
  const field: Field = {
    name: definition.name,
    label: definition.label ?? humanize(definition.name),
    type: definition.type,
    settings: parsed.data,
    required: definition.required ?? false,
    unique: definition.unique ?? false,
    sortable: definition.sortable ?? type.sortable,
    searchable: definition.searchable ?? false,
    indexed: definition.indexed ?? false,
    permission: computed ? (definition.permission === 1 ? 1 : 4) : (definition.permission ?? 2),
    ...(definition.writeOnly && definition.permission === 1 ? { writeOnly: true } : {}),
    setByWorkflow: definition.setByWorkflow ?? false,
    help: definition.help,
    initial: definition.initial,
    starts: startsOf(definition, (wrong) => refuse(`${at}.initialFormula`, wrong)),
    system: type.running !== undefined,
    ...(computed ? { computed } : {}),
  };
  if (definition.where !== undefined && (!type.target || computed)) refuse(`${at}.where`, say("where_of_reference"));
  if (definition.initial !== undefined) {
    const initial = type.parse(definition.initial, field, { locale: "en-US", timeZone: "UTC" });
    if (!initial.ok) {
      const faults = initial.errors.map((one) => about(say("the_initial_value"), one));
      refuse(`${at}.initial`, say("faults_listed", { faults }));
    }
  }
  if (field.starts) {
    const sample = evaluateExpression(field.starts, anyTime);
    const fits = type.parse(sample, field, { locale: "en-US", timeZone: "UTC" });
    if (!fits.ok) {
      const faults = fits.errors.map((one) => about(say("the_initial_value"), one));
      refuse(`${at}.initialFormula`, say("faults_listed", { faults }));
    }
  }
  return Object.freeze(field);
}

/** Of nobody in particular: what a formula gives then is of the kind that it always gives. */
const anyTime = {
  read: () => null,
  made: () => null,
  now: "2026-01-31 12:00:00",
  today: "2026-01-31",
  me: "1",
  group: "1",
  currency: "1",
} satisfies ExpressionScope;

/** A record that is being made has no values yet, but the records that it names have: one of these can be taken over. */
function startsOf(definition: FieldDefinition, refuse: (wrong: Message) => void): Expression | undefined {
  const { initial, initialFormula } = definition;
  if (initialFormula === undefined) return undefined;
  if (initial !== undefined) refuse(say("initial_twice"));
  const parsed = parseExpression(initialFormula);
  if (!parsed.ok) {
    refuse(parsed.error);
    return undefined;
  }
  const { expression } = parsed;
  const isTakenOver = expression.kind === "field" && expression.field.split(".").length === 2;
  if (isTakenOver || fieldsOfExpression(expression).size + newsOfExpression(expression).size === 0) return expression;
  refuse(say("initial_of_nothing"));
  return undefined;
}

/** What can be commented on has its comments, whether or not its designer wrote so: they live and die with it. */
function discussionOf(definition: RecordTypeDefinition, lookup: Lookup): AssociationDefinition[] {
  const told = definition.associations?.some((one) => "type" in one && one.type === COMMENTS) ?? false;
  if (!definition.allowComments || told || !lookup(COMMENTS)) return [];
  return [{ kind: "has-many-polymorphic", name: "comments", type: COMMENTS, owned: true }];
}

const COMMENTS = "core/comments";

function compileAssociations(
  definition: RecordTypeDefinition,
  fields: readonly Field[],
  lookup: Lookup,
  refuse: Refuse,
): Association[] {
  const own = (key: string) => (key === keyOf(definition) ? definition : lookup(key));
  const hasField = (key: string, name: string): boolean =>
    own(key)?.fields.some((field) => field.name === name) ?? false;
  const refersTo = (key: string, name: string, target: string): boolean =>
    own(key)?.fields.some(
      (field) => field.name === name && fieldTypes[field.type].target?.(field.settings) === target,
    ) ?? false;

  const found = fields.flatMap((field): Association[] => {
    const target = targetOf(field);
    if (target === undefined) return [];
    return [
      { kind: "belongs-to", name: field.name.replace(/_id$/, ""), label: field.label, type: target, via: field.name },
    ];
  });
  for (const association of [...(definition.associations ?? []), ...discussionOf(definition, lookup)]) {
    const at = `associations.${association.name}`;
    switch (association.kind) {
      case "has-many":
        if (!refersTo(association.type, association.via, keyOf(definition))) {
          refuse(at, noReference(association.type, association.via, keyOf(definition)));
        }
        break;
      case "has-many-through":
        if (!refersTo(association.through, association.via, keyOf(definition))) {
          refuse(at, noReference(association.through, association.via, keyOf(definition)));
        }
        if (!refersTo(association.through, association.to, association.type)) {
          refuse(at, noReference(association.through, association.to, association.type));
        }
        break;
      case "has-many-polymorphic":
        if (!hasField(association.type, "related_type") || !hasField(association.type, "related_id")) {
          refuse(at, say("other_not_attached", { type: association.type }));
        }
        break;
      case "belongs-to-any":
        if (!hasField(keyOf(definition), "related_type") || !hasField(keyOf(definition), "related_id")) {
          refuse(at, say("related_fields_missing"));
        }
        break;
    }
    if (found.some((other) => other.name === association.name)) refuse(at, say("name_taken"));
    found.push({ ...association, label: association.label ?? humanize(association.name) });
  }
  return found;
}

const noReference = (type: string, field: string, target: string): Message =>
  say("no_reference_to", { type, field, target });
