// Shares: whoever may edit a record can pass on rights that it holds itself. The record's access follows at once.
import { say } from "../../contract/messages.ts";
import { type RecordRight, recordRights } from "../../contract/permissions.ts";
import type { Holding } from "../access/explain.ts";
import { isPrincipal } from "../access/principal-names.ts";
import { may, mayRead } from "../access/visibility.ts";
import { expression, join, quote, sql } from "../database/sql.ts";
import { multipleChoice } from "../fields/multiple-choice.ts";
import { parseRecordId } from "../fields/record-id.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { holdingsOf } from "../operations/access.ts";
import { idTypeOf } from "../query/lock-rows.ts";
import { aclWork, type RecordHooks, type Work } from "../records/hooks.ts";
import type { ColumnValues } from "../records/read/row-values.ts";
import { moveAcls } from "../records/save/record-acl.ts";

const notThere = { related_id: [say("not_shareable")] };

/** The record that a share is about, if it can be shared at all. */
function sharedRecord(work: Work, row: ColumnValues): { type: RecordType; id: string } | undefined {
  const type = work.snapshot.types.get(row.related_type ?? "");
  const parsed = type && parseRecordId(row.related_id, type.idKind);
  const id = parsed?.ok ? parsed.row[0] : null;
  return type?.scope === "organization" && id != null ? { type, id } : undefined;
}

const isRight = (text: string): text is RecordRight => recordRights.some((right) => right === text);

/** Later than any time, as it is written. */
const FOR_GOOD = "9999-12-31 23:59:59";

/** What a share lends ends with it, and what the workflow lends with the stage: neither is passed on for longer. */
function heldUntil(own: readonly Holding[], right: RecordRight): string {
  // Who edits or deletes also reads.
  const all = own.filter((one) => one.right === right || (right === "read" && one.right !== "comment"));
  const ends = all.map(({ reason, until }) => (reason === "workflow" ? "" : (until ?? FOR_GOOD)));
  return ends.sort().at(-1) ?? FOR_GOOD;
}

export const shareHooks: RecordHooks = {
  changesAccess: "callers",
  check: async (work, { operation, after }) => {
    if (operation === "delete" || after?.related_type == null || after.related_id == null) return {};
    const record = sharedRecord(work, after);
    if (!record) return notThere;
    const { type, id } = record;
    const flags = recordRights.map((right) =>
      right === "read"
        ? sql`${mayRead(work.caller, type, "r", "few")}::integer::text`
        : sql`${may(right, work.caller, type, "r", "few")}::integer::text`,
    );
    const { rows } = await work.transaction.run(sql`
      select ${join(flags)}, r.acl_id::text from ${expression(quote(type.table))} r
      where ${mayRead(work.caller, type, "r", "few")} and r.deleted = 0 and r.id = ${id}::${idTypeOf(type)}`);
    const held = recordRights.filter((_, index) => rows[0]?.[index] === "1");
    if (!held.includes("edit")) return notThere;
    const { transaction, caller } = work;
    if (after.principal_id != null && !(await isPrincipal(transaction, caller.organizationId, after.principal_id))) {
      return { principal_id: [say("bad_grantee")] };
    }
    const given = String(multipleChoice.present([after.rights ?? null], sharesRights(work)) ?? "").split(";");
    const rights = given.filter(isRight);
    const beyond = rights.filter((right) => !held.includes(right));
    if (beyond.length > 0) return { rights: [say("beyond_own_rights", { rights: beyond })] };
    if (caller.isAdministrator) return {};
    const holdings = await holdingsOf(transaction, work.snapshot, caller, type, rows[0]?.at(-1) ?? "0");
    const own = holdings.filter(({ principal }) => caller.principals.includes(principal));
    const outlasts = rights.some((right) => (after.until ?? FOR_GOOD) > heldUntil(own, right));
    return outlasts ? { until: [say("beyond_own_time")] } : {};
  },
  follow: async (work, { before, after }) => {
    const records = [before, after].flatMap((row) => (row ? (sharedRecord(work, row) ?? []) : []));
    const distinct = new Map(records.map((record) => [`${record.type.key} ${record.id}`, record]));
    for (const { type, id } of distinct.values()) await moveAcls(aclWork(work), type, [id]);
  },
};

function sharesRights({ snapshot }: Work) {
  const field = snapshot.types.get("access_controls/shares")?.field.get("rights");
  if (!field) throw new Error("shares have no rights");
  // The built-in definition gives the field its choice settings.
  return field as Parameters<typeof multipleChoice.present>[1];
}
