// Sets a record back to what it was after one of its revisions, by saving its earlier values as a new edit: with the
// caller's rights and all checks of today. Children stay as they are. Call within a transaction.
import { Failure } from "../../contract/failures.ts";
import { fieldMask } from "../access/field-mask.ts";
import { sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { noSuchRecord, requireRecordId } from "../plan/plan-read.ts";
import { lockRecord } from "../query/lock-rows.ts";
import type { TreeValue } from "../request/tree.ts";
import { hooksOf, type Work } from "./hooks.ts";
import { parseEntry } from "./read-history.ts";
import { saveRecord } from "./save-record.ts";

export async function revertRecord(work: Work, type: RecordType, sentId: string, revision: string): Promise<string> {
  const id = requireRecordId(type, sentId);
  // Locked first: nothing can be changed between reading the history and going back in it.
  const { rows } = await work.transaction.run(lockRecord(type, work.caller, id, ["revision"]));
  const current = rows[0]?.[0];
  if (current == null) throw noSuchRecord(type);
  if (!/^[1-9]\d{0,9}$/.test(revision) || BigInt(revision) > BigInt(current)) {
    const reason = `must be a revision of this record, from 1 to ${current}`;
    throw new Failure("malformed_parameter", { with: { name: "revision", reason } });
  }
  const entries = await work.transaction.run(sql`
    select number::text, operation, created::text, created_by::text, job_id::text, changes::text from core__revisions
    where organization_id = ${work.caller.organizationId}::bigint and related_type = ${type.key} and related_id = ${id}
      and number > ${revision}::bigint
    order by number desc, id desc`);
  const { visible } = fieldMask(type, work.caller);
  const computed = hooksOf(work, type).computes ?? [];
  const sent: Record<string, TreeValue> = {};
  for (const row of entries.rows) {
    for (const [name, { from }] of parseEntry(row).changes) {
      const field = type.field.get(name);
      if (field && !field.system && visible.has(name) && !computed.includes(name)) sent[name] = from;
    }
  }
  return saveRecord(work, { type, id, sent, operation: "revert" });
}
