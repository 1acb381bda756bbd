// The tables that belong to no organization. Every other table is distributed by organization_id: its primary key, unique
// constraints, foreign keys and indexes begin with it (test/http/design/catalog.test.ts reads the catalog and holds us to it).

/** Small, and looked up before the organization is known: on the coordinator of a distributed database alone. */
export const localTables: readonly string[] = [
  "dossier_migrations",
  "dossier_state",
  "dossier_backups",
  "access_controls__organization_list",
  "access_controls__user_names",
  "access_controls__login_emails",
  "access_controls__throttles",
  "metadata__index_wishes",
  "metadata__indexes",
  "metadata__record_types",
  "metadata__removed",
  "metadata__state",
  "metadata__synced_tables",
  "metadata__table_work",
  "core__computed_work",
  "core__job_queue",
  "core__job_turns",
  "core__mail_recipients",
];

/** Read together with the rows of organizations: on every machine of a distributed database. So are the tables of shared types. */
export const referenceTables: readonly string[] = ["core__shared_versions"];

export const globalTables: readonly string[] = [...localTables, ...referenceTables];
