// Counts calls per caller: by a hash of its bearer token, else by its address. Tokens that turn out to be bad are
// counted against the address too, so that inventing tokens buys nobody a fresh allowance.
import { createHash } from "node:crypto";
import { Failure } from "../../contract/failures.ts";
import { rateLimiter } from "../lib/rate-limiter.ts";

export interface Throttle {
  /** Throws too_many_requests when this caller's minute is used up. */
  admit(token: string | undefined, address: string): void;
  badToken(address: string): void;
}

export function throttle(perMinute: number): Throttle {
  if (perMinute === 0) return { admit() {}, badToken() {} };
  const calls = rateLimiter(perMinute);
  const badTokens = rateLimiter(perMinute);
  return {
    admit(token, address) {
      const now = performance.now();
      const key = token === undefined ? address : createHash("sha256").update(token).digest("base64");
      const seconds = Math.max(calls.take(key, now), token === undefined ? 0 : badTokens.peek(address, now));
      if (seconds === 0) return;
      throw new Failure("too_many_requests", { with: { seconds }, headers: { "retry-after": String(seconds) } });
    },
    badToken(address) {
      badTokens.take(address, performance.now());
    },
  };
}
