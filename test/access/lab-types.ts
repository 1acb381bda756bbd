// The record types that the access property test works with: two of the service's own and one made at run time.
import type { RecordTypeDefinition } from "../../server/metadata/record-type.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import type { ColumnValues } from "../../server/records/read/row-values.ts";
import type { WorldType } from "./world.ts";

export const samples: RecordTypeDefinition = {
  module: "lab",
  controller: "samples",
  label: "Sample",
  plural: "Samples",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text" },
    { name: "inherited", type: "short-text", permission: 0 },
    { name: "hidden", type: "short-text", permission: 1 },
    { name: "editable", type: "short-text", permission: 2 },
    { name: "shown", type: "short-text", permission: 4 },
  ],
  access: {
    read: ["primary_group"],
    edit: ["owner", "role:role_0"],
    delete: ["owner_groups"],
    comment: ["organization"],
  },
};

export const recordTypes = ["crm/leads", "crm/opportunities", "lab/samples"] as const;
export const sharedType = "masters/currencies";

export const requiredColumns: Readonly<Record<string, ColumnValues>> = {
  "crm/leads": { last_name: "Somebody" },
  "crm/opportunities": { name: "Something" },
  "lab/samples": { name: "A sample" },
};

export function worldType(snapshot: Snapshot, key: string): WorldType {
  const type = requireType(snapshot, key);
  return {
    key,
    shared: type.scope === "shared",
    access: type.access,
    fields: new Map(type.fields.map((field) => [field.name, field.permission])),
  };
}
