// Counts calls per caller: by a hash of its bearer token, else by its address. Tokens that turn out to be bad are
// counted against the address, so that inventing tokens buys nobody a fresh allowance; good ones never pay for them.
import { createHash } from "node:crypto";
import { Failure } from "../../contract/failures.ts";
import { rateLimiter } from "../lib/rate-limiter.ts";
import { createTurns } from "../lib/turns.ts";

export interface Throttle {
  /** Throws too_many_requests when this caller's minute is used up. */
  admit(token: string | undefined, address: string): void;
  /** Looks at a token: of an address that sent too many bad ones, a few at a time. */
  look<T>(address: string, work: () => Promise<T>): Promise<T>;
  /** Throws too_many_requests when this address has sent too many. */
  badToken(address: string): void;
}

const refused = (seconds: number): Failure =>
  new Failure("too_many_requests", { with: { seconds }, headers: { "retry-after": String(seconds) } });

export function throttle(perMinute: number): Throttle {
  if (perMinute === 0) return { admit() {}, look: (_, work) => work(), badToken() {} };
  const calls = rateLimiter(perMinute);
  const badTokens = rateLimiter(perMinute);
  const inTurn = createTurns(2);
  return {
    admit(token, address) {
      const now = performance.now();
      const key = token === undefined ? address : createHash("sha256").update(token).digest("base64");
      const seconds = calls.take(key, now);
      if (seconds > 0) throw refused(seconds);
    },
    look: (address, work) => (badTokens.peek(address, performance.now()) === 0 ? work() : inTurn(address, work)),
    badToken(address) {
      const seconds = badTokens.take(address, performance.now());
      if (seconds > 0) throw refused(seconds);
    },
  };
}
