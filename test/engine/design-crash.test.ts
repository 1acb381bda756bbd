// kill -9 of the process in the middle of each kind of change of the design: the next start has undone what was not committed and
// finishes what was, and nobody has to help.
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { type Sql, sql } from "../../server/database/sql.ts";
import { testDatabase } from "../database.ts";
import { testAdministrator } from "../global-setup.ts";
import { startProcess, temporaryData } from "./real-process.ts";

type Json = Record<string, unknown>;

const access = { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] };
const text = (name: string, more: Json = {}) => ({ name, type: "short-text", ...more });
const things = (...fields: Json[]) => ({
  ...{ module: "lab", controller: "things", label: "Thing", plural: "Things", displayField: "code", access },
  fields: [text("code"), ...fields],
});

test("kill -9 in the middle of a change of the design, and the next start has all of it or nothing", async () => {
  const database = await testDatabase("prepared");
  onTestFinished(() => database.close());
  const { db } = database;
  const environment = { DATA_DIR: temporaryData(), TOKEN_SECRET: "one secret for all the processes of this test" };
  let running = await startProcess(database.connection, environment);
  let token = "";
  const call = async (address: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(new URL(address, running.url), sent);
    // biome-ignore lint/suspicious/noExplicitAny: what is asked of it is said where it is asked
    return { status: answer.status, body: (await answer.json()) as any };
  };
  const users = { user_name: testAdministrator.userName, user_password: testAdministrator.password };
  token = (await call("/access_controls/users/login.json", { data: { users } })).body.access_token;

  const waits = (like: string) => async () =>
    (
      await db.rows(sql`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ilike ${like}`)
    ).length;
  /** Kills the process once `change` waits for what `hold` holds, and starts the next. */
  const killWithin = async (change: () => Promise<unknown>, hold: Sql, like: string): Promise<void> => {
    let letGo = () => {};
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isHeld = () => {};
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    const holding = db.transaction(async (transaction) => {
      await transaction.run(hold);
      isHeld();
      await released;
    });
    await held;
    const asked = change().then(
      () => "answered",
      () => "cut off",
    );
    await expect.poll(waits(like)).toBeGreaterThan(0);
    const exit = once(running.child, "exit");
    running.child.kill("SIGKILL");
    await exit;
    await asked;
    letGo();
    await holding;
    running = await startProcess(database.connection, environment);
  };
  // Everything is done by then, in its transaction: the version of all designs is the last thing that moves.
  const last = [sql`select version from metadata__state for update`, "%metadata__state%"] as const;

  const save = (definition: object, more: Json = {}) =>
    call("/metadata/record_types/save.json", { definition: JSON.stringify(definition), ...more });
  const state = async () => {
    const columns = await db.rows(sql`
      select column_name, data_type from information_schema.columns where table_name = 'lab__things' order by 1`);
    const indexes = await db.rows(sql`
      select i.indexrelid::regclass::text as name, indisvalid::text as valid
      from pg_index i where indrelid = 'lab__things'::regclass order by 1`);
    const list = await call("/lab/things/index.json?limit=10");
    expect(list.status).toBe(200);
    const { definition } = (await call("/metadata/record_types/view.json?key=lab/things")).body.data.record_types;
    const bin = await db.rows(sql`select count(*)::text as count from metadata__removed`);
    return { columns, indexes, definition: JSON.parse(definition), rows: list.body.paginate.data, bin };
  };

  expect((await save(things(text("kind"), text("old"), text("was")))).body.errors).toEqual([]);
  for (const [code, kind] of [
    ["A", "red"],
    ["B", "blue"],
  ]) {
    const data = { things: { code, kind, old: `old ${code}`, was: `was ${code}` }, action: { save_progress: "Save" } };
    expect((await call("/lab/things/add.json", { data })).body.errors).toEqual([]);
  }

  // Added, converted, removed and renamed in one.
  const options = ["red", "blue"].map((value) => ({ value, label: value }));
  const changed = things(
    { name: "kind", type: "choice", settings: { options } },
    text("is_now", { aliases: ["was"], searchable: true }),
    { name: "extra", type: "integer", unique: true },
  );
  const confirmed = { discard: "old", convert: "kind" };
  const before = await state();
  await killWithin(() => save(changed, confirmed), ...last);
  expect(await state()).toEqual(before);
  expect((await save(changed, confirmed)).body.errors).toEqual([]);
  const after = await state();
  expect(after.definition.fields.map(({ name }: Json) => name)).toEqual(["code", "kind", "is_now", "extra"]);
  const { id } = (await db.row(sql`select id::text as id from lab__things where code = 'A'`)) ?? {};
  const view = async () => (await call(`/lab/things/view.json?id=${id}`)).body.data.things;
  expect(await view()).toMatchObject({ kind: "red", is_now: "was A" });

  // An index that is being built: the design is saved already, so the next start finishes it.
  const indexed = { ...changed, fields: changed.fields.map((one) => ({ ...one, indexed: one.name === "code" })) };
  const writer = sql`update lab__things set code = code where id = ${id ?? ""}::bigint`;
  await killWithin(() => save(indexed), writer, "create index concurrently%");
  await expect
    .poll(async () => (await db.rows(sql`select 1 as left from metadata__indexes where state = 'building'`)).length)
    .toBe(0);
  const built = (await state()).indexes;
  expect(built.length).toBeGreaterThan(after.indexes.length);
  expect(built.every(({ valid }) => valid === "true")).toBe(true);

  // A whole design, and going back from it.
  const there = async () => {
    const counts = await db.row(sql`
      select (select count(*) from metadata__record_types)::text as types, (select count(*) from core__workflows)::text as flows,
        (select count(*) from metadata__design_applies where rolled_back is null)::text as applies,
        (select count(*) from access_controls__roles where deleted = 0)::text as roles`);
    return { counts, definition: (await state()).definition };
  };
  const apply = () => call("/metadata/designs/apply.json", { starter: "issues" });
  const empty = await there();
  await killWithin(apply, ...last);
  expect(await there()).toEqual(empty);
  expect((await apply()).body.errors).toEqual([]);
  const full = await there();
  expect(full).not.toEqual(empty);
  const back = () => call("/metadata/designs/rollback.json", { allow_loss: "1", override: "1" });
  await killWithin(back, ...last);
  expect(await there()).toEqual(full);
  expect((await back()).body.errors).toEqual([]);
  expect((await there()).counts?.types).toBe(empty.counts?.types);
});
