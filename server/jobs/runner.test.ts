// What the runner does around the chunks of a job: whom it tells of changed access, and where it leaves off when it stops.
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { readPerson } from "../access/read-caller.ts";
import type { Database } from "../database/database.ts";
import { compile, type Sql, sql } from "../database/sql.ts";
import { refuseOldDesign } from "../metadata/changes/refuse-old-design.ts";
import type { MetadataStore } from "../metadata/store.ts";
import { prepareDatabase } from "../prepare.ts";
import type { RunChunk } from "./job.ts";
import { createJobRunner, nextTurn } from "./runner.ts";
import { addChunk, addJob, queueJob } from "./store.ts";

let database: TestDatabase;
let metadata: MetadataStore;
const organizationId = "1";
/** What an operator is told. */
const errors: unknown[] = [];

beforeAll(async () => {
  database = await testDatabase("prepared");
  metadata = await prepareDatabase(database.db);
});
afterAll(() => database.close());

/** A job of two chunks whose work is `run`. Gives its id. */
async function addJobOf(atomic: boolean, chunks = [["0"], ["1"]]): Promise<string> {
  const snapshot = metadata.current();
  return database.db.transaction(async (transaction) => {
    const person = await readPerson(transaction, organizationId, "1");
    if (!person) throw new Error("there is no administrator");
    const caller = { ...person, credential: { kind: "job", jobId: "0" } } as const;
    const work = { transaction, snapshot, caller, hooks: {}, accessChanges: new Set<never>() };
    const job = { kind: "edit", title: "Job", controller: "crm/leads", total: 2, input: { atomic } };
    const id = await addJob(work, job);
    for (const [number, ids] of chunks.entries())
      await addChunk(transaction, organizationId, id, { number, ids, rows: [] });
    await queueJob(transaction, organizationId, id);
    return id;
  });
}

const openRunner = (
  run: RunChunk,
  forget: (organizationId: string) => void = () => undefined,
  db: Database = database.db,
) =>
  createJobRunner({
    database: db,
    snapshot: () => metadata.current(),
    reload: () => metadata.reload(),
    hooks: {},
    kinds: { edit: { writes: () => "edit", run } },
    forget,
    log: { error: (error: unknown) => errors.push(error), debug: () => undefined },
  });

const statusOf = async (id: string) =>
  (await database.db.row(sql`select status from core__jobs where organization_id = 1 and id = ${id}::bigint`))?.status;

test("what a chunk changed about access is forgotten as soon as it is committed, and only then", async () => {
  const forgotten: string[] = [];
  const id = await addJobOf(false);
  const runner = openRunner(
    async ({ work }, { number, ids }) => {
      if (number === 0) work.accessChanges.add("callers");
      return { changed: ids, failed: {} };
    },
    (organization) => forgotten.push(organization),
  );
  onTestFinished(() => runner.close());
  await expect.poll(() => statusOf(id)).toBe("done");
  expect(forgotten).toEqual([organizationId]);
});

test("texts are put in place between the chunks of a large job, and not for a small one", async () => {
  const events: string[] = [];
  const run = (statement: Sql) => {
    if (compile(statement).text.includes("gin_clean_pending_list")) events.push("tidied");
    return database.db.run(statement);
  };
  const chunk: RunChunk = async (_, { number, ids }) => {
    events.push(`chunk ${number}`);
    return { changed: ids, failed: {} };
  };
  const runner = openRunner(chunk, undefined, { ...database.db, run });
  onTestFinished(() => runner.close());
  const many = Array.from({ length: 5_000 }, (_, at) => `${at}`);
  const large = await addJobOf(false, [["0"], many, ["1"]]);
  runner.wake();
  await expect.poll(() => statusOf(large)).toBe("done");
  expect(events).toEqual(["chunk 0", "chunk 1", "tidied", "chunk 2"]);
});

test("a job that was taken up before has begun then, however many chunks come after it", async () => {
  const id = await addJobOf(false);
  const which = sql`organization_id = 1 and id = ${id}::bigint`;
  await database.db.run(sql`update core__jobs set started = '2026-01-01 08:00' where ${which}`);
  const runner = openRunner(async (_, { ids }) => ({ changed: ids, failed: {} }));
  onTestFinished(() => runner.close());
  await expect.poll(() => statusOf(id)).toBe("done");
  const job = await database.db.row(sql`select started::text as started from core__jobs where ${which}`);
  expect(job?.started).toBe("2026-01-01 08:00:00");
});

test("a job that is all or nothing is left between two chunks when the process stops", async () => {
  const done: number[] = [];
  const id = await addJobOf(true);
  let close = () => Promise.resolve();
  const stopped = new Promise<void>((resolve) => {
    const runner = openRunner(async (_, { number, ids }) => {
      done.push(number);
      resolve(close());
      return { changed: ids, failed: {} };
    });
    close = () => runner.close();
  });
  await stopped;
  expect(done).toEqual([0]);
  const left = await database.db.row(sql`
    select count(*)::text as chunks from core__job_chunks where job_id = ${id}::bigint and finished is null`);
  expect(left).toEqual({ chunks: "2" });
  expect(await statusOf(id)).toBe("running");
});

test("a job whose input nobody can read ends with a sentence, and is not tried for ever", async () => {
  const id = await addJobOf(false);
  const which = sql`organization_id = 1 and id = ${id}::bigint`;
  await database.db.run(sql`update core__jobs set input = '{"atomic":"?","language":"de"}' where ${which}`);
  const runner = openRunner(async () => ({ changed: [], failed: {} }));
  onTestFinished(() => runner.close());
  await expect.poll(() => statusOf(id), { timeout: 20_000 }).toBe("failed");
  const job = await database.db.row(sql`select result::text as result from core__jobs where ${which}`);
  expect(JSON.parse(job?.result ?? "").message).toEqual([expect.stringMatching(/^Etwas ist schiefgelaufen/u)]);
  expect(await database.db.row(sql`select 1 as one from core__job_queue where job_id = ${id}::bigint`)).toBeUndefined();
});

test("jobs of one organization take turns chunk by chunk, and organizations by who was served longest ago", async () => {
  const order: string[] = [];
  const [first, second] = [await addJobOf(false), await addJobOf(false)];
  const runner = openRunner(async ({ work }, { ids }) => {
    order.push(work.jobId ?? "");
    return { changed: ids, failed: {} };
  });
  await expect.poll(async () => [await statusOf(first), await statusOf(second)]).toEqual(["done", "done"]);
  await runner.close();
  expect(order.filter((id) => id === first || id === second)).toEqual([first, second, first, second]);
  await database.db.transaction(async (transaction) => {
    await transaction.run(sql`delete from core__job_queue`);
    await transaction.run(sql`
      insert into core__job_queue (organization_id, job_id, turn)
      values (1, ${first}::bigint, '2000-01-01'), (2, 7, '2000-01-02'), (3, 8, '2000-01-03')`);
    await transaction.apart(sql`
      insert into core__job_turns (organization_id, served) values (2, '2000-01-01'), (3, '1999-01-01')
      on conflict (organization_id) do update set served = excluded.served returning 1`);
    const served: string[] = [];
    for (let turn = await nextTurn(transaction); turn; turn = await nextTurn(transaction, served))
      served.push(turn.organizationId);
    expect(served).toEqual(["3", "2", "1"]);
    await transaction.run(sql`delete from core__job_queue`);
  });
});

test.each([false, true])(
  "a design that changes under a job has it begun anew, however often (all or nothing: %s)",
  async (atomic) => {
    const id = await addJobOf(atomic);
    errors.length = 0;
    let changes = 0;
    const runner = openRunner(async ({ work }, { ids, number }) => {
      if (number === 1 && changes < 5) {
        changes += 1;
        // As another process does it: this one has not heard of it.
        await database.db.run(sql`update metadata__state set version = version + 1`);
      }
      await refuseOldDesign(work.transaction, work.snapshot);
      await work.transaction.settled();
      return { changed: ids, failed: {} };
    });
    onTestFinished(() => runner.close());
    await expect.poll(() => statusOf(id)).toBe("done");
    expect(changes).toBe(5);
    expect(errors).toEqual([]);
  },
);
