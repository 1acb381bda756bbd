// Takes a plan and how it is read; reads it on a standby where that is as good as the primary.
import type { Database } from "../../database/database.ts";
import type { Replicas } from "../../database/processes/replicas.ts";
import type { VersionedTable } from "../../database/versions.ts";
import type { GroupsPlan } from "../../plan/plan-groups.ts";
import type { ListPlan } from "../../plan/plan-list.ts";

/** Jobs, sessions, notifications and the like also change without an entry in the log: they are read where they are written. */
const ownModules: ReadonlySet<string> = new Set(["core", "access_controls"]);

export function readOnReplica<T>(
  { db, replicas }: { readonly db: Database; readonly replicas: Replicas },
  { scope: { type } }: ListPlan | GroupsPlan,
  tables: readonly VersionedTable[],
  run: (from: Database) => Promise<T>,
): Promise<T> {
  return ownModules.has(type.module) ? run(db) : replicas.read(tables, run);
}
