// Plants faults in a part of the server, one at a time, and counts those that the tests of run.mjs's choice do not notice.
import { fileURLToPath } from "node:url";

const list = (name) => (process.env[name] ?? "").split("\n").filter(Boolean);

export default {
  mutate: list("MUTATE"),
  testRunner: "vitest",
  // By its place: it is not installed where the project is.
  plugins: [
    fileURLToPath(import.meta.resolve("@stryker-mutator/vitest-runner")),
    fileURLToPath(import.meta.resolve("./each-fault.mjs")),
  ],
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  coverageAnalysis: "perTest",
  concurrency: 1,
  timeoutMS: 60_000,
  // A fault that only runs while a module is loaded is not tried: it would need all tests, each time.
  ignoreStatic: true,
  // Nothing here checks types: to switch that off in each file would have all of them parsed first.
  disableTypeChecks: false,
  thresholds: { high: 90, low: 80, break: null },
  reporters: ["clear-text", "each-fault"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  // What was found out once is kept for as long as neither the code nor its tests change.
  incremental: true,
  incrementalFile: process.env.MUTATION_KEPT,
  // The compiler of the project has no interface to read its settings by; there is nothing to rewrite in them.
  tsconfigFile: "none",
  // Not below node_modules, where nothing is taken for a test.
  tempDirName: ".mutation",
  ignorePatterns: ["dist", "data", "bench", "docs", "coverage", "test/mutation/node_modules"],
};
