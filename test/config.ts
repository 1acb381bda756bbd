// Gives the settings of a service of the suite: quiet, unlimited, on a port of its own, and all alike in what they sign with.
import { type Config, readConfig } from "../server/config.ts";

export const testConfig = (dataDir: string, environment: Record<string, string> = {}): Config =>
  readConfig({
    PORT: "0",
    DATABASE_URL: "handed over beside it",
    DATA_DIR: dataDir,
    RATE_LIMIT: "0",
    LOG_LEVEL: "silent",
    TOKEN_SECRET: "a secret that all services of the suite share",
    ...environment,
  });
