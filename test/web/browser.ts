// Starts one Chromium for the journeys of a worker. In CI there must be one; elsewhere the browser tests are skipped aloud.
import type { Browser } from "playwright-core";
import { describe } from "vitest";
import { findChromium, launchChromium } from "./chromium.ts";

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
  return launchChromium(chromiumPath);
}
