// Brings a clone to where it can run: dependencies, then the builds that were asked for. Each step looks whether it is
// already done and says a line only when it is not. Uses nothing but Node itself: it runs before anything is installed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Dossier needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

/** @param {readonly string[]} places files and folders, relative to the root */
function fingerprint(places) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch} ${process.versions.modules}\0`);
  /** @param {string} place */
  const visit = (place) => {
    const whole = path.join(root, place);
    if (!existsSync(whole)) return;
    if (statSync(whole).isDirectory()) {
      for (const name of readdirSync(whole).sort()) visit(path.join(place, name));
    } else if (!/\.test\.tsx?$/.test(place)) {
      hash.update(`${place}\0`).update(readFileSync(whole)).update("\0");
    }
  };
  for (const place of places) visit(place);
  return hash.digest("hex");
}

/**
 * @param {string} label what a person reads while it runs
 * @param {readonly string[]} inputs what its outcome depends on
 * @param {string} stamp where the fingerprint of the last outcome is kept
 * @param {() => Promise<void>} run
 */
async function step(label, inputs, stamp, run) {
  const print = fingerprint(inputs);
  const file = path.join(root, stamp);
  if (existsSync(file) && readFileSync(file, "utf8") === print) return;
  const began = Date.now();
  process.stderr.write(`dossier: ${label} …\n`);
  await run();
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, print);
  process.stderr.write(`dossier: ${label}: done in ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
}

/**
 * Runs a program quietly; what it said is shown only when it fails.
 * @param {string} program
 * @param {readonly string[]} args
 */
function quietly(program, args) {
  return new Promise((resolve, reject) => {
    // The compiler is a Go program that ends soon: to collect its garbage early was a fifth of its work.
    const env = { GOGC: "800", ...process.env };
    const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(undefined);
      else reject(new Error(`${program} ${args.join(" ")} failed:\n${said}`));
    });
  });
}

/** @param {string} name a program of an installed package */
export const bin = (name) => path.join(root, "node_modules", ".bin", name);

const install = () =>
  step(
    "installing dependencies",
    ["package.json", "package-lock.json", ".npmrc"],
    "node_modules/.dossier-installed",
    () => quietly("npm", ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"]),
  );

const buildWeb = () =>
  step(
    "building the web app",
    ["web", "client", "contract", "vite.config.ts", "package-lock.json"],
    "dist/.web-built",
    () => quietly(bin("vite"), ["build", "--logLevel", "warn"]),
  );

const buildServer = () =>
  step(
    "building the server",
    ["server", "demo", "contract", "cli", "package-lock.json"],
    "dist/.server-built",
    async () => {
      await quietly(bin("esbuild"), [
        "main=server/main.ts",
        "commands=server/commands/run.ts",
        "--bundle",
        "--platform=node",
        "--format=esm",
        "--target=node20",
        "--packages=external",
        "--sourcemap",
        "--outdir=dist/server",
      ]);
    },
  );

/** Types and lint. All faults are told, not those of the first program alone. */
async function check() {
  const began = Date.now();
  process.stderr.write("dossier: checking types and lint …\n");
  const programs = [
    ...["contract", "server", "web", "."].map((folder) => ["tsc", "-p", folder]),
    ["biome", "check", "--error-on-warnings", "."],
  ];
  const outcomes = await Promise.allSettled(programs.map(([name = "", ...args]) => quietly(bin(name), args)));
  const faults = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.message] : []));
  if (faults.length > 0) throw new Error(faults.join("\n"));
  process.stderr.write(`dossier: checking types and lint: done in ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
}

/** A package that npm installed has everything built and no sources: there is nothing to prepare, nor to work on. */
export const isPackage = !existsSync(path.join(root, "server", "main.ts"));

/** @param {{ server?: boolean, web?: boolean, checks?: boolean }} wanted */
export async function prepare({ server = false, web = false, checks = false } = {}) {
  requireNode();
  if (isPackage) return;
  try {
    await install();
    // Beside each other: none of them keeps two cores busy from its beginning to its end.
    await Promise.all([server ? buildServer() : undefined, web ? buildWeb() : undefined, checks ? check() : undefined]);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
