// Saved list views and the categories that views and other records are sorted into.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const categories: RecordTypeDefinition = {
  module: "core",
  controller: "categories",
  label: "Category",
  plural: "Categories",
  icon: "folder",
  idKind: "uuid",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    { name: "controller", label: "Record type", type: "short-text", required: true, help: "<module>/<controller>" },
    { name: "sequence", type: "integer", initial: "0" },
  ],
  access: { read: ["organization"], edit: ["role:administrator"], delete: ["role:administrator"], comment: [] },
  unique: [["controller", "name"]],
};

export const listviews: RecordTypeDefinition = {
  module: "core",
  controller: "listviews",
  label: "List view",
  plural: "List views",
  icon: "list",
  idKind: "uuid",
  displayField: "name",
  categories: true,
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    { name: "controller", label: "Record type", type: "short-text", required: true, help: "<module>/<controller>" },
    { name: "sequence", type: "integer", initial: "0" },
    { name: "is_default", label: "Default", type: "flag", initial: "0" },
    { name: "is_personal", label: "Personal", type: "flag", initial: "1", help: "Visible only to its owner" },
    {
      name: "ui_helper",
      label: "Shown as",
      help: "Read from the query if it names one",
      type: "choice",
      initial: "table",
      settings: {
        options: [
          { value: "table", label: "Table" },
          { value: "line", label: "Line chart" },
          { value: "pie", label: "Pie chart" },
          { value: "bar", label: "Bar chart" },
          { value: "gauge", label: "Gauge" },
          { value: "geo", label: "Map" },
          { value: "kanban", label: "Board" },
          { value: "calendar", label: "Calendar" },
          { value: "funnel", label: "Funnel" },
          { value: "number", label: "Number" },
        ],
      },
    },
    { name: "query", type: "json", help: "Fields, conditions, order and column properties, as in q" },
    { name: "is_pinned", label: "On the dashboard", type: "flag", initial: "0" },
    { name: "dashboard_sequence", type: "integer", initial: "0" },
    { name: "description", type: "long-text" },
  ],
  personalFlag: "is_personal",
  access: {
    read: ["owner", "role:administrator"],
    edit: ["owner", "role:administrator"],
    delete: ["owner", "role:administrator"],
    comment: [],
  },
  indexes: [["controller", "sequence"]],
};
