// Work that outlives its request, and the history of every record. Both are written by the service alone.
import { keptByTheService } from "../../metadata/kept-by-the-service.ts";
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const jobs: RecordTypeDefinition = {
  module: "core",
  controller: "jobs",
  label: "Job",
  plural: "Jobs",
  icon: "progress",
  refuses: { add: keptByTheService, edit: keptByTheService },
  displayField: "title",
  about: "controller",
  fields: [
    { name: "title", type: "short-text", permission: 4 },
    { name: "kind", type: "short-text", required: true, permission: 4 },
    { name: "controller", label: "Record type", type: "short-text", permission: 4 },
    {
      name: "status",
      type: "choice",
      required: true,
      initial: "queued",
      permission: 4,
      settings: {
        options: [
          { value: "queued", label: "Queued", color: "gray" },
          { value: "running", label: "Running", color: "blue" },
          { value: "done", label: "Done", color: "green" },
          { value: "failed", label: "Failed", color: "red" },
          { value: "cancelled", label: "Cancelled", color: "orange" },
        ],
      },
    },
    { name: "total", type: "integer", permission: 4, settings: { min: 0 } },
    {
      name: "done",
      type: "integer",
      initial: "0",
      permission: 4,
      settings: { min: 0 },
      help: "Records processed so far, including failed ones",
    },
    { name: "failed", type: "integer", initial: "0", permission: 4, settings: { min: 0 } },
    { name: "input", type: "json", permission: 4 },
    { name: "result", type: "json", permission: 4 },
    { name: "started", type: "date-time", permission: 4 },
    { name: "finished", type: "date-time", permission: 4 },
    { name: "undoes", label: "Undoes", type: "reference", permission: 4, settings: { to: "core/jobs" } },
    { name: "undone_by", label: "Undone by", type: "reference", permission: 4, settings: { to: "core/jobs" } },
  ],
  access: { read: ["owner", "role:administrator"], edit: [], delete: ["owner", "role:administrator"], comment: [] },
  indexes: [["status"]],
};

export const revisions: RecordTypeDefinition = {
  module: "core",
  controller: "revisions",
  label: "Revision",
  plural: "Revisions",
  icon: "history",
  hidden: true,
  writtenByService: true,
  displayField: "operation",
  fields: [
    { name: "related_type", type: "short-text", required: true, permission: 4 },
    { name: "related_id", type: "short-text", required: true, permission: 4 },
    { name: "number", label: "Revision number", type: "integer", required: true, permission: 4, settings: { min: 1 } },
    { name: "operation", type: "short-text", required: true, permission: 4 },
    { name: "job_id", label: "Job", type: "reference", permission: 4, settings: { to: "core/jobs" } },
    { name: "changes", type: "json", permission: 4, help: "Each changed field with its old and new value" },
  ],
  associations: [{ kind: "belongs-to-any", name: "related" }],
  // A change names values of fields that not everybody may see, so history by itself is for administrators.
  access: { read: ["role:administrator"], edit: [], delete: [], comment: [] },
  indexes: [["related_type", "related_id"]],
};
