// The record types that the access property test works with: two of the service's own, two made at run time (one of them
// confidential), and what is attached to their records.
import type { RecordTypeDefinition } from "../../server/metadata/record-type.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import type { ColumnValues } from "../../server/records/read/row-values.ts";
import type { WorldType } from "./world.ts";

/** What a policy can ask of a record. */
const asked: RecordTypeDefinition["fields"] = [
  { name: "helper_id", type: "reference", settings: { to: "access_controls/users" } },
  { name: "crew_id", type: "reference", settings: { to: "access_controls/groups" } },
  { name: "duty_id", type: "reference", settings: { to: "access_controls/roles" } },
  { name: "level", type: "integer" },
  { name: "is_open", type: "flag" },
];

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
    ...asked,
  ],
  access: {
    read: ["primary_group"],
    edit: ["owner", "role:role_0"],
    delete: ["owner_groups"],
    comment: ["organization"],
  },
};

export const secrets: RecordTypeDefinition = {
  module: "lab",
  controller: "secrets",
  label: "Secret",
  plural: "Secrets",
  displayField: "name",
  confidential: true,
  fields: [{ name: "name", type: "short-text", searchable: true }, ...asked],
  access: {
    read: ["owner", "role:role_1"],
    edit: ["owner", "primary_group"],
    delete: ["owner"],
    comment: ["owner_groups"],
  },
};

export const recordTypes = ["crm/leads", "crm/opportunities", "lab/samples", "lab/secrets"] as const;

/** Those whose records have the fields above. */
export const askedTypes: ReadonlySet<string> = new Set(["lab/samples", "lab/secrets"]);

/** Conditions of policies, each with what it means. */
export const conditions: readonly {
  readonly when: string;
  readonly holds: (record: { readonly level: number | null; readonly open: boolean }) => boolean;
}[] = [
  { when: "level >= 3", holds: ({ level }) => level !== null && level >= 3 },
  { when: "not is_open", holds: ({ open }) => !open },
  { when: "is_open and coalesce(level, 0) < 5", holds: ({ open, level }) => open && (level ?? 0) < 5 },
];

/** With the columns beside those that say what a row is attached to. */
export const attachedTypes: Readonly<Record<string, ColumnValues>> = {
  "core/comments": { body: "Said" },
  "core/attachments": { name: "A file" },
  "access_controls/shares": { rights: "{read}" },
  "core/addresses": { address_line_1: "A street" },
  "core/revisions": { number: "1", operation: "edit" },
  "core/stage_log": { step: "start", label: "Start" },
  "core/jobs": { title: "A job", kind: "edit", status: "done" },
  "core/import_mappings": { name: "A mapping", settings: "{}", is_personal: "1" },
};

/** Of those: what is about a type, not attached to one of its records. */
export const aboutTypes: ReadonlySet<string> = new Set(["core/jobs", "core/import_mappings"]);
export const sharedType = "masters/currencies";

export const requiredColumns: Readonly<Record<string, ColumnValues>> = {
  "crm/leads": { last_name: "Somebody", name: "Somebody" },
  "crm/opportunities": { name: "Something" },
  "lab/samples": { name: "A sample" },
  "lab/secrets": { name: "A secret" },
};

export function worldType(snapshot: Snapshot, key: string): WorldType {
  const type = requireType(snapshot, key);
  return {
    key,
    shared: type.scope === "shared",
    confidential: type.confidential,
    follows: type.follows,
    needs: type.about?.needs,
    refuses: (["add", "edit", "delete"] as const).filter((one) => type.refuses[one] !== undefined),
    access: type.access,
    fields: new Map(type.fields.map((field) => [field.name, field.permission])),
  };
}
