// The project's own settings with the tests that run.mjs chose, and without reporters that speak of each run.
import { defineConfig, mergeConfig } from "vitest/config";
import whole from "../../vitest.config.ts";

const include = (process.env.MUTATION_TESTS ?? "").split("\n").filter(Boolean);
const { include: _all, reporters: _spoken, globalSetup, ...settings } = whole.test ?? {};
const database = process.env.MUTATION_DATABASE && globalSetup ? { globalSetup } : {};

export default mergeConfig({ ...whole, test: settings }, defineConfig({ test: { include, ...database } }));
