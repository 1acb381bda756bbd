// Time-based one-time passwords (RFC 6238: HMAC-SHA-1, 30 seconds, 6 digits), as authenticator apps make them. Pure, but for
// the making of secrets.
import { createHmac, randomBytes } from "node:crypto";

const STEP_SECONDS = 30;
const DIGITS = 6;
/** Clocks differ, and people take their time: a code counts one step before and after its own. */
const SLACK_STEPS = 1;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** 160 bits, as the RFC recommends, in base32: what people type into an app. */
export const newTotpSecret = (): string => base32(randomBytes(20));

/** RFC 4648, without padding. */
export function base32(bytes: Uint8Array): string {
  let [text, bits, held] = ["", 0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(held >> bits) & 31];
    }
  }
  return bits > 0 ? text + ALPHABET[(held << (5 - bits)) & 31] : text;
}

function bytesOf(secret: string): Buffer {
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const letter of secret) {
    held = ((held << 5) | ALPHABET.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 255);
    }
  }
  return Buffer.from(bytes);
}

export const stepAt = (milliseconds: number): number => Math.floor(milliseconds / 1000 / STEP_SECONDS);

export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** The time step that a code is of, if it counts now; undefined else. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const given = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(given)) return undefined;
  const current = stepAt(now);
  for (let step = current + SLACK_STEPS; step >= current - SLACK_STEPS; step -= 1) {
    if (totpCode(secret, step) === given) return step;
  }
  return undefined;
}

/** What an app scans or is opened by. */
export function totpAddress(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = new URLSearchParams({ secret, issuer, algorithm: "SHA1", digits: "6", period: "30" });
  return `otpauth://totp/${label}?${query.toString().replaceAll("+", "%20")}`;
}
