// `npm run bench -- soak`: an hour (or --minutes) of mixed work of 200 people in three organizations over three processes, at 80 %
// of what they can take, with everything in between that happens to a service; then every invariant is checked.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Database, openDatabase } from "../../server/database/database.ts";
import { startEngine } from "../../server/database/embedded/engine.ts";
import { sql } from "../../server/database/sql.ts";
import { ensureFirstOrganization } from "../../server/identity/first-organization.ts";
import { readSnapshot } from "../../server/metadata/store.ts";
import { builtInTypes } from "../../server/modules/index.ts";
import { prepareDatabase } from "../../server/prepare.ts";
import { latencies, median } from "../load/figures.ts";
import type { Options } from "../options.ts";
import { benchPassword } from "../organization/people.ts";
import type { Fact } from "../report/result.ts";
import { createRandom, seedOf } from "../traffic/random.ts";
import { checkAll } from "./check.ts";
import { createDisturbances } from "./disturb.ts";
import { type Fleet, startFleet, type Told } from "./fleet.ts";
import { openLedger } from "./ledger.ts";
import { createPerson, type Person, tokenOf } from "./person.ts";
import { openTally } from "./tally.ts";
import { buildWorld, type Inhabitant } from "./world.ts";

export interface Soaked {
  readonly facts: readonly Fact[];
  readonly notes: readonly string[];
  /** Nothing was lost, and nothing failed that was not asked to. */
  readonly isSound: boolean;
}

const PEOPLE = 200;
const PROCESSES = 3;
const SHARE_OF_LIMIT = 0.8;
/** Processes that have just started compile code as it is used, and would be taken for half of what they are. */
const WARM_SECONDS = 60;
const LIMIT_SECONDS = 20;
const SAMPLE_MS = 5_000;
/** The process that is never killed may use so much more in the end than when it had warmed up. */
const MOST_GROWTH = 1.25;

export async function runSoak(options: Options, say: (line: string) => void): Promise<Soaked> {
  const folder = mkdtempSync(path.join(tmpdir(), "dossier-soak-"));
  const engine = await startEngine({ dataDir: folder, log: () => undefined, settings: { max_connections: "200" } });
  const db = openDatabase(engine.connection);
  let fleet: Fleet | undefined;
  try {
    const metadata = await prepareDatabase(db);
    const administrator = { adminUserName: "admin", adminPassword: benchPassword };
    const first = await ensureFirstOrganization(db, metadata, administrator, "Soak");
    if (!first) throw new Error(`${folder} already holds a database`);
    const people = await buildWorld(db, metadata.current(), first.organizationId, PEOPLE);
    const environment = {
      DATABASE_URL: engine.url,
      DATA_DIR: path.join(folder, "service"),
      TOKEN_SECRET: "one secret for all the processes of a soak",
      DRAIN_SECONDS: "2",
      LOG_LEVEL: "error",
    };
    const logFile = path.join(options.out, "soak.log");
    mkdirSync(options.out, { recursive: true });
    rmSync(logFile, { force: true });
    say(`errors of the service go to ${logFile}`);
    fleet = await startFleet(PROCESSES, options.port, environment, logFile);
    return await soak({ db, fleet, people, folder, environment, options, say });
  } finally {
    await fleet?.stop();
    await db.close();
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Soak {
  readonly db: Database;
  readonly fleet: Fleet;
  readonly people: readonly Inhabitant[];
  readonly folder: string;
  readonly environment: Record<string, string>;
  readonly options: Options;
  readonly say: (line: string) => void;
}

const count = (map: ReadonlyMap<string, number>): number => [...map.values()].reduce((sum, one) => sum + one, 0);

async function soak({ db, fleet, people, folder, environment, options, say }: Soak): Promise<Soaked> {
  const tally = openTally();
  const ledger = openLedger();
  const logIn = async (userName: string): Promise<Told> => {
    const users = { user_name: userName, user_password: benchPassword };
    const began = performance.now();
    const told = await fleet.ask("/access_controls/users/login.json", { token: "", body: { data: { users } } });
    tally.note("log in", told, performance.now() - began, []);
    return told;
  };
  let operator = tokenOf(await logIn("admin"));
  const asOperator = async (address: string, body?: unknown) => {
    const ask = () => fleet.ask(address, body === undefined ? { token: operator } : { token: operator, body });
    const told = await ask();
    if (told.status !== 401) return told;
    const entered = await logIn("admin");
    operator = tokenOf(entered);
    return operator === "" ? entered : ask();
  };
  const leadIds = async () =>
    (
      await db.rows(
        sql`select id::text as id from crm__leads where organization_id = 1 and created_by is null and deleted = 0`,
      )
    ).map(({ id }) => id ?? "");
  const disturbances = createDisturbances({ fleet, tally, asOperator, leadIds, folder, environment });
  // The type that is redesigned has to be there before anybody writes to it.
  await disturbances.next();

  const all: Person[] = [];
  for (const who of people) {
    const random = createRandom(seedOf("soak", options.seed, who.userName));
    const token = tokenOf(await logIn(who.userName));
    all.push(createPerson({ who, token, fleet, ledger, tally, random, logIn: () => logIn(who.userName) }));
  }
  say(`${people.length} people are signed in`);

  let isOver = false;
  const work = async (pauseMs: () => number, until: () => boolean): Promise<void> => {
    await Promise.all(
      all.map(async (person) => {
        while (!until()) {
          const pause = pauseMs();
          if (pause > 0) await delay(pause);
          await person.act();
        }
      }),
    );
  };
  const workAtOnce = async (seconds: number): Promise<number> => {
    const [answered, end] = [tally.answered(), performance.now() + seconds * 1_000];
    await work(
      () => 0,
      () => performance.now() > end,
    );
    return tally.answered() - answered;
  };
  await workAtOnce(WARM_SECONDS);
  const limit = (await workAtOnce(LIMIT_SECONDS)) / LIMIT_SECONDS;
  const rate = limit * SHARE_OF_LIMIT;
  if (tally.faults.size > 0)
    say(`at the limit: ${[...tally.faults].map(([name, times]) => `${times} × ${name}`).join("; ")}`);
  tally.times.splice(0);
  say(`${Math.round(limit)} requests a second at most; going on with ${Math.round(rate)}`);

  const random = createRandom(seedOf("soak pauses", options.seed));
  const began = performance.now();
  const before = tally.answered();
  const end = began + options.minutes * 60_000;
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(fleet.memory(PROCESSES - 1) ?? 0), SAMPLE_MS);
  // Exponential pauses: people do not take turns.
  const working = work(
    () => (-Math.log(1 - random.next()) * all.length * 1_000) / rate,
    () => isOver,
  );
  const gap = Math.min(60_000, Math.max(5_000, (options.minutes * 60_000) / 30));
  while (performance.now() + gap < end) {
    await delay(gap);
    const name = await disturbances.next();
    const failed = count(tally.faults) + disturbances.faults.length + fleet.fallen.length;
    say(`${Math.round((performance.now() - began) / 60_000)} min: ${name}; ${failed} faults so far`);
  }
  await delay(Math.max(0, end - performance.now()));
  isOver = true;
  await working;
  clearInterval(sampling);
  const seconds = (performance.now() - began) / 1_000;
  const answered = tally.answered() - before;

  say("checking");
  await jobsEnded(db);
  const organizations = [...new Set(people.map(({ organizationId }) => organizationId))];
  const snapshot = await readSnapshot(db, builtInTypes);
  const broken = await checkAll(db, snapshot, organizations, ledger.records);
  const quarter = Math.floor(memory.length / 4);
  const [early, late] = [median(memory.slice(quarter, 2 * quarter)), median(memory.slice(-quarter))];
  const isFlat = quarter === 0 || late <= early * MOST_GROWTH;
  const { p50, p95, p99 } = latencies(tally.times);
  const fact = (name: string, value: number, unit: string, note = ""): Fact => ({ name, value, unit, note });
  const told = (map: ReadonlyMap<string, number>) => [...map].map(([name, times]) => `${times} × ${name}`);
  const faults = [...told(tally.faults), ...disturbances.faults, ...fleet.fallen, ...broken.slice(0, 50)];
  if (!isFlat) faults.push(`memory went from ${Math.round(early)} to ${Math.round(late)} MiB`);
  for (const line of [...told(tally.expected), ...faults.map((one) => `FAULT: ${one}`)]) say(line);
  return {
    isSound: faults.length === 0,
    notes: [
      ...told(disturbances.done),
      ...told(tally.expected).map((one) => `asked for: ${one}`),
      ...faults.map((one) => `FAULT: ${one}`),
    ],
    facts: [
      fact("minutes", seconds / 60, "min"),
      fact("at the limit", limit, "requests/s", `${PEOPLE} people without a pause, ${LIMIT_SECONDS} s`),
      fact("answered", answered, "requests", `${(answered / seconds).toFixed(0)} a second, wanted ${rate.toFixed(0)}`),
      fact("half of them within", p50, "ms"),
      fact("95 % within", p95, "ms"),
      fact("99 % within", p99, "ms"),
      fact("failed because something was killed", count(tally.expected), "requests"),
      fact("failed otherwise", count(tally.faults), "requests"),
      fact("records acknowledged", ledger.records.length, "records"),
      fact(
        "broken invariants",
        broken.length,
        "",
        "acknowledged records, counts, access recipes, history, stages, indexes, jobs",
      ),
      fact(
        "memory after warming up",
        early,
        "MiB",
        "median of the second quarter, of the process that was never killed",
      ),
      fact("memory in the end", late, "MiB", "median of the last quarter"),
    ],
  };
}

const JOBS_MS = 120_000;

async function jobsEnded(db: Database): Promise<void> {
  for (const until = performance.now() + JOBS_MS; performance.now() < until; await delay(500)) {
    const row = await db.row(sql`select count(*)::text as count from core__job_queue`);
    if (row?.count === "0") return;
  }
}
