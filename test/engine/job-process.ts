// Takes a database's connection as JSON; runs the real service over it in a process of its own, and says where it is.
import { openService } from "../../server/service.ts";
import { testConfig } from "../config.ts";

const [connection = "{}", dataDir = ""] = process.argv.slice(2);
const service = await openService(testConfig(dataDir), undefined, JSON.parse(connection));
process.stdout.write(`ready ${service.url}\n`);
