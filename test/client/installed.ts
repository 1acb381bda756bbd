// Packs the client, installs it from the file into an empty folder, without any network, and gives that folder.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../../server/lib/root.ts";

/** As a program that installed it sees it. */
export type Package = typeof import("../../client/index.ts");

export interface Installed {
  readonly folder: string;
  readonly package: Package;
}

export async function installClient(): Promise<Installed> {
  const folder = mkdtempSync(path.join(tmpdir(), "dossier-client-"));
  const pack = `import { packClient } from ${JSON.stringify(path.join(root, "cli/pack-client.mjs"))}; packClient(process.argv[1]);`;
  await succeed(runIn(folder, {}, process.execPath, "--input-type=module", "--eval", pack, folder));
  const file = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "program", type: "module", private: true }));
  const words = [
    "install",
    `./${file}`,
    "--offline",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--loglevel=error",
  ];
  await succeed(runIn(folder, {}, "npm", ...words));
  const entry = path.join(folder, "node_modules/@dossier/client/index.js");
  return { folder, package: (await import(entry)) as Package };
}

async function succeed({ ended }: Running): Promise<void> {
  const { status, said } = await ended;
  if (status !== 0) throw new Error(said);
}

export interface Ended {
  readonly status: number | null;
  readonly said: string;
}

export interface Running {
  readonly ended: Promise<Ended>;
  stop(): void;
}

/** A program in that folder, as its own process. */
export function runIn(
  folder: string,
  environment: Record<string, string>,
  program: string,
  ...words: string[]
): Running {
  const child = spawn(program, words, { cwd: folder, env: { ...process.env, ...environment } });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  return {
    ended: new Promise((resolve) => child.on("close", (status) => resolve({ status, said }))),
    stop: () => child.kill("SIGTERM"),
  };
}

export const tsc = path.join(root, "node_modules/.bin/tsc");
