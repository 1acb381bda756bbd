import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{contract,server,client,web,cli,demo,test}/**/*.test.{ts,tsx}"],
    reporters: ["default", "./test/closing-line.ts"],
    globalSetup: "./test/global-setup.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
