// What is attached to a record of any type (addresses, files): written by somebody who may change that record. Sent along
// with the record itself it needs no such check: saving the record was the check.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { keyOf } from "../../access/caller.ts";
import { sql } from "../../database/sql.ts";
import { dropTokens } from "../../identity/one-time-tokens.ts";
import type { HookTable, RecordHooks, Work } from "../../records/hooks.ts";
import type { ColumnValues } from "../../records/read/row-values.ts";
import { commentHooks } from "./comment-hooks.ts";
import { mayOnRecord, recordOf, requireRecord } from "./related-record.ts";

const onARecord: RecordHooks = {
  check: async (work, { operation, before, after }) => {
    if (operation === "delete" || after?.related_type == null || after.related_id == null) return {};
    if (before?.related_type === after.related_type && before?.related_id === after.related_id) return {};
    const record = recordOf(work, after);
    if (!record) return { related_id: [say("related_missing")] };
    return (await mayOnRecord(work, "edit", record)) ? {} : { related_id: [say("related_not_editable")] };
  },
};

const attachmentHooks: RecordHooks = {
  check: async (work, { operation, before, after }) => {
    const row = before ?? after;
    // `follow` looks at the record that it comes back to.
    if (operation === "restore") return {};
    // Sent along with its record, it is tied to that only when it is written.
    if (row?.related_type == null || row.related_id == null) return {};
    if (before && after && ["related_type", "related_id"].some((name) => before[name] !== after[name])) {
      return { related_id: [say("file_stays")] };
    }
    const record = recordOf(work, row);
    if (!record) return { related_id: [say("related_missing")] };
    if (!record.type.associations.some((one) => "type" in one && one.type === "core/attachments")) {
      return { related_type: [say("no_files", { type: record.type.plural })] };
    }
    return (await mayOnRecord(work, "edit", record)) ? {} : { related_id: [say("related_not_editable")] };
  },
  follow: async (work, { operation, after }) => {
    if (operation === "restore") await requireRecord(work, after);
  },
};

const USERS = "access_controls/users";

/** Links that set a password are mailed there: who may change such an address by its own policy alone must not come to hold the account. */
async function mayChangeUserOf(work: Work, row: ColumnValues | undefined): Promise<boolean> {
  if (row?.related_type !== USERS || row.related_id == null || row.related_id === work.caller.userId) return true;
  const user = recordOf(work, row);
  return user !== undefined && mayOnRecord(work, "edit", user);
}

/** What was proven is that somebody reads this very address for this very record: of another, nothing is known. */
const emailHooks: RecordHooks = {
  check: async (work, change) => {
    for (const row of [change.before, change.after]) {
      if (!(await mayChangeUserOf(work, row))) return { related_id: [say("related_not_editable")] };
    }
    return (await onARecord.check?.(work, change)) ?? {};
  },
  follow: async ({ transaction, caller }, { id, operation, before, after }) => {
    const isOwn = [before, after].some((row) => row?.related_type === USERS && row.related_id === caller.userId);
    // Links that set a password are mailed there: who holds a key must not come to hold the account.
    if (isOwn && keyOf(caller) !== undefined) {
      throw new Failure("conflict", { with: { reason: say("by_a_person") } });
    }
    if (!before || (operation !== "edit" && operation !== "delete")) return;
    const same = (name: string) => (before[name] ?? "").toLowerCase() === (after?.[name] ?? "").toLowerCase();
    if (operation === "edit" && ["email", "related_type", "related_id"].every(same)) return;
    // A link that was sent to the earlier address proves nothing of this one, and lets nobody in who reads that one.
    await dropTokens(transaction, caller.organizationId, ["mail"], id);
    if (before.related_type === USERS) {
      await dropTokens(transaction, caller.organizationId, ["join", "password"], before.related_id ?? "");
    }
    if (operation === "delete") return;
    await transaction.run(sql`
      update core__email_addresses set is_confirmed = 0
      where organization_id = ${caller.organizationId}::bigint and id = ${id}::bigint`);
  },
};

export const relatedHooks: HookTable = {
  "core/addresses": onARecord,
  "core/email_addresses": emailHooks,
  "core/phone_numbers": onARecord,
  "core/attachments": attachmentHooks,
  "core/comments": commentHooks,
};
