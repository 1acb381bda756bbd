// Saves records twice, in one pass and one by one, from the same state, and says what came of it by what it means: ids and
// numbers of a run aside. What is compared is for the tests.
import type { Caller } from "../../../server/access/caller.ts";
import { readPerson } from "../../../server/access/read-caller.ts";
import { recordHooks } from "../../../server/controllers/hooks.ts";
import type { Database, Queryable } from "../../../server/database/database.ts";
import { sql } from "../../../server/database/sql.ts";
import type { Snapshot } from "../../../server/metadata/snapshot.ts";
import type { Work } from "../../../server/records/hooks.ts";
import { saveRecords } from "../../../server/records/save/save-records.ts";

export interface Seen {
  readonly outcome: readonly unknown[];
  readonly state: unknown;
}

type State = readonly Readonly<Record<string, unknown>>[];

export type Scenario = (
  work: Work,
  run: typeof saveRecords,
) => Promise<{ ids: readonly string[]; outcome: readonly unknown[] }>;

export interface Place {
  readonly db: Database;
  readonly snapshot: Snapshot;
  /** Everything that a save can have touched of these records. */
  stateOf(db: Queryable, ids: readonly string[]): Promise<State>;
  note?(outcome: readonly unknown[], state: State): void;
}

class Enough extends Error {}

/** Runs a scenario and takes everything back: the next one starts from the same state. */
export async function observe(
  { db, snapshot, stateOf, note }: Place,
  caller: Caller,
  run: typeof saveRecords,
  scenario: Scenario,
): Promise<Seen> {
  let seen: Seen | undefined;
  const observed = db.transaction(async (transaction) => {
    // What the service itself does meanwhile is not part of it.
    await transaction.script("set transaction isolation level repeatable read");
    const work: Work = { transaction, snapshot, caller, hooks: recordHooks, accessChanges: new Set() };
    const before = await counts(transaction);
    const { ids, outcome } = await scenario(work, run);
    const rows = await stateOf(transaction, ids);
    note?.(outcome, rows);
    seen = { outcome, state: [rows, difference(before, await counts(transaction))] };
    throw new Enough();
  });
  await observed.catch((error: unknown) => {
    if (!(error instanceof Enough)) throw error;
  });
  if (!seen) throw new Error("nothing was seen");
  return seen;
}

type Counts = ReadonlyMap<string, number>;

/** Live rows of every type by what their access sets mean. */
async function counts(db: Queryable): Promise<Counts> {
  const rows = await db.rows(sql`
    select c.record_type || ' ' || coalesce(s.recipe, c.acl_id::text) as key, sum(c.live)::text as live from (
      select record_type, acl_id, live from core__counters where organization_id = 1
      union all select record_type, acl_id, delta from core__changes where organization_id = 1) c
    left join core__acl_sets s on s.organization_id = 1 and s.id = c.acl_id
    group by 1 having sum(c.live) <> 0`);
  return new Map(rows.map((row) => [row.key ?? "", Number(row.live)]));
}

const difference = (before: Counts, after: Counts): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => `${key}: ${(after.get(key) ?? 0) - (before.get(key) ?? 0)}`)
    .filter((line) => !line.endsWith(": 0"))
    .sort();

export const oneByOne: typeof saveRecords = async (work, saving, rows) => {
  const saved = [];
  for (const row of rows) saved.push(...(await saveRecords(work, saving, [row])));
  return saved;
};

/** What the sender is told, without what is different for every record by its nature. */
export const told = (saved: Awaited<ReturnType<typeof saveRecords>>): readonly unknown[] =>
  saved.map((one) => {
    if (!one) return undefined;
    if ("value" in one) return "saved";
    const { code, message, detail } = one.failure;
    return { code, message: message.replace(/\d+/gu, "#"), errors: detail.errors, byField: detail.byField };
  });

export const idsOf = (saved: Awaited<ReturnType<typeof saveRecords>>): string[] =>
  saved.flatMap((one) => (one && "value" in one ? [one.value] : []));

export async function personOf(db: Queryable, userId: string): Promise<Caller> {
  const person = await readPerson(db, "1", userId);
  if (!person) throw new Error(userId);
  return { ...person, credential: { kind: "job", jobId: "1" } };
}

/** Whether the database is distributed is asked once in the life of a process. */
const sendsNothing = new Set<string | symbol>(["onRollback", "settled", "isDistributed"]);

/** The same transaction, with every statement told of. */
export const counted = (transaction: Queryable, tell: () => void): Queryable =>
  new Proxy(transaction, {
    get(target, name, receiver) {
      const method = Reflect.get(target, name, receiver);
      if (typeof method !== "function" || sendsNothing.has(name)) return method;
      return (...sent: unknown[]) => {
        tell();
        return Reflect.apply(method, target, sent);
      };
    },
  });
