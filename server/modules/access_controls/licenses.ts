// License agreements: texts with versions, of the whole service (its operator's) or of one organization, and who accepted
// which. A published text is never changed: a new version follows it.
import type { RecordTypeDefinition } from "../../metadata/record-type.ts";

export const licenseAgreements: RecordTypeDefinition = {
  module: "access_controls",
  controller: "license_agreements",
  label: "Terms of use",
  plural: "Terms of use",
  icon: "file-text",
  idKind: "uuid",
  displayField: "title",
  hidden: true,
  appendOnly: true,
  fields: [
    { name: "title", type: "short-text", required: true },
    { name: "version", type: "integer", permission: 4 },
    {
      name: "text",
      type: "long-text",
      required: true,
      settings: { maxLength: 200_000 },
      help: "HTML: headings, paragraphs, lists, tables, links, emphasis",
    },
    {
      name: "is_required_again",
      label: "Require acceptance again",
      type: "flag",
      initial: "0",
      help: "Everyone must accept this version after their next sign-in",
    },
  ],
  access: { read: ["organization"], edit: [], delete: [], comment: [] },
  unique: [["version"]],
};

export const licenseAcceptances: RecordTypeDefinition = {
  module: "access_controls",
  controller: "license_acceptances",
  label: "Accepted terms of use",
  plural: "Accepted terms of use",
  displayField: "version",
  hidden: true,
  appendOnly: true,
  writtenByService: true,
  fields: [
    {
      name: "user_id",
      label: "User id",
      type: "integer",
      permission: 4,
      help: "Kept as a number, even if the user is deleted",
    },
    { name: "license_id", label: "Terms of use", type: "short-text", permission: 4 },
    { name: "version", type: "integer", permission: 4 },
    { name: "address", type: "short-text", permission: 4 },
  ],
  access: { read: ["role:administrator"], edit: [], delete: [], comment: [] },
  indexes: [["user_id"]],
};
