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
  const { sortField, personalFlag, unique, indexes, duplicates, rules } = definition;
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
    access: renamedAccess(definition.access, renames),
    fields: definition.fields.map((field) => renamedField(field, renames)),
  };
}

function renamedField(field: FieldDefinition, renames: Renames): FieldDefinition {
  const old = [...renames].find(([, to]) => to === field.name)?.[0];
  const aliases = [...(old === undefined ? [] : [old]), ...(field.aliases ?? [])].filter((one) => one !== field.name);
  const currency = field.settings?.currencyField;
  return {
    ...field,
    ...(aliases.length === 0 ? {} : { aliases: [...new Set(aliases)].slice(0, MOST_ALIASES) }),
    ...(typeof currency === "string"
      ? { settings: { ...field.settings, currencyField: renames.get(currency) ?? currency } }
      : {}),
    ...(field.where === undefined ? {} : { where: renameInFormula(field.where, ofRecord(renames)) }),
    ...(field.computed ? { computed: renamedComputed(field.computed, renames) } : {}),
  };
}

/** Other names in such a formula are fields of the records to choose from. */
const ofRecord = (renames: Renames): Renames =>
  new Map([...renames].map(([from, to]) => [`record.${from}`, `record.${to}`]));

/** Of lookups only the first step is a field of the type itself. */
function renamedComputed(computed: ComputedDefinition, renames: Renames): ComputedDefinition {
  if (computed.kind === "formula") return { ...computed, formula: renameInFormula(computed.formula, renames) };
  if (computed.kind === "roll-up") return computed;
  const [first, ...more] = computed.through;
  return first === undefined ? computed : { ...computed, through: [renames.get(first) ?? first, ...more] };
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
