// `npm run bench -- import-peers`: the same file of leads into us and into Directus, in turns, from the upload to the last row.
// Both keep history of every row; only we compute, check rules and number the records.
import { createReadStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Context } from "../compare.ts";
import type { Fact } from "../report/result.ts";
import { settle } from "../serve/serve.ts";
import { directus } from "./directus.ts";

const ROWS = 100_000;
const columns = [
  "first_name",
  "last_name",
  "company_name",
  "job_title",
  "source",
  "rating",
  "score",
  "employees",
  "email",
  "phone",
  "city",
  "description",
];

async function writeLeads(file: string): Promise<void> {
  const out = await open(file, "w");
  try {
    await out.writeFile(`${columns.join()}\n`);
    for (let start = 0; start < ROWS; start += 10_000) {
      const lines = Array.from({ length: 10_000 }, (_, index) => {
        const n = start + index;
        const person = [`First ${n % 977}`, `Last ${n}`, `Company ${n % 5000}`, `Manager ${n % 100}`];
        const facts = ["web", "hot", n % 100, n % 5000, `lead${n}@race.example`, `+49 30 ${1_000_000 + n}`, "Ulm"];
        return [...person, ...facts, `A note about lead ${n}`].join();
      });
      await out.writeFile(`${lines.join("\n")}\n`);
    }
  } finally {
    await out.close();
  }
}

/** Waits as long as it takes: a peer answers when the last row is in. Gives the body. */
function postFile(
  port: number,
  target: string,
  token: string,
  file: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const boundary = "dossier-bench-boundary";
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n`;
  const before = [
    ...Object.entries(fields).map(([name, value]) => `${part(`name="${name}"`)}\r\n${value}\r\n`),
    `${part('name="file"; filename="leads.csv"')}Content-Type: text/csv\r\n\r\n`,
  ].join("");
  const after = `\r\n--${boundary}--\r\n`;
  const length = Buffer.byteLength(before) + statSync(file).size + Buffer.byteLength(after);
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": length,
    };
    const request = http.request({ host: "127.0.0.1", port, path: target, method: "POST", headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("error", reject);
      response.on("end", () => {
        const body = Buffer.concat(pieces).toString();
        if ((response.statusCode ?? 500) < 300) resolve(body);
        else reject(new Error(`${response.statusCode} ${body.slice(0, 300)}`));
      });
    });
    request.on("error", reject);
    request.write(before);
    createReadStream(file)
      .on("error", reject)
      .on("end", () => request.end(after))
      .pipe(request, { end: false });
  });
}

async function importHere({ served }: Context, file: string): Promise<void> {
  const { port, tokens } = served;
  const mapping = JSON.stringify(Object.fromEntries(columns.map((name) => [name, name])));
  const fields = { mapping, mode: "add", override_duplicates: "1" };
  const { job_id: id } = JSON.parse(
    await postFile(port, "/crm/leads/import.json", tokens.administrator, file, fields),
  ) as { job_id: string };
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/core/jobs/view.json?id=${id}`, {
      headers: { authorization: `Bearer ${tokens.administrator}` },
    });
    const { data } = (await response.json()) as { data: { jobs: { status: string; done: string; failed: string } } };
    const { status, done, failed } = data.jobs;
    if (status === "done" && Number(done) === ROWS && failed === "0") return;
    if (status !== "queued" && status !== "running") throw new Error(`our import ended: ${status}, ${failed} failed`);
    await delay(100);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

export async function measureImportRace(context: Context): Promise<readonly Fact[]> {
  const { options, say, served } = context;
  const peer = await directus.start(context);
  if (typeof peer === "string") throw new Error(`${directus.name} was not measured: ${peer}`);
  const folder = mkdtempSync(path.join(tmpdir(), "dossier-bench-race-"));
  const file = path.join(folder, "leads.csv");
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    await writeLeads(file);
    for (let round = 0; round < options.rounds; round += 1) {
      await settle(served.connection);
      ours.push(await timed(() => importHere(context, file)));
      await settle(served.connection);
      theirs.push(await timed(() => postFile(peer.port, "/utils/import/leads", peer.token, file, {})));
      say(`round ${round + 1}: ${ours.at(-1)?.toFixed(1)} s here, ${theirs.at(-1)?.toFixed(1)} s in ${directus.name}`);
    }
  } finally {
    await peer.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const times = (all: readonly number[]) => all.map((one) => one.toFixed(1)).join(", ");
  const [here, there] = [median(ours), median(theirs)];
  return [
    {
      name: "100,000 leads imported, rows per second",
      value: there / here,
      unit: `× ${directus.name}`,
      note: `${Math.round(ROWS / here)} against ${Math.round(ROWS / there)} rows per second; ${times(ours)} s against ${times(theirs)} s, in turns`,
    },
  ];
}
