// Takes how a peer's process is started; gives its end, once it answers at an address of ours. It ends with us.
import { spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

export interface PeerProcess {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Answers below 400 once the peer is ready. */
  readonly ready: string;
}

const READY_MS = 180_000;

const firstLine = (said: string): string => stripVTControlCharacters(said).trim().split("\n", 1).join().slice(0, 300);

export async function startProcess(peer: PeerProcess): Promise<{ stop(): Promise<void> }> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(peer.command, [...peer.arguments], {
    cwd: peer.cwd,
    env: { PATH, HOME, NODE_ENV: "production", ...peer.environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const hear = (chunk: Buffer): void => {
    said = `${said}${chunk.toString()}`.slice(0, 2_000);
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const until = Date.now() + READY_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${firstLine(said)}`);
    const isReady = await fetch(peer.ready).then(
      ({ status }) => status < 400,
      () => false,
    );
    if (isReady) break;
    if (Date.now() > until) {
      kill();
      throw new Error(`it was not ready after ${READY_MS / 1000} s: ${firstLine(said)}`);
    }
    await delay(250);
  }
  return {
    stop: async () => {
      process.off("exit", kill);
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** JSON by POST; fails with what was answered. */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
