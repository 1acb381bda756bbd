// deactivate and activate: whether somebody may come in. Deactivating ends the sessions at once and can hand all that
// the person owns to a colleague, in the same transaction.

import { Failure } from "../../../contract/failures.ts";
import { say, verb } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import { grantWithin } from "../../access/grant.ts";
import { sql } from "../../database/sql.ts";
import { addressed, requireId } from "../../operations/addressed.ts";
import type { Operation } from "../../operations/operation.ts";
import { actor } from "../../operations/require-caller.ts";
import { runWrite } from "../../operations/write.ts";
import { planSave } from "../../plan/plan-write.ts";
import type { Work } from "../../records/hooks.ts";
import { viewRecord } from "../../records/read/view-record.ts";
import { handOverAll } from "../../records/save/hand-over-all.ts";
import { saveRecord } from "../../records/save/save-records.ts";
import { textAt } from "../../request/tree.ts";

const switchUser = (active: boolean): Operation => ({
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "edit",
  async run(context) {
    const { caller, type } = addressed(context);
    const id = requireId(context);
    const newOwner = active ? undefined : textAt(context.call.parameters, "hand_over_to");
    return runWrite(context, async (work) => {
      if (!caller.isAdministrator) {
        throw new Failure("administrator_required", {
          with: { operation: verb(active ? "activate" : "deactivate"), type: type.plural },
        });
      }
      if (newOwner !== undefined) await requireNewOwner(work, id, newOwner);
      const grant = grantWithin(caller, type, "edit", work.hooks);
      const plan = planSave(work.snapshot, grant, { id, sent: { is_active: active ? "1" : "0" } });
      await saveRecord(work, { grant, operation: "edit" }, plan);
      const handed = newOwner === undefined ? {} : await handOverAll(work, id, newOwner);
      const count = Object.values(handed).reduce((sum, one) => sum + one, 0);
      if (newOwner !== undefined) {
        await audit(work.transaction, work.snapshot, {
          ...actor(context, caller),
          event: "records_handed_over",
          subject: { type: type.key, id },
          detail: { to: newOwner, records: handed },
        });
      }
      const message = active
        ? [say("user_activated")]
        : [say("user_deactivated"), ...(newOwner === undefined ? [] : [say("records_transferred", { count })])];
      return async (reader) => {
        const view = await viewRecord(reader, context.snapshot, type, caller, "view", id);
        return { ...view, body: { ...view.body, handed_over: handed }, message };
      };
    });
  },
});

export const deactivate = switchUser(false);
export const activate = switchUser(true);

async function requireNewOwner({ transaction, caller }: Work, id: string, newOwner: string): Promise<void> {
  const found =
    newOwner !== id &&
    (await transaction.row(sql`
      select 1 as found from access_controls__users
      where organization_id = ${caller.organizationId}::bigint and id::text = ${newOwner} and deleted = 0 and is_active = 1`));
  if (found) return;
  const reason = say("bad_new_owner");
  throw new Failure("invalid", { errors: [reason], byField: { "users.hand_over_to": [reason] } });
}
