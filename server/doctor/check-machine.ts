// Looks at the settings and the machine: what is set so that it will hurt later, the version of Node, the room on the disk.
import { existsSync, statfsSync } from "node:fs";
import path from "node:path";
import { type Config, settingNames } from "../config.ts";
import { error, type Finding, fine, orFine, warning } from "./finding.ts";

const GIB = 1024 ** 3;
const families = /^(?:FILES_|MAIL_|BACKUP_|TOKEN_|ADMIN_|METRICS_|DATABASE_URL)/;

const isLoopback = (host: string): boolean => /^(?:127\.|localhost$|::1$)/.test(host);

export function checkSettings(
  config: Config,
  source: Readonly<Record<string, string | undefined>>,
): readonly Finding[] {
  const found: Finding[] = [];
  const warn = (sentence: string) => void found.push(warning("Settings", sentence));
  for (const name of Object.keys(source)) {
    if (families.test(name) && !settingNames.includes(name))
      warn(`${name} is not a setting of Dossier. Check its spelling.`);
  }
  const { publicUrl, databaseUrl } = config;
  if (publicUrl === undefined && !isLoopback(config.host))
    warn(
      "PUBLIC_URL is not set: links in emails lead to where the service listens. Set it to the address that people use.",
    );
  if (publicUrl?.startsWith("https:") && !config.trustProxy)
    warn(
      "PUBLIC_URL is https, and TRUST_PROXY is off: everybody seems to come from the proxy and shares its limits. Set TRUST_PROXY=1 if exactly one proxy is in front.",
    );
  if (databaseUrl !== undefined && config.tokenSecret === undefined)
    warn(
      "TOKEN_SECRET is not set: a process with another DATA_DIR will not start. Set the same TOKEN_SECRET for all of them.",
    );
  if (config.smtpUrl === undefined)
    warn(`SMTP_URL is not set: emails are written to ${path.join(config.dataDir, "mail")} instead of being sent.`);
  if (config.rateLimit === 0) warn("RATE_LIMIT is 0: nothing slows down who guesses passwords. Set it to 600 or so.");
  return orFine(found, fine("Settings", "All settings are valid."));
}

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    return error("Node.js", `Dossier needs Node.js 20.19 or newer; this is ${version}.`);
  if (major % 2 === 1) return warning("Node.js", `Node.js ${version} is not a long-term release. Use an even version.`);
  if (major === 20)
    return warning(
      "Node.js",
      `Node.js ${version} gets no more security fixes, and Dossier uses less processor time with newer versions. Use Node.js 24.`,
    );
  return fine("Node.js", `Version ${version}.`);
}

/** Where there is no folder yet, the disk of the nearest one above counts. */
export function checkDisk(folder: string, holds: string): Finding {
  let place = folder;
  while (!existsSync(place) && path.dirname(place) !== place) place = path.dirname(place);
  const { bavail, blocks, bsize } = statfsSync(place);
  return judgeDisk(folder, holds, bavail * bsize, blocks * bsize);
}

export function judgeDisk(folder: string, holds: string, free: number, size: number): Finding {
  const sentence = `${(free / GIB).toFixed(1)} of ${(size / GIB).toFixed(1)} GiB are free at ${folder} (${holds}).`;
  if (free < Math.min(GIB / 4, size * 0.02)) return error("Disk", `${sentence} Free some space now: saves will fail.`);
  if (free < Math.min(5 * GIB, size * 0.1)) return warning("Disk", `${sentence} Free some space soon.`);
  return fine("Disk", sentence);
}
