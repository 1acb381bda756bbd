// Finds a Chromium (CHROMIUM_PATH, the system's, or one that it may install) and starts it without a window.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";

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

export function findChromium(): string | undefined {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (!existsSync(given)) throw new Error(`CHROMIUM_PATH names ${given}, which does not exist`);
    return given;
  }
  return onPath() ?? install();
}

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
      "--disable-gpu",
      // No page lives long enough to earn back what its fastest code costs to make, or to have its garbage collected often.
      "--js-flags=--no-maglev --no-turbofan --min-semi-space-size=64 --max-semi-space-size=128",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
