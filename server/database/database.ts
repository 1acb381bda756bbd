// Takes connection settings; gives the one interface by which everything above talks to PostgreSQL, embedded or outside.
// Every value comes back as the text that PostgreSQL sent: nothing is parsed here.
import pg from "pg";
import { createFairGate, type FairGate } from "../lib/turns/fair-gate.ts";
import { againAfterMove, isMoved } from "./citus/after-move.ts";
import { readDistributed } from "./citus/distributed.ts";
import { changedShape, hasLostWorker, translateError } from "./errors.ts";
import type { Queryable } from "./queryable.ts";
import { type PoolUse, type RawPool, rawPool } from "./raw-pool.ts";
import { busy, currentScope, isLate, type Scope, stopping, tookTooLong } from "./scope.ts";
import { asOne, asUnion, openSession, type Session } from "./session.ts";
import type { StatementEnded } from "./slow-statements.ts";
import { compile, type Sql, type Statement } from "./sql.ts";
import { type StatementConnection, statementsOn } from "./statement-connection.ts";
import type { TextRows } from "./text-rows.ts";

export type { Queryable, Row } from "./queryable.ts";

export interface Database extends Queryable {
  readonly connection: pg.ClientConfig;
  /** Ends what a connection is at, from another one. */
  cancelBackend(processId: number): Promise<void>;
  /** As `prepared`, with rows as the bytes they came as. */
  preparedBytes(statement: Sql | Statement): Promise<TextRows>;
  /**
   * Rows as bytes, of a statement that will hardly come again: planned for its values. With `atMostMs`, PostgreSQL gives it
   * up after so long (`isGivenUp` of errors.ts).
   */
  bytes(statement: Sql, atMostMs?: number): Promise<TextRows>;
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>;
  /** Runs with a connection of its own, for session locks and `statement_timeout`: both end with it, also for whoever has gone away. */
  session<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** By kind of connection, for the metrics. */
  use(): Readonly<Record<"requests" | "background" | "prepared" | "lists", PoolUse>>;
  /** Columns may have other types now: what transactions have prepared is prepared anew. */
  designChanged(): void;
  /** Has everything canceled that is at work, and begins nothing more for requests: the service is about to end. */
  abandon(): void;
  close(): Promise<void>;
}

const asText = (value: string | Buffer): string | Buffer => value;

/** How long one statement of a request may take, and one of the service's own work: jobs, exports, sweeping. */
const STATEMENT_MS = 30_000;
const BACKGROUND_STATEMENT_MS = 15 * 60_000;

/** What every connection is opened with. */
export function clientConfig(
  connection: pg.ClientConfig,
  statementMs: number = BACKGROUND_STATEMENT_MS,
): pg.ClientConfig {
  return {
    ...connection,
    application_name: "dossier",
    types: { getTypeParser: () => asText },
    // Dates and times have one spelling on the wire, whatever the server's settings. No save puts the texts of others
    // in place (upkeep/tidy-indexes.ts).
    options:
      "-c TimeZone=UTC -c DateStyle=ISO,MDY -c IntervalStyle=postgres -c client_min_messages=warning" +
      ` -c gin_pending_list_limit=32MB -c statement_timeout=${statementMs}`,
  };
}

/** Texts of the hot path say how to go about it, whatever the values. Citus alone looks at those first: they say where the rows are. */
const planOnce = `select set_config('plan_cache_mode', 'force_generic_plan', false)
  where not exists (select from pg_extension where extname = 'citus')`;

/** A prepared statement costs 50 to 140 kB per connection: past this many texts, the one that was used longest ago goes. */
const MAX_PREPARED = { reading: 300, writing: 200 };

/** Which texts are worth it shows when they come again. */
const MAX_SEEN_ONCE = 2_000;

/** Names for statement texts that come more than once. A name may stand for another text later: connections compare. */
function statementNames(most: number): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const seenOnce = new Set<string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) {
      names.delete(text);
      names.set(text, known);
      return known;
    }
    if (!seenOnce.delete(text)) {
      if (seenOnce.size >= MAX_SEEN_ONCE) seenOnce.clear();
      seenOnce.add(text);
      return undefined;
    }
    const [oldest] = names.size < most ? [] : names;
    if (oldest) names.delete(oldest[0]);
    const given = oldest?.[1] ?? `s${names.size}`;
    names.set(text, given);
    return given;
  };
}

export interface DatabaseOptions {
  /** How many transactions of requests run at once; the others wait by turns of their organizations. */
  readonly connections?: number;
  /** Connections of the hot path: about two per core is the sweet spot. */
  readonly preparedConnections?: number;
  /** Of one statement of a request. */
  readonly statementMs?: number;
  readonly log?: (message: string) => void;
  readonly ended?: StatementEnded;
}

/** What there is of each kind of connection, and how much of it one organization gets: two that take all they can leave one. */
const SHARES = {
  transactions: { slots: 12, perName: 6 },
  statements: { slots: 6, perName: 3 },
  cold: { slots: 6, perName: 3 },
} as const;
/**
 * A save looks at few rows. Where PostgreSQL expects more of them, as of an expression in a partial index, it would fetch helpers for
 * each statement: 10 to 30 ms to find one row.
 */
const ALONE = "-c max_parallel_workers_per_gather=0";
/** For transactions within transactions, which do not wait for a place. */
const SPARE = 4;
const BACKGROUND = 5;
/** For what transactions have done apart. */
const ASIDE = 2;
const MOST_WAITING = 200;

const gate = (limits: { readonly slots: number; readonly perName: number }): FairGate =>
  createFairGate({ ...limits, mostWaiting: MOST_WAITING, refuse: busy });

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0);

const bothOf = (one: PoolUse, other: PoolUse): PoolUse => ({
  open: one.open + other.open,
  busy: one.busy + other.busy,
  waiting: one.waiting + other.waiting,
});

/** Without a scope it is the service's own work, which has connections of its own. */
const inTurn = <T>(by: FairGate, scope: Scope | undefined, work: () => Promise<T>): Promise<T> => {
  if (scope === undefined) return work();
  if (isLate(scope)) return Promise.reject(tookTooLong());
  const { share, signal, deadline, transactions } = scope;
  return by.run(share, work, { signal, deadline: transactions > 0 ? undefined : deadline });
};

export function openDatabase(connection: pg.ClientConfig, options: DatabaseOptions = {}): Database {
  const { log, statementMs = STATEMENT_MS } = options;
  const poolOf = (max: number, config: pg.ClientConfig): pg.Pool => {
    const pool = new pg.Pool({
      ...config,
      max,
      idleTimeoutMillis: 60_000,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    // An idle connection that breaks is dropped by the pool; the next query opens another.
    pool.on("error", (error) => log?.(`a database connection was lost: ${error.message}`));
    // Between the pool and whoever asked for it nobody else listens; what comes then must not end the process.
    pool.on("connect", (client) => client.on("error", () => undefined));
    return pool;
  };
  const settings = clientConfig(connection, statementMs);
  const slots = options.connections ?? SHARES.transactions.slots;
  const transactions = gate({ slots, perName: Math.max(1, Math.min(slots - 2, SHARES.transactions.perName)) });
  const statements = gate(SHARES.statements);
  const colds = gate(SHARES.cold);
  const transacting = poolOf(slots + SPARE, { ...settings, options: `${settings.options} ${ALONE}` });
  const single = poolOf(SHARES.statements.slots, settings);
  const background = poolOf(BACKGROUND, clientConfig(connection));
  const control = poolOf(1, clientConfig(connection));

  /** What requests and the service's own work are at. */
  const atWork = new Set<number>();
  let abandoned = false;
  const isRefused = (scope: Scope | undefined): boolean => abandoned && scope !== undefined && scope.transactions === 0;
  const assertOpen = (scope: Scope | undefined): void => {
    if (isRefused(scope)) throw stopping();
  };

  const cancels = new Set<Promise<unknown>>();
  const cancelBackend = async (processId: number): Promise<void> => {
    const sent = control.query("select pg_cancel_backend($1::integer)", [processId]);
    cancels.add(sent);
    await sent.finally(() => cancels.delete(sent));
  };
  const hot = rawPool(settings, options.preparedConnections ?? 5, cancelBackend, options.ended, planOnce);
  const cold = rawPool(settings, SHARES.cold.slots, cancelBackend, options.ended);
  /** Behind lists that wait for a table, a save would wait for itself: it may be what the table waits for. */
  const aside = rawPool(settings, ASIDE, cancelBackend, options.ended, planOnce);
  const nameOf = statementNames(MAX_PREPARED.reading);
  const nameInTransaction = statementNames(MAX_PREPARED.writing);

  let designVersion = 0;

  const sendPrepared = (pool: RawPool, statement: Sql | Statement): Promise<TextRows> => {
    const compiled = "text" in statement ? statement : compile(statement);
    const scope = currentScope();
    if (isRefused(scope)) return Promise.reject(stopping());
    return againAfterMove(() => pool.send({ statement: compiled, name: nameOf(compiled.text), scope }));
  };
  const preparedBytes: Database["preparedBytes"] = (statement) => sendPrepared(hot, statement);
  const prepared: Queryable["prepared"] = async (statement) => (await preparedBytes(statement)).toArrays();
  const apart: Queryable["apart"] = async (statement) => (await sendPrepared(aside, statement)).toArrays();

  const statementsOf = (client: pg.PoolClient): StatementConnection =>
    statementsOn(client, {
      cancelBackend,
      designVersion: () => designVersion,
      assertOpen: () => assertOpen(currentScope()),
    });

  const onOne = (client: pg.PoolClient): Session =>
    openSession(statementsOf(client), nameInTransaction, { apart, isDistributed }, options.ended);

  const withClient = async <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    let client: pg.PoolClient;
    try {
      client = await pool.connect();
    } catch (error) {
      throw translateError(error);
    }
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    client.on("error", onError);
    const { processID } = client as unknown as { readonly processID: number };
    atWork.add(processID);
    try {
      return await work(client);
    } catch (error) {
      // What it has prepared is of no use any more.
      if (changedShape(error)) broken ??= error;
      throw error;
    } finally {
      atWork.delete(processID);
      client.off("error", onError);
      // Whatever somebody left open on it is not for the next one.
      client.release(broken ?? !statementsOf(client).isFree());
    }
  };

  const transact = <T>(pool: pg.Pool, work: (transaction: Queryable) => Promise<T>): Promise<T> =>
    againAfterMove(
      () => transactOnce(pool, work),
      // Before the commit; a worker that is lost in it leaves the outcome unknown.
      (error) => isMoved(error) || hasLostWorker(error),
    );

  const transactOnce = <T>(pool: pg.Pool, work: (transaction: Queryable) => Promise<T>): Promise<T> =>
    withClient(pool, async (client) => {
      const session = onOne(client);
      session.begin();
      try {
        const result = await work(session);
        await session.commit();
        return result;
      } catch (error) {
        // The connection may be the very thing that failed; the first error is the one that tells.
        await session.rollback();
        throw error;
      }
    });

  const transaction: Database["transaction"] = async (work) => {
    const scope = currentScope();
    assertOpen(scope);
    if (scope === undefined) return transact(background, work);
    // Whoever waits within a transaction for a place that another one of its own holds would wait for ever.
    if (scope.transactions > 0) return transact(transacting, work);
    return inTurn(transactions, scope, async () => {
      scope.transactions += 1;
      try {
        const result = await transact(transacting, work);
        scope.saved = true;
        // What was saved is to be told, however long it took.
        scope.deadline = Math.max(scope.deadline, performance.now() + statementMs);
        return result;
      } finally {
        scope.transactions -= 1;
      }
    });
  };

  const once = async <T>(work: (one: Queryable) => Promise<T>): Promise<T> => {
    const scope = currentScope();
    assertOpen(scope);
    return inTurn(statements, scope, () =>
      againAfterMove(() => withClient(scope ? single : background, (client) => work(onOne(client)))),
    );
  };

  let distributed: Promise<boolean> | undefined;
  const isDistributed = (): Promise<boolean> => {
    distributed ??= withClient(background, (client) => readDistributed(onOne(client))).catch((error: unknown) => {
      distributed = undefined;
      throw error;
    });
    return distributed;
  };

  const readTogether: Queryable["readTogether"] = async (statements) =>
    (await isDistributed())
      ? (await Promise.all(statements.map((one) => prepared(one)))).flat()
      : prepared(asUnion(statements));

  const useOf = (pools: readonly pg.Pool[], gates: readonly FairGate[]): PoolUse => ({
    open: sum(pools, (pool) => pool.totalCount),
    busy: sum(pools, (pool) => pool.totalCount - pool.idleCount),
    waiting: sum(pools, (pool) => pool.waitingCount) + sum(gates, (one) => one.waiting()),
  });

  return {
    connection,
    cancelBackend,
    use: () => {
      const { waiting, ...lists } = cold.use();
      return {
        requests: useOf([transacting, single], [transactions, statements]),
        background: useOf([background], []),
        prepared: bothOf(hot.use(), aside.use()),
        lists: { ...lists, waiting: waiting + colds.waiting() },
      };
    },
    rows: (statement) => once((one) => one.rows(statement)),
    row: (statement) => once((one) => one.row(statement)),
    run: (statement) => once((one) => one.run(statement)),
    script: (text) => once((one) => one.script(text)),
    write: async (statement) => {
      await prepared(statement);
    },
    writeTogether: async (statements) => {
      if (await isDistributed()) await transaction((own) => own.writeTogether(statements));
      else await prepared(asOne(statements));
    },
    settled: async () => undefined,
    explain: () => undefined,
    behindCommit: prepared,
    apart,
    isDistributed,
    onRollback: () => undefined,
    transaction,
    session: (work) =>
      withClient(background, async (client) => {
        const session = onOne(client);
        try {
          const result = await work(session);
          await session.settled();
          return result;
        } finally {
          await statementsOf(client).letGo();
        }
      }),
    prepared,
    readTogether,
    preparedBytes,
    bytes: async (statement, atMostMs) => {
      const scope = currentScope();
      assertOpen(scope);
      return inTurn(colds, scope, () =>
        againAfterMove(() => cold.send({ statement: compile(statement), atMostMs, scope })),
      );
    },
    designChanged: () => {
      designVersion += 1;
    },
    abandon: () => {
      abandoned = true;
      for (const one of [transactions, statements, colds]) one.refuseAll();
      for (const one of [hot, cold, aside]) one.abandon(stopping());
      for (const processId of atWork) cancelBackend(processId).catch(() => undefined);
    },
    close: async () => {
      await Promise.all([transacting.end(), single.end(), background.end(), hot.close(), cold.close(), aside.close()]);
      await Promise.allSettled(cancels);
      await control.end();
    },
  };
}
