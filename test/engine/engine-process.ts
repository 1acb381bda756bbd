// Takes a data folder (and a folder of programs) as arguments; runs the engine in a process of its own and writes numbered
// rows, printing each number once it is acknowledged; stops on SIGTERM.
import pg from "pg";
import { startEngine } from "../../server/database/embedded/engine.ts";

const [dataDir = "", native] = process.argv.slice(2);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const engine = await startEngine({
    dataDir,
    log: (line) => say(`log ${line}`),
    ...(native === undefined ? {} : { native }),
  });
  process.once("SIGTERM", () => void engine.stop().then(() => process.exit(0)));
  const client = new pg.Client(engine.url);
  client.on("error", () => {});
  await client.connect();
  await client.query("CREATE TABLE IF NOT EXISTS kept (id int PRIMARY KEY)");
  const { rows } = await client.query("SELECT count(*)::int AS count, coalesce(max(id), 0) AS last FROM kept");
  say(`kept ${rows[0].count} ${rows[0].last}`);
  for (let id: number = rows[0].last + 1; ; id += 1) {
    await client.query("INSERT INTO kept VALUES ($1)", [id]);
    say(`ack ${id}`);
  }
} catch (error) {
  say(`failed ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
