// `npx tsx bench/list/load.ts FOLDER ROWS`: makes a data folder with the benchmark's universe, for serve-and-measure runs.
import { openDatabase } from "../../server/database/database.ts";
import { startEngine } from "../../server/database/embedded/engine.ts";
import { ensureFirstOrganization } from "../../server/identity/first-organization.ts";
import { prepareDatabase } from "../../server/prepare.ts";
import { benchPassword, buildLeads, buildPeople, callers } from "./universe.ts";

const [folder = "", rows = "10000"] = process.argv.slice(2);
const engine = await startEngine({ dataDir: folder, log: (line) => console.error(line) });
const db = openDatabase(engine.connection);
try {
  const metadata = await prepareDatabase(db);
  const administrator = { adminUserName: callers.administrator, adminPassword: benchPassword };
  const first = await ensureFirstOrganization(db, metadata, administrator, "Benchmark");
  if (!first) throw new Error(`${folder} already holds a database`);
  await buildPeople(db, metadata.current(), first.organizationId, first.roles);
  const began = Date.now();
  await buildLeads(db, metadata.current(), first.organizationId, Number(rows), (done) => {
    process.stderr.write(`\r${done.toLocaleString("en")} leads, ${Math.round((Date.now() - began) / 1000)} s`);
  });
  process.stderr.write("\n");
} finally {
  await db.close();
  await engine.stop();
}
