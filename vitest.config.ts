import { defineConfig } from "vitest/config";
import { compiledScripts } from "./test/engine/compile-scripts.ts";
import { plainModules, standIns } from "./test/plain-modules.ts";
import SlowestFirst from "./test/slowest-first.ts";

export default defineConfig({
  plugins: [plainModules(), compiledScripts()],
  test: {
    include: ["{bench,contract,server,client,web,cli,demo,test}/**/*.test.{ts,tsx}"],
    reporters: ["default", "./test/closing-line.ts"],
    globalSetup: "./test/global-setup.ts",
    alias: standIns,
    sequence: { sequencer: SlowestFirst },
    // To load the service anew for each file would be a sixth of all the work. Nothing in it is kept outside what it opens.
    isolate: false,
    // A busy machine is late, not wrong: what is polled for has as long as what a browser waits for.
    // Each look costs a request or a walk over a page.
    expect: { poll: { timeout: 40_000, interval: 100 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Browser tests and engines that start wait more than they work: four workers use the time of two cores.
    maxWorkers: 4,
    // Most code of a test runs a few times: to compile it for speed, and to collect its garbage early, costs more than it saves.
    // Newer versions of Node do not know the first.
    execArgv: [
      ...(process.version.startsWith("v20.") ? ["--interrupt-budget=1000000"] : []),
      "--min-semi-space-size=32",
      "--max-semi-space-size=64",
    ],
  },
});
