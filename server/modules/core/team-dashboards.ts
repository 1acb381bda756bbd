// Dashboards that people share with groups, roles or everybody. What stands on somebody's own home is theirs alone, and no
// record (controllers/core/operations/dashboard.ts).
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const teamDashboards: RecordTypeDefinition = {
  module: "core",
  controller: "team_dashboards",
  label: "Dashboard",
  plural: "Dashboards",
  icon: "layout-grid",
  idKind: "uuid",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    {
      name: "is_personal",
      label: "Personal",
      type: "flag",
      initial: "1",
      help: "Visible to its owner and to those it is shared with",
    },
    { name: "tiles", type: "json", initial: "[]", help: "List views in their order, each with its id and size" },
  ],
  personalFlag: "is_personal",
  access: {
    read: ["owner", "role:administrator"],
    edit: ["owner", "role:administrator"],
    delete: ["owner", "role:administrator"],
    comment: [],
  },
};
