// The project's own settings with the tests that run.mjs chose, without reporters that speak of each run, and without flags for
// processes: the tests run in a thread, which refuses them. The plain modules are made from the sources with the faults planted.
import { defineConfig, mergeConfig } from "vitest/config";
import whole from "../../vitest.config.ts";
import QuickestFirst from "./quickest-first.ts";

const include = (process.env.MUTATION_TESTS ?? "").split("\n").filter(Boolean);
const { include: _all, reporters: _spoken, execArgv: _flags, globalSetup, ...settings } = whole.test ?? {};
const database = process.env.MUTATION_DATABASE && globalSetup ? { globalSetup } : {};

export default mergeConfig(
  { ...whole, test: settings },
  defineConfig({ test: { include, sequence: { sequencer: QuickestFirst }, ...database } }),
);
