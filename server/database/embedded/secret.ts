// Takes DATA_DIR; gives the password of the service's database account, kept for its owner alone; never logs it.
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";

const fileIn = (dataDir: string): string => path.join(dataDir, "secrets", "postgres-password");

/** What is kept, or undefined when nothing is: then a new password has to be set and kept. */
export function readPassword(dataDir: string): string | undefined {
  try {
    const kept = readFileSync(fileIn(dataDir), "utf8").trim();
    return /^[0-9a-f]{64}$/.test(kept) ? kept : undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Hexadecimal, so that it needs no quoting in SQL or in an address. */
export const makePassword = (): string => randomBytes(32).toString("hex");

export function keepPassword(dataDir: string, password: string): void {
  const file = fileIn(dataDir);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.new`;
  const descriptor = openSync(draft, "w", 0o600);
  writeFileSync(descriptor, `${password}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(draft, file);
  syncFolder(path.dirname(file));
}

/** A rename survives a power cut only once its folder is on disk. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}
