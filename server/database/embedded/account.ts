// Takes the data folder; gives the account PostgreSQL has to run as (undefined: our own); never changes the account of
// this process.
import { readFileSync, statSync } from "node:fs";

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export const runsAsRoot = (): boolean => process.getuid?.() === 0;

/** PostgreSQL refuses root, so root lends it the owner of the existing data, or else an account that owns nothing. */
export function chooseAccount(dataFolder: string): Account | undefined {
  if (!runsAsRoot()) return undefined;
  const owner = statSync(dataFolder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return unprivilegedAccount();
}

function unprivilegedAccount(): Account {
  const known = new Map<string, Account>();
  for (const line of passwordLines()) {
    const [name, , uid, gid] = line.split(":");
    if (name !== undefined && Number(uid) > 0) known.set(name, { uid: Number(uid), gid: Number(gid) });
  }
  // 65534 is what Linux itself calls the overflow account, also where /etc/passwd is missing.
  return known.get("nobody") ?? known.get("daemon") ?? { uid: 65534, gid: 65534 };
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
