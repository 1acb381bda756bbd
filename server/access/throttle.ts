// Slows down guessing. Attempts per user name and per address are counted in PostgreSQL, shared by all processes, and before
// anything is evaluated, so simultaneous attempts all count. A success removes its attempt. The wait grows with each failure
// up to a limit; nobody is ever locked out, least of all by other people's guesses.
import { createHash } from "node:crypto";
import { Failure } from "../../contract/failures.ts";
import type { Config } from "../config.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { networkOf } from "../lib/network.ts";
import { createTurns } from "../lib/turns/turns.ts";

export interface ThrottleKey {
  readonly kind: string;
  readonly subject: string;
  /** Attempts in a row; the last of them makes the next one wait. */
  readonly free: number;
  /** The first wait and the longest, in seconds. */
  readonly first: number;
  readonly longest: number;
  /** What a right attempt forgives: all that was counted, or itself alone. */
  readonly forgives: "all" | "one";
  /** Whom the wait does not hold up; asked only while there is one. */
  readonly spares?: () => Promise<boolean>;
}

export type Attempt = "login" | "otp" | "signup" | "reset" | "token";

/** By address alone, where there is no name. None at all where throttles are turned off. */
export function throttlesOf(
  config: Pick<Config, "rateLimit">,
  what: Attempt,
  names: readonly string[],
  address: string,
  spares?: () => Promise<boolean>,
): readonly ThrottleKey[] {
  if (config.rateLimit === 0) return [];
  const network = networkOf(address);
  const byName = names.flatMap((name) => throttlesOfName(what, name.toLowerCase(), network, spares));
  const waits = { free: 20, first: 2, longest: 900, forgives: "one" } as const;
  return [...byName, { ...waits, kind: `${what}-address`, subject: network }];
}

function throttlesOfName(
  what: Attempt,
  name: string,
  network: string,
  spares: (() => Promise<boolean>) | undefined,
): ThrottleKey[] {
  // Codes are short, and only who has the password can try them: a longer wait keeps nobody else out.
  if (what === "otp") return [{ kind: "otp-name", subject: name, free: 5, first: 30, longest: 300, forgives: "all" }];
  const waits = { free: 5, first: 2, longest: 30, forgives: "all" } as const;
  if (what !== "login") return [{ ...waits, kind: `${what}-name`, subject: name }];
  // Guesses hold up their own network. What many networks guess together is slowed down later, and not for the owner.
  return [
    { ...waits, kind: "login-name-network", subject: `${name}\0${network}` },
    { ...waits, kind: "login-name", subject: name, free: 100, ...(spares ? { spares } : {}) },
  ];
}

/** Whatever name somebody logs in by, their codes are counted once. */
export const accountKey = (owner: { readonly organizationId: string; readonly userId: string }): string =>
  `${owner.organizationId}/${owner.userId}`;

/** After so long without an attempt, nothing that was counted matters any more. */
const forgotten = sql`(now() at time zone 'utc') - interval '1 hour'`;
const SWEPT_AT_ONCE = 10_000;

/** Removes what no longer slows anybody down. Gives how many. */
export async function sweepThrottles(db: Queryable): Promise<number> {
  let swept = 0;
  for (let found = SWEPT_AT_ONCE; found === SWEPT_AT_ONCE; swept += found) {
    const { count } = await db.run(sql`
      delete from access_controls__throttles where key in (
        select key from access_controls__throttles
        where touched < ${forgotten} and until <= now() at time zone 'utc'
        order by touched limit ${SWEPT_AT_ONCE} for update skip locked)`);
    found = count;
  }
  return swept;
}

const digestOf = (key: ThrottleKey): string => createHash("sha256").update(`${key.kind}\0${key.subject}`).digest("hex");

/** Of one address so many are evaluated at a time: a whole office that logs in at nine is not taken for a scan. */
const inTurn = createTurns(4);

/**
 * Counts an attempt under each key, then evaluates it; throws 429 while one of them waits. What `evaluate` gives is right
 * unless `isRight` says otherwise; then, and when it throws, the attempt stays counted.
 */
export async function attempt<T>(
  db: Queryable,
  keys: readonly ThrottleKey[],
  evaluate: () => Promise<T>,
  isRight: (result: T) => boolean = () => true,
): Promise<T> {
  if (keys.length === 0) return evaluate();
  return inTurn(keys.at(-1)?.subject ?? "", async () => {
    await countAttempt(db, keys);
    const result = await evaluate();
    if (isRight(result)) await takeBack(db, keys);
    return result;
  });
}

/** Counts without taking back: for what costs something whether or not it is right. Throws 429 while a key waits. */
export async function countAttempt(db: Queryable, keys: readonly ThrottleKey[]): Promise<void> {
  for (const [index, key] of keys.entries()) {
    if ((await counts(db, key)) || (await key.spares?.())) continue;
    // What was refused for one key is not held against the others.
    await Promise.all(keys.slice(0, index).map((counted) => uncount(db, counted)));
    const row = await db.row(sql`
      select ceil(extract(epoch from until - (now() at time zone 'utc')))::text as seconds
      from access_controls__throttles where key = ${digestOf(key)}`);
    const seconds = Math.max(1, Number(row?.seconds ?? 1));
    throw new Failure("too_many_attempts", { with: { seconds }, headers: { "Retry-After": String(seconds) } });
  }
}

/** One statement decides and counts: of those who come at once, each sees what the one before it wrote. */
async function counts(db: Queryable, key: ThrottleKey): Promise<boolean> {
  const calm = sql`(t.touched < ${forgotten})`;
  const failures = sql`(case when ${calm} then 1 else least(t.failures + 1, 100000) end)`;
  const counted = await db.run(sql`
    insert into access_controls__throttles as t (key, failures, until, touched)
    values (${digestOf(key)}, 1, 'epoch', now() at time zone 'utc')
    on conflict (key) do update set
      failures = ${failures},
      touched = now() at time zone 'utc',
      until = case when ${failures} < ${key.free}::integer then 'epoch'::timestamp
        else (now() at time zone 'utc') + make_interval(secs => least(${key.longest}::double precision,
          ${key.first}::double precision * power(2, least(${failures} - ${key.free}::integer, 20)))) end
      where t.until <= now() at time zone 'utc'`);
  return counted.count === 1;
}

async function uncount(db: Queryable, key: ThrottleKey): Promise<void> {
  await db.run(sql`
    update access_controls__throttles set failures = greatest(failures - 1, 0),
      until = case when failures - 1 < ${key.free}::integer then 'epoch' else until end
    where key = ${digestOf(key)}`);
}

/** A success forgives the name all its failures, the address this one: a right guess must not reset a scan. */
async function takeBack(db: Queryable, keys: readonly ThrottleKey[]): Promise<void> {
  for (const key of keys) {
    if (key.forgives === "all") {
      await db.run(sql`delete from access_controls__throttles where key = ${digestOf(key)}`);
    } else await uncount(db, key);
  }
}
