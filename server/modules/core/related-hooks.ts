// What hangs on a record of any type (addresses, files, comments): made by somebody who may change that record, or may
// comment on it. Sent along with the record itself it needs no such check: saving the record was the check.
import { may } from "../../access/visibility.ts";
import { expression, quote, sql } from "../../database/sql.ts";
import { parseRecordId } from "../../fields/record-id.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import type { HookTable, RecordHooks } from "../../records/hooks.ts";

const onARecord = (right: "edit" | "comment"): RecordHooks => ({
  check: async ({ transaction, snapshot, caller }, { operation, before, after }) => {
    if (operation === "delete" || after?.related_type == null || after.related_id == null) return {};
    if (before?.related_type === after.related_type && before?.related_id === after.related_id) return {};
    const type = snapshot.types.get(after.related_type);
    const parsed = type && parseRecordId(after.related_id, type.idKind);
    const id = parsed?.ok ? parsed.row[0] : null;
    if (!type || id == null) return { related_id: ["Related id does not exist"] };
    const found = await transaction.row(sql`
      select 1 as found from ${expression(quote(type.table))} r
      where ${may(right, caller, type, "r")} and r.deleted = 0 and r.id = ${id}::${idTypeOf(type)}`);
    return found ? {} : { related_id: ["Related id does not exist, or it is not yours to change"] };
  },
});

const onComments = onARecord("comment");

const comments: RecordHooks = {
  check: async (work, change) => {
    const { before, operation } = change;
    const mine = before === undefined || before.created_by === work.caller.userId;
    const moderated = operation === "delete" && work.caller.isAdministrator;
    if (!mine && !moderated) return { body: ["Comment can be changed by its author only"] };
    return (await onComments.check?.(work, change)) ?? {};
  },
};

export const relatedHooks: HookTable = {
  "core/addresses": onARecord("edit"),
  "core/email_addresses": onARecord("edit"),
  "core/phone_numbers": onARecord("edit"),
  "core/attachments": onARecord("edit"),
  "core/comments": comments,
};
