// Takes a data folder that we hold the lock of; ends every server process still at work on it; never touches a server
// that it cannot tell to be this folder's.
import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isServer, processesTagged } from "./processes.ts";

/** A name for this very folder among all folders of the machine; a copy of the folder has another one. */
export function tagOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `dossier-${createHash("sha256").update(`${dev}:${ino}`).digest("hex").slice(0, 12)}`;
}

export interface Patience {
  /** Milliseconds until SIGINT (finish and close) is followed by SIGQUIT (drop everything, recover at next start). */
  readonly finish: number;
  /** Milliseconds until SIGQUIT is followed by SIGKILL, which alone ends a stopped process. */
  readonly quit: number;
}

export async function endServers(folder: string, patience: Patience): Promise<number> {
  const tag = tagOf(folder);
  const found = processesTagged(tag);
  if (found.length === 0) return 0;
  const main = mainProcess(folder);
  // Backends without their main process hold nothing worth finishing: what they acknowledged is on disk.
  if (main !== undefined && found.includes(main) && patience.finish > 0) {
    signal([main], "SIGINT");
    if (await gone(tag, patience.finish)) return found.length;
  }
  const left = processesTagged(tag);
  signal(main !== undefined && left.includes(main) ? [main] : left, "SIGQUIT");
  if (await gone(tag, patience.quit)) return found.length;
  signal(processesTagged(tag), "SIGKILL");
  await gone(tag, patience.quit);
  return found.length;
}

/**
 * A process number can be in use again by another program, or for ever by a zombie that no one buries, as in a
 * container without an init: PostgreSQL would refuse its own folder then. Only for such a number, and only with no
 * server of this folder alive, the file goes; in every other case PostgreSQL judges it better.
 */
export function dropMisleadingPidFile(folder: string): boolean {
  const main = mainProcess(folder);
  if (main === undefined || !exists(main) || isServer(main) || processesTagged(tagOf(folder)).length > 0) return false;
  rmSync(path.join(folder, "postmaster.pid"), { force: true });
  return true;
}

function mainProcess(folder: string): number | undefined {
  try {
    // The single-user server writes its number with a minus.
    const pid = Math.abs(Number.parseInt(readFileSync(path.join(folder, "postmaster.pid"), "utf8"), 10));
    return pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

async function gone(tag: string, milliseconds: number): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await delay(10)) {
    if (processesTagged(tag).length === 0) return true;
  }
  return processesTagged(tag).length === 0;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // Ended in the meantime.
    }
  }
}
