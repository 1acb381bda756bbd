// The real process as `npm start` runs it, on a database of the suite; and requests to it that never throw.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type Agent, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { ClientConfig } from "pg";
import { onTestFinished } from "vitest";
import { compiled } from "./compiled.ts";

export const urlOf = ({ host, port, user, password, database }: ClientConfig): string =>
  `postgresql://${user}:${encodeURIComponent(String(password ?? ""))}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`;

export interface Running {
  readonly child: ChildProcess;
  readonly url: URL;
}

export function temporaryData(): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), "dossier-process-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** As containers hand secrets over. */
function fileWith(secret: string): string {
  const file = path.join(temporaryData(), "secret");
  writeFileSync(file, secret, { mode: 0o600 });
  return file;
}

export async function startProcess(
  connection: ClientConfig,
  environment: Record<string, string> = {},
): Promise<Running> {
  const child = spawn(process.execPath, [compiled("engine/main-process")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env.PATH,
      PORT: "0",
      DATABASE_URL_FILE: fileWith(urlOf(connection)),
      DATA_DIR: environment.DATA_DIR ?? temporaryData(),
      RATE_LIMIT: "0",
      LOG_LEVEL: "silent",
      ...environment,
    },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  for await (const line of createInterface(child.stdout)) {
    const address = /Address\s+(\S+)/.exec(line)?.[1];
    if (address) return { child, url: new URL(address) };
  }
  throw new Error("the process ended before it was ready");
}

export interface Told {
  /** Undefined where the connection ended without an answer. */
  readonly status: number | undefined;
  readonly body: { readonly id?: string; readonly access_token?: string };
}

export interface Asked {
  /** POSTed as JSON; undefined: a GET. */
  readonly body?: unknown;
  readonly token?: string;
  readonly agent?: Agent;
}

/** One request, to the end of its answer. Never throws. */
export function ask(url: URL | string, address: string, { body, token = "", agent }: Asked): Promise<Told> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const method = body === undefined ? "GET" : "POST";
    const sent = request(new URL(address, url), { method, headers, ...(agent ? { agent } : {}) });
    const fail = () => resolve({ status: undefined, body: {} });
    sent.on("error", fail);
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("end", () => {
        const isJson = response.headers["content-type"]?.includes("json");
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode, body: isJson ? JSON.parse(text) : {} });
      });
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
