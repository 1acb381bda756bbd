// Takes a database's connection as JSON; runs the real service over it in a process of its own, and says where it is.
import { readConfig } from "../../server/config.ts";
import { openService } from "../../server/service.ts";

const [connection = "{}", dataDir = ""] = process.argv.slice(2);
const config = readConfig({
  PORT: "0",
  DATABASE_URL: "given below",
  DATA_DIR: dataDir,
  RATE_LIMIT: "0",
  LOG_LEVEL: "silent",
  TOKEN_SECRET: "a secret that all services of the suite share",
});
const service = await openService(config, undefined, JSON.parse(connection));
process.stdout.write(`ready ${service.url}\n`);
