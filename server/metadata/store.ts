// Takes a database and the built-in definitions; keeps this process's snapshot true, and saves record types made at
// run time. A change is told to every process in the transaction that makes it.
import { setTimeout } from "node:timers/promises";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { readDistributed } from "../database/citus/distributed.ts";
import type { Database, Queryable } from "../database/database.ts";
import { isGivenUp, isLockTimeout } from "../database/errors.ts";
import { PREVIEW_LOCK } from "../database/locks.ts";
import { type SchemaPatience, withSchemaLock } from "../database/migrate.ts";
import { apartFromClient, busy, currentScope, noteSaved, untimed } from "../database/scope.ts";
import type { Session } from "../database/session.ts";
import { sql } from "../database/sql.ts";
import { createFairGate } from "../lib/turns/fair-gate.ts";
import { requireOwnValues } from "./changes/change-table.ts";
import type { TimeLimit } from "./changes/convert-fields.ts";
import type { DesignRequest, DesignResult } from "./changes/design-request.ts";
import { briefly, isInUse, tablesInUse } from "./changes/take-tables.ts";
import { designOf, extended } from "./designs.ts";
import { onceBuilt } from "./indexes.ts";
import { type ChangePreview, noChanges, previewChanges } from "./preview-changes.ts";
import type { RecordType, RecordTypeDefinition } from "./record-type.ts";
import {
  changed,
  readRunTime,
  removeDesigns,
  requireSense,
  requireUntouched,
  saveDesigns,
  type WithDesign,
  withSaved,
} from "./save-designs.ts";
import { buildSnapshot, requireType, type Snapshot } from "./snapshot.ts";
import { type OnTable, syncTables } from "./table-sync.ts";

/** What belongs to one change of the design, in its transaction. */
export interface Designing {
  readonly transaction: Queryable;
  /** Of a rehearsal: for as long as it looks through values. */
  readonly limit: TimeLimit | undefined;
  save(requests: readonly DesignRequest[], along?: WithDesign): Promise<readonly DesignResult[]>;
  remove(keys: readonly string[], along?: WithDesign): Promise<void>;
  /** All types as they are now, within this change. */
  snapshot(): Promise<Snapshot>;
}

export interface MetadataStore {
  current(): Snapshot;
  /** Reads the run-time types anew; called when another process changed them. */
  reload(): Promise<void>;
  save(request: DesignRequest, along?: WithDesign): Promise<DesignResult>;
  /** What saving would refuse of a definition, and what it would do to records. Changes nothing. */
  check(
    request: DesignRequest,
    guard?: (db: Queryable, before: RecordType, after: RecordType) => Promise<void>,
  ): Promise<ChangePreview & { readonly key: string }>;
  /** What saving several designs together would do to records. Changes nothing. */
  preview(
    requests: readonly DesignRequest[],
    from: Queryable,
    limit?: TimeLimit,
  ): Promise<readonly (ChangePreview & { readonly key: string })[]>;
  /** All record types as they would be with a design; changes nothing. */
  designed(definition: unknown): Promise<{ readonly snapshot: Snapshot; readonly type: RecordType }>;
  /** Says which indexes of a type are in use, in the transaction that everybody learns it from. */
  changeIndexes<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>;
  /** Several changes in one transaction: all of them, or none. Begun anew once an index of theirs is built. */
  design<T>(work: (designing: Designing) => Promise<T>): Promise<T>;
  /** The same, and nothing of it stays: what a change would be refused for is refused. */
  rehearse<T>(work: (designing: Designing) => Promise<T>): Promise<T>;
  /** Takes a run-time type out of service. Its table and values stay, and come back with the same key. */
  remove(key: string, along?: WithDesign): Promise<void>;
}

/** The snapshot as it is stored, without bringing any table up to it. Changes nothing. */
export async function readSnapshot(db: Queryable, builtIn: readonly RecordTypeDefinition[]): Promise<Snapshot> {
  const { version, designs, indexes, filling, former } = await readRunTime(db, builtIn);
  return buildSnapshot(extended(builtIn, designs), designs.types, version, indexes, filling, former);
}

/** Others wait for the tables of a rehearsal: no statement of it takes longer. */
const REHEARSED_SECONDS = 60;
const REHEARSED = `set local statement_timeout = '${REHEARSED_SECONDS}s'`;
/** Citus makes no new table in a transaction that has read its coordinator without a connection, or parts of a table side by side. */
const EACH_ITS_WAY =
  "set local citus.enable_local_execution = off; set local citus.multi_shard_modify_mode = 'sequential'";
/** For so long a change is tried again, and a rehearsal so often. */
const MOST_TRYING_MS = 30_000;
const MOST_REHEARSALS = 3;
/** Previews of one organization, while another one is made; and changes. */
const MOST_WAITING = 20;
const PAUSE_MS = 200;
/** For so long each try of a preview waits for those of other processes, unless said; all its tries together, so many times as long. */
const TURN_MS = 15_000;
const MOST_TURNS = 2;
/** For so long the values of a conversion are looked through that is not made yet, unless said. */
const LOOK_MS = 20_000;

/** Previews of all processes take turns: two would find each other's tables in use. */
function inTurn(turnMs: number): SchemaPatience {
  // Of the waiting of all tries: how long each took to be made does not count.
  let left = MOST_TURNS * turnMs;
  const first = async (session: Session): Promise<void> => {
    await session.script(`set lock_timeout = ${Math.max(1, Math.ceil(Math.min(turnMs, left)))}`);
    const from = performance.now();
    try {
      await session.run(sql`select pg_advisory_lock(${PREVIEW_LOCK})`);
    } catch (error) {
      throw isLockTimeout(error)
        ? new Failure("conflict", { with: { reason: say("design_previews_busy") }, cause: error })
        : error;
    }
    left -= performance.now() - from;
  };
  return { patience: "1s", first };
}

/** What is only `tried` is taken back, and waits for no other change of the design: that may take as long as its tables make it take. */
async function inSchemaTransaction<T>(
  db: Database,
  work: (transaction: Queryable) => Promise<T>,
  begin = "begin",
  tried?: SchemaPatience,
): Promise<T> {
  const end = tried ? "rollback" : "commit";
  const inTransaction = async (session: Session): Promise<T> => {
    await session.script((await readDistributed(session)) ? `${begin}; ${EACH_ITS_WAY}` : begin);
    try {
      const result = await work(session);
      // A commit of what failed meanwhile would only undo it, and say nothing.
      await session.settled();
      await session[end]();
      return result;
    } catch (error) {
      await session.rollback();
      throw error;
    }
  };
  return withSchemaLock(db, inTransaction, tried);
}

/** Given up after some tries: nobody is kept waiting for as long as it takes. */
async function designTransaction<T>(
  db: Database,
  work: (transaction: Queryable) => Promise<T>,
  tried?: SchemaPatience,
): Promise<T> {
  const until = performance.now() + MOST_TRYING_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      const begin = `begin; ${briefly(tries)}`;
      return await inSchemaTransaction(db, work, tried ? `${begin}; ${REHEARSED}` : begin, tried);
    } catch (error) {
      if (!isInUse(error)) throw tried ? asPreviewed(error) : error;
      if (tried ? tries === MOST_REHEARSALS : performance.now() > until) throw tablesInUse(error);
      await setTimeout(PAUSE_MS);
    }
  }
}

/** Why it can't be previewed, in words for whoever wanted to. */
function asPreviewed(error: unknown): unknown {
  if (!isGivenUp(error)) return error;
  const reason = say("design_preview_too_long", { seconds: REHEARSED_SECONDS });
  return new Failure("conflict", { with: { reason }, cause: error });
}

export async function openMetadata(
  db: Database,
  builtIn: readonly RecordTypeDefinition[],
  onTable?: OnTable,
  { turnMs = TURN_MS, lookMs = LOOK_MS }: { readonly turnMs?: number; readonly lookMs?: number } = {},
): Promise<MetadataStore> {
  const fromNow = (): TimeLimit => ({ until: performance.now() + lookMs, seconds: Math.round(lookMs / 1000) });
  const build = (from: Queryable): Promise<Snapshot> => readSnapshot(from, builtIn);
  let snapshot = await inSchemaTransaction(db, async (transaction) => {
    const touched = await syncTables(transaction, await build(transaction), onTable);
    // Whoever is running already learns which texts are made anew.
    if (touched.length > 0) await changed(transaction);
    return build(transaction);
  });
  const reload = async () => {
    const fresh = await build(db);
    // Of two that read at the same time, the one that read less may come back last.
    if (BigInt(fresh.version) < BigInt(snapshot.version)) return;
    if (fresh.version !== snapshot.version) db.designChanged();
    snapshot = fresh;
  };
  const changing = <T>(work: (designing: Designing) => Promise<T>, rehearses: boolean): Promise<T> =>
    onceBuilt(db, () =>
      designTransaction(
        db,
        (transaction) => {
          const limit = rehearses ? fromNow() : undefined;
          const tried = (request: DesignRequest): DesignRequest => ({ ...request, rehearses, limit });
          return work({
            transaction,
            limit,
            save: (requests, along) => saveDesigns(transaction, builtIn, requests.map(tried), along),
            remove: (keys, along) => removeDesigns(transaction, builtIn, keys, along),
            snapshot: () => build(transaction),
          });
        },
        rehearses ? inTurn(turnMs) : undefined,
      ),
    );
  // Each waits for the schema lock with a connection of its own: those are few, and others need them. So of each kind there is one.
  const rehearsals = createFairGate({ slots: 1, perName: 1, mostWaiting: MOST_WAITING, refuse: busy });
  const designs = createFairGate({ slots: 1, perName: 1, mostWaiting: MOST_WAITING, refuse: busy });
  const design = async <T>(work: (designing: Designing) => Promise<T>): Promise<T> => {
    const { share = "", signal, deadline } = currentScope() ?? {};
    // Whoever saves it is told what became of it, however long that took. Waiting for its turn takes the request's own time.
    const change = () => untimed(() => changing(work, false));
    const result = await designs.run(share, change, { signal, deadline });
    noteSaved();
    await reload();
    return result;
  };
  return {
    current: () => snapshot,
    reload,
    design,
    rehearse: (work) => {
      const { share = "", signal, deadline } = currentScope() ?? {};
      // Once it is begun it is taken back, whoever goes away.
      return rehearsals.run(share, () => apartFromClient(() => changing(work, true)), { signal, deadline });
    },
    save: async (request, along) => {
      // What is wrong with it by itself is told before anybody waits for a lock.
      designOf(builtIn, request.definition);
      const [saved] = await design(({ save }) => save([request], along));
      if (!saved) throw new Error("a design is saved or refused");
      return saved;
    },
    check: async (request, guard) => {
      const sent = designOf(builtIn, request.definition);
      const { key } = sent;
      await requireUntouched(db, sent, request);
      const stored = await readRunTime(db, builtIn);
      const after = withSaved(builtIn, stored, [sent]);
      const present = withSaved(builtIn, { ...stored, indexes: new Map() }, []);
      requireSense(present, after, stored.designs, sent, request);
      const [before, type] = [present.types.get(key), requireType(after, key)];
      requireOwnValues(before, type);
      if (before) await guard?.(db, before, type);
      if (!before) return { key, ...noChanges };
      return { key, ...(await previewChanges(db, before, type, request.readable, fromNow())) };
    },
    preview: async (requests, from, limit) => {
      const designs = requests.map(({ definition }) => designOf(builtIn, definition));
      const stored = await readRunTime(from, builtIn);
      const after = withSaved(builtIn, stored, designs);
      const present = withSaved(builtIn, stored, []);
      for (const [index, request] of requests.entries()) {
        const sent = designs[index];
        if (sent) requireSense(present, after, stored.designs, sent, request);
      }
      const changes: (ChangePreview & { readonly key: string })[] = [];
      for (const { key } of designs) {
        const [before, type] = [present.types.get(key), requireType(after, key)];
        requireOwnValues(before, type);
        const found = before ? await previewChanges(from, before, type, undefined, limit) : noChanges;
        changes.push({ key, ...found });
      }
      return changes;
    },
    designed: async (definition) => {
      const sent = designOf(builtIn, definition);
      const after = withSaved(builtIn, await readRunTime(db, builtIn), [sent]);
      return { snapshot: after, type: requireType(after, sent.key) };
    },
    changeIndexes: async (work) => {
      const result = await inSchemaTransaction(db, async (transaction) => {
        const done = await work(transaction);
        await changed(transaction);
        return done;
      });
      await reload();
      return result;
    },
    remove: (key, along) => design(({ remove }) => remove([key], along)),
  };
}
