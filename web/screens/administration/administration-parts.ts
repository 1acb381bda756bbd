export const administrationParts = [
  "users",
  "invitations",
  "groups",
  "roles",
  "record_types",
  "navigation",
  "translations",
  "designs",
  "speed",
  "organization",
  "license",
  "sessions",
  "api_keys",
  "audit",
] as const;

export type AdministrationPart = (typeof administrationParts)[number];
