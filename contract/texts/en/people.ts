// Signing in and up, users, roles, invitations, keys.
export const people = {
  keys_by_people: "API keys can only be managed by a person, not with an API key",
  bad_mail_domain: "Allowed domains: {domain} is not a mail domain",
  user_without_email: "This user has no email address. Give them the link in invitation_links to choose a password",
  password_email_sent: "An email with a link to choose a password is on its way to {email}",
  key_needs_name: "Enter a name that says what the key is for",
  key_expired: "Enter an expiry date in the future",
} as const satisfies Record<string, string>;
