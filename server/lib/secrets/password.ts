// Passwords: what makes one acceptable, and how it is kept. Never logs, never returns, never compares in clear.

import { hash, verify } from "@node-rs/argon2";
import { type Fault, fault } from "../../../contract/messages.ts";

export const MIN_PASSWORD_LENGTH = 10;
const MAX_PASSWORD_LENGTH = 200;

/** argon2id (the default) with 19 MiB and two passes: what OWASP recommends for servers. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** Something to verify against when there is no user, so that both cases cost the same. */
let decoy: Promise<string> | undefined;

export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword("nobody has this password");
  const matches = await verify(stored ?? (await decoy), password.slice(0, MAX_PASSWORD_LENGTH)).catch(() => false);
  return matches && stored !== undefined;
}

/** The work of checking a password, where there is none to check: so that an answer's cost tells nothing. */
export async function spendPasswordTime(given: string): Promise<void> {
  await verifyPassword(undefined, given);
}

let common: Promise<ReadonlySet<string>> | undefined;

/** The list is half a megabyte: read when somebody first chooses a password, not at start. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const known = dictionary["passwords-common"] ?? [];
  return new Set([...known].map((word) => String(word)).filter((word) => word.length >= MIN_PASSWORD_LENGTH));
}

/** Sentences that say what is wrong with a chosen password; none when it is good. */
export async function passwordErrors(password: string, userName: string): Promise<Fault[]> {
  if (password.length < MIN_PASSWORD_LENGTH) return [fault("too_short", { min: MIN_PASSWORD_LENGTH })];
  if (password.length > MAX_PASSWORD_LENGTH) return [fault("too_long", { max: MAX_PASSWORD_LENGTH })];
  const folded = password.toLowerCase();
  common ??= commonPasswords();
  if ((await common).has(folded)) return [fault("common_password")];
  if (new Set(folded).size < 4) return [fault("simple_password")];
  if (userName.length >= 3 && folded.includes(userName.toLowerCase())) return [fault("name_in_password")];
  return [];
}
