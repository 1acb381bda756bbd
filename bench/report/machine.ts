// What the figures were measured on: without it a figure says nothing.
import { execFileSync } from "node:child_process";
import os from "node:os";
import pg from "pg";
import { root } from "../../server/lib/root.ts";
import { pgbenchVersion } from "../lean/pgbench.ts";
import type { Served } from "../serve/serve.ts";
import type { Machine } from "./result.ts";

export async function describeMachine(served?: Served): Promise<Machine> {
  const cores = os.cpus();
  return {
    processor: cores[0]?.model.trim() ?? "unknown",
    cores: cores.length,
    memory: Math.round(os.totalmem() / 1024 ** 3),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
    postgres: served ? await postgresVersion(served) : "not asked",
    pgbench: pgbenchVersion() ?? "not installed",
  };
}

async function postgresVersion({ connection }: Served): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query("show server_version");
    return String(rows[0]?.server_version);
  } finally {
    await client.end();
  }
}

/** The commit of a checkout, with a plus where files of the service differ from it. */
export function commitOf(checkout: string = root): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: checkout, encoding: "utf8" }).trim();
  try {
    const changed = git("status", "--porcelain", "--", "server", "contract", "package-lock.json");
    return git("rev-parse", "--short", "HEAD") + (changed === "" ? "" : "+");
  } catch {
    return "unknown";
  }
}
