// Comments: added by whoever may comment on the record, changed by their authors alone, taken away by them or by an
// administrator. Who is mentioned or answered, whose record it is and who follows it is told, as far as they may read the record.

import { Failure } from "../../../contract/failures.ts";
import { type Message, say, verb } from "../../../contract/messages.ts";
import { write } from "../../../contract/texts/write.ts";
import { limitsAllow } from "../../access/keys/limits.ts";
import { usersWhoRead } from "../../access/readers.ts";
import { ident, sql } from "../../database/sql.ts";
import { queueMailToUser } from "../../mail/queue-mail.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import type { RecordChange, RecordHooks, Work } from "../../records/hooks.ts";
import { namesForReaders } from "../../records/read/names-for-readers.ts";
import type { ColumnValues } from "../../records/read/row-values.ts";
import { languagesOf } from "../../records/workflow/languages-of.ts";
import { addNotifications, type NotificationEntry } from "../../records/workflow/notifications.ts";
import { followersOf } from "../../records/workflow/tell-followers.ts";
import { mentionedNames } from "./mentions.ts";
import { mayOnRecord, type RelatedRecord, recordOf, requireRecord } from "./related-record.ts";

const fixed = ["related_type", "related_id", "parent_id", "owned_by"] as const;

export const commentHooks: RecordHooks = {
  check: async (work, { operation, before, after }) => {
    const { caller } = work;
    if (before !== undefined && before.created_by !== caller.userId) {
      const moderated = (operation === "delete" || operation === "restore") && caller.isAdministrator;
      if (!moderated) return { body: [say("comment_of_author")] };
    }
    if (operation === "delete" || !after) return {};
    if (before) {
      const moved = fixed.find((name) => (before[name] ?? null) !== (after[name] ?? null));
      return moved ? { [moved]: [say("comment_stays")] } : {};
    }
    if (after.owned_by != null && after.owned_by !== caller.userId) {
      return { owned_by: [say("comment_owner")] };
    }
    // Sent along with its record it is tied to that only when it is written; `follow` looks then.
    if (after.related_type == null || after.related_id == null) return {};
    const record = recordOf(work, after);
    if (!record) return { related_id: [say("related_missing")] };
    if (!(await mayOnRecord(work, "comment", record))) return { related_id: [await missingRight(work, record)] };
    return misplaced(work, record.type, after);
  },
  follow: async (work, change) => {
    const { operation, after } = change;
    if (operation === "restore") return requireRecord(work, after);
    if ((operation !== "add" && operation !== "edit") || !after) return;
    const record = recordOf(work, after);
    if (!record) return;
    if (operation === "add" && !(await mayOnRecord(work, "comment", record))) {
      throw new Failure("operation_forbidden", { with: { operation: verb("comment"), type: record.type.plural } });
    }
    if (operation === "add") await requirePlace(work, change, record.type, after);
    await tell(work, change, record);
  },
};

/** What those are told who may not comment on a record: of one that they cannot read, no more than that. */
async function missingRight(work: Work, record: RelatedRecord): Promise<Message> {
  const { caller } = work;
  if (!(await mayOnRecord(work, "read", record))) return say("not_commentable");
  if (limitsAllow(caller, record.type.key, "comment")) return say("comment_not_permitted");
  return say("comment_beyond_key", { type: record.type.nouns });
}

/** Why a new comment cannot stand where it is to stand, by field. */
async function misplaced(work: Work, type: RecordType, row: ColumnValues): Promise<Record<string, Message[]>> {
  if (!type.allowComments) return { related_type: [say("no_comments", { type: type.plural })] };
  if (row.parent_id == null || (await isAbout(work, row.parent_id, row))) return {};
  return { parent_id: [say("bad_parent_comment")] };
}

async function requirePlace(work: Work, change: RecordChange, type: RecordType, row: ColumnValues): Promise<void> {
  const faults = Object.entries(await misplaced(work, type, row));
  if (faults.length === 0) return;
  const byField = Object.fromEntries(faults.map(([name, said]) => [`${change.type.alias}.${name}`, said]));
  throw new Failure("invalid", { errors: faults.flatMap(([, said]) => said), byField });
}

async function isAbout({ transaction, caller }: Work, parentId: string, row: ColumnValues): Promise<boolean> {
  const found = await transaction.row(sql`
    select 1 as found from core__comments
    where organization_id = ${caller.organizationId}::bigint and id = ${parentId}::bigint and deleted = 0
      and related_type = ${row.related_type ?? null} and related_id = ${row.related_id ?? null}`);
  return found !== undefined;
}

/** Each person hears of a comment once, of what concerns them most. */
async function tell(
  work: Work,
  { operation, before, after }: RecordChange,
  record: { readonly type: RecordType; readonly id: string },
): Promise<void> {
  const { transaction, snapshot, caller } = work;
  const body = after?.body ?? "";
  const earlier = new Set(mentionedNames(before?.body ?? ""));
  const names = mentionedNames(body).filter((name) => !earlier.has(name));
  const concerned = operation === "add" ? await concernedBy(work, record, after?.parent_id ?? null) : {};
  const following = operation === "add" ? await followersOf(work, record.type, record.id) : [];
  const others = [...Object.values(concerned).filter((id) => id !== null), ...following];
  if (names.length === 0 && others.length === 0) return;
  const readers = await transaction.rows(
    usersWhoRead(
      caller.organizationId,
      { ...record, idType: idTypeOf(record.type) },
      sql`(lower(u.user_name) = any(${names}::text[]) or u.id = any(${others}::bigint[]))`,
    ),
  );
  const ids = readers.map((reader) => reader.id ?? "");
  const nameOf = await namesForReaders(
    work,
    record.type,
    ids.map((userId) => ({ id: record.id, userId })),
  );
  const nameFor = (userId: string) => nameOf({ id: record.id, userId });
  const languages = await languagesOf(work, ids);
  const whereFor = (userId: string) => nameFor(userId) ?? `${record.type.label} ${record.id}`;
  const entries = readers.map((reader): NotificationEntry => {
    const userId = reader.id ?? "";
    const where = whereFor(userId);
    const mentioned = names.includes((reader.user_name ?? "").toLowerCase());
    const [kind, said] = mentioned
      ? (["mention", "note_mentioned"] as const)
      : userId === concerned.answered
        ? (["answer", "note_replied"] as const)
        : (["comment", "note_commented"] as const);
    const about = { type: record.type.key, id: record.id, name: nameFor(userId) };
    const note = say(said, { by: caller.fullName, record: where, text: body });
    const text = write(note, languages.get(userId) ?? "en");
    return { userId, kind, text, record: about, byUserId: caller.userId };
  });
  const link = `/${record.type.key}/view?id=${encodeURIComponent(record.id)}`;
  for (const { userId, kind } of await addNotifications(transaction, snapshot, caller.organizationId, entries)) {
    if (kind !== "mention") continue;
    const [by, where] = [caller.fullName, whereFor(userId)];
    const content = { kind: "mention", by, record: where, text: body.slice(0, 2_000), link } as const;
    await queueMailToUser(transaction, caller.organizationId, userId, content);
  }
}

/** Who wrote what this answers, and whose record it is about. */
async function concernedBy(
  { transaction, caller }: Work,
  { type, id }: { readonly type: RecordType; readonly id: string },
  parentId: string | null,
): Promise<{ readonly answered?: string | null; readonly owner?: string | null }> {
  const row = await transaction.row(sql`
    select (select created_by::text from core__comments
        where organization_id = ${caller.organizationId}::bigint and id = ${parentId}::bigint) as answered,
      (select related.owned_by::text from ${ident(type.table)} related
        where related.organization_id = ${caller.organizationId}::bigint and related.id = ${id}::${idTypeOf(type)}) as owner`);
  return { answered: row?.answered ?? null, owner: row?.owner ?? null };
}
