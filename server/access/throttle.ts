// Slows down guessing: failures per user name and per address are counted in PostgreSQL, so every process counts the
// same. A wait grows with each failure and is capped; nobody is ever locked out for good.
import { createHash } from "node:crypto";
import { Failure } from "../../contract/failures.ts";
import type { Config } from "../config.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export interface ThrottleKey {
  readonly kind: string;
  readonly subject: string;
  /** Failures that cost nothing. */
  readonly free: number;
  /** The longest wait, in seconds: short for names (or an attacker could keep their owner out), longer for addresses. */
  readonly longest: number;
}

/**
 * Logins and links count failures; signups and requests for a link count every one, because each costs something.
 * None at all where throttles are turned off.
 */
export function throttlesOf(
  config: Pick<Config, "rateLimit">,
  what: "login" | "otp" | "signup" | "reset" | "token",
  userName: string | undefined,
  address: string,
): readonly ThrottleKey[] {
  if (config.rateLimit === 0) return [];
  const byAddress = { kind: `${what}-address`, subject: address, free: 20, longest: 900 };
  if (userName === undefined) return [byAddress];
  // Codes are short, and only who has the password can try them: a longer wait keeps nobody else out.
  const longest = what === "otp" ? 300 : 30;
  return [{ kind: `${what}-name`, subject: userName.toLowerCase(), free: 5, longest }, byAddress];
}

const digestOf = (key: ThrottleKey): string => createHash("sha256").update(`${key.kind}\0${key.subject}`).digest("hex");

/** Throws 429 while any of the keys is still waiting. */
export async function requireCalm(db: Queryable, keys: readonly ThrottleKey[]): Promise<void> {
  if (keys.length === 0) return;
  const row = await db.row(sql`
    select ceil(extract(epoch from max(until) - (now() at time zone 'utc')))::text as seconds
    from access_controls__throttles where key = any(${keys.map(digestOf)}::text[])`);
  const seconds = Number(row?.seconds ?? 0);
  if (seconds > 0) {
    throw new Failure("too_many_attempts", { with: { seconds }, headers: { "Retry-After": String(seconds) } });
  }
}

/** Counts a failure; an hour of calm forgets them all. */
export async function countFailure(db: Queryable, keys: readonly ThrottleKey[]): Promise<void> {
  for (const key of keys) {
    await db.run(sql`
      insert into access_controls__throttles as t (key, failures, until, touched)
      values (${digestOf(key)}, 1, now() at time zone 'utc', now() at time zone 'utc')
      on conflict (key) do update set
        failures = case when t.touched < (now() at time zone 'utc') - interval '1 hour' then 1 else least(t.failures + 1, 100000) end,
        touched = now() at time zone 'utc',
        until = (now() at time zone 'utc') + make_interval(secs => case
          when t.touched < (now() at time zone 'utc') - interval '1 hour' or t.failures + 1 <= ${key.free}::integer then 0
          else least(${key.longest}::double precision, power(2, least(t.failures + 1 - ${key.free}::integer, 20))) end)`);
  }
}

/** A success forgives the name, not the address: one right guess must not reset a scan. */
export async function forgive(db: Queryable, keys: readonly ThrottleKey[]): Promise<void> {
  const names = keys.filter((key) => key.kind.endsWith("-name")).map(digestOf);
  await db.run(sql`delete from access_controls__throttles where key = any(${names}::text[])`);
}
