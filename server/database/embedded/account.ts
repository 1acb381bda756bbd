// Takes the data folder; gives the account PostgreSQL has to run as (undefined: our own), made where root has none for it;
// never changes the account of this process.
import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export const runsAsRoot = (): boolean => process.getuid?.() === 0;

/** Nobody but the PostgreSQL of this product runs as this one: others could read it through /proc. */
const OWN_NAME = "dossier-db";
/** What Linux calls an account that is none; any service may be running as it. */
const OVERFLOW_UID = 65534;

/** PostgreSQL refuses root, so root lends it the owner of the existing data, or else an account that is there for nothing else. */
export function chooseAccount(dataFolder: string): Account | undefined {
  if (!runsAsRoot()) return undefined;
  const owner = statSync(dataFolder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0 && !isShared(owner.uid)) return { uid: owner.uid, gid: owner.gid };
  return ownAccount();
}

function isShared(uid: number): boolean {
  return uid === OVERFLOW_UID || findAccount("nobody")?.uid === uid;
}

function ownAccount(): Account {
  // macOS comes with an account that is there for PostgreSQL.
  const names = process.platform === "darwin" ? [OWN_NAME, "_postgres"] : [OWN_NAME];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = names.map(findAccount).find((account) => account !== undefined);
    if (found) return found;
    // Another service may be making it at this moment: then this fails, and it is there.
    makeAccount(attempt);
  }
  throw new Error(
    "PostgreSQL refuses to run as root, and an account of its own could not be made for it. Make one with " +
      `"useradd --system ${OWN_NAME}", start the service as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.`,
  );
}

const ATTEMPTS = 8;

function makeAccount(attempt: number): void {
  const commands = [
    [
      "useradd",
      "--system",
      "--user-group",
      "--no-create-home",
      "--home-dir",
      "/nonexistent",
      "--shell",
      "/usr/sbin/nologin",
      OWN_NAME,
    ],
    // As BusyBox has it.
    ["adduser", "-S", "-D", "-H", "-h", "/nonexistent", "-s", "/sbin/nologin", OWN_NAME],
  ];
  const env = { ...process.env, PATH: `${process.env.PATH ?? ""}:/usr/sbin:/sbin:/usr/bin:/bin` };
  for (const [command = "", ...options] of commands) {
    if (spawnSync(command, options, { env, stdio: "ignore" }).status === 0) return;
  }
  // The list of accounts is locked while somebody changes it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50 * 2 ** attempt);
}

function findAccount(name: string): Account | undefined {
  for (const line of passwordLines()) {
    const [found, , uid, gid] = line.split(":");
    if (found === name && Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

function passwordLines(): string[] {
  try {
    return readFileSync("/etc/passwd", "utf8").split("\n");
  } catch {
    return [];
  }
}

/** The options of a child process that runs as the account, with none of the service's secrets in its environment. */
export function childIdentity(account: Account | undefined): {
  uid?: number;
  gid?: number;
  env: Record<string, string>;
} {
  const env = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    LC_ALL: "C",
    TZ: "UTC",
    // Lets the server tell its own ancestors from a rival when process numbers are reused, as in containers.
    PG_GRANDPARENT_PID: String(process.pid),
  };
  return account === undefined ? { env } : { uid: account.uid, gid: account.gid, env };
}
