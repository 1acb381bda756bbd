// Takes nothing but the machine's temporary folders; gives a short private folder for the server's socket; never
// removes anything but such a folder and the two files PostgreSQL puts in it.
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, lstatSync, mkdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Account } from "./account.ts";

export const SOCKET_PORT = 5432;
const SOCKET_FILE = `.s.PGSQL.${SOCKET_PORT}`;
const FOLDER_NAME = /^dossier-[0-9a-f]{12}$/;
// sun_path holds 104 bytes on macOS and 108 on Linux, the closing zero included.
const MAX_SOCKET_PATH = 100;

/** A fresh name; nothing is made yet, so that the name can be written down before the folder exists. */
export function nameSocketFolder(account: Account | undefined): string {
  const name = `dossier-${randomBytes(6).toString("hex")}`;
  const parents = [tmpdir(), "/tmp", "/var/tmp"];
  const parent = parents.find(
    (folder) =>
      Buffer.byteLength(path.join(folder, name, SOCKET_FILE)) <= MAX_SOCKET_PATH &&
      (account === undefined || isOpenToAll(folder)),
  );
  return path.join(parent ?? "/tmp", name);
}

/** Made anew at every start of the server: a folder left from the last one goes first. */
export function makeSocketFolder(folder: string, account: Account | undefined): void {
  removeSocketFolder(folder);
  mkdirSync(folder, { mode: 0o700 });
  chmodSync(folder, 0o700);
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
}

export function removeSocketFolder(folder: string): void {
  if (!FOLDER_NAME.test(path.basename(folder))) return;
  // A link of that name, put there by someone else, is not followed.
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  try {
    for (const file of [SOCKET_FILE, `${SOCKET_FILE}.lock`]) rmSync(path.join(folder, file), { force: true });
    rmdirSync(folder);
  } catch {
    // Gone already, or not ours; a new start uses another name either way.
  }
}

function isOpenToAll(folder: string): boolean {
  const parents: string[] = [];
  for (let current = path.resolve(folder); current !== path.dirname(current); current = path.dirname(current)) {
    parents.push(current);
  }
  return parents.every((parent) => ((statSync(parent, { throwIfNoEntry: false })?.mode ?? 0) & 0o001) !== 0);
}
