// How much imports may keep: uploads that wait, and what is kept of imports that were run (for their faulty rows). Counted in the
// database, so it holds for all processes together. What nobody needs any more makes room; where that is not enough, it is told.
import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import type { Caller } from "../access/caller.ts";
import type { Database, Queryable } from "../database/database.ts";
import { IMPORT_FILES_LOCK } from "../database/locks.ts";
import { apartFromClient } from "../database/scope.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { FileStore } from "../files/file-store.ts";
import { discardDue } from "../files/orphaned-files.ts";

const GIB = 1024 * 1024 * 1024;

export const storage = {
  /** Uploads of one person that nobody has imported yet. */
  waiting: 100,
  waitingGib: 4,
  /** All that is kept for one person, and for an organization: a file of 1 GiB can be checked and run, more than once. */
  personFiles: 1_000,
  personGib: 8,
  organizationFiles: 5_000,
  organizationGib: 24,
} as const;

/** Nobody is at work on what was not touched for so long: an upload may be looked at for a while, what was staged is read at once. */
const UPLOAD_RESTS = "1 hour";
const STAGED_RESTS = "15 minutes";
/** Of one's own imports that are over, where one's own need room: who runs one after the other goes on. */
const OWN_RESTS = "5 minutes";

interface Wanted {
  /** Where it will be: one that is written again counts once. */
  readonly storageKey: string;
  readonly size: number;
  /** An upload that is not imported at once. */
  readonly isWaiting: boolean;
}

/** Runs `keep` once there is room, in the transaction that counted. */
export async function makeRoom(
  database: Database,
  store: FileStore,
  caller: Caller,
  wanted: Wanted,
  keep: (transaction: Queryable) => Promise<void>,
): Promise<void> {
  const { organizationId } = caller;
  const freed = await countingAlone(database, organizationId, async (transaction) => {
    const freed = await freedFor(transaction, caller, wanted);
    await keep(transaction);
    return freed;
  });
  // What is not removed now is when files are swept.
  await discardDue(database, store, organizationId, freed).catch(() => 0);
}

/** Nobody else counts, frees or takes an organization's files until it is committed. It is nothing that the request saved. */
export const countingAlone = <T>(
  database: Database,
  organizationId: string,
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> =>
  apartFromClient(() =>
    database.transaction(async (transaction) => {
      await transaction.run(
        sql`select pg_advisory_xact_lock(${IMPORT_FILES_LOCK}::integer, hashtext(${organizationId}))`,
      );
      return work(transaction);
    }),
  );

const now = sql`(now() at time zone 'utc')`;

async function freedFor(transaction: Queryable, caller: Caller, wanted: Wanted): Promise<readonly string[]> {
  const organization = sql`${caller.organizationId}::bigint`;
  const isOwn = sql`f.user_id = ${caller.userId}::bigint`;
  const isWaiting = sql`f.kind = 'upload' and f.used is null`;
  // What was swept counts no more.
  await transaction.run(sql`
    delete from core__import_files f where f.organization_id = ${organization} and not exists (
      select from core__loose_files l where l.organization_id = ${organization} and l.storage_key = f.storage_key)`);
  const there = sql`core__import_files f
    join core__loose_files l on l.organization_id = ${organization} and l.storage_key = f.storage_key and l.removable > ${now}
    where f.organization_id = ${organization}`;
  const freed: string[] = [];
  const check = async (
    which: Sql,
    most: { readonly files: number; readonly gib: number },
    rests: Sql,
    full: Message,
  ) => {
    const others = sql`${there} and ${which} and f.storage_key <> all(${[wanted.storageKey, ...freed]}::text[])`;
    const row = await transaction.row(sql`
      select count(*)::text as files, coalesce(sum(f.size), 0)::text as bytes from ${others}`);
    let files = Number(row?.files) + 1 - most.files;
    let bytes = Number(row?.bytes) + wanted.size - most.gib * GIB;
    if (files <= 0 && bytes <= 0) return;
    const rows = await transaction.rows(sql`
      select o.key, o.size::text as size from (
        select f.storage_key as key, f.size, row_number() over before as files, sum(f.size) over before as bytes
        from ${others} and ${isAtRest(organization, rests)}
        window before as (order by f.kind, coalesce(f.used, f.created), f.storage_key)) o
      where o.files <= ${files}::bigint or o.bytes - o.size < ${bytes}::bigint`);
    for (const { key, size } of rows) {
      freed.push(key ?? "");
      files -= 1;
      bytes -= Number(size);
    }
    if (files > 0 || bytes > 0) throw new Failure("conflict", { with: { reason: full } });
  };
  const { waiting, waitingGib, personFiles, personGib, organizationGib, organizationFiles } = storage;
  if (wanted.isWaiting)
    await check(
      sql`${isOwn} and ${isWaiting}`,
      { files: waiting, gib: waitingGib },
      sql`${UPLOAD_RESTS}`,
      say("import_uploads_waiting", { count: waiting, max: waitingGib }),
    );
  await check(
    isOwn,
    { files: personFiles, gib: personGib },
    sql`case when ${isWaiting} then ${UPLOAD_RESTS} else ${OWN_RESTS} end`,
    say("import_storage_own", { count: personFiles, max: personGib }),
  );
  await check(
    sql`true`,
    { files: organizationFiles, gib: organizationGib },
    sql`case f.kind when 'upload' then ${UPLOAD_RESTS} else ${STAGED_RESTS} end`,
    say("import_storage_full", { count: organizationFiles, max: organizationGib }),
  );
  if (freed.length > 0)
    await transaction.run(sql`
      update core__loose_files set removable = ${now}
      where organization_id = ${organization} and storage_key = any(${freed}::text[])`);
  return freed;
}

/** Of what was not touched for a while and no import under way reads. */
const isAtRest = (organization: Sql, rests: Sql): Sql => sql`
  coalesce(f.used, f.created) < ${now} - (${rests})::interval
  and not exists (
    select from core__job_queue q join core__jobs j on j.organization_id = ${organization} and j.id = q.job_id
    where q.organization_id = ${organization}
      and f.storage_key in (j.input->'import'->>'source', j.input->'import'->>'staged'))`;
