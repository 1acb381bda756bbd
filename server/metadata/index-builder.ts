// Builds and removes the indexes that designers asked for, and does what is left to do on large tables (table-work.ts), one at a time
// among all processes, without keeping writers waiting. What was under way when a process was killed, and what is there but not valid,
// is taken up by whoever comes next.
import type { Logger } from "pino";
import { Failure } from "../../contract/failures.ts";
import type { Database, Queryable } from "../database/database.ts";
import { isTransient } from "../database/errors.ts";
import { quote, sql } from "../database/sql.ts";
import { buildConcurrently } from "./concurrent-index.ts";
import { isDefined, isThere } from "./definition-indexes.ts";
import { usableIndexes } from "./indexes.ts";
import type { RecordType, RecordTypeKey } from "./record-type.ts";
import { findType } from "./snapshot.ts";
import type { MetadataStore } from "./store.ts";
import { fieldIndexes } from "./table-shape.ts";
import { doWork, failWork, forgetWork, isOwnWork, type PendingWork, pendingWork } from "./table-work.ts";

export interface IndexBuilder {
  /** There may be something to do. */
  wake(): void;
  close(): Promise<void>;
}

/** Never waited for: whoever waits within a statement would be waited for by the building itself. */
export const BUILDER_LOCK = "6021023341275";
/** Messages wake a builder; this is for what a killed process left. */
const LOOK_EVERY_MS = 5_000;

interface Task {
  readonly key: RecordTypeKey;
  readonly field: string;
  readonly state: "building" | "removing";
}

/** PostgreSQL's own words where there are some: they name the index, and what is too large for it. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Failure ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
}

export function createIndexBuilder(
  database: Database,
  metadata: MetadataStore,
  log: Pick<Logger, "error" | "info" | "debug">,
): IndexBuilder {
  let closed = false;
  let running: Promise<void> | undefined;

  const nextTask = async (db: Queryable): Promise<Task | undefined> => {
    const row = await db.row(sql`
      select record_type, field, state from metadata__indexes
      where state in ('building', 'removing') order by state desc, requested, record_type, field limit 1`);
    return row && { key: row.record_type ?? "", field: row.field ?? "", state: row.state as Task["state"] };
  };

  const settle = (task: Task, change: "ready" | "gone" | { readonly failure: string }): Promise<unknown> =>
    metadata.changeIndexes((transaction) => {
      const which = sql`record_type = ${task.key} and field = ${task.field} and state = ${task.state}`;
      if (change === "gone") return transaction.run(sql`delete from metadata__indexes where ${which}`);
      const [state, failure] = change === "ready" ? ["ready", null] : ["failed", change.failure];
      return transaction.run(
        sql`update metadata__indexes set state = ${state}, failure = ${failure}::text where ${which}`,
      );
    });

  /** Ready ones that are not there or not valid (somebody dropped one, a server crashed) are built anew. */
  let isChecked = false;
  const findBroken = async (session: Queryable): Promise<void> => {
    await session.run(sql`update metadata__table_work set failure = null where failure is not null`);
    for (const [key, fields] of await usableIndexes(session)) {
      const type = findType(metadata.current(), key);
      for (const [field, isReady] of type ? fields : []) {
        if (!type || !isReady || (await isThere(session, type, field))) continue;
        log.error({ record_type: key, field }, "an index is missing or not valid; it is built anew");
        await metadata.changeIndexes((transaction) =>
          transaction.run(sql`
            update metadata__indexes set state = 'building' where record_type = ${key} and field = ${field} and state = 'ready'`),
        );
      }
    }
    isChecked = true;
  };

  const work = async (session: Queryable, task: Task): Promise<void> => {
    // What was asked for may be news that this process has not heard yet.
    await metadata.reload();
    const type = findType(metadata.current(), task.key);
    if (!type?.field.has(task.field)) return void (await settle(task, "gone"));
    const indexes = fieldIndexes(type, task.field);
    if (task.state === "removing") {
      // The definition may ask for the same index by now.
      if (!type.field.get(task.field)?.indexed) await drop(session, type, task.field);
      return void (await settle(task, "gone"));
    }
    try {
      for (const index of indexes) await buildConcurrently(session, type.table, index);
    } catch (error) {
      if (closed || isTransient(error)) throw error;
      log.error(error, `the index of ${task.key} by ${task.field} was not built`);
      await drop(session, type, task.field);
      return void (await settle(task, { failure: reasonOf(error) }));
    }
    // One that the definition asks for needs no mention beside it.
    await settle(task, (await isDefined(session, task.key, task.field)) ? "gone" : "ready");
  };

  const nextWork = async (db: Queryable): Promise<PendingWork | undefined> => {
    const left = (await pendingWork(db)).filter(({ failure }) => failure === null);
    // What is left may be news that this process has not heard yet.
    if (left.length > 0) await metadata.reload();
    return left.find((work) => isOwnWork(metadata.current(), work));
  };

  const workOnTable = async (session: Queryable, next: PendingWork): Promise<void> => {
    const { table, kind, name } = next;
    try {
      const began = performance.now();
      if (!(await doWork(database, session, metadata.current(), next, () => closed))) return;
      await metadata.changeIndexes((transaction) => forgetWork(transaction, metadata.current(), next));
      log.info({ table, kind, name, seconds: Math.round((performance.now() - began) / 1000) }, "a table is up to date");
    } catch (error) {
      // A full disk, a lost connection and the like: it is tried again. What has no room never will have.
      const isPassing = error instanceof Failure && error.code !== "record_too_large";
      if (closed || isTransient(error) || isPassing) throw error;
      log.error({ table, kind, name, err: error }, "a table could not be brought up to date");
      await failWork(session, next, reasonOf(error));
    }
  };

  const isIdle = async (): Promise<boolean> =>
    isChecked && (await nextTask(database)) === undefined && (await nextWork(database)) === undefined;

  /** With the builder's lock, if nobody else has it, until nothing is left to do. */
  const look = async (): Promise<void> => {
    if (closed || (await isIdle())) return;
    await database.session(async (session) => {
      const lock = await session.row(sql`select pg_try_advisory_lock(${BUILDER_LOCK}::bigint)::text as held`);
      if (lock?.held !== "true") return;
      try {
        await session.script("set statement_timeout = 0");
        if (!isChecked) await findBroken(session);
        while (!closed) {
          const task = await nextTask(session);
          const next = task ? undefined : await nextWork(session);
          if (task) await work(session, task);
          else if (next) await workOnTable(session, next);
          else break;
        }
      } finally {
        await session.script("reset statement_timeout").catch(() => undefined);
        await session.run(sql`select pg_advisory_unlock(${BUILDER_LOCK}::bigint)`).catch(() => undefined);
      }
    });
  };

  const wake = (): void => {
    running ??= look()
      .catch((error: unknown) => log.debug(error, "indexes are looked after later"))
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

async function drop(session: Queryable, type: RecordType, field: string): Promise<void> {
  for (const { name } of fieldIndexes(type, field)) {
    await session.script(`drop index concurrently if exists ${quote(name)}`);
  }
}
