// Standbys that share the reading. Takes a read and the tables that it reads; runs it on a standby that has every change the
// primary had when it was asked for, and on the primary where there is none such. Never gives what is older than the request.
import type pg from "pg";
import { Failure } from "../../../contract/failures.ts";
import { pauseAfter } from "../../lib/backoff.ts";
import { within } from "../../lib/within.ts";
import { type Database, openDatabase } from "../database.ts";
import type { StatementEnded } from "../slow-statements.ts";
import { type Sql, sql } from "../sql.ts";
import { SHARED, type VersionedTable } from "../versions.ts";

export interface Replicas {
  /** What `run` throws on a standby that is at fault is not told: the primary answers. */
  read<T>(tables: readonly VersionedTable[], run: (db: Database) => Promise<T>): Promise<T>;
  /** Those that are asked at present. */
  usable(): readonly Database[];
  /** How often each way was taken since the start. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  abandon(): void;
  close(): Promise<void>;
}

export type Outcome = "standby" | "behind" | "unusable";

export interface ReplicaOptions {
  readonly statementMs: number;
  readonly log: (message: string) => void;
  readonly ended?: StatementEnded;
}

interface Standby {
  /** Without user and password. */
  readonly name: string;
  readonly db: Database;
  /** Why it is not asked; undefined: it is. */
  fault: string | undefined;
  /** Of performance.now(): since when it is asked, and until when it is left alone. */
  usedSince: number;
  leftUntil: number;
  pauseMs: number;
}

/** A standby that takes longer to say what it has is left alone until it is quick again. */
const ANSWER_MS = 300;
const LOOK_MS = 2_000;
const LOOK_AGAIN_MS = 1_000;
/** One that is slow every now and then is not taken back every second: each time costs readers the wait, and a line in the log. */
const FLAPPING = { firstMs: LOOK_AGAIN_MS, mostMs: 60_000, steadyMs: 120_000 } as const;
const NOT_LOOKED_AT = "not looked at yet";

/** The primary alone. */
export const noReplicas = (primary: Database): Replicas => ({
  read: (_tables, run) => run(primary),
  usable: () => [],
  outcomes: { standby: 0, behind: 0, unusable: 0 },
  abandon: () => undefined,
  close: async () => undefined,
});

export function openReplicas(
  primary: Database,
  connections: readonly pg.ClientConfig[],
  { statementMs, log, ended }: ReplicaOptions,
): Replicas {
  if (connections.length === 0) return noReplicas(primary);
  const outcomes = { standby: 0, behind: 0, unusable: 0 };
  const standbys = connections.map((connection, index): Standby => {
    const name = nameOf(connection, index);
    return {
      name,
      db: openDatabase(connection, { statementMs, ...(ended && { ended }) }),
      fault: NOT_LOOKED_AT,
      usedSince: 0,
      leftUntil: 0,
      pauseMs: 0,
    };
  });

  const leave = (standby: Standby, fault: string): void => {
    if (standby.fault !== fault) log(`the read replica ${standby.name} is not used for now: ${fault}`);
    if (standby.fault === undefined) {
      const now = performance.now();
      standby.pauseMs = pauseAfter(FLAPPING, standby.pauseMs, now - standby.usedSince);
      standby.leftUntil = now + standby.pauseMs;
    }
    standby.fault = fault;
  };

  const lookAgain = async (standby: Standby): Promise<void> => {
    try {
      const [own, its] = await Promise.all([identityOf(primary), within(LOOK_MS, identityOf(standby.db))]);
      if (!its.isStandby) leave(standby, "it is not a standby");
      else if (its.cluster !== own.cluster) leave(standby, "it is not a copy of this database");
      else {
        log(`the read replica ${standby.name} is in use`);
        standby.fault = undefined;
        standby.usedSince = performance.now();
      }
    } catch (error) {
      leave(standby, wordsOf(error));
    }
  };
  let looking: Promise<unknown> | undefined;
  const look = (): void => {
    const now = performance.now();
    const left = standbys.filter(({ fault, leftUntil }) => fault !== undefined && now >= leftUntil);
    looking ??= Promise.all(left.map(lookAgain)).finally(() => {
      looking = undefined;
    });
  };
  look();
  const timer = setInterval(look, LOOK_AGAIN_MS).unref();

  let turn = 0;
  const next = (): Standby | undefined => {
    const usable = standbys.filter(({ fault }) => fault === undefined);
    turn += 1;
    return usable[turn % usable.length];
  };

  return {
    outcomes,
    usable: () => standbys.filter(({ fault }) => fault === undefined).map(({ db }) => db),
    async read(tables, run) {
      const standby = next();
      if (!standby) {
        outcomes.unusable += 1;
        return run(primary);
      }
      const [wanted, seen] = await Promise.all([
        stateOf(primary, tables),
        within(ANSWER_MS, stateOf(standby.db, tables)).catch((error: unknown) => {
          if (isItsFault(error)) leave(standby, wordsOf(error));
        }),
      ]);
      if (seen?.isStandby === false) leave(standby, "it is not a standby");
      if (!seen?.isStandby || seen.changes !== wanted.changes) {
        outcomes[seen?.isStandby ? "behind" : "unusable"] += 1;
        return run(primary);
      }
      try {
        const result = await run(standby.db);
        outcomes.standby += 1;
        return result;
      } catch (error) {
        if (!isItsFault(error)) throw error;
        // A standby also ends statements that are in the way of what it has to copy: that is no reason to leave it.
        if (error instanceof Failure) leave(standby, wordsOf(error));
        outcomes.unusable += 1;
        return run(primary);
      }
    },
    abandon: () => {
      for (const { db } of standbys) db.abandon();
    },
    close: async () => {
      clearInterval(timer);
      await looking;
      await Promise.all(standbys.map(({ db }) => db.close()));
    },
  };
}

interface TableState {
  readonly isStandby: boolean;
  /** Equal text: the very same changes are there. */
  readonly changes: string;
}

/**
 * Not how many changes there are but which: of two that commit at the same moment, a standby may have the one that the primary
 * does not show yet. Entries are folded by a change that comes after them, so whoever has that one has them.
 */
function changesOf(tables: readonly VersionedTable[]): Sql {
  const own = tables.find(({ organizationId }) => organizationId !== SHARED)?.organizationId ?? SHARED;
  const types = (isShared: boolean) =>
    tables.map(({ organizationId, recordType }) => ((organizationId === SHARED) === isShared ? recordType : null));
  return sql`
    select pg_is_in_recovery()::integer, string_agg(concat(v.changes, s.changes, ':', c.entries, '.', c.ids), ' ' order by t.ord)
    from unnest(${types(false)}::text[], ${types(true)}::text[]) with ordinality as t(own, shared, ord)
      left join core__shared_versions s on s.record_type = t.shared
      left join core__versions v on v.organization_id = ${own}::bigint and v.record_type = t.own
      left join (
        select record_type, count(*) as entries, sum(hashint8extended(id, 0)) as ids from core__changes
        where organization_id = ${own}::bigint group by record_type) c on c.record_type = t.own`;
}

async function stateOf(db: Database, tables: readonly VersionedTable[]): Promise<TableState> {
  const [row] = await db.prepared(changesOf(tables));
  return { isStandby: row?.[0] === "1", changes: row?.[1] ?? "" };
}

async function identityOf(db: Database): Promise<{ readonly isStandby: boolean; readonly cluster: string }> {
  const row = await db.row(sql`
    select pg_is_in_recovery()::integer as standby,
      concat((select system_identifier from pg_control_system()), ' ', current_database()) as cluster`);
  return { isStandby: row?.standby === "1", cluster: row?.cluster ?? "" };
}

function nameOf({ connectionString, host, port }: pg.ClientConfig, index: number): string {
  if (connectionString !== undefined && URL.canParse(connectionString)) {
    const url = new URL(connectionString);
    if (url.host !== "") return url.host;
  }
  return host === undefined ? String(index + 1) : `${host}:${port ?? 5432}`;
}

/** Not of the request, which would fare no better with the primary. */
const isItsFault = (error: unknown): boolean => !(error instanceof Failure) || error.code === "database_unavailable";

const wordsOf = (error: unknown): string => {
  const cause = error instanceof Failure ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
};
