export const administrationParts = [
  "users",
  "invitations",
  "groups",
  "roles",
  "organization",
  "license",
  "sessions",
  "audit",
] as const;

export type AdministrationPart = (typeof administrationParts)[number];
