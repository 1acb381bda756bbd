// deactivate and activate: whether somebody may come in. Deactivating ends the sessions at once and can hand all that
// the person owns to a colleague, in the same transaction.
import { Failure } from "../../../../contract/failures.ts";
import { audit } from "../../../access/audit.ts";
import { sql } from "../../../database/sql.ts";
import { addressed, requireId } from "../../../operations/addressed.ts";
import type { Operation } from "../../../operations/operation.ts";
import { runWrite } from "../../../operations/write.ts";
import { handOverAll } from "../../../records/hand-over-all.ts";
import type { Work } from "../../../records/hooks.ts";
import { saveRecord } from "../../../records/save-record.ts";
import { viewRecord } from "../../../records/view-record.ts";
import { textAt } from "../../../request/tree.ts";
import { actor } from "./session.ts";

const switchUser = (active: boolean): Operation => ({
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "edit",
  async run(context) {
    const { caller, type } = addressed(context);
    const id = requireId(context);
    const heir = active ? undefined : textAt(context.call.parameters, "hand_over_to");
    return runWrite(context, async (work) => {
      if (!caller.isAdministrator) {
        throw new Failure("administrator_required", { with: { operation: context.call.operation, type: type.key } });
      }
      if (heir !== undefined) await requireHeir(work, id, heir);
      await saveRecord(work, { type, id, sent: { is_active: active ? "1" : "0" }, operation: "edit" });
      const handed = heir === undefined ? {} : await handOverAll(work, id, heir);
      const count = Object.values(handed).reduce((sum, one) => sum + one, 0);
      if (heir !== undefined) {
        await audit(work.transaction, work.snapshot, {
          ...actor(context, caller),
          event: "records_handed_over",
          subject: { type: type.key, id },
          detail: { to: heir, records: handed },
        });
      }
      const message = active
        ? ["The user is active"]
        : ["The user is deactivated and logged out", ...(heir === undefined ? [] : [`${count} records changed hands`])];
      return async (reader) => {
        const view = await viewRecord(reader, context.snapshot, type, caller, "view", id);
        return { ...view, body: { ...view.body, handed_over: handed }, message };
      };
    });
  },
});

export const deactivate = switchUser(false);
export const activate = switchUser(true);

async function requireHeir({ transaction, caller }: Work, id: string, heir: string): Promise<void> {
  const found =
    heir !== id &&
    (await transaction.row(sql`
      select 1 as found from access_controls__users
      where organization_id = ${caller.organizationId}::bigint and id::text = ${heir} and deleted = 0 and is_active = 1`));
  if (found) return;
  const reason = "Records can be handed to another active user only";
  throw new Failure("invalid", { errors: [reason], byField: { "users.hand_over_to": [reason] } });
}
