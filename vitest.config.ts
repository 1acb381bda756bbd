import { defineConfig } from "vitest/config";
import SlowestFirst from "./test/slowest-first.ts";

export default defineConfig({
  test: {
    include: ["{contract,server,client,web,cli,demo,test}/**/*.test.{ts,tsx}"],
    reporters: ["default", "./test/closing-line.ts"],
    globalSetup: "./test/global-setup.ts",
    sequence: { sequencer: SlowestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Browser tests wait more than they work: a third worker uses the time of two cores.
    maxWorkers: 3,
  },
});
