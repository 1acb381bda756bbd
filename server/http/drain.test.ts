// What a service answers that is about to end, and how processes behind one port tell their metrics together.
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { busy, currentScope, stopping } from "../database/scope.ts";
import { saversFirst } from "../lib/turns/savers-first.ts";
import type { AppDependencies } from "./dependencies.ts";
import type { ProcessMetrics } from "./metrics.ts";
import { openTestApp } from "./test-app.ts";

const headers = { authorization: "Bearer good" };

async function open(environment: Record<string, string>, dependencies: Partial<AppDependencies>) {
  const opened = await openTestApp({ environment, dependencies });
  onTestFinished(opened.close);
  return opened.app;
}

test("while it drains it is alive, not ready, and serves all the same, each connection for the last time", async () => {
  let draining = false;
  const app = await open({}, { isDraining: () => draining });
  const told = async () => {
    const answers = await Promise.all(
      ["/healthz", "/readyz", "/crm/leads/index.json"].map((url) => app.inject({ url, headers })),
    );
    return answers.map(({ statusCode, headers: sent }) => [statusCode, sent.connection === "close"]);
  };
  expect(await told()).toEqual([
    [200, false],
    [200, false],
    [200, false],
  ]);
  draining = true;
  expect(await told()).toEqual([
    [200, true],
    [503, true],
    [200, true],
  ]);
});

test("a probe while it drains is one quiet line; a database that is gone is told with its reason", async () => {
  let draining = true;
  const opened = await openTestApp({
    dependencies: { isDraining: () => draining, ready: () => Promise.reject(new Error("connection refused")) },
  });
  onTestFinished(opened.close);
  expect((await opened.app.inject({ url: "/readyz" })).statusCode).toBe(503);
  expect(opened.logLines).toEqual([expect.objectContaining({ level: 30, status: 503, failure: "not_ready" })]);
  draining = false;
  opened.logLines.length = 0;
  expect((await opened.app.inject({ url: "/readyz" })).statusCode).toBe(503);
  const [reason] = opened.logLines;
  expect(reason).toMatchObject({ level: 50, error: { message: "connection refused" } });
});

const queues = {
  jobs: { waiting: 3, failing: 1, oldestSeconds: 12.5 },
  mail: { waiting: 2, held: 4, oldestSeconds: 7 },
  processes: 2,
};
const figures = {
  pools: () => ({ requests: { open: 5, busy: 2, waiting: 1 } }),
  reads: () => ({ standby: 3, behind: 0, unusable: 0 }),
  events: () => ({ connected: true, heard: 9 }),
  queues: async () => queues,
  backups: async () => ({ succeeded: undefined, seconds: undefined, bytes: undefined, failure: undefined }),
};

test("connections, messages, caches, jobs and mail are in the metrics; without the database, what the process knows", async () => {
  const app = await open({}, { figures });
  const { body } = await app.inject({ url: "/metrics" });
  for (const line of [
    'dossier_database_connections{pool="requests",state="busy"} 2',
    'dossier_replica_reads_total{outcome="standby"} 3',
    "dossier_events_connected 1",
    "dossier_events_total 9",
    "dossier_jobs_waiting 3",
    "dossier_jobs_failing 1",
    "dossier_mail_held 4",
    "dossier_processes 2",
  ])
    expect(body).toContain(`${line}\n`);
  const alone = await open({}, { figures: { ...figures, queues: () => Promise.reject(new Error("down")) } });
  const answer = await alone.inject({ url: "/metrics" });
  expect([answer.statusCode, answer.body.includes("dossier_events_total"), answer.body.includes("jobs")]).toEqual([
    200,
    true,
    false,
  ]);
});

test("whichever worker is asked tells of all, each under its number, and of the queues once", async () => {
  const members: (() => Promise<ProcessMetrics>)[] = [];
  const fleet = {
    join: (own: () => Promise<ProcessMetrics>) => void members.push(own),
    gather: () => Promise.all(members.map((own) => own())),
  };
  const workers = [];
  for (const worker of ["1", "2"])
    workers.push(await open({ DOSSIER_WORKER: worker }, { figures: { ...figures, fleet } }));
  const [first, second] = workers;
  await first?.inject({ url: "/crm/leads/index.json", headers });
  const { body = "" } = (await second?.inject({ url: "/metrics" })) ?? {};
  expect(body).toContain('dossier_request_duration_seconds_count{operation="index",status="200",worker="1"} 1');
  for (const worker of ["1", "2"]) expect(body).toContain(`dossier_events_total{worker="${worker}"} 9`);
  expect(body.match(/^dossier_jobs_waiting/gm)).toHaveLength(1);
  expect(body.match(/^# TYPE dossier_events_total/gm)).toHaveLength(1);
});

const redesigned = () => Object.assign(new pg.DatabaseError("no such column", 0, "error"), { code: "42703" });

test.each([
  ["too much at once", busy, [429, "too_much_at_once"]],
  ["stopping", stopping, [503, "not_ready"]],
  ["another design", redesigned, [500, "internal"]],
])(
  "a save that was committed and then refused (%s) does not look as if nothing was saved",
  async (_, refusal, unsaved) => {
    const run = (isSaved: boolean) => () => {
      const scope = currentScope();
      if (scope) scope.saved = isSaved;
      throw refusal();
    };
    const opened = await openTestApp({
      operations: { add: { run: run(true), reads: false }, edit: { run: run(false), reads: false } },
    });
    onTestFinished(opened.close);
    const told = async (operation: string) => {
      const sent = { method: "POST", url: `/crm/leads/${operation}.json`, headers, payload: {} } as const;
      const answer = await opened.app.inject(sent);
      return [answer.statusCode, answer.json().error_code];
    };
    expect(await told("add")).toEqual([503, "outcome_unknown"]);
    expect(await told("edit")).toEqual(unsaved);
  },
);

test("who reads waits for a turn while somebody saves, and only then", async () => {
  const seen: unknown[] = [];
  const run = async () => {
    const turn = saversFirst.readerTurn();
    seen.push([currentScope()?.reads, turn !== undefined]);
    return { body: {} };
  };
  const opened = await openTestApp({ operations: { index: { run, reads: true }, add: { run, reads: false } } });
  onTestFinished(opened.close);
  await opened.app.inject({ url: "/crm/leads/index.json", headers });
  await opened.app.inject({ method: "POST", url: "/crm/leads/add.json", headers, payload: {} });
  await opened.app.inject({ url: "/crm/leads/index.json", headers });
  expect(seen).toEqual([
    [true, false],
    [false, true],
    [true, false],
  ]);
});
