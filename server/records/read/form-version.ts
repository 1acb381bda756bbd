// Takes the parts of a view that are its form; gives their version: the same for the same bytes, for whomever and whichever
// record they are. Parts are kept by those who make them, so each is looked at once.
import { createHash } from "node:crypto";
import { Recent } from "../../lib/memory/recent.ts";

/** As many characters as `isFormVersion` expects. */
const LENGTH = 16;
const digestOf = (bytes: Buffer | string): string =>
  createHash("sha256").update(bytes).digest("base64url").slice(0, LENGTH);

const known = new WeakMap<Buffer, string>();

function partDigest(part: Buffer): string {
  const digest = known.get(part) ?? digestOf(part);
  known.set(part, digest);
  return digest;
}

/** Of combinations of parts; there are about as many as forms. */
const versions = new Recent<string, string>(5_000);

export function formVersion(parts: Readonly<Record<string, Buffer>>): string {
  const key = Object.values(parts).map(partDigest).join(" ");
  let version = versions.get(key);
  if (version === undefined) {
    version = digestOf(key);
    versions.set(key, version);
  }
  return version;
}

export const isFormVersion = (text: string): boolean => text.length === LENGTH && /^[\w-]*$/.test(text);
