// Takes a row that is attached to a record of any type; gives that record, and whether the caller holds a right on it.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import type { RecordRight } from "../../../contract/permissions.ts";
import { mayLook } from "../../access/matrix.ts";
import { may, mayRead } from "../../access/visibility.ts";
import { ident, sql } from "../../database/sql.ts";
import { parseRecordId } from "../../fields/record-id.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import type { Work } from "../../records/hooks.ts";
import type { ColumnValues } from "../../records/read/row-values.ts";

export interface RelatedRecord {
  readonly type: RecordType;
  readonly id: string;
}

export function recordOf({ snapshot }: Pick<Work, "snapshot">, row: ColumnValues): RelatedRecord | undefined {
  const type = snapshot.types.get(row.related_type ?? "");
  const parsed = type && parseRecordId(row.related_id, type.idKind);
  const id = parsed?.ok ? parsed.row[0] : null;
  return type && id != null ? { type, id } : undefined;
}

/** The record exists for the caller, is not deleted, and the right is there. */
export async function mayOnRecord(
  { transaction, caller }: Pick<Work, "transaction" | "caller">,
  right: RecordRight,
  { type, id }: RelatedRecord,
): Promise<boolean> {
  if (!mayLook(caller, type.key)) return false;
  const holds = right === "read" ? sql`true` : may(right, caller, type, "r", "few");
  const found = await transaction.row(sql`
    select 1 as found from ${ident(type.table)} r
    where ${mayRead(caller, type, "r", "few")} and ${holds} and r.deleted = 0 and r.id = ${id}::${idTypeOf(type)}`);
  return found !== undefined;
}

/** What is attached to a deleted record stays out of sight with it. */
export async function requireRecord(work: Work, row: ColumnValues | undefined): Promise<void> {
  const record = row && recordOf(work, row);
  if (record && (await mayOnRecord(work, "read", record))) return;
  throw new Failure("conflict", { with: { reason: say("related_deleted") } });
}
