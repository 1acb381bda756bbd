// Computes what was left for later, in every process: takes the next piece of work, a few hundred records of it in one transaction with
// how far it came, and looks again. Whoever is killed loses the piece under way, and any other process goes on from there.
import type { Logger } from "pino";
import type { Database, Queryable } from "../../database/database.ts";
import { isTransient } from "../../database/errors.ts";
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
import type { MetadataStore } from "../../metadata/store.ts";
import { lookingUp, rowsAfter } from "../../query/computed/computed-values.ts";
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
    try {
      return await database.transaction(async (transaction) => {
        const work = await claimWork(transaction, one);
        if (!work) return false;
        // What was left may be news that this process has not heard yet.
        if (BigInt(work.version) > BigInt(metadata.current().version)) await metadata.reload();
        await doPiece(transaction, metadata, work);
        return true;
      });
    } catch (error) {
      if (closed || isTransient(error)) return true;
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

async function doPiece(
  transaction: Queryable,
  metadata: Pick<MetadataStore, "current">,
  work: ComputedWork,
): Promise<void> {
  const { organizationId, source, reached } = work;
  const snapshot = metadata.current();
  const type = snapshot.types.get(work.type);
  const fields = work.fields.filter((name) => type?.computed.has(name));
  if (!type || fields.length === 0) return finishWork(transaction, { ...work, round: 2 });
  if (reached === null && source.ids === undefined) {
    const count = await transaction.row(sql`
      select coalesce(sum(live), 0)::text as count from core__counters
      where organization_id = ${organizationId}::bigint and record_type = ${type.key}`);
    await countWork(transaction, work, Number(count?.count ?? 0));
  }
  const ids = await nextIds();
  for (const name of fields) wantComputed(transaction, type.key, name, ids);
  await settleComputed({ transaction, snapshot, organizationId });
  const last = ids.at(-1);
  const isAll = ids.length < PIECE || (source.ids !== undefined && source.through === undefined);
  if (last === undefined || isAll) return finishWork(transaction, work);
  await advanceWork(transaction, work, last, ids.length);

  async function nextIds(): Promise<readonly string[]> {
    if (!type) return [];
    const { ids: given, through } = source;
    if (given !== undefined && through === undefined) return given;
    const page = { after: reached, most: PIECE };
    const statement =
      given === undefined || through === undefined
        ? rowsAfter(type, organizationId, reached, PIECE)
        : lookingUp(snapshot, type, fields[0] ?? "", through, { organizationId, ids: given }, page);
    return (await transaction.run(statement)).rows.flatMap(([id]) => id ?? []);
  }
}
