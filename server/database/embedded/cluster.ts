// Takes DATA_DIR; gives a data folder that the server can start on, made when there is none; never leaves a half-made
// one under its final name, and never opens one of another PostgreSQL version.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { type Account, childIdentity } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { runOnLifeline } from "./lifeline.ts";
import { pickComplaints } from "./log-file.ts";
import { syncFolder } from "./secret.ts";
import { runSingleUser } from "./single-user.ts";
import { type ClusterSite, folderAsSeenInside } from "./site.ts";

/** True when the folder holds data that these binaries can open. Of another account, it is taken over: no server may run in it. */
export function hasCluster({ folder, binaries, account }: ClusterSite): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || readNames(folder).length === 0) return false;
  const file = path.join(folder, "PG_VERSION");
  if (!existsSync(file)) throw new Error(`${folder} is not a PostgreSQL data folder; move it away.`);
  const version = readFileSync(file, "utf8").trim();
  if (version !== String(binaries.major)) {
    throw new Error(
      `${folder} was made by PostgreSQL ${version}, and this release runs PostgreSQL ${binaries.major}. ` +
        "Start it with the release that made it, make a backup there, and restore that into a new DATA_DIR.",
    );
  }
  if (account !== undefined && found.uid !== account.uid) giveTo(folder, account);
  // Restored copies often come back readable by all, which PostgreSQL refuses.
  if ((found.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
  return true;
}

/** Into a folder beside the final one, renamed when all of it is on disk: a kill at any moment leaves nothing to trip over. */
export async function createCluster(site: ClusterSite, password: string): Promise<void> {
  const draft = `${site.folder}.new-${randomBytes(4).toString("hex")}`;
  try {
    await fillCluster({ ...site, folder: draft });
    await runSingleUser({ ...site, folder: draft }, [
      `CREATE ROLE dossier LOGIN CREATEDB PASSWORD '${password}'`,
      "GRANT pg_monitor, pg_checkpoint, pg_signal_backend TO dossier",
      "CREATE DATABASE dossier OWNER dossier",
    ]);
    // An empty folder may have been put there for the data.
    if (existsSync(site.folder)) rmdirSync(site.folder);
    renameSync(draft, site.folder);
    syncFolder(site.dataDir);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** What earlier starts, killed while they made a data folder, have left. */
export function removeDrafts(dataDir: string): void {
  for (const name of readNames(dataDir)) {
    if (!/^postgres\.new(-[0-9a-f]+)?$/.test(name)) continue;
    // initdb ends with its service, but may still be removing its own files.
    rmSync(path.join(dataDir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

async function fillCluster(site: ClusterSite): Promise<void> {
  const { folder, account, binaries } = site;
  mkdirSync(folder, { mode: 0o700 });
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  checkReach(folder, account);
  let output = "";
  // With LC_CTYPE=C pg_trgm takes every letter beyond ASCII for a blank, and no search for such a word can use its
  // index; so C is the last resort, on systems that have no UTF-8 locale at all.
  for (const ctype of ["C.UTF-8", "en_US.UTF-8", "C"]) {
    const run = runOnLifeline({ command: initdbCommand(binaries, folder, ctype), folder, account });
    const { code, text } = await run.ended;
    output = `${run.output()}\n${text}`;
    if (code === 0) return writeAs(account, folder, "pg_hba.conf", "local all dossier scram-sha-256\n");
    if (!output.includes("invalid locale")) break;
  }
  throw new Error(
    `The embedded PostgreSQL could not make its data folder in ${site.dataDir}: ${pickComplaints(output)}`,
  );
}

function initdbCommand(binaries: Binaries, folder: string, ctype: string): string[] {
  return [
    binaries.initdb,
    `--pgdata=${folderAsSeenInside(folder)}`,
    "--username=postgres",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    `--lc-ctype=${ctype}`,
    // Replaced before the first start; no server runs in between.
    "--auth=trust",
    "--no-instructions",
  ];
}

/** Written by the account itself: root must not follow a link that the account could have put there. */
function writeAs(account: Account | undefined, folder: string, file: string, text: string): void {
  const run = spawnSync("/bin/sh", ["-c", 'umask 077 && cat > "$0"', file], {
    cwd: folder,
    input: text,
    encoding: "utf8",
    ...childIdentity(account),
  });
  if (run.status !== 0) throw new Error(`${path.join(folder, file)} cannot be written: ${run.error ?? run.stderr}`);
}

function checkReach(folder: string, account: Account | undefined): void {
  if (account === undefined || folderAsSeenInside(folder) !== folder) return;
  const run = spawnSync("/bin/test", ["-w", folder], { cwd: "/", ...childIdentity(account) });
  if (run.status === 0) return;
  throw new Error(
    `PostgreSQL refuses to run as root, and user ${account.uid} cannot reach ${folder}: a folder above it lets only ` +
      "its owner in. Open it with chmod o+x, set another DATA_DIR, or start the service as an ordinary user.",
  );
}

function giveTo(target: string, account: Account): void {
  lchownSync(target, account.uid, account.gid);
  for (const child of readdirSync(target, { withFileTypes: true })) {
    const file = path.join(target, child.name);
    if (child.isDirectory()) giveTo(file, account);
    else lchownSync(file, account.uid, account.gid);
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const owner = statSync(folder, { throwIfNoEntry: false })?.uid;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `${folder} belongs to user ${owner} and cannot be read; start the service as its owner. (${reason})`,
    );
  }
}
