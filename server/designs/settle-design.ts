// What follows a change of the design that is committed: access sets, and what goes along with records. It goes on when whoever saved has gone
// away, and what is left of it is also done at the next start.
import { applyAccess } from "../access/apply-access.ts";
import type { Database } from "../database/database.ts";
import { apartFromClient } from "../database/scope.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { bringAlong } from "../records/save/followers.ts";
import { seedSharedData } from "../seed/shared-data.ts";

export const settleDesign = (database: Database, metadata: MetadataStore): Promise<void> =>
  apartFromClient(async () => {
    // A type that has become confidential takes along what is about its records. What is said of the access of one that went is forgotten.
    await bringAlong(database, metadata.current());
    await applyAccess(database, metadata.current());
    // A new one has its entry in the navigation at once, to be renamed and moved like any other.
    await seedSharedData(database, metadata.current());
  });
