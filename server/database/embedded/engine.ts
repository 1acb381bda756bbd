// Takes DATA_DIR; gives a PostgreSQL server of our own that lives as long as this process does, restarted when it
// dies; never listens on a network port, and never shares DATA_DIR with another service.
import { closeSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { chooseAccount, runsAsRoot } from "./account.ts";
import { findInstalledBinaries, provideBinaries } from "./binaries.ts";
import { createCluster, hasCluster, removeDrafts } from "./cluster.ts";
import { type Lifeline, runOnLifeline } from "./lifeline.ts";
import { openLogFile } from "./log-file.ts";
import { dropMisleadingPidFile, endServers, tagOf } from "./orphans.ts";
import { type Connection, WrongPassword, waitUntilReady } from "./readiness.ts";
import { keepPassword, makePassword, readPassword } from "./secret.ts";
import { takeServiceLock } from "./service-lock.ts";
import { serverFlags } from "./settings.ts";
import { runSingleUser } from "./single-user.ts";
import { type ClusterSite, clusterFolder, folderAsSeenInside } from "./site.ts";
import { makeSocketFolder, nameSocketFolder, removeSocketFolder, SOCKET_PORT } from "./socket-folder.ts";

export interface EngineOptions {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Of the server, in place of ours. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when the server has died and accepts connections again. */
  readonly onRestart?: () => void;
  /** The folder with bin/, lib/ and share/; by default the one of the installed package. */
  readonly native?: string;
}

export interface Engine {
  /** For `pg` and psql; the password is part of it. The same as `connection`. */
  readonly url: string;
  readonly connection: Connection;
  /** Ends the server, at the latest after some seconds; whatever was acknowledged is kept. Safe to call twice. */
  stop(): Promise<void>;
}

const START_ATTEMPTS = 6;
const MAX_PAUSE_MS = 5_000;
const AT_START = { finish: 5_000, quit: 5_000 };
const AT_STOP_MS = 6_000;
const AFTER_STOP = { finish: 0, quit: 1_500 };

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { log } = options;
  const dataDir = path.resolve(options.dataDir);
  // Without /proc, root's helper account has to walk to the data by its path.
  mkdirSync(dataDir, { recursive: true, mode: runsAsRoot() && process.platform !== "linux" ? 0o711 : 0o700 });
  const folder = clusterFolder(dataDir);
  const account = chooseAccount(folder);
  const socketFolder = nameSocketFolder(account);
  const lock = await takeServiceLock(dataDir, socketFolder);
  try {
    if (lock.leftSocketFolder !== undefined) removeSocketFolder(lock.leftSocketFolder);
    const native = options.native ?? findInstalledBinaries();
    const site: ClusterSite = {
      dataDir,
      folder,
      account,
      binaries: provideBinaries({ native, dataDir, account, log }),
    };
    const password = await prepareCluster(site, log);
    const connection = { host: socketFolder, port: SOCKET_PORT, user: "dossier", password, database: "dossier" };
    const server = await keepRunning(site, connection, options);
    let stopped: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      await server.stop();
      removeSocketFolder(socketFolder);
      lock.release();
    };
    return {
      url: `postgresql://dossier:${password}@localhost:${SOCKET_PORT}/dossier?host=${encodeURIComponent(socketFolder)}`,
      connection,
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    removeSocketFolder(socketFolder);
    lock.release();
    throw error;
  }
}

/** Gives the password of the account; sets a new one when none is kept, as in data restored without its secrets. */
async function prepareCluster(site: ClusterSite, log: (line: string) => void): Promise<string> {
  const kept = readPassword(site.dataDir);
  const password = kept ?? makePassword();
  removeDrafts(site.dataDir);
  if (existsSync(site.folder)) await clearTheWay(site, log);
  if (!hasCluster(site)) {
    log(`making a new database in ${site.folder}`);
    await createCluster(site, password);
  } else if (kept === undefined) {
    await runSingleUser(site, [`ALTER ROLE dossier PASSWORD '${password}'`]);
  }
  if (kept === undefined) keepPassword(site.dataDir, password);
  return password;
}

async function clearTheWay({ folder }: ClusterSite, log: (line: string) => void): Promise<void> {
  const ended = await endServers(folder, AT_START);
  if (ended > 0) log(`ended ${ended} processes of a PostgreSQL whose service had died`);
  if (dropMisleadingPidFile(folder)) log("dropped a postmaster.pid whose process number now means another process");
}

async function keepRunning(
  site: ClusterSite,
  connection: Connection,
  options: EngineOptions,
): Promise<{ stop(): Promise<void> }> {
  const { log } = options;
  let current: Lifeline | undefined;
  let stopping = false;

  async function launch(): Promise<Lifeline> {
    await clearTheWay(site, log);
    makeSocketFolder(connection.host, site.account);
    const flags = serverFlags({
      tag: tagOf(site.folder),
      socketFolder: connection.host,
      settings: options.settings ?? {},
    });
    const logFile = openLogFile(site.dataDir);
    const command = [site.binaries.postgres, "-D", folderAsSeenInside(site.folder), ...flags];
    const server = runOnLifeline({
      command,
      folder: site.folder,
      account: site.account,
      logDescriptor: logFile.descriptor,
      socketFolder: connection.host,
    });
    closeSync(logFile.descriptor);
    current = server;
    if (stopping) server.release();
    if (await waitUntilReady(connection, server.hasEnded, log)) return server;
    const { text } = await server.ended;
    throw new Error(`The embedded PostgreSQL does not start (${text}; see ${logFile.file}): ${logFile.complaints()}`);
  }

  /** The first attempts can meet what a killed server left: a zombie, or shared memory for a moment still in use. */
  async function launchPatiently(attempts: number): Promise<Lifeline | undefined> {
    for (let attempt = 1; !stopping; attempt += 1) {
      try {
        return await launch();
      } catch (error) {
        if (stopping) break;
        if (attempt >= attempts || error instanceof WrongPassword) throw explain(error, site.dataDir);
        log(error instanceof Error ? error.message : String(error));
        await delay(Math.min(MAX_PAUSE_MS, 50 * 2 ** attempt));
      }
    }
    return undefined;
  }

  async function supervise(first: Lifeline): Promise<void> {
    for (let server: Lifeline | undefined = first; server !== undefined; ) {
      const { text } = await server.ended;
      if (stopping) return;
      log(`the embedded PostgreSQL ended unexpectedly (${text}); starting it again`);
      server = await launchPatiently(Number.POSITIVE_INFINITY);
      if (server !== undefined) options.onRestart?.();
    }
  }

  async function end(): Promise<void> {
    current?.release();
    // The timer also keeps this process alive until the server, which alone does not, has ended.
    const timer = new AbortController();
    const late = delay(AT_STOP_MS, "late", { signal: timer.signal }).catch(() => undefined);
    if ((await Promise.race([current?.ended, late])) === "late")
      log("the embedded PostgreSQL takes long to stop; it will recover at the next start");
    timer.abort();
    await endServers(site.folder, AFTER_STOP);
  }

  try {
    const first = await launchPatiently(START_ATTEMPTS);
    const supervision = first === undefined ? undefined : supervise(first).catch((error) => log(String(error)));
    return {
      async stop() {
        stopping = true;
        await end();
        await supervision;
      },
    };
  } catch (error) {
    stopping = true;
    await end();
    throw error;
  }
}

function explain(error: unknown, dataDir: string): unknown {
  if (!(error instanceof WrongPassword)) return error;
  const file = path.join(dataDir, "secrets", "postgres-password");
  return new Error(
    `${file} is not the password of this database; remove the file, and a new one is set at the next start.`,
  );
}
