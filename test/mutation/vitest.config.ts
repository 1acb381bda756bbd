// The project's own settings with the tests that run.mjs chose, without reporters that speak of each run, and with the sources as
// they are: the faults are planted in them.
import { defineConfig, mergeConfig } from "vitest/config";
import whole from "../../vitest.config.ts";
import { compiledScripts } from "../engine/compile-scripts.ts";

const include = (process.env.MUTATION_TESTS ?? "").split("\n").filter(Boolean);
const { include: _all, reporters: _spoken, globalSetup, ...settings } = whole.test ?? {};
const database = process.env.MUTATION_DATABASE && globalSetup ? { globalSetup } : {};

export default mergeConfig(
  { ...whole, plugins: [compiledScripts()], test: settings },
  defineConfig({ test: { include, ...database } }),
);
