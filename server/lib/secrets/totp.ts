// Time-based one-time passwords as authenticator apps make them: HMAC-SHA-1, 30 seconds, 6 digits.
import { Secret, TOTP } from "otpauth";

const PERIOD = 30;
const DIGITS = 6;
/** Clocks differ, and people take their time: a code counts one step before and after its own. */
const WINDOW = 1;
const MOST_TYPED = 20;

const totpOf = (secret: string, issuer = "", label = ""): TOTP =>
  new TOTP({ issuer, label, algorithm: "SHA1", digits: DIGITS, period: PERIOD, secret: Secret.fromBase32(secret) });

export const randomBase32 = (bytes: number): string => new Secret({ size: bytes }).base32;

/** 160 bits, as RFC 4226 recommends: what people type into an app. */
export const newTotpSecret = (): string => randomBase32(20);

export const stepAt = (milliseconds: number): number => Math.floor(milliseconds / 1000 / PERIOD);

export const totpCode = (secret: string, step: number): string =>
  totpOf(secret).generate({ timestamp: step * PERIOD * 1000 });

/** The time step that a code is of, if it counts now; undefined else. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const token = code.slice(0, MOST_TYPED).replace(/\s/g, "");
  const delta = totpOf(secret).validate({ token, timestamp: now, window: WINDOW });
  return delta === null ? undefined : stepAt(now) + delta;
}

/** What an app scans or is opened by. */
export const totpAddress = (secret: string, issuer: string, account: string): string =>
  totpOf(secret, issuer, account).toString();
