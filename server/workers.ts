// Several processes behind one port: the first opens the storage, starts the others, starts anew whoever dies, and passes
// on what they want to know of each other. Signals are its business alone: whoever is told twice would end at once.
import cluster, { type Worker } from "node:cluster";
import type { Config } from "./config.ts";
import type { Fleet, ProcessMetrics } from "./http/metrics.ts";
import type { FirstOrganization } from "./identity/first-organization.ts";
import { createLog, openStorage } from "./service.ts";

interface Message {
  /** Of a worker: where it listens. */
  readonly ready?: string;
  /** To a worker: drain and close. */
  readonly stop?: true;
  /** Of a worker: everybody's metrics, please. To each worker: yours, please. */
  readonly asks?: number;
  /** Of a worker: its own. */
  readonly gives?: { readonly ask: number; readonly metrics: ProcessMetrics };
  /** To the worker that asked. */
  readonly gathered?: { readonly ask: number; readonly all: readonly ProcessMetrics[] };
}

/** Whoever has not answered by then is left out: it hangs, or has just died. */
const GATHER_MS = 2_000;
const RESTART_MS = 1_000;

export interface Workers {
  readonly url: string;
  readonly first: FirstOrganization | undefined;
  close(): Promise<void>;
}

/** Ready with the first of them. Rejects where one ends before any was ready: the others would end for the same reason. */
export async function startWorkers(config: Config): Promise<Workers> {
  const log = createLog(config);
  const storage = await openStorage(config, log);
  let stopping = false;
  let ready = false;
  const { host, port, user, password, database, connectionString } = storage.connection;
  const url =
    connectionString ??
    `postgresql://${user}:${encodeURIComponent(String(password))}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`;
  // Whoever takes the place of a worker that died takes its number too: it stands in the metrics.
  const places = new Map<number, number>();
  const fork = (place: number) => {
    // They have the address itself; the file that it was read from would be a second one.
    const address = { DATABASE_URL: url, DATABASE_URL_FILE: undefined };
    const worker = cluster.fork({ ...address, DEMO_DATA: "0", DOSSIER_WORKER: String(place) });
    places.set(worker.id, place);
  };
  const alive = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const close = async () => {
    stopping = true;
    const workers = alive();
    const ended = workers.map((worker) => new Promise((resolve) => worker.once("exit", resolve)));
    for (const worker of workers) if (worker.isConnected()) worker.send({ stop: true } satisfies Message);
    await Promise.all(ended);
    await storage.close();
  };
  passMetrics(alive);
  const listening = await new Promise<string>((resolve, reject) => {
    cluster.on("message", (_worker, message: Message) => {
      if (message.ready === undefined) return;
      ready = true;
      resolve(message.ready);
    });
    cluster.on("exit", (worker, code) => {
      if (stopping) return;
      if (!ready) return reject(new Error("a worker ended before it was ready; its reason stands above."));
      log.error(`worker ${worker.process.pid} ended with ${code}; starting another`);
      const place = places.get(worker.id) ?? 0;
      places.delete(worker.id);
      setTimeout(() => stopping || fork(place), RESTART_MS);
    });
    for (let place = 1; place <= config.workers; place += 1) fork(place);
  }).catch(async (error: unknown) => {
    stopping = true;
    for (const worker of alive()) worker.process.kill("SIGKILL");
    await storage.close();
    throw error;
  });
  return { url: listening, first: storage.first, close };
}

function passMetrics(alive: () => readonly Worker[]): void {
  const answers = new Map<number, (metrics: ProcessMetrics) => void>();
  let last = 0;
  const gather = (): Promise<ProcessMetrics[]> =>
    new Promise((resolve) => {
      last += 1;
      const [ask, asked] = [last, alive().filter((worker) => worker.isConnected())];
      const all: ProcessMetrics[] = [];
      const finish = () => {
        clearTimeout(late);
        answers.delete(ask);
        resolve(all);
      };
      const late = setTimeout(finish, GATHER_MS);
      answers.set(ask, (metrics) => {
        all.push(metrics);
        if (all.length === asked.length) finish();
      });
      for (const worker of asked) worker.send({ asks: ask } satisfies Message);
    });
  cluster.on("message", (worker, { asks, gives }: Message) => {
    if (gives) answers.get(gives.ask)?.(gives.metrics);
    if (asks === undefined) return;
    void gather().then((all) => {
      if (worker.isConnected()) worker.send({ gathered: { ask: asks, all } } satisfies Message);
    });
  });
}

const tell = (message: Message): void => {
  if (process.connected) process.send?.(message);
};

/** What a worker knows of the others. */
export function joinFleet(): Fleet {
  const waiting = new Map<number, (all: readonly ProcessMetrics[]) => void>();
  let own: () => Promise<ProcessMetrics> = async () => [];
  let last = 0;
  process.on("message", ({ asks, gathered }: Message) => {
    if (asks !== undefined) void own().then((metrics) => tell({ gives: { ask: asks, metrics } }));
    if (!gathered) return;
    waiting.get(gathered.ask)?.(gathered.all);
    waiting.delete(gathered.ask);
  });
  return {
    join: (metrics) => {
      own = metrics;
    },
    gather: () =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        tell({ asks: last });
      }),
  };
}

/** The first process is told to stop, and says so. It may say so while this one is still starting: call it first. */
export function hearStop(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  return new Promise((resolve) => {
    process.on("message", (message: Message) => {
      if (message.stop) resolve();
    });
  });
}

export const tellReady = (url: string): void => tell({ ready: url });
