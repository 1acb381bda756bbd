// Takes a key of a definition; gives the words by which the designer of record types shows it. Pure.
import type { SettingName } from "../../../../fields/design/field-design.ts";

const fieldParts = {
  label: "design.field_label",
  name: "design.field_name",
  aliases: "design.field_name",
  type: "design.meanwhile.type",
  computed: "design.meanwhile.computed",
  initial: "design.initial",
  initialFormula: "design.initial",
  where: "design.where",
  help: "design.field_help",
  required: "design.required",
  unique: "design.unique",
  searchable: "design.searchable",
  indexed: "design.indexed",
  permission: "design.level",
  setByWorkflow: "design.set_by_workflow",
} as const;

const settings: Readonly<Record<SettingName, `design.settings.${SettingName}`>> = {
  maxLength: "design.settings.maxLength",
  min: "design.settings.min",
  max: "design.settings.max",
  precision: "design.settings.precision",
  scale: "design.settings.scale",
  currencyField: "design.settings.currencyField",
  options: "design.settings.options",
  to: "design.settings.to",
  maxBytes: "design.settings.maxBytes",
  accept: "design.settings.accept",
  prefix: "design.settings.prefix",
  digits: "design.settings.digits",
  reset: "design.settings.reset",
  format: "design.settings.format",
  due: "design.settings.due",
  pattern: "design.settings.pattern",
  patternMessage: "design.settings.patternMessage",
};

const typeParts = {
  label: "design.label",
  plural: "design.plural",
  module: "design.module",
  controller: "design.controller",
  icon: "design.icon",
  displayField: "design.display_field",
  allowComments: "design.comments",
  categories: "design.categories",
  businessKey: "design.business_key",
  hidden: "design.hidden",
} as const;

/** What a program alone can set has no words of its own. */
const OTHER = "design.meanwhile.other";

const isKey = <Keys extends object>(key: string, keys: Keys): key is string & keyof Keys => Object.hasOwn(keys, key);

export function fieldPartLabel(part: string) {
  const setting = part.startsWith("settings.") ? part.slice("settings.".length) : "";
  if (isKey(setting, settings)) return settings[setting];
  return isKey(part, fieldParts) ? fieldParts[part] : OTHER;
}

export const typePartLabel = (part: string) => (isKey(part, typeParts) ? typeParts[part] : OTHER);
