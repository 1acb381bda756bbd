// Several processes on one database: what they must have in common is compared when one starts, and said in a sentence.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import pg from "pg";
import { pino } from "pino";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { lockAccess } from "../../server/access/principal-lookup.ts";
import { openService, type Service } from "../../server/service.ts";
import { testConfig } from "../config.ts";
import { type TestDatabase, testDatabase } from "../database.ts";
import { addPerson } from "../http/people.ts";
import { startService } from "../service.ts";

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase("prepared");
  onTestFinished(() => database.close());
});

interface Started extends Service {
  readonly lines: string[];
  readonly dataDir: string;
}

const newFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), "dossier-peers-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

async function start(environment: Record<string, string>, dataDir = newFolder()): Promise<Started> {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)).msg);
      done();
    },
  });
  const config = testConfig(dataDir, environment);
  const service = await openService(config, pino({ level: "warn" }, sink), database.connection);
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= service.close());
  onTestFinished(close);
  return { ...service, close, lines, dataDir };
}

test("a process that signs with another secret is refused while others live, and says so when it is the first", async () => {
  const first = await start({ TOKEN_SECRET: "the secret of the first process, quite long" });
  const other = { TOKEN_SECRET: "the secret of the other process, as long" };
  await expect(start(other)).rejects.toThrow(
    /TOKEN_SECRET is not theirs: give every process the same TOKEN_SECRET\. To change it, stop all of them first/,
  );
  const dataDir = newFolder();
  // Unset, it is made and kept in DATA_DIR.
  await expect(start({ TOKEN_SECRET: "" }, dataDir)).rejects.toThrow(
    `TOKEN_SECRET is not set, and ${dataDir} has a secret of its own`,
  );
  // Whoever was refused holds nothing: the same secret is welcome, and so is the other one once nobody is there.
  const same = await start({ TOKEN_SECRET: "the secret of the first process, quite long" }, first.dataDir);
  expect([...first.lines, ...same.lines]).toEqual([]);
  await first.close();
  await expect(start(other)).rejects.toThrow("another secret");
  await same.close();
  const changed = await start(other, first.dataDir);
  expect(changed.lines).toEqual([expect.stringMatching(/everybody has to sign in again, and authenticator apps/)]);
});

test("a process starts while others save records and change who may read them", async () => {
  const first = await start({});
  await database.db.transaction(async (transaction) => {
    await lockAccess(transaction, "1", "shared");
    await lockAccess(transaction, "2", "exclusive");
    const second = await start({}, first.dataDir);
    expect(second.lines).toEqual([]);
  });
});

test("a process that keeps files elsewhere is told, at once or after the others have gone", async () => {
  const first = await start({});
  const elsewhere = await start({});
  expect(elsewhere.lines).toEqual([
    expect.stringMatching(/other processes on this database keep uploaded files elsewhere/),
  ]);
  await elsewhere.close();
  await first.close();
  expect((await start({}, first.dataDir)).lines).toEqual([]);
});

test("a caller's allowance is one over all processes, and so is who looks at a record", async () => {
  const limit = 40;
  const listener = new pg.Client(database.connection);
  await listener.connect();
  onTestFinished(() => listener.end());
  let told = 0;
  listener.on("notification", () => {
    told += 1;
  });
  await listener.query("listen dossier_rates");
  const environment = { RATE_LIMIT: String(limit) };
  const [one, two] = [await startService(environment, database), await startService(environment, database)];
  onTestFinished(() => Promise.all([one.stop(), two.stop()]).then(() => undefined));
  const address = "/crm/leads/index.json";
  const answers = await Promise.all(Array.from({ length: 2 * limit }, () => one.get(address, "dk_1_1_nobody")));
  expect(answers.some(({ status }) => status === 429)).toBe(true);
  await expect.poll(() => told).toBeGreaterThan(0);
  let letIn = 0;
  await expect
    .poll(async () => {
      const { status } = await two.get(address, "dk_1_1_nobody");
      if (status !== 429) letIn += 1;
      return status;
    })
    .toBe(429);
  // The message may arrive there a moment later than here; it is not forty calls late.
  expect(letIn).toBeLessThan(limit / 2);

  // Who looks at a record is known to every process, too.
  const [mine, theirs] = [await one.login(), (await addPerson(one, "colleague", ["administrator"])).token];
  const { body: added } = await one.post(
    "/crm/leads/add.json",
    { data: { leads: { last_name: "Seen" }, action: { save_progress: "Save" } } },
    mine,
  );
  const look = `/core/changes/index.json?record=crm/leads/${added.id}`;
  const { body: start } = await two.get(look, mine);
  const waiting = two.get(`${look}&after=${start.cursor}&wait=60&present=${start.present}`, mine);
  await one.get(`${look}&doing=edit`, theirs);
  expect((await waiting).body.data.present).toEqual([expect.objectContaining({ name: "colleague", doing: "edit" })]);
});
