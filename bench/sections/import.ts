// Imports of companies against a plain COPY of the same rows into the same table with its indexes, in one run: added, updated by
// key, and with three references each against none. As many rows as the data has. What a large file adds to the service's memory,
// and how long the lists of somebody else take beside an import.
import { mkdtempSync, openAsBlob, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import type { Context } from "../compare.ts";
import { startWrites } from "../load/paced-writes.ts";
import { copyIn } from "../organization/copy-in.ts";
import type { Fact } from "../report/result.ts";
import { familyTime, parentOf, processorTime, residentMemory, watchMemory } from "../serve/process-figures.ts";
import { type Served, settle } from "../serve/serve.ts";
import { listTraffic } from "../traffic/lists.ts";
import { createRandom, seedOf } from "../traffic/random.ts";

const columns = [
  "name",
  "legal_name",
  "industry",
  "rating",
  "ownership",
  "annual_revenue",
  "credit_limit",
  "payment_terms",
  "employees",
  "tax_number",
  "website",
  "email",
  "phone",
  "billing_address.city",
  "billing_address.zip",
];
const references = ["country_id", "currency_id", "type_id"];
/** The data has none: they are added first. */
const typeNames = ["Customer", "Supplier", "Partner"];

/** Of the large file. What it has beside the columns that are imported is one that is left out. */
const LARGE_BYTES = 200_000_000;
/** The most rows that a file may have. */
const MOST_ROWS = 5_000_000;
/** Lists per second of the other user. */
const LISTS = 10;

interface ImportCase {
  readonly rows: number;
  readonly mark: string;
  readonly withReferences: boolean;
  readonly revenue: number;
  /** Characters of a column that is not imported. */
  readonly padding?: number;
}

export async function writeCompanies(
  file: string,
  { rows, mark, withReferences, revenue, padding = 0 }: ImportCase,
): Promise<void> {
  const out = await open(file, "w");
  const left = padding > 0 ? ["x".repeat(padding)] : [];
  // Written piece by piece, however long its lines are.
  const step = padding > 0 ? 500 : 10_000;
  try {
    await out.writeFile(
      `${[...columns, ...(withReferences ? references : []), ...left.map(() => "left out")].join()}\n`,
    );
    for (let start = 0; start < rows; start += step) {
      const lines = Array.from({ length: Math.min(step, rows - start) }, (_, index) => {
        const n = start + index;
        const own = [
          `${mark} ${n}`,
          `${mark} ${n} Ltd`,
          "energy",
          "hot",
          "private",
          revenue + n,
          n % 1000,
          "net_30",
          n % 5000,
          `T${n}`,
        ];
        const more = [
          `https://c${n}.example`,
          `info${n}@${mark.toLowerCase()}.example`,
          `+49 30 ${1_000_000 + n}`,
          "Ulm",
          "89073",
        ];
        const named = [["Germany", "France", "Italy"][n % 3], "EUR", typeNames[n % 3]];
        return [...own, ...more, ...(withReferences ? named : []), ...left].join();
      });
      await out.writeFile(`${lines.join("\n")}\n`);
    }
  } finally {
    await out.close();
  }
}

async function addTypes({ served }: Context): Promise<void> {
  for (const name of typeNames) {
    const response = await fetch(`http://127.0.0.1:${served.port}/crm/types/add.json`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${served.tokens.administrator}` },
      body: JSON.stringify({ data: { types: { name, applies_to: "companies" }, action: { save_progress: "Save" } } }),
    });
    if (!response.ok) throw new Error(`a type could not be added: ${await response.text()}`);
  }
}

/** What something took: seconds, and milliseconds of the processor, which other work on the machine makes no longer. */
interface Cost {
  readonly seconds: number;
  readonly service: number;
  readonly database: number;
}

/** Begins to count; what it gives ends it. */
async function countCost(served: Served, client: pg.Client): Promise<() => Cost> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const server = parentOf(rows[0]?.pid ?? 0);
  const [service, database, began] = [processorTime(served.pid) ?? 0, familyTime(server), performance.now()];
  return () => ({
    seconds: (performance.now() - began) / 1000,
    service: (processorTime(served.pid) ?? 0) - service,
    database: familyTime(server) - database,
  });
}

/** From the upload to the end of the job. */
export async function runImport(
  { served }: Pick<Context, "served">,
  client: pg.Client,
  file: string,
  more: Record<string, string>,
): Promise<Cost> {
  const form = new FormData();
  form.append("file", await openAsBlob(file), "companies.csv");
  const all = more.references === "1" ? [...columns, ...references] : columns;
  form.append("mapping", JSON.stringify(Object.fromEntries(all.map((name) => [name, name]))));
  form.append("override_duplicates", "1");
  for (const [name, value] of Object.entries(more)) if (name !== "references") form.append(name, value);
  const cost = await countCost(served, client);
  const response = await fetch(`http://127.0.0.1:${served.port}/crm/companies/import.json`, {
    method: "POST",
    headers: { authorization: `Bearer ${served.tokens.administrator}` },
    body: form,
  });
  const body = (await response.json()) as { job_id?: string; errors?: unknown };
  if (!response.ok || body.job_id === undefined) throw new Error(`${response.status} ${JSON.stringify(body.errors)}`);
  for (;;) {
    const { rows } = await client.query("select status, failed, result from core__jobs where id = $1", [body.job_id]);
    const [job] = rows as { status: string; failed: number }[];
    if (job?.status === "done" && Number(job.failed) === 0) return cost();
    if (job?.status !== "queued" && job?.status !== "running") throw new Error(JSON.stringify(job).slice(0, 1_000));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const PAGE_ROWS = 20_000;

/** The rows that an import made, as lines of a COPY. A page of them is one buffer: a million rows fit beside everything else. */
async function copyLines(client: pg.Client, names: readonly string[], which: string): Promise<readonly Buffer[]> {
  const texts = names.map((name) => `${name}::text`).join();
  const pages: Buffer[] = [];
  for (let last = "0"; ; ) {
    const { rows } = await client.query<(string | null)[]>({
      text: `select crm__companies.id, ${texts} from crm__companies where ${which} and crm__companies.id > ${last} order by crm__companies.id limit ${PAGE_ROWS}`,
      rowMode: "array",
    });
    if (rows.length === 0) return pages;
    last = String(rows.at(-1)?.[0]);
    pages.push(
      Buffer.from(
        rows
          .map((row) =>
            row
              .slice(1)
              .map((value) => value ?? "\\N")
              .join("\t"),
          )
          .join("\n"),
      ),
    );
  }
}

function* linesOf(pages: readonly Buffer[]): Iterable<readonly [string]> {
  for (const page of pages) for (const line of page.toString().split("\n")) yield [line];
}

/** A COPY of the rows that an import made, once they are gone again. */
export async function runCopy({ served }: Pick<Context, "served">, client: pg.Client, mark: string): Promise<Cost> {
  const which = `name like '${mark} %'`;
  const written = await client.query<{ attname: string }>(
    `select attname from pg_attribute where attrelid = 'crm__companies'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  const names = written.rows.map(({ attname }) => `"${attname}"`);
  const pages = await copyLines(client, names, which);
  await client.query(`delete from crm__companies where ${which}`);
  await client.query("vacuum crm__companies");
  const cost = await countCost(served, client);
  await copyIn(client, "crm__companies", names, linesOf(pages));
  return cost();
}

/** A large file is imported while another user looks at lists: what it adds to the service's memory, and to the time of the lists. */
async function besideOthers(context: Context, client: pg.Client, file: string, rows: number): Promise<readonly Fact[]> {
  const { served, options } = context;
  const traffic = listTraffic(served.universe, "half").find(({ name }) => name.startsWith("pages"));
  if (!traffic) throw new Error("there is no traffic of pages");
  const random = createRandom(seedOf("lists beside imports", options.seed));
  const look = () => startWrites(served.port, served.tokens.half, LISTS, () => traffic.next(random));
  await settle(served.connection);
  const quiet = look();
  await new Promise((resolve) => setTimeout(resolve, Math.max(10, options.seconds * options.rounds) * 1000));
  const alone = await quiet.stop();
  const large = { rows, mark: "Large", withReferences: false, revenue: 1_000, padding: Math.ceil(LARGE_BYTES / rows) };
  await writeCompanies(file, large);
  const before = residentMemory(served.pid) ?? 0;
  const memory = watchMemory(served.pid);
  const busy = look();
  const { seconds, service } = await runImport(context, client, file, { mode: "add" });
  const beside = await busy.stop();
  const most = memory.stop() ?? 0;
  const facts = `${rows.toLocaleString("en")} rows of a file of 200 MB in ${seconds.toFixed(1)} s`;
  return [
    {
      name: "memory added by a large file",
      value: most - before,
      unit: "MiB",
      note: `${facts}, ${before.toFixed(0)} MiB before; ${(service / rows).toFixed(2)} ms of the service for a row and its lists`,
    },
    {
      name: "p95 of another user's lists beside an import",
      value: beside.p95 / alone.p95,
      unit: "× without",
      note: `${beside.p95.toFixed(0)} ms against ${alone.p95.toFixed(0)} ms, p50 ${beside.p50.toFixed(0)} against ${alone.p50.toFixed(0)}; ${LISTS} lists per second, ${beside.errors + alone.errors} failed`,
    },
  ];
}

/** As many rows as a file may have: how long they take, and what they add to the service's memory. */
async function largest(context: Context, client: pg.Client, file: string): Promise<Fact> {
  const { served } = context;
  await writeCompanies(file, { rows: MOST_ROWS, mark: "Many", withReferences: false, revenue: 1_000 });
  const megabytes = (statSync(file).size / 1e6).toFixed(0);
  const before = residentMemory(served.pid) ?? 0;
  const memory = watchMemory(served.pid);
  const { seconds, service, database } = await runImport(context, client, file, { mode: "add" });
  const most = memory.stop() ?? 0;
  return {
    name: "memory added by the largest file",
    value: most - before,
    unit: "MiB",
    note:
      `${MOST_ROWS.toLocaleString("en")} rows, ${megabytes} MB in ${seconds.toFixed(0)} s; ${before.toFixed(0)} MiB before; ` +
      `${(service / MOST_ROWS).toFixed(3)} ms of the service and ${(database / MOST_ROWS).toFixed(3)} ms of PostgreSQL for a row`,
  };
}

export async function measureImports(context: Context): Promise<readonly Fact[]> {
  const { served, say, options } = context;
  const { rows } = served.universe;
  const folder = mkdtempSync(path.join(tmpdir(), "dossier-bench-import-"));
  const client = new pg.Client(served.connection);
  await client.connect();
  try {
    const file = path.join(folder, "companies.csv");
    const plain = { rows, mark: "Added", withReferences: false, revenue: 1_000 };
    const facts: Fact[] = [];
    const tell = (name: string, { seconds, service, database }: Cost, count: number, compared: string): void => {
      const each = `${(service / count).toFixed(3)} ms of the service and ${(database / count).toFixed(3)} ms of PostgreSQL for a row`;
      const note = `${compared}; ${each}`;
      facts.push({ name, value: seconds, unit: "s", note });
      say(`${name}: ${seconds.toFixed(2)} s; ${note}`);
    };
    const words = rows.toLocaleString("en");
    if (options.only === "largest") {
      const fact = await largest(context, client, file);
      say(`${fact.name}: ${fact.value.toFixed(0)} MiB; ${fact.note}`);
      return [fact];
    }
    await client.query("create index if not exists bench_name on crm__companies (organization_id, name)");
    await writeCompanies(file, plain);
    // Nothing was imported since the service started: what its first import adds for good is among this.
    const before = residentMemory(served.pid) ?? 0;
    const memory = watchMemory(served.pid);
    const added = await runImport(context, client, file, { mode: "add" });
    const first = {
      name: "memory added by the first import after a start",
      value: (memory.stop() ?? 0) - before,
      unit: "MiB",
      note: `${words} rows; ${before.toFixed(0)} MiB before`,
    };
    facts.push(first);
    say(`${first.name}: ${first.value.toFixed(0)} MiB; ${first.note}`);
    const copied = await runCopy(context, client, "Added");
    const times = ({ seconds }: Cost): string =>
      `${(copied.seconds / seconds).toFixed(3)} × the rows per second of COPY (${copied.seconds.toFixed(2)} s, ${(copied.database / rows).toFixed(3)} ms of PostgreSQL for a row)`;
    tell(`${words} companies added`, added, rows, times(added));
    await writeCompanies(file, { ...plain, revenue: 2_000 });
    const updated = await runImport(context, client, file, { mode: "update", key: "name" });
    tell(`${words} companies updated by name`, updated, rows, times(updated));
    // At a million rows the rest takes half an hour more, and says nothing that it does not say of fewer.
    if (options.only === "added") return facts;
    await writeCompanies(file, { ...plain, mark: "Checked" });
    const checked = await runImport(context, client, file, { mode: "add", dry_run: "1" });
    tell(`${words} companies checked in a dry run`, checked, rows, times(checked));
    const few = Math.min(rows, 100_000);
    await writeCompanies(file, { ...plain, rows: few, mark: "Plain" });
    const without = await runImport(context, client, file, { mode: "add" });
    await addTypes(context);
    await writeCompanies(file, { ...plain, rows: few, mark: "Referring", withReferences: true });
    const referring = await runImport(context, client, file, { mode: "add", references: "1" });
    const note = `${(referring.seconds / without.seconds).toFixed(2)} × the time without (${without.seconds.toFixed(2)} s)`;
    tell(`${few.toLocaleString("en")} companies with references`, referring, few, note);
    facts.push(...(await besideOthers(context, client, file, few)));
    for (const { name, value, unit, note: said } of facts.slice(-2))
      say(`${name}: ${value.toFixed(2)} ${unit}; ${said}`);
    return facts;
  } finally {
    await client.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
