// Counts calls per caller: by user, whichever of its tokens and keys it shows, else by address. Tokens that turn out to be bad are
// counted against the address, so that inventing tokens buys nobody a fresh allowance; good ones never pay for them. Several
// processes tell each other, about once a second, who has used up how much: a caller has one allowance, not one in each.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { Failure } from "../../contract/failures.ts";
import type { Caller } from "../access/caller.ts";
import { rateLimiter } from "../lib/rate-limiter.ts";
import { createTurns } from "../lib/turns/turns.ts";

/** What an answer says of the limit: the fields of draft-ietf-httpapi-ratelimit-headers; none where there is no limit. */
export type RateHeaders = Readonly<Record<string, string>>;

export interface Throttle {
  /** Throws too_many_requests when this user's minute is used up. A service account is a user like any other. */
  admit(caller: Pick<Caller, "organizationId" | "userId">): RateHeaders;
  /** The same for an address that nobody is known by. */
  admitStranger(address: string): RateHeaders;
  /** Looks at a token: of an address that sent too many bad ones, a few at a time. */
  look<T>(address: string, work: () => Promise<T>): Promise<T>;
  /** Throws too_many_requests when this address has sent too many. */
  badToken(address: string): void;
  /** What other processes are to hear of those who used up much since it was last asked; undefined: nothing. */
  news(): string | undefined;
  /** Takes what a process says of its callers, its own news too. */
  hear(news: string): void;
}

/** What is told is at least a twentieth of an allowance; less adds up until it is so much, or a minute is over. */
const TOLD_PART = 20;
const FORGET_EVERY_MS = 60_000;
/** So many fit into one message. */
const TOLD_AT_ONCE = 100;
const MOST_SPENDERS = 100_000;

const newsSchema = z.object({
  from: z.string(),
  calls: z.array(z.tuple([z.string(), z.number()])),
  bad: z.array(z.tuple([z.string(), z.number()])),
});

/** A limiter that knows who took how much here since it was told. */
function toldLimiter(perMinute: number) {
  const limiter = rateLimiter(perMinute);
  const least = Math.ceil(perMinute / TOLD_PART);
  const spent = new Map<string, number>();
  let forgotten = 0;
  return {
    peek: limiter.peek,
    left: limiter.left,
    add: limiter.add,
    take(key: string, now: number): number {
      const seconds = limiter.take(key, now);
      if (now - forgotten > FORGET_EVERY_MS || spent.size > MOST_SPENDERS) {
        spent.clear();
        forgotten = now;
      }
      if (seconds === 0) spent.set(key, (spent.get(key) ?? 0) + 1);
      return seconds;
    },
    told(): [string, number][] {
      const many = [...spent].filter(([, count]) => count >= least).slice(0, TOLD_AT_ONCE / 2);
      for (const [key] of many) spent.delete(key);
      return many;
    },
  };
}

const refused = (seconds: number, headers: RateHeaders = {}): Failure =>
  new Failure("too_many_requests", { with: { seconds }, headers: { ...headers, "retry-after": String(seconds) } });

export function throttle(perMinute: number): Throttle {
  if (perMinute === 0)
    return {
      admit: () => ({}),
      admitStranger: () => ({}),
      look: (_, work) => work(),
      badToken() {},
      news: () => undefined,
      hear() {},
    };
  const own = randomUUID();
  const calls = toldLimiter(perMinute);
  const badTokens = toldLimiter(perMinute);
  const inTurn = createTurns(2);
  const admit = (key: string): RateHeaders => {
    const now = performance.now();
    const wait = calls.take(key, now);
    const { events, seconds } = calls.left(key, now);
    const headers = {
      "ratelimit-policy": `"caller";q=${perMinute};w=60`,
      ratelimit: `"caller";r=${events};t=${seconds}`,
    };
    if (wait > 0) throw refused(wait, headers);
    return headers;
  };
  return {
    admit: ({ organizationId, userId }) => admit(JSON.stringify([organizationId, userId])),
    admitStranger: admit,
    look: (address, work) => (badTokens.peek(address, performance.now()) === 0 ? work() : inTurn(address, work)),
    badToken(address) {
      const seconds = badTokens.take(address, performance.now());
      if (seconds > 0) throw refused(seconds);
    },
    news() {
      const news = { from: own, calls: calls.told(), bad: badTokens.told() };
      return news.calls.length + news.bad.length === 0 ? undefined : JSON.stringify(news);
    },
    hear(text) {
      const { from, calls: others, bad } = newsSchema.parse(JSON.parse(text));
      if (from === own) return;
      const now = performance.now();
      for (const [key, count] of others) calls.add(key, count, now);
      for (const [key, count] of bad) badTokens.add(key, count, now);
    },
  };
}
