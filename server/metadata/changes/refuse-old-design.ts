// Holds a save to the design that it was checked against. What waits for a table while its type changes would go on with what it was told before.
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Snapshot } from "../snapshot.ts";

/**
 * In the transaction of a save, once it has written: from then on its tables stay as they are. Nobody waits for it. Where the design has changed,
 * there is no such table, which is what `outdatedDesign` knows: the request is checked anew.
 */
export const refuseOldDesign = (transaction: Queryable, { version }: Snapshot): Promise<void> =>
  transaction.write(sql`
    select case when version = ${version}::bigint then null else ('design_changed_in_' || version)::regclass end from metadata__state`);
