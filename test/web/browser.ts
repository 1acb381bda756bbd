// Finds a Chromium (CHROMIUM_PATH, the system's, or one that it may install) and starts it. In CI there must be one;
// elsewhere the browser tests are skipped aloud.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";
import { describe } from "vitest";

/** The shell without a window needs half the work of a whole browser. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name))).find((file) => existsSync(file));
}

function install(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  if (spawnSync("apt-get", ["--version"]).status !== 0) return undefined;
  console.log("browser tests: installing chromium-headless-shell with apt-get …");
  // Two workers may come here at once: apt-get waits for the other's lock.
  const options = ["-o", "DPkg::Lock::Timeout=300", "-qq"];
  try {
    execFileSync("apt-get", [...options, "update"], { stdio: "ignore" });
    execFileSync("apt-get", [...options, "install", "-y", "--no-install-recommends", "chromium-headless-shell"], {
      stdio: "ignore",
    });
  } catch {
    return undefined;
  }
  return onPath();
}

function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROMIUM_PATH names ${given}, which does not exist`);
    return given;
  }
  return onPath() ?? install();
}

/** Undefined where there is no browser: then skip. */
const chromiumPath = findChromium();

if (chromiumPath === undefined) {
  const words =
    "The browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell, or chromium) or set CHROMIUM_PATH to one.";
  if (process.env.CI) throw new Error(words);
  console.warn(`\n*** SKIPPED: ${words} ***\n`);
}

/** Journeys of one file. None is made twice: who fails once has failed. */
export const inBrowser = (name: string, journeys: () => void) =>
  describe.skipIf(chromiumPath === undefined)(name, journeys);

let running: Browser | undefined;

/** One for all files of a worker, and ended with it: each visitor has a profile of its own. */
export async function openBrowser(): Promise<Browser> {
  if (!running?.isConnected()) running = await launchBrowser();
  return running;
}

function launchBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error("There is no browser to start");
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
