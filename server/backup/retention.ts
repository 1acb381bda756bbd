// The folder of scheduled backups: how they are called, and which of them go. Never touches a file of another name.
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { draftOf } from "./write-archive.ts";

const NAME = /^dossier-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar$/;

/** Sorted by name they are sorted by time. */
export const scheduledName = (at: Date): string => `dossier-${at.toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar`;

export async function backupFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Removes all but the newest. Gives what was removed. */
export async function keepNewest(folder: string, keep: number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await rm(path.join(folder, name), { force: true });
  return old;
}

/** What a process that died left half written. Call while no other backup runs. */
export async function removeDrafts(folder: string, olderThanMs = 60_000): Promise<void> {
  const draft = draftOf("");
  for (const name of await readdir(folder)) {
    if (!name.endsWith(draft) || !NAME.test(name.slice(0, -draft.length))) continue;
    const found = await stat(path.join(folder, name)).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > olderThanMs) await rm(path.join(folder, name), { force: true });
  }
}
