// Takes a folder and packages; has npm put them there once, with none of their scripts run. Gives why it cannot, where it cannot.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface Installed {
  readonly folder: string;
  /** A Node that all of them run on. */
  readonly node: string;
}

/** Newer than the one that we must run on: carried by a package of its own for each system. */
const node = `node-${process.platform}-${process.arch}`;

async function install(folder: string, packages: readonly string[], overrides = {}): Promise<string | undefined> {
  const done = path.join(folder, `installed-${packages.join("+").replaceAll("/", "-")}`);
  if (existsSync(done)) return undefined;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify({ private: true, overrides })}\n`);
  // Nothing but the registry: a package that wants a file from elsewhere cannot be installed.
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    await run("npm", ["install", ...options, ...packages], { cwd: folder, maxBuffer: 16 * 1024 ** 2 });
  } catch (error) {
    const [line = ""] =
      String((error as { stderr?: string }).stderr ?? error).match(/(?<=npm error ).*(?:404|No match).*/) ?? [];
    return `npm could not install ${packages.join(", ")}${line === "" ? "" : ` (${line.trim().slice(0, 200)})`}`;
  }
  writeFileSync(done, "");
  return undefined;
}

export async function installPeer(
  scratch: string,
  name: string,
  packages: readonly string[],
  /** Other versions of what they depend on: what the registry itself has. */
  overrides: Readonly<Record<string, string>> = {},
): Promise<Installed | string> {
  const forNode = path.join(scratch, "node");
  const folder = path.join(scratch, name);
  const problem = (await install(forNode, [`${node}@22`])) ?? (await install(folder, packages, overrides));
  return problem ?? { folder, node: path.join(forNode, "node_modules", node, "bin/node") };
}
