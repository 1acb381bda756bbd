export const administrationParts = [
  "users",
  "invitations",
  "roles",
  "record_types",
  "organization",
  "license",
  "sessions",
] as const;

export type AdministrationPart = (typeof administrationParts)[number];
