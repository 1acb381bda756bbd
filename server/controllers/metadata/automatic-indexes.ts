// Indexes that the service asks for by itself, where people of large lists keep lacking one, and removes again where nobody uses
// them. Both are done by the builder, as if a designer had asked (index-builder.ts); how much of it there can be is bounded here.
import type { Logger } from "pino";
import { audit } from "../../access/audit.ts";
import { isDistributed } from "../../database/citus/places.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { notify } from "../../database/processes/notify.ts";
import type { Replicas } from "../../database/processes/replicas.ts";
import { quote, type Sql, sql } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import { operatorId } from "../../identity/operator.ts";
import { automaticIndexes, isOpenToService, notIndexable, refuseIndex } from "../../metadata/indexes.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { findType } from "../../metadata/snapshot.ts";
import type { MetadataStore } from "../../metadata/store.ts";
import { fieldIndexes } from "../../metadata/table-shape.ts";
import { pendingWork } from "../../metadata/table-work.ts";
import type { Wish } from "../../records/view-times/note-times.ts";
import { indexChange } from "./index-change.ts";

export interface AutomaticIndexes {
  /** What people lacked since the last time. */
  request(wishes: readonly Wish[]): Promise<void>;
  /** Looks which ones are used; to be called every hour or so. */
  removeUnused(): Promise<void>;
}

interface Sources {
  readonly database: Database;
  readonly metadata: MetadataStore;
  readonly replicas: Pick<Replicas, "usable">;
  readonly log: Pick<Logger, "info" | "debug">;
}

/** So often on one day. */
const ENOUGH_WISHES = 5;
const IDLE_DAYS = 30;

const today = sql`(now() at time zone 'utc')::date`;

export const noAutomaticIndexes: AutomaticIndexes = {
  request: async () => undefined,
  removeUnused: async () => undefined,
};

export function createAutomaticIndexes({ database, metadata, replicas, log }: Sources): AutomaticIndexes {
  const find = (wish: Wish): { readonly type: RecordType; readonly field: Field } | undefined => {
    const type = findType(metadata.current(), wish.recordType);
    const field = type?.field.get(wish.field);
    return type && field && !field.indexed && !notIndexable(type, field) ? { type, field } : undefined;
  };

  /** In the transaction that makes the change. */
  const tell = async (transaction: Queryable, type: RecordType, field: Field, to: "index" | null, reason: string) => {
    const organizationId = await operatorId(transaction);
    const entry = indexChange(type, field, { from: to === null ? "index" : null, to }, reason);
    await audit(transaction, metadata.current(), { ...entry, organizationId, userId: null });
    await notify(transaction, "dossier_indexes", type.key);
    log.info({ record_type: type.key, field: field.name, reason }, to ? "an index is built" : "an index is removed");
  };

  const request = async (wishes: readonly Wish[]): Promise<void> => {
    await count(database, wishes);
    // News of a design that this process has not heard yet.
    const open = await openOnes(database, wishes);
    if (open.length > 0) await metadata.reload();
    const work = (await pendingWork(database)).filter(({ failure }) => failure === null);
    const busy = new Set(work.map(({ table }) => table));
    const [found] = open.map(find).filter((one) => one !== undefined && !busy.has(one.type.table));
    if (!found) return;
    const { type, field } = found;
    // Whoever asks or designs at the same time waits here: of several processes one asks.
    await metadata.changeIndexes(async (transaction) => {
      const asked = await transaction.row(sql`
        insert into metadata__indexes (record_type, field, automatic)
        select ${type.key}, ${field.name}, true where ${isDue(type.key, field.name)} returning field`);
      if (!asked) return;
      await transaction.run(sql`
        update metadata__index_wishes set requested = now() at time zone 'utc'
        where record_type = ${type.key} and field = ${field.name}`);
      await tell(transaction, type, field, "index", "slow_lists");
    });
  };

  const removeUnused = async (): Promise<void> => {
    // A coordinator does not count what is read on other machines.
    if (await isDistributed(database)) return;
    for (const { key, field: name, state } of await automaticIndexes(database)) {
      const type = findType(metadata.current(), key);
      const field = type?.field.get(name);
      if (!type || !field || state !== "ready") continue;
      const which = sql`record_type = ${key} and field = ${name} and automatic and state = 'ready'`;
      const scans = await scansOf([database, ...replicas.usable()], type, name);
      // Counters that went down were reset: that is no sign of an index that nobody uses.
      const looked = await database.row(sql`
        update metadata__indexes set scans = ${scans}, looked = ${today},
          idle_days = case when scans is distinct from ${scans} then 0 else idle_days + 1 end
        where ${which} and (scans is distinct from ${scans} or looked < ${today}) returning idle_days`);
      if (Number(looked?.idle_days ?? 0) < IDLE_DAYS) continue;
      await metadata.changeIndexes(async (transaction) => {
        const removed = await transaction.run(sql`update metadata__indexes set state = 'removing' where ${which}`);
        if (removed.count === 0) return;
        await refuseIndex(transaction, key, name);
        await tell(transaction, type, field, null, "unused_index");
      });
    }
  };

  const later = (error: unknown): void => log.debug(error, "automatic indexes are looked after later");
  return {
    request: (wishes) => request(wishes).catch(later),
    removeUnused: () => removeUnused().catch(later),
  };
}

/** In the order of the key: processes that write at once do not wait for each other in a circle. */
async function count(database: Database, wishes: readonly Wish[]): Promise<void> {
  await database.run(sql`
    insert into metadata__index_wishes as w (record_type, field, wishes)
    select t, f, count(*) from unnest(${wishes.map(({ recordType }) => recordType)}::text[],
      ${wishes.map(({ field }) => field)}::text[]) as given(t, f)
    group by t, f order by t, f
    on conflict (record_type, field) do update set day = excluded.day,
      wishes = excluded.wishes + case when w.day = excluded.day then w.wishes else 0 end`);
}

/** One is built at a time, and of each record type one a day: each costs every save. */
const isDue = (key: string, field: string): Sql => sql`
  exists (
    select from metadata__index_wishes w where w.record_type = ${key} and w.field = ${field}
      and w.day = ${today} and w.wishes >= ${ENOUGH_WISHES}::integer)
  and not exists (select from metadata__indexes b where b.state in ('building', 'removing'))
  and not exists (
    select from metadata__index_wishes d
    where d.record_type = ${key} and d.requested > (now() at time zone 'utc') - interval '1 day')
  and ${isOpenToService(key, field)}`;

/** The most wanted first. */
async function openOnes(db: Queryable, wishes: readonly Wish[]): Promise<readonly Wish[]> {
  const open: { readonly wish: Wish; readonly wishes: number }[] = [];
  const distinct = new Map(wishes.map((wish) => [`${wish.recordType} ${wish.field}`, wish]));
  for (const wish of distinct.values()) {
    const { recordType, field } = wish;
    const row = await db.row(sql`
      select wishes from metadata__index_wishes
      where record_type = ${recordType} and field = ${field} and ${isDue(recordType, field)}`);
    if (row) open.push({ wish, wishes: Number(row.wishes) });
  }
  return open.toSorted((one, other) => other.wishes - one.wishes).map(({ wish }) => wish);
}

/** How often each server has used it, as far as it knows. */
async function scansOf(servers: readonly Queryable[], type: RecordType, field: string): Promise<string> {
  const names = fieldIndexes(type, field).map(({ name }) => quote(name));
  const counted = servers.map(async (server) => {
    const row = await server.row(sql`
      select coalesce(sum(s.idx_scan), 0)::text as scans from unnest(${names}::text[]) as n(name)
      join pg_stat_user_indexes s on s.indexrelid = to_regclass(n.name)`);
    return row?.scans ?? "";
  });
  return (await Promise.all(counted)).join(" ");
}
