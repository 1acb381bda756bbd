// Takes a definition and the new names of its fields; gives it with everything in it calling them so: names, rules, formulas, access. The old
// names become aliases. Pure.
import { renameInFormula } from "../../../../../contract/formula/rename-in-formula.ts";
import type {
  AccessPolicy,
  ComputedDefinition,
  FieldDefinition,
  PolicyEntry,
  RecordTypeDefinition,
} from "../../../../../contract/record-type.ts";

type Renames = ReadonlyMap<string, string>;

/** As many as the service takes. */
const MOST_ALIASES = 10;

/** The fields have their new names already. */
export function renamedDefinition(definition: RecordTypeDefinition, renames: Renames): RecordTypeDefinition {
  if (renames.size === 0) return definition;
  const called = (name: string): string => renames.get(name) ?? name;
  const paths = (lists: readonly (readonly string[])[]) => lists.map((list) => list.map(called));
  const { sortField, personalFlag, unique, indexes, duplicates, rules, associations } = definition;
  const key = `${definition.module}/${definition.controller}`;
  const targets = new Map(definition.fields.map(({ name, settings }) => [name, settings?.to]));
  /** Whether references lead from the type to itself, at each step. */
  const staysHere = (through: readonly string[]): boolean => through.every((name) => targets.get(name) === key);
  const own: OwnNames = { renames, key, staysHere };
  return {
    ...definition,
    displayField: called(definition.displayField),
    ...(sortField === undefined ? {} : { sortField: called(sortField) }),
    ...(personalFlag === undefined ? {} : { personalFlag: called(personalFlag) }),
    ...(unique === undefined ? {} : { unique: paths(unique) }),
    ...(indexes === undefined ? {} : { indexes: paths(indexes) }),
    ...(duplicates === undefined ? {} : { duplicates: paths(duplicates) }),
    ...(rules === undefined
      ? {}
      : {
          rules: rules.map((rule) => ({
            ...rule,
            formula: renameInFormula(rule.formula, renames),
            ...(rule.field === undefined ? {} : { field: called(rule.field) }),
          })),
        }),
    ...(associations === undefined
      ? {}
      : {
          associations: associations.map((one) => {
            if (one.kind === "has-many" && one.type === key) return { ...one, via: called(one.via) };
            if (one.kind !== "has-many-through" || one.through !== key) return one;
            return { ...one, via: called(one.via), to: called(one.to) };
          }),
        }),
    access: renamedAccess(definition.access, renames),
    fields: definition.fields.map((field) => renamedField(field, own)),
  };
}

interface OwnNames {
  readonly renames: Renames;
  /** Of the type itself: what refers to it calls its fields by the new names too. */
  readonly key: string;
  readonly staysHere: (through: readonly string[]) => boolean;
}

function renamedField(field: FieldDefinition, own: OwnNames): FieldDefinition {
  const { renames, key } = own;
  const old = [...renames].find(([, to]) => to === field.name)?.[0];
  const aliases = [...(old === undefined ? [] : [old]), ...(field.aliases ?? [])].filter((one) => one !== field.name);
  const currency = field.settings?.currencyField;
  return {
    ...field,
    ...(aliases.length === 0 ? {} : { aliases: [...new Set(aliases)].slice(0, MOST_ALIASES) }),
    ...(typeof currency === "string"
      ? { settings: { ...field.settings, currencyField: renames.get(currency) ?? currency } }
      : {}),
    ...(field.where === undefined
      ? {}
      : { where: renameInFormula(field.where, inChoices(renames, field.settings?.to === key)) }),
    ...(field.initialFormula === undefined ? {} : { initialFormula: renamedStart(field.initialFormula, own) }),
    ...(field.computed ? { computed: renamedComputed(field.computed, own) } : {}),
  };
}

/** A reference is called without its `_id` there. */
const pathName = (reference: string): string => reference.replace(/_id$/u, "");

function renamedStart(formula: string, { renames, staysHere }: OwnNames): string {
  const [name = "", field, ...more] = formula.split(".");
  if (field === undefined || more.length > 0) return formula;
  const to = [...renames].find(([from]) => pathName(from) === name)?.[1];
  const reference = to === undefined ? name : pathName(to);
  const isOfItself = staysHere([reference]) || staysHere([`${reference}_id`]);
  return `${reference}.${isOfItself ? (renames.get(field) ?? field) : field}`;
}

/** Names without `record.` in such a formula are fields of the records to choose from. */
const inChoices = (renames: Renames, isOfItself: boolean): Renames =>
  new Map([
    ...(isOfItself ? renames : []),
    ...[...renames].map(([from, to]) => [`record.${from}`, `record.${to}`] as const),
  ]);

function renamedComputed(computed: ComputedDefinition, { renames, key, staysHere }: OwnNames): ComputedDefinition {
  const called = (name: string): string => renames.get(name) ?? name;
  if (computed.kind === "formula") return { ...computed, formula: renameInFormula(computed.formula, renames) };
  if (computed.kind === "lookup") {
    const through = computed.through.map(called);
    return {
      ...computed,
      // A step is a field of the type itself where all before it lead back to it.
      through: through.map((name, step) =>
        staysHere(through.slice(0, step)) ? name : (computed.through[step] ?? name),
      ),
      field: staysHere(through) ? called(computed.field) : computed.field,
    };
  }
  if (computed.type !== key) return computed;
  const { via, field, where } = computed;
  return {
    ...computed,
    via: called(via),
    ...(field === undefined ? {} : { field: called(field) }),
    ...(where === undefined ? {} : { where: renameInFormula(where, renames) }),
  };
}

function renamedAccess(access: AccessPolicy, renames: Renames): AccessPolicy {
  const entry = (one: PolicyEntry): PolicyEntry => {
    if (typeof one !== "string") {
      const to = entry(one.to);
      return { to: typeof to === "string" ? to : one.to, when: renameInFormula(one.when, renames) };
    }
    const field = one.startsWith("field:") ? one.slice("field:".length) : undefined;
    return field === undefined ? one : `field:${renames.get(field) ?? field}`;
  };
  const { read, edit, delete: remove, comment } = access;
  return { read: read.map(entry), edit: edit.map(entry), delete: remove.map(entry), comment: comment.map(entry) };
}
