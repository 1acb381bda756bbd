// What hangs on a record of any type (addresses, files): written by somebody who may change that record. Sent along
// with the record itself it needs no such check: saving the record was the check.
import type { HookTable, RecordHooks } from "../../records/hooks.ts";
import { commentHooks } from "./comment-hooks.ts";
import { mayOnRecord, recordOf } from "./related-record.ts";

const onARecord: RecordHooks = {
  check: async (work, { operation, before, after }) => {
    if (operation === "delete" || after?.related_type == null || after.related_id == null) return {};
    if (before?.related_type === after.related_type && before?.related_id === after.related_id) return {};
    const record = recordOf(work, after);
    if (!record) return { related_id: ["Related id does not exist"] };
    return (await mayOnRecord(work, "edit", record))
      ? {}
      : { related_id: ["Related id does not exist, or it is not yours to change"] };
  },
};

export const relatedHooks: HookTable = {
  "core/addresses": onARecord,
  "core/email_addresses": onARecord,
  "core/phone_numbers": onARecord,
  "core/attachments": onARecord,
  "core/comments": commentHooks,
};
