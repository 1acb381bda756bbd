// Takes nothing; gives the tests temporary folders, services in processes of their own, and a look at the server's
// processes; never ends a process that it did not start.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type Engine, type EngineOptions, startEngine } from "../../server/database/embedded/engine.ts";
import { compiled } from "./compiled.ts";

export const isRoot = process.getuid?.() === 0;
export const onLinux = process.platform === "linux";
export const NOBODY = { uid: 65534, gid: 65534 };

/** Removed when the test is over; made before an engine starts in it, so that the engine stops first. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "engine-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return folder;
}

/**
 * At the top of a file: one database is made for all its tests. Gives each a temporary folder with a copy of it, where
 * making one is not the point; or puts the copy into a folder that is there.
 */
export function madeBefore(): (folder?: string) => string {
  let made = "";
  beforeAll(async () => {
    made = mkdtempSync(path.join(tmpdir(), "engine-test-made-"));
    await (await startEngine({ dataDir: made, log: () => {} })).stop();
  });
  afterAll(() => rmSync(made, { recursive: true, force: true }));
  return (folder = temporaryFolder()) => {
    // With its owner, who need not be who runs the tests.
    execFileSync("cp", ["-a", `${made}/.`, folder]);
    return folder;
  };
}

export async function runningEngine(dataDir: string, more: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await startEngine({ dataDir, log: () => {}, ...more });
  onTestFinished(() => engine.stop());
  return engine;
}

export async function query(engine: Engine, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(engine.url);
  client.on("error", () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Tries until it works; the limit is the test's own. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await delay(25);
    }
  }
}

export interface Service {
  readonly process: ChildProcess;
  /** The next line that starts with the word, without it; a service that ends first is an error with its output. */
  next(word: string): Promise<string>;
  end(signal: NodeJS.Signals): Promise<void>;
}

export function startService(
  dataDir: string,
  options: { account?: { uid: number; gid: number }; native?: string; temporary?: string } = {},
): Service {
  const child = spawn(
    process.execPath,
    [compiled("engine/engine-process"), dataDir, ...(options.native === undefined ? [] : [options.native])],
    {
      stdio: ["ignore", "pipe", "inherit"],
      ...options.account,
      env: { PATH: process.env.PATH, HOME: dataDir, TMPDIR: options.temporary ?? process.env.TMPDIR },
    },
  );
  const exited = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  const lines: string[] = [];
  let ended = false;
  let wake = (): void => {};
  createInterface(child.stdout).on("line", (line) => {
    lines.push(line);
    wake();
  });
  void exited.then(() => {
    ended = true;
    wake();
  });
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await exited;
  };
  onTestFinished(() => end("SIGTERM"));
  let read = 0;
  return {
    process: child,
    end,
    async next(word) {
      for (;;) {
        for (; read < lines.length; read += 1) {
          const line = lines[read] ?? "";
          if (!line.startsWith(`${word} `)) continue;
          read += 1;
          return line.slice(word.length + 1);
        }
        if (ended) throw new Error(`The service ended before "${word}":\n${lines.slice(-5).join("\n")}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** The number after the last acknowledgement that reached us, the pipe drained. */
export async function lastAck(service: Service, previous: number): Promise<number> {
  let last = previous;
  try {
    for (;;) last = Number(await service.next("ack"));
  } catch {
    return last;
  }
}

export function mainProcessOf(dataDir: string): number {
  return Number.parseInt(readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
}

export function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

export function childrenOf(pid: number): number[] {
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.filter((child) => existsSync(`/proc/${child}/stat`) && parentOf(child) === pid);
}

/** Every folder from here to the root can be entered by any account. */
export function isOpenToAll(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const open = (lstatSync(folder).mode & 0o001) !== 0;
  return open && (path.dirname(folder) === folder || isOpenToAll(path.dirname(folder)));
}
