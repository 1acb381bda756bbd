// Does what is left to do on large tables here and now, for a command; a service does the same beside its requests.
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { BUILDER_LOCK } from "./index-builder.ts";
import type { MetadataStore } from "./store.ts";
import { doWork, forgetWork, isOwnWork, type PendingWork, pendingWork } from "./table-work.ts";

/** False where a service that runs is at it. `before` is told of each piece of work, `after` how long it took. */
export async function finishTableWork(
  db: Database,
  metadata: MetadataStore,
  before: (work: PendingWork) => void,
  after: (work: PendingWork, ms: number) => void,
): Promise<boolean> {
  return db.session(async (session) => {
    const lock = await session.row(sql`select pg_try_advisory_lock(${BUILDER_LOCK}::bigint)::text as held`);
    if (lock?.held !== "true") return (await pendingWork(session)).length === 0;
    try {
      await session.script("set statement_timeout = 0");
      const next = async () => (await pendingWork(session)).find((one) => isOwnWork(metadata.current(), one));
      for (let work = await next(); work; work = await next()) {
        const own = work;
        const began = performance.now();
        before(own);
        await doWork(db, session, metadata.current(), own, () => false);
        await metadata.changeIndexes((transaction) => forgetWork(transaction, metadata.current(), own));
        after(own, performance.now() - began);
      }
      return true;
    } finally {
      await session.script("reset statement_timeout").catch(() => undefined);
      await session.run(sql`select pg_advisory_unlock(${BUILDER_LOCK}::bigint)`).catch(() => undefined);
    }
  });
}
