// Measures and tries out a distributed database beside a plain one on the same machine:
//   npx tsx bench/citus/run.ts <plain database URL> <coordinator URL> [<folder of deploy/citus/build.sh>]
// Both databases are empty; the second was made by "deploy/citus/cluster.sh database". Page 1 and a save against plain PostgreSQL, then
// one worker gone (with the folder, and CITUS_PORT as for cluster.sh), then an organization moved under writers. Fails where the
// promises are not kept; the ratios are told, not judged.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readConfig } from "../../server/config.ts";
import { distribute, readSituation } from "../../server/database/citus/distribute.ts";
import { moveOrganization } from "../../server/database/citus/move.ts";
import type { Database } from "../../server/database/database.ts";
import { sql } from "../../server/database/sql.ts";
import { root } from "../../server/lib/root.ts";
import type { Snapshot } from "../../server/metadata/snapshot.ts";
import { openService } from "../../server/service.ts";
import { fillDatabase, LEADS_OF_LEAVERS, type Organization, PASSWORD, placeOf } from "./organizations.ts";

const ORGANIZATIONS = 4;
const LEADS = 300;
const ROUNDS = 8;
const PER_ROUND = 20;

const [plainUrl, citusUrl, folder] = process.argv.slice(2);
if (!plainUrl || !citusUrl) throw new Error("give the URLs of a plain database and of one on a Citus coordinator");
const out = (line: string): void => void process.stdout.write(`${line}\n`);
const assert = (holds: boolean, claim: string): void => {
  if (!holds) throw new Error(`not so: ${claim}`);
  out(`  holds: ${claim}`);
};

async function serve(url: string) {
  const dataDir = mkdtempSync(path.join(tmpdir(), "dossier-citus-"));
  const config = readConfig({
    PORT: "0",
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    RATE_LIMIT: "0",
    LOG_LEVEL: "silent",
    TOKEN_SECRET: "a secret that is long enough to sign with",
  });
  const service = await openService(config);
  const send = async (address: string, token: string | undefined, body?: object) => {
    const response = await fetch(service.url + address, {
      method: body ? "POST" : "GET",
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: JSON.parse(await response.text()) as Record<string, unknown> };
  };
  const signIn = async (userName: string) => {
    const answer = await send("/access_controls/users/login.json", undefined, {
      data: { users: { user_name: userName, user_password: PASSWORD } },
    });
    return { status: answer.status, token: String(answer.body.access_token) };
  };
  const close = async () => {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { send, signIn, close };
}

type Served = Awaited<ReturnType<typeof serve>>;

const page = (served: Served, token: string) => served.send("/crm/leads/index.json?page=1", token);
const save = (served: Served, token: string, id: string, name: string) =>
  served.send("/crm/leads/edit.json", token, {
    data: { leads: { id, description: name }, action: { save_progress: "Save" } },
  });

const handOver = async (served: Served, token: string, { userId, leaverIds }: Organization, turn: number) => {
  const address = `/access_controls/users/deactivate.json?id=${leaverIds[turn]}&hand_over_to=${userId}`;
  const answer = await served.send(address, token, {});
  const { "crm/leads": handed } = (answer.body.handed_over ?? {}) as Readonly<Record<string, number>>;
  if (answer.status === 200 && handed !== LEADS_OF_LEAVERS) throw new Error(`${handed} records were handed over`);
  return answer;
};

const add = (served: Served, token: string) =>
  served.send("/crm/leads/add.json", token, {
    data: { leads: { last_name: "With a worker gone" }, action: { save_progress: "Save" } },
  });

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function timed(
  work: (turn: number) => Promise<{ readonly status: number; readonly body: object }>,
): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < PER_ROUND; turn += 1) {
    const began = performance.now();
    const { status, body } = await work(turn);
    times.push(performance.now() - began);
    if (status !== 200) throw new Error(`a request was answered with ${status}: ${JSON.stringify(body)}`);
  }
  return times;
}

/** Taking turns, so that whatever else the machine does meets both. */
async function compare(
  what: string,
  sides: readonly {
    readonly name: string;
    readonly work: (turn: number) => Promise<{ readonly status: number; readonly body: object }>;
  }[],
): Promise<void> {
  const times = sides.map((): number[] => []);
  for (const { work } of sides) await timed(work);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, { work }] of sides.entries()) times[index]?.push(...(await timed(work)));
  const medians = times.map(median);
  const told = sides.map(({ name }, index) => `${name} ${medians[index]?.toFixed(2)} ms`).join(", ");
  out(`${what}: ${told}, ratio ${((medians[1] ?? 0) / (medians[0] ?? 1)).toFixed(2)}`);
}

async function distributeAll(db: Database, snapshot: Snapshot): Promise<void> {
  const shared = [...snapshot.types.values()].filter(({ scope }) => scope === "shared").map(({ table }) => table);
  await distribute(db, await readSituation(db, new Set(shared)), 8, () => undefined);
}

/** While writers write to it, one after the other, each knowing what it was told. */
async function moveUnderWriters(served: Served, db: Database, { id, userName, leadIds }: Organization): Promise<void> {
  const { token } = await served.signIn(userName);
  const told = new Map<string, string>();
  const refused: number[] = [];
  let written = 0;
  let moving = true;
  const writer = async (mine: readonly string[]): Promise<void> => {
    for (let turn = 0; moving; turn += 1) {
      const lead = mine[turn % mine.length] ?? "";
      const name = `Written ${written}`;
      written += 1;
      const { status } = await save(served, token, lead, name);
      if (status === 200) told.set(lead, name);
      else refused.push(status);
    }
  };
  const from = await placeOf(db, id);
  const writers = [0, 1, 2, 3].map((number) => writer(leadIds.filter((_, index) => index % 4 === number).slice(0, 20)));
  const began = performance.now();
  const moves = [await moveOrganization(db, id, undefined, () => undefined)];
  const other = moves[0]?.to === from ? await otherWorker(db, from) : from;
  moves.push(await moveOrganization(db, id, other, () => undefined));
  moving = false;
  await Promise.all(writers);
  out(
    `moved ${moves.map(({ from: source, to }) => `${source} → ${to}`).join(", ")} in ${((performance.now() - began) / 1000).toFixed(1)} s under ${written} writes`,
  );
  assert(refused.length === 0, `no write was refused (${refused.join(" ")})`);
  const rows = await db.rows(sql`
    select id::text as id, description from crm__leads
    where organization_id = ${id}::bigint and id = any(${[...told.keys()]}::bigint[])`);
  const lost = rows.filter((row) => told.get(row.id ?? "") !== row.description);
  assert(rows.length === told.size && lost.length === 0, `all of ${told.size} records are as they were last written`);
  const history = await db.row(sql`
    select count(*)::text as count from core__revisions
    where organization_id = ${id}::bigint and related_type = 'crm/leads' and operation = 'edit'`);
  assert(Number(history?.count) >= written, `every write is in the history (${history?.count} of ${written})`);
  await assertAppendOnly(db, id);
}

async function otherWorker(db: Database, than: string): Promise<string> {
  const row = await db.row(sql`
    select nodename || ':' || nodeport as name from pg_dist_node where shouldhaveshards and nodename || ':' || nodeport <> ${than} limit 1`);
  return row?.name ?? than;
}

async function assertAppendOnly(db: Database, id: string): Promise<void> {
  const tried = await db
    .run(sql`update access_controls__audit_events set event = 'x' where organization_id = ${id}::bigint`)
    .then(() => "changed", String);
  assert(tried.includes("never changed"), "the audit log of the moved organization cannot be changed");
}

async function oneWorkerGone(served: Served, db: Database, organizations: readonly Organization[]): Promise<void> {
  const port = Number(process.env.CITUS_PORT ?? 5610);
  const cluster = (...words: string[]) =>
    execFileSync(path.join(root, "deploy/citus/cluster.sh"), words, { stdio: ["ignore", "ignore", "inherit"] });
  const everybody = await Promise.all(
    organizations.map(async (one) => ({
      ...one,
      place: await placeOf(db, one.id),
      token: (await served.signIn(one.userName)).token,
    })),
  );
  const gone = everybody[0]?.place ?? "";
  cluster("kill-node", folder ?? "", String(Number(gone.split(":")[1]) - port));
  const work = async (one: (typeof everybody)[number], turn: number) => {
    const { userName, token, leadIds } = one;
    return [
      (await served.signIn(userName)).status,
      (await page(served, token)).status,
      (await save(served, token, leadIds[0] ?? "", "With a worker gone")).status,
      (await add(served, token)).status,
      (await handOver(served, token, one, turn)).status,
    ];
  };
  try {
    for (const one of everybody) {
      const statuses = await work(one, 0);
      if (one.place === gone)
        assert(
          statuses.every((status) => status >= 500),
          `${one.userName}, on the worker that is gone: ${statuses.join(" ")}`,
        );
      else
        assert(
          statuses.every((status) => status === 200),
          `${one.userName}, on another worker: ${statuses.join(" ")}`,
        );
    }
  } finally {
    cluster("start-node", folder ?? "", String(Number(gone.split(":")[1]) - port));
  }
  for (const one of everybody) {
    const statuses = await work(one, 1);
    assert(
      statuses.every((status) => status === 200),
      `${one.userName} works again: ${statuses.join(" ")}`,
    );
  }
}

const plain = await fillDatabase(plainUrl, 1, LEADS);
const citus = await fillDatabase(citusUrl, ORGANIZATIONS, LEADS);
await distributeAll(citus.db, citus.snapshot);
for (const { db } of [plain, citus]) await db.script("analyze");
const [onPlain, onCitus] = [await serve(plainUrl), await serve(citusUrl)];
try {
  const sides = await Promise.all(
    [
      { name: "plain", served: onPlain, organization: plain.organizations[0] },
      { name: "citus", served: onCitus, organization: citus.organizations[0] },
    ].map(async (side) => ({
      ...side,
      token: (await side.served.signIn(side.organization?.userName ?? "")).token,
      ids: side.organization?.leadIds ?? [],
    })),
  );
  await compare(
    "page 1",
    sides.map(({ name, served, token }) => ({ name, work: () => page(served, token) })),
  );
  await compare(
    "a save",
    sides.map(({ name, served, token, ids }) => ({
      name,
      work: (turn: number) => save(served, token, ids[turn] ?? "", `Name ${Math.random()}`),
    })),
  );
  const [moved] = citus.organizations;
  if (moved) await moveUnderWriters(onCitus, citus.db, moved);
  if (folder) await oneWorkerGone(onCitus, citus.db, citus.organizations);
} finally {
  await onPlain.close();
  await onCitus.close();
  await plain.db.close();
  await citus.db.close();
}
