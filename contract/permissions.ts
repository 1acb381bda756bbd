// The numbers and names by which the wire speaks of rights.

/** Permission of a form element. */
export const permission = { INHERIT: 0, DELETE: 1, EDIT: 2, VIEW: 4 } as const;
export type Permission = (typeof permission)[keyof typeof permission];

/** The columns of the role matrix. */
export const matrixOperations = [
  "index",
  "view",
  "add",
  "edit",
  "delete",
  "comment",
  "import",
  "export",
  "bulk",
  "design",
] as const;
export type MatrixOperation = (typeof matrixOperations)[number];

/** What a record's ACL sets speak of. */
export const recordRights = ["read", "edit", "delete", "comment"] as const;
export type RecordRight = (typeof recordRights)[number];
