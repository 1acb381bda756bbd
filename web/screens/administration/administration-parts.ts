export const administrationParts = ["users", "invitations", "roles", "organization", "license", "sessions"] as const;

export type AdministrationPart = (typeof administrationParts)[number];
