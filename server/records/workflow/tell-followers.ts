// Takes changed records; notifies followers who can read them now, in the same transaction. A new stage is named; any other
// change is only mentioned. Until the follower looks, further changes by the same person add nothing.
import { type Message, say } from "../../../contract/messages.ts";
import { write } from "../../../contract/texts/write.ts";
import { sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Work } from "../hooks.ts";
import { namesForReaders, readersAmong, whoSees } from "../read/names-for-readers.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { languagesOf } from "./languages-of.ts";
import { addNotifications, type NotificationEntry } from "./notifications.ts";

/** Of one organization, and there for people to open. */
export const isFollowable = ({ scope, hidden }: RecordType): boolean => scope === "organization" && !hidden;

export interface ChangedRecord {
  readonly id: string;
  readonly before: ColumnValues;
  readonly after: ColumnValues;
}

/** Ids of the users who follow a record, whether they may read it or not. */
export async function followersOf({ transaction, caller }: Work, type: RecordType, id: string): Promise<string[]> {
  if (!isFollowable(type)) return [];
  const rows = await transaction.prepared(sql`
    select user_id::text from core__follows
    where organization_id = ${caller.organizationId}::bigint and record_type = ${type.key} and record_id = ${id}`);
  return rows.flatMap(([userId]) => userId ?? []);
}

export async function tellFollowers(work: Work, type: RecordType, changed: readonly ChangedRecord[]): Promise<void> {
  if (!isFollowable(type) || changed.length === 0) return;
  const { transaction, snapshot, caller } = work;
  const { organizationId } = caller;
  const rows = await transaction.prepared(sql`
    select f.record_id, f.user_id::text, exists (
      select from core__notifications n
      where n.organization_id = ${organizationId}::bigint and n.related_type = ${type.key} and n.related_id = f.record_id
        and n.owned_by = f.user_id and n.created_by = ${caller.userId}::bigint and n.kind = 'change' and n.read_at is null
        and n.deleted = 0)::int::text
    from core__follows f
    where f.organization_id = ${organizationId}::bigint and f.record_type = ${type.key}
      and f.record_id = any(${changed.map(({ id }) => id)}::text[]) and f.user_id <> ${caller.userId}::bigint`);
  if (rows.length === 0) return;
  const stageOf = new Map(changed.flatMap((one) => (isMoved(one) ? [[one.id, one.after.current_stage ?? ""]] : [])));
  const waiting = new Set(rows.flatMap(([id, userId, waits]) => (waits === "1" ? [`${id} ${userId}`] : [])));
  const told = await readersAmong(
    work,
    type,
    rows.map(([id, userId]) => ({ id: id ?? "", userId: userId ?? "" })),
  );
  const users = [...new Set(told.map(({ userId }) => userId))];
  const [nameFor, languages, seesStage, stages] = [
    await namesForReaders(work, type, told),
    await languagesOf(work, users),
    stageOf.size === 0 ? new Set<string>() : await whoSees(work, type, "current_stage", users),
    await stageNames(work, [...new Set(stageOf.values())]),
  ];
  const entryOf = (userId: string, kind: string, said: Message, record: NotificationEntry["record"]) => ({
    userId,
    kind,
    text: write(said, languages.get(userId) ?? "en"),
    ...(record ? { record } : {}),
    byUserId: caller.userId,
  });
  const inAll = work.jobId === undefined ? undefined : await toldByJob(work, type, work.jobId, told);
  const entries = told.flatMap((one): NotificationEntry[] => {
    const how = inAll?.get(one.userId);
    if (how === "told" || (how !== undefined && how !== one.id)) return [];
    const name = nameFor(one);
    const record = name ?? `${type.label} ${one.id}`;
    if (how === one.id) {
      const text = say("note_changed_many", { by: caller.fullName, record, records: type.nouns });
      return [entryOf(one.userId, "changes", text, { type: type.key, id: one.id, name })];
    }
    const stage = seesStage.has(one.userId) ? stages.get(stageOf.get(one.id) ?? "") : undefined;
    if (stage === undefined && waiting.has(`${one.id} ${one.userId}`)) return [];
    const said =
      stage === undefined
        ? say("note_changed", { by: caller.fullName, record })
        : say("note_moved", { by: caller.fullName, record, stage });
    const kind = stage === undefined ? "change" : "stage";
    return [entryOf(one.userId, kind, said, { type: type.key, id: one.id, name })];
  });
  await addNotifications(transaction, snapshot, organizationId, entries);
}

/** So many records of one part of a job are told one by one. */
const ONE_BY_ONE = 5;

/**
 * Whom a job tells of many records at once: the id of the record that stands for them, or "told" where that was done by an
 * earlier part of the job. Whoever is not in it is told of each record.
 */
async function toldByJob(
  { transaction, caller }: Work,
  type: RecordType,
  jobId: string,
  told: readonly { readonly id: string; readonly userId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const organization = sql`${caller.organizationId}::bigint`;
  const users = [...new Set(told.map(({ userId }) => userId))];
  const { rows } = await transaction.run(sql`
    select distinct owned_by::text from core__notifications
    where organization_id = ${organization} and owned_by = any(${users}::bigint[]) and created_by = ${caller.userId}::bigint
      and related_type = ${type.key} and kind = 'changes'
      and created >= (select created from core__jobs where organization_id = ${organization} and id = ${jobId}::bigint)`);
  const before = new Set(rows.flatMap(([userId]) => userId ?? []));
  const found = new Map<string, string>();
  for (const userId of users) {
    const own = told.filter((one) => one.userId === userId);
    if (before.has(userId)) found.set(userId, "told");
    else if (own.length > ONE_BY_ONE) found.set(userId, own[0]?.id ?? "");
  }
  return found;
}

const isMoved = ({ before, after }: ChangedRecord): boolean =>
  after.current_stage != null && before.current_stage !== after.current_stage;

async function stageNames({ transaction, caller }: Work, nodes: readonly string[]): Promise<Map<string, string>> {
  if (nodes.length === 0) return new Map();
  const rows = await transaction.rows(sql`
    select id::text as id, name from core__workflow_nodes
    where organization_id = ${caller.organizationId}::bigint and id = any(${nodes}::uuid[])`);
  return new Map(rows.map((row) => [row.id ?? "", row.name ?? ""]));
}
