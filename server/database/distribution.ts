// The tables that belong to no organisation. Every other table is spread by organization_id: its primary key, unique
// constraints, foreign keys and indexes begin with it (test/http/design/catalog.test.ts reads the catalog and holds us to it).

/** Small, and looked up before the organisation is known: one copy, or a reference table where the rest is spread. */
export const globalTables: readonly string[] = [
  "dossier_migrations",
  "dossier_state",
  "dossier_backups",
  "access_controls__user_names",
  "access_controls__login_emails",
  "access_controls__throttles",
  "metadata__indexes",
  "metadata__record_types",
  "metadata__state",
  "metadata__synced_tables",
  "core__job_queue",
  "core__mail_recipients",
];
