// Workflows and what they leave behind: the stages that records point to, every version as it was saved, and the log of
// who moved which record where.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

/** The part of a workflow that a record belongs to; it is never changed by hand. */
const ofWorkflow = {
  name: "workflow_id",
  label: "Workflow",
  type: "reference",
  required: true,
  permission: 4,
  settings: { to: "core/workflows" },
} as const;
const stage = { type: "reference", permission: 4, settings: { to: "core/workflow_nodes" } } as const;
const text = { type: "short-text", permission: 4 } as const;

const forAdministrators = {
  read: ["organization"],
  edit: ["role:administrator"],
  delete: ["role:administrator"],
  comment: [],
} as const;

export const workflows: RecordTypeDefinition = {
  module: "core",
  controller: "workflows",
  label: "Workflow",
  plural: "Workflows",
  icon: "git-branch",
  idKind: "uuid",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text", required: true, searchable: true },
    {
      name: "controller",
      label: "Record type",
      type: "short-text",
      required: true,
      settings: { names: "record-type" },
    },
    {
      name: "definition",
      type: "json",
      required: true,
      settings: { document: "workflow" },
      help: "Stages and the transitions between them",
    },
    { name: "is_active", label: "Active", type: "flag", initial: "1", help: "New records start in this workflow" },
    { name: "version", type: "integer", permission: 4, settings: { min: 1 } },
    { name: "description", type: "long-text" },
  ],
  access: forAdministrators,
  indexes: [["controller"]],
};

export const workflowNodes: RecordTypeDefinition = {
  module: "core",
  controller: "workflow_nodes",
  label: "Stage",
  plural: "Stages",
  icon: "circle-dot",
  idKind: "uuid",
  hidden: true,
  writtenByService: true,
  displayField: "name",
  sortField: "sequence",
  fields: [
    { name: "name", ...text, required: true, searchable: true },
    ofWorkflow,
    { name: "key", ...text, required: true },
    { name: "sequence", type: "integer", permission: 4 },
    { name: "kind", ...text, help: "start, stage or end" },
    { name: "color", ...text },
    { name: "is_retired", label: "Retired", type: "flag", permission: 4, help: "No longer in the latest version" },
  ],
  access: forAdministrators,
  unique: [["workflow_id", "key"]],
};

export const workflowVersions: RecordTypeDefinition = {
  module: "core",
  controller: "workflow_versions",
  label: "Workflow version",
  plural: "Workflow versions",
  icon: "versions",
  idKind: "uuid",
  hidden: true,
  writtenByService: true,
  displayField: "number",
  fields: [
    ofWorkflow,
    { name: "number", label: "Version", type: "integer", required: true, permission: 4, settings: { min: 1 } },
    { name: "definition", type: "json", required: true, permission: 4 },
  ],
  access: forAdministrators,
  unique: [["workflow_id", "number"]],
};

export const stageLog: RecordTypeDefinition = {
  module: "core",
  controller: "stage_log",
  label: "Stage log entry",
  plural: "Stage log",
  icon: "history",
  hidden: true,
  writtenByService: true,
  displayField: "label",
  fields: [
    { name: "related_type", ...text, required: true },
    { name: "related_id", ...text, required: true },
    { name: "step", ...text, required: true, help: "start, move or vote" },
    { name: "kind", ...text, help: "move, approve, reject or recall" },
    { name: "action_name", label: "Action", ...text },
    { name: "label", ...text },
    { name: "from_stage", ...stage },
    { name: "to_stage", ...stage, required: true },
    { name: "version", type: "integer", required: true, permission: 4 },
    { name: "comment", type: "long-text", permission: 4 },
    { name: "made", type: "long-text", permission: 4, help: "Records created by this step" },
    { name: "made_revision", label: "Revision", type: "integer", permission: 4, help: "Revision created by this step" },
    { name: "settled", type: "long-text", permission: 4, help: "Actors on whose behalf the vote counts" },
  ],
  associations: [{ kind: "belongs-to-any", name: "related" }],
  // A reason may tell of a record that not everybody may see: the log is read through its record.
  access: { read: ["role:administrator"], edit: [], delete: [], comment: [] },
  indexes: [["related_type", "related_id"]],
};
