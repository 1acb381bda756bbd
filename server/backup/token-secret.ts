// The secret that tokens are signed and second factors sealed with: what a backup keeps of it, and where a restore puts it.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Config } from "../config.ts";
import type { About } from "./archive.ts";
import { type KnownSecret, secretPrint } from "./make-backup.ts";

type Place = Pick<Config, "dataDir" | "tokenSecret">;

const fileIn = (dataDir: string): string => path.join(dataDir, "secrets", "token-secret");

/** Undefined where neither the settings nor DATA_DIR have one. */
export function knownSecret({ dataDir, tokenSecret }: Place): KnownSecret | undefined {
  if (tokenSecret !== undefined) return { value: tokenSecret, isGenerated: false };
  const file = fileIn(dataDir);
  return existsSync(file) ? { value: readFileSync(file, "utf8").trim(), isGenerated: true } : undefined;
}

/** Puts the secret of a backup where the service reads it, and gives what there is to say about it. */
export function adoptSecret(
  place: Place,
  { tokenSecret, about }: { readonly tokenSecret: string | undefined; readonly about: About },
): string[] {
  const present = knownSecret(place);
  if (about.tokenSecretPrint === null || (present && secretPrint(present.value) === about.tokenSecretPrint)) return [];
  if (place.tokenSecret !== undefined || tokenSecret === undefined) {
    return [
      "TOKEN_SECRET is not the one that the backup was made with: everybody has to sign in again, and authenticator apps have " +
        "to be set up again. To keep them, set TOKEN_SECRET to its earlier value before you start the service.",
    ];
  }
  const file = fileIn(place.dataDir);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if (present) renameSync(file, `${file}.before-restore`);
  writeFileSync(`${file}.new`, tokenSecret, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return present ? [`The earlier token secret is kept in ${file}.before-restore.`] : [];
}
