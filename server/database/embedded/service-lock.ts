// Takes a DATA_DIR; gives the one lock on it, held until released or until this process dies; never takes a lock
// from a living holder.
import { randomBytes } from "node:crypto";
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { placeOfProcesses, startOf } from "./processes.ts";

// A holder in another container or on another machine shows no process number here, only its heartbeat.
const HEARTBEAT_MS = 2_000;
const SILENT_AFTER_MS = 10_000;
// A rival that judged the same dead holder replaces our lock at once or not at all.
const SETTLE_MS = 50;

const holderSchema = z.object({
  pid: z.number().int(),
  started: z.string(),
  since: z.string(),
  place: z.string(),
  socketFolder: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

export interface ServiceLock {
  /** The socket folder that a holder which died has left behind, if any. */
  readonly leftSocketFolder: string | undefined;
  release(): void;
}

export async function takeServiceLock(dataDir: string, socketFolder: string): Promise<ServiceLock> {
  const file = path.join(dataDir, "service.lock");
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  const content = JSON.stringify({
    pid: process.pid,
    started: startOf(process.pid) ?? "",
    since: new Date().toISOString(),
    place: placeOfProcesses(hostname()),
    socketFolder,
  } satisfies Holder);
  let left: Holder | undefined;
  try {
    while (!tryLink(draft, file, content)) {
      const found = read(file);
      const holder = found === undefined ? undefined : parseHolder(found);
      if (holder !== undefined && (await isAlive(holder, file, draft))) throw new Error(refusal(dataDir, holder));
      // No await between this check and the rename: only what was judged dead is replaced.
      if (found === undefined || read(file) !== found) continue;
      writeFileSync(draft, content, { mode: 0o600 });
      renameSync(draft, file);
      await delay(SETTLE_MS);
      left = holder;
      if (read(file) === content) break;
    }
  } finally {
    rmSync(draft, { force: true });
  }
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith("service.lock.")) rmSync(path.join(dataDir, name), { force: true });
  }
  const heartbeat = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => {}), HEARTBEAT_MS);
  heartbeat.unref();
  return {
    leftSocketFolder: left?.socketFolder,
    release() {
      clearInterval(heartbeat);
      if (read(file) === content) rmSync(file, { force: true });
    },
  };
}

/** Where the server of whoever holds this DATA_DIR listens; the holder may be dead. */
export const heldSocketFolder = (dataDir: string): string | undefined =>
  parseHolder(read(path.join(dataDir, "service.lock")) ?? "")?.socketFolder;

/** A hard link appears whole or not at all, so nobody ever reads a half-written lock. */
function tryLink(draft: string, file: string, content: string): boolean {
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EEXIST" || error.code === "ENOENT")) return false;
    throw error;
  }
}

async function isAlive(holder: Holder, file: string, draft: string): Promise<boolean> {
  if (holder.place === placeOfProcesses(hostname())) return startOf(holder.pid) === holder.started;
  const first = beatOf(file);
  for (;;) {
    const beat = beatOf(file);
    if (beat === undefined || first === undefined) return false;
    if (beat > first) return true;
    // Compared with a file touched just now, so that only the clock of the file system counts.
    writeFileSync(draft, "", { mode: 0o600 });
    const silence = (beatOf(draft) ?? 0) - beat;
    if (silence > SILENT_AFTER_MS) return false;
    await delay(HEARTBEAT_MS / 4);
  }
}

const beatOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

function refusal(dataDir: string, holder: Holder): string {
  return (
    `DATA_DIR ${dataDir} is in use by process ${holder.pid} (started ${holder.since}); ` +
    "stop it or set another DATA_DIR."
  );
}

function parseHolder(text: string): Holder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
