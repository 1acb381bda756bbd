// Takes an open database; brings it to where this version of the service wants it: migrations, tables, shared rows. Safe to run by any number of processes at once.
import { applyAccess } from "./access/apply-access.ts";
import { VERSION_NAME } from "./database/applied-migrations.ts";
import type { Database } from "./database/database.ts";
import { migrate, readMigrations, withSchemaLock } from "./database/migrate.ts";
import { sql } from "./database/sql.ts";
import { ensureLicense, unlessOutOfReach } from "./identity/current-license.ts";
import { programVersion } from "./lib/version.ts";
import type { MetadataStore } from "./metadata/store.ts";
import { openMetadata } from "./metadata/store.ts";
import type { TableWork } from "./metadata/table-work.ts";
import { builtInTypes } from "./modules/index.ts";
import { bringAlong } from "./records/save/followers.ts";
import { adoptStageFields } from "./seed/adopt-stage-fields.ts";
import { giveNewViews } from "./seed/give-new-views.ts";
import { seedSharedData } from "./seed/shared-data.ts";
import { giveNewForms } from "./seed/standard-forms.ts";

export interface PreparedStep {
  /** A migration, a table, or the rest. */
  readonly what: string;
  readonly ms: number;
  /** What the table gets while the service runs. */
  readonly later?: readonly TableWork[];
}

/** `tell`: of each step that changed something, and at the end of all others together. */
export async function prepareDatabase(db: Database, tell?: (step: PreparedStep) => void): Promise<MetadataStore> {
  // Asked within a transaction, it would wait for another connection.
  await db.isDistributed();
  await migrate(db, await readMigrations(), (what, ms) => tell?.({ what, ms }));
  const metadata = await openMetadata(db, builtInTypes, (what, ms, later) => tell?.({ what, ms, later }));
  const began = performance.now();
  await seedSharedData(db, metadata.current());
  await withSchemaLock(db, () => db.transaction((transaction) => ensureLicense(transaction, metadata.current()))).catch(
    unlessOutOfReach,
  );
  await giveNewViews(db, metadata.current());
  await giveNewForms(db, metadata.current());
  await adoptStageFields(db, async () => {
    await metadata.reload();
    return metadata.current();
  });
  await bringAlong(db, metadata.current());
  await applyAccess(db, metadata.current());
  await rememberVersion(db);
  tell?.({ what: "shared data, views and access", ms: performance.now() - began });
  return metadata;
}

/** So that an older program can say which version it met. */
async function rememberVersion(db: Database): Promise<void> {
  await db.run(sql`
    insert into dossier_state (name, value) values (${VERSION_NAME}, ${programVersion})
    on conflict (name) do update set value = excluded.value, changed = now() at time zone 'utc'
    where dossier_state.value is distinct from excluded.value`);
}
