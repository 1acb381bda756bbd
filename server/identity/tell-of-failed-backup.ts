// Takes why a scheduled backup failed; tells the administrators of the organization that runs the service, and writes it
// into their audit log.
import { say } from "../../contract/messages.ts";
import { audit } from "../access/audit.ts";
import type { Database } from "../database/database.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { tellAdministrators } from "../records/workflow/tell-administrators.ts";
import { operatorId } from "./operator.ts";

export async function tellOfFailedBackup(database: Database, snapshot: Snapshot, reason: string): Promise<void> {
  const organizationId = await operatorId(database);
  await database.transaction(async (transaction) => {
    await tellAdministrators(
      transaction,
      snapshot,
      organizationId,
      "backup",
      say("note_backup_failed", { detail: reason }),
    );
    await audit(transaction, snapshot, { organizationId, event: "backup_failed", userId: null, detail: { reason } });
  });
}
