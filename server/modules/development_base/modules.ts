// The modules of the service and the navigation through them, written from metadata at start.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const modules: RecordTypeDefinition = {
  module: "development_base",
  controller: "modules",
  label: "Module",
  plural: "Modules",
  icon: "package",
  scope: "shared",
  idKind: "uuid",
  displayField: "label",
  fields: [
    {
      name: "name",
      type: "short-text",
      required: true,
      searchable: true,
      help: "First part of its URLs, such as crm",
    },
    { name: "label", type: "short-text", required: true, searchable: true },
    { name: "icon", type: "short-text" },
    { name: "sequence", type: "integer", initial: "0" },
    { name: "is_active", label: "Active", type: "flag", initial: "1" },
    {
      name: "hidden_for",
      label: "Hidden for roles",
      type: "short-text",
      settings: { maxLength: 1000 },
      help: "Role codes, separated by spaces. Hiding changes the navigation, not what people can access",
    },
  ],
  access: { read: ["everyone"], edit: [], delete: [], comment: [] },
  unique: [["name"]],
};

export const menus: RecordTypeDefinition = {
  module: "development_base",
  controller: "menus",
  label: "Menu entry",
  plural: "Menu entries",
  icon: "menu-2",
  scope: "shared",
  idKind: "uuid",
  displayField: "label",
  fields: [
    { name: "key", type: "short-text", required: true, help: "Unique within its module, such as leads" },
    { name: "label", type: "short-text", required: true, searchable: true },
    { name: "url", label: "Path", type: "short-text", searchable: true, help: "Such as crm/leads/index" },
    {
      name: "type",
      type: "choice",
      required: true,
      initial: "controller",
      settings: {
        options: [
          { value: "module", label: "Module" },
          { value: "controller", label: "Record type" },
          { value: "link", label: "Link" },
        ],
      },
    },
    { name: "module", type: "short-text", required: true, help: "Name of its module" },
    { name: "icon", type: "short-text" },
    { name: "sequence", type: "integer", initial: "0" },
    { name: "is_active", label: "Shown", type: "flag", initial: "1" },
    {
      name: "hidden_for",
      label: "Hidden for roles",
      type: "short-text",
      settings: { maxLength: 1000 },
      help: "Role codes, separated by spaces. Hiding changes the navigation, not what people can access",
    },
    { name: "parent_id", label: "Below", type: "reference", settings: { to: "development_base/menus" } },
  ],
  associations: [{ kind: "has-many", name: "children", type: "development_base/menus", via: "parent_id" }],
  access: { read: ["everyone"], edit: [], delete: [], comment: [] },
  unique: [["module", "key"]],
  indexes: [["url"]],
};
