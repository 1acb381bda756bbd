// Has PostgreSQL log every statement while some work is done; gives the statements with the values they were sent with.
import { appendFileSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import type { Served } from "../serve/serve.ts";

export interface Logged {
  /** Of the server's process: one per connection. */
  readonly process: string;
  readonly text: string;
  /** In the order of $1, $2, …; null where NULL was sent. */
  readonly values: readonly (string | null)[];
}

const entry = /^\d{4}-\d\d-\d\d \S+ \S+ \[(\d+)\] (\w+):\s+(.*)$/;

/** Statements and their values, which can both go over several lines. */
export function readLog(log: string): Logged[] {
  const found: { process: string; text: string; values: string }[] = [];
  let more: ((line: string) => void) | undefined;
  for (const line of log.split("\n")) {
    const [, process = "", kind, text = ""] = entry.exec(line) ?? [];
    if (kind === undefined) {
      more?.(line);
      continue;
    }
    more = undefined;
    const sent = kind === "LOG" ? /^(?:statement|execute [^:]+): (.*)$/.exec(text)?.[1] : undefined;
    if (sent !== undefined) {
      const logged = { process, text: sent, values: "" };
      found.push(logged);
      more = (next) => {
        logged.text += `\n${next.replace(/^\t/, "")}`;
      };
    } else if (kind === "DETAIL") {
      const last = found.findLast((one) => one.process === process);
      if (!last) continue;
      last.values = text;
      more = (next) => {
        last.values += `\n${next.replace(/^\t/, "")}`;
      };
    }
  }
  return found.map(({ process, text, values }) => ({ process, text: text.trim(), values: readValues(values) }));
}

const readValues = (detail: string): (string | null)[] =>
  [...detail.matchAll(/\$\d+ = (NULL|'(?:[^']|'')*')/g)].map(([, literal = ""]) =>
    literal === "NULL" ? null : literal.slice(1, -1).replaceAll("''", "'"),
  );

/** Only the folder's owner may set this, not the service's role; the server takes it over when it is told to read again. */
async function setLogging(served: Served, which: "all" | "none"): Promise<void> {
  const cluster = path.join(served.folder, "postgres");
  appendFileSync(path.join(cluster, "postgresql.auto.conf"), `log_statement = '${which}'\n`);
  process.kill(Number(readFileSync(path.join(cluster, "postmaster.pid"), "utf8").split("\n")[0]), "SIGHUP");
  const client = new pg.Client(served.connection);
  await client.connect();
  try {
    while ((await client.query("show log_statement")).rows[0]?.log_statement !== which) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await client.end();
  }
}

export async function logStatements(served: Served, work: () => Promise<unknown>): Promise<Logged[]> {
  const file = path.join(served.folder, "postgres.log");
  await setLogging(served, "all");
  const from = statSync(file).size;
  try {
    await work();
  } finally {
    await setLogging(served, "none");
  }
  return readLog(readFileSync(file).subarray(from).toString("utf8"));
}
