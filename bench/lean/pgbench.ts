// Runs pgbench with statements that a lean program would send: prepared, on as many connections as the service is asked by.
// Gives undefined where pgbench is not installed; whoever reports says so.
import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { ClientConfig } from "pg";
import { latencies, type Round } from "../load/figures.ts";

export interface Script {
  readonly text: string;
  /** How often it runs beside the others; a whole number. */
  readonly weight: number;
}

export interface PgbenchRun {
  readonly connection: ClientConfig;
  readonly scripts: readonly Script[];
  readonly clients: number;
  readonly seconds: number;
}

const run = promisify(execFile);

/** `pgbench (PostgreSQL) 15.8`, or undefined where there is none. */
export function pgbenchVersion(): string | undefined {
  const { stdout, status } = spawnSync("pgbench", ["--version"], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

const known = pgbenchVersion();

/** pgbench takes at most this many scripts. */
export const MOST_SCRIPTS = 128;

export async function runPgbench({ connection, scripts, clients, seconds }: PgbenchRun): Promise<Round | undefined> {
  if (known === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), "dossier-pgbench-"));
  try {
    const files = scripts.flatMap(({ text, weight }, index) => {
      const file = path.join(folder, `script-${index}.sql`);
      writeFileSync(file, text);
      return ["-f", `${file}@${weight}`];
    });
    const where = ["-h", connection.host ?? "", "-p", String(connection.port), "-U", connection.user ?? ""];
    const logged = ["-l", `--log-prefix=${path.join(folder, "took")}`];
    const { stdout, stderr } = await run(
      "pgbench",
      [
        ...["-n", "-M", "prepared", "-c", String(clients), "-j", "1", "-T", String(Math.ceil(seconds))],
        ...[...logged, ...files, ...where, connection.database ?? ""],
      ],
      { env: { ...process.env, PGPASSWORD: String(connection.password) }, maxBuffer: 64 * 1024 ** 2 },
    );
    const took = readdirSync(folder)
      .filter((name) => name.startsWith("took"))
      .flatMap((name) => readFileSync(path.join(folder, name), "utf8").trim().split("\n"))
      .filter((line) => line !== "")
      .map((line) => Number(line.split(" ")[2]) / 1000);
    const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0);
    const aborted = (stderr.match(/aborted/g) ?? []).length;
    const problem =
      failed + aborted > 0 ? stderr.slice(0, 500) : took.length === 0 ? `nothing ended within ${seconds} s` : undefined;
    return {
      perSecond: Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0),
      count: took.length,
      ...latencies(took),
      errors: failed + aborted,
      ...(problem === undefined ? {} : { error: problem }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
