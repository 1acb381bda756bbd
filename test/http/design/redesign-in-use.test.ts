// A field's type is changed while lists, records, groups, exports and saves of it are in use, in this process and in another:
// what they had prepared is prepared anew, and nobody sees an error.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import type { FieldDefinition } from "../../../server/metadata/record-type.ts";
import { startTwoServices, type TestService, type TwoServices } from "../../service.ts";

let both: TwoServices;
let admin: string;

beforeAll(async () => {
  both = await startTwoServices();
  admin = await both.service.login();
});
afterAll(() => both.stop());

const save = (size: FieldDefinition["type"], more: Record<string, string> = {}) =>
  both.service.post(
    "/metadata/record_types/save.json",
    {
      definition: JSON.stringify({
        module: "lab",
        controller: "gauges",
        label: "Gauge",
        plural: "Gauges",
        displayField: "name",
        fields: [
          { name: "name", type: "short-text" },
          { name: "size", type: size },
        ],
        access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
      }),
      ...more,
    },
    admin,
  );

const q = (value: unknown) => `q=${encodeURIComponent(JSON.stringify(value))}`;
const size = { "gauges.size": 7 };

/** Every way to read it, several times over: statements are prepared when they come again, on each connection. */
const ways = (id: string): Record<string, string> => ({
  list: "index.json",
  "list by a sorted column": "index.json?sort=gauges.size",
  "list with chosen columns": `index.json?${q({ fields: ["gauges.size"] })}`,
  "list with a condition": `index.json?${q({ where: size })}`,
  record: `view.json?id=${id}`,
  groups: `index.json?${q({ group: ["gauges.size"] })}`,
  "export as CSV": "export.json",
  "export as JSON": `export.json?format=json&${q({ where: size })}`,
});

const readAll = async (by: TestService, id: string): Promise<Record<string, number>> => {
  const found: Record<string, number> = {};
  for (const [name, path] of Object.entries(ways(id))) {
    const answers = await Promise.all(Array.from({ length: 6 }, () => by.get(`/lab/gauges/${path}`, admin)));
    found[name] = Math.max(...answers.map(({ status }) => status));
  }
  return found;
};

test("lists, records, groups and exports go on over a changed type, in every process at once", async () => {
  expect((await save("integer")).status).toBe(200);
  await expect.poll(async () => (await both.second.get("/lab/gauges/index.json", admin)).status).toBe(200);
  const data = { gauges: { name: "Old", size: "7" }, action: { save_continue: "Save" } };
  const added = await both.service.post("/lab/gauges/add.json", { data }, admin);
  const id = String(added.body.id);
  const well = Object.fromEntries(Object.keys(ways(id)).map((name) => [name, 200]));
  for (const by of [both.service, both.second]) for (let turn = 0; turn < 2; turn += 1) await readAll(by, id);

  for (const type of ["short-text", "integer", "decimal"] as const) {
    expect((await save(type, { convert: "size" })).body.errors).toEqual([]);
    // Not polled: the other process may not have heard of it yet.
    expect(await readAll(both.second, id)).toEqual(well);
    expect(await readAll(both.service, id)).toEqual(well);
  }
  const { body } = await both.service.get(`/lab/gauges/view.json?id=${id}`, admin);
  expect(Number(body.data.gauges.size)).toBe(7);
});

test("a save that waits for the change is saved over the changed type", async () => {
  const { db } = both.service;
  const waiting = async () =>
    (
      await db.rows(sql`
        select 1 as one from pg_locks where not granted and relation = 'lab__gauges'::regclass
          and database = (select oid from pg_database where datname = current_database())`)
    ).length;
  const data = { gauges: { name: "Before", size: "8" }, action: { save_continue: "Save" } };
  const { body } = await both.service.post("/lab/gauges/add.json", { data }, admin);
  // Spelled the same as a number and as a text: what is saved between two tries of the change is converted.
  const edit = (name: string) =>
    both.service.post(
      "/lab/gauges/edit.json",
      { data: { gauges: { id: body.id, name, size: "9.0000" }, action: { save_continue: "Save" } } },
      admin,
    );
  // Prepared, for the type as it is.
  for (const name of ["One", "Two", "Three"]) expect((await edit(name)).status).toBe(200);
  let over = false;
  const { changed, edited } = await db.transaction(async (transaction) => {
    await transaction.script("lock table lab__gauges in access share mode");
    const changed = save("short-text", { convert: "size" });
    await expect.poll(waiting).toBe(1);
    const edited = edit("After").finally(() => {
      over = true;
    });
    // A change that asks again lets the save pass.
    await expect.poll(async () => over || (await waiting()) > 1).toBe(true);
    return { changed, edited };
  });
  expect((await changed).body.errors).toEqual([]);
  const answer = await edited;
  expect([answer.status, answer.body.errors]).toEqual([200, []]);
  const { body: after } = await both.service.get(`/lab/gauges/view.json?id=${body.id}`, admin);
  expect(after.data.gauges).toMatchObject({ name: "After", size: "9.0000" });
});
