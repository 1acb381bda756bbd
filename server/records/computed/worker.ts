// Computes what was left for later, in every process: takes a few hundred records in one transaction, which also stores the
// progress, then looks again. A killed process loses only the piece it was working on; another one continues.
import type { Logger } from "pino";
import { ACCESS } from "../../access/facts/record-facts.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { isGivenUp, isTransient } from "../../database/errors.ts";
import { isFollowed } from "../../database/events/followed-types.ts";
import { tellToListAgain } from "../../database/events/write-events.ts";
import { sql } from "../../database/sql.ts";
import {
  advanceWork,
  type ComputedWork,
  claimWork,
  countWork,
  dueWork,
  finishWork,
  postponeWork,
} from "../../metadata/computed/work.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { MetadataStore } from "../../metadata/store.ts";
import { lookingUp, rowsAfter } from "../../query/computed/computed-values.ts";
import { moveAcls } from "../save/record-acl.ts";
import { settleComputed } from "./settle.ts";
import { wantComputed } from "./touched.ts";

export interface ComputedWorker {
  /** There may be something to do. */
  wake(): void;
  close(): Promise<void>;
}

/** Messages wake a worker; this is for what a killed process left, and for what is looked at once more. */
const LOOK_EVERY_MS = 5_000;
const PIECE = 500;
const FEW = 20;

export function createComputedWorker(
  database: Database,
  metadata: Pick<MetadataStore, "current" | "reload">,
  log: Pick<Logger, "error" | "debug">,
): ComputedWorker {
  let closed = false;
  let running: Promise<void> | undefined;
  let again = false;
  /** Records in one transaction, of works of which PIECE took too long. */
  const pieces = new Map<string, number>();

  const look = async (): Promise<void> => {
    do {
      again = false;
      for (let due = await dueWork(database, FEW); due.length > 0 && !closed; due = await dueWork(database, FEW)) {
        let busy = false;
        for (const one of due) if (!closed && (await takeTurn(one))) busy = true;
        // All of them are somebody else's.
        if (!busy) break;
      }
    } while (again && !closed);
  };

  const takeTurn = async (one: { readonly organizationId: string; readonly id: string }): Promise<boolean> => {
    const key = `${one.organizationId} ${one.id}`;
    const piece = pieces.get(key) ?? PIECE;
    try {
      return await database.transaction(async (transaction) => {
        const work = await claimWork(transaction, one);
        if (!work) return false;
        // What was left may be news that this process has not heard yet.
        if (BigInt(work.version) > BigInt(metadata.current().version)) await metadata.reload();
        if (await doPiece(transaction, metadata, work, piece)) pieces.delete(key);
        return true;
      });
    } catch (error) {
      if (closed || isTransient(error)) return true;
      if (isGivenUp(error) && piece > 1) {
        pieces.set(key, Math.ceil(piece / 2));
        return true;
      }
      log.error({ err: error, ...one }, "computed fields could not be brought up to date; this is tried again");
      await postponeWork(database, one);
      return true;
    }
  };

  const wake = (): void => {
    again = true;
    running ??= look()
      .catch((error: unknown) => log.error(error, "computed fields are looked after later"))
      .finally(() => {
        running = undefined;
      });
  };
  const looking = setInterval(wake, LOOK_EVERY_MS).unref();
  wake();
  return {
    wake,
    close: async () => {
      closed = true;
      clearInterval(looking);
      await running;
    },
  };
}

/** Gives whether all of it is done. */
async function doPiece(
  transaction: Queryable,
  metadata: Pick<MetadataStore, "current">,
  work: ComputedWork,
  piece: number,
): Promise<boolean> {
  const { organizationId, source, reached } = work;
  const snapshot = metadata.current();
  const type = snapshot.types.get(work.type);
  const fields = work.fields.filter((name) => type?.computed.has(name) || name === ACCESS);
  if (!type || fields.length === 0) {
    await finishWork(transaction, { ...work, round: 2 });
    return true;
  }
  if (reached === null && source.ids === undefined) {
    const count = await transaction.row(sql`
      select coalesce(sum(live), 0)::text as count from core__counters
      where organization_id = ${organizationId}::bigint and record_type = ${type.key}`);
    await countWork(transaction, work, Number(count?.count ?? 0));
  }
  const { ids, isLast } = await nextIds(type);
  const isAccess = fields.includes(ACCESS);
  for (const name of fields) if (name !== ACCESS) wantComputed(transaction, type.key, name, ids);
  // Of a million records that are filled, whoever follows them hears once: at the end.
  const isFilling = source.ids === undefined && work.round === 1;
  await settleComputed({ transaction, snapshot, organizationId, ...(isFilling ? { filling: type.key } : {}) });
  if (isAccess) await moveAcls({ transaction, snapshot, organizationId }, type, ids, !isFilling);
  const last = ids.at(-1);
  if (last !== undefined && !isLast) {
    await advanceWork(transaction, work, last, ids.length);
    return false;
  }
  const isAny = reached !== null || last !== undefined;
  if (isFilling && isAny && isFollowed(type)) await tellToListAgain(transaction, organizationId, type.key);
  await finishWork(transaction, work);
  return true;

  async function nextIds(of: RecordType): Promise<{ readonly ids: readonly string[]; readonly isLast: boolean }> {
    const { ids: given, through } = source;
    if (given !== undefined && through === undefined) {
      const start = reached === null ? 0 : given.indexOf(reached) + 1;
      return { ids: given.slice(start, start + piece), isLast: start + piece >= given.length };
    }
    const page = { after: reached, most: piece };
    const statement =
      given === undefined || through === undefined
        ? rowsAfter(of, organizationId, reached, piece)
        : lookingUp(snapshot, of, fields[0] ?? "", through, { organizationId, ids: given }, page);
    const ids = (await transaction.run(statement)).rows.flatMap(([id]) => id ?? []);
    return { ids, isLast: ids.length < piece };
  }
}
