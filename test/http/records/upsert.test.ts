// add_many and edit_many with a key on the wire: records are found by the values of fields, added or changed, and taken back.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notify } from "../../../server/database/processes/notify.ts";
import { sql } from "../../../server/database/sql.ts";
import { nextTurn } from "../../../server/jobs/runner.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let manager: Person;
let rep: Person;
let other: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  manager = await addPerson(service, "manager", ["sales_manager"]);
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addOrganization(service, "elsewhere");
  const definition = {
    module: "crm",
    controller: "parts",
    label: "Part",
    plural: "Parts",
    displayField: "name",
    businessKey: { prefix: "P-", digits: 4 },
    fields: [
      { name: "name", type: "short-text", required: true },
      { name: "code", type: "short-text", unique: true },
      { name: "size", type: "integer" },
      { name: "secret", type: "short-text", permission: 1 },
      { name: "place", type: "address" },
    ],
    access: { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] },
  };
  const saved = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify(definition) },
    admin,
  );
  expect(saved.body.errors).toEqual([]);
  for (const role of ["sales_manager", "sales_rep"]) await permit(role, "index;view;add;edit;delete;bulk");
});

afterAll(() => service.stop());

async function permit(code: string, operations: string): Promise<void> {
  const known = await service.db.row(sql`
    select r.id, o.id::text as held from access_controls__roles r left join access_controls__role_operations o
      on o.organization_id = 1 and o.role_id = r.id and o.record_type = 'crm/parts' and o.deleted = 0
    where r.organization_id = 1 and r.code = ${code}`);
  const row = { role_id: known?.id, record_type: "crm/parts", operations, ...(known?.held ? { id: known.held } : {}) };
  const body = { data: { role_operations: row, action: { save_progress: "Save" } } };
  const saved = await service.post(
    `/access_controls/role_operations/${known?.held ? "edit" : "add"}.json`,
    body,
    admin,
  );
  expect(saved.body.errors).toEqual([]);
}

const send = (operation: string, parts: unknown, more: Record<string, unknown>, token = manager.token) =>
  service.post(`/crm/parts/${operation}.json`, { ...more, data: { parts } }, token);
const results = (answer: { body: { data: { parts: { id: string; result: string }[] } } }) =>
  answer.body.data.parts.map(({ result }) => result);
/** How many parts have a name that begins so. */
const named = async (name: string) =>
  (
    await service.db.row(sql`
      select count(*)::text as count from crm__parts where organization_id = 1 and deleted = 0 and name like ${`${name} %`}`)
  )?.count;
const undo = (id: string, token = manager.token) => service.post(`/core/jobs/undo.json?id=${id}`, {}, token);
const part = async (id: string, token = manager.token) =>
  (await service.get(`/crm/parts/view.json?id=${id}`, token)).body.data?.parts;

describe("add_many with a key", () => {
  test("adds what is not there, changes what is, leaves alone what is the same, and is undone as a whole", async () => {
    const [known = "", same = ""] = (
      await send(
        "add_many",
        [
          { name: "Known", code: "k1", size: "1" },
          { name: "Same", code: "k2", size: "2" },
        ],
        {},
      )
    ).body.data.parts.map(({ id }: { id: string }) => id);
    const rows = [
      { name: "Known, now", code: "k1", size: "10" },
      { name: "Same", code: "k2", size: "2" },
      { name: "New", code: "k3" },
      { name: "New again", code: "k3", size: "3" },
    ];
    const answer = await send("add_many", rows, { key: "code" });
    expect([answer.status, answer.body.errors]).toEqual([200, []]);
    expect(results(answer)).toEqual(["changed", "unchanged", "added", "changed"]);
    expect(answer.body.message).toEqual(["1 added, 2 updated, 1 unchanged"]);
    const [, , made] = answer.body.data.parts;
    expect(answer.body.data.parts.map(({ id }: { id: string }) => id)).toEqual([known, same, made.id, made.id]);
    expect(made).toMatchObject({ name: "New again", size: "3" });
    await service.post(
      "/crm/parts/edit.json",
      { data: { parts: { id: known, name: "By hand" }, action: { save_progress: "Save" } } },
      manager.token,
    );
    const back = await undo(answer.body.job_id);
    expect(back.body.errors).toEqual([]);
    expect(back.body.data.left_alone).toEqual({ [known]: ["name"] });
    expect(await part(known)).toMatchObject({ name: "By hand", size: "1" });
    expect(await part(same)).toMatchObject({ name: "Same", size: "2" });
    expect((await part(made.id))?.deleted ?? "1").toBe("1");
  });

  test("finds by several fields, by id, and by the running number; what the service gives out cannot be made up", async () => {
    const [first] = (await send("add_many", [{ name: "A", size: "5" }], {})).body.data.parts;
    const pair = await send(
      "add_many",
      [
        { name: "A", size: "5", code: "c9" },
        { name: "A", size: "6" },
      ],
      { key: "name,size" },
    );
    expect(results(pair)).toEqual(["changed", "added"]);
    expect(pair.body.data.parts[0].id).toBe(first.id);
    const number = (await part(first.id)).business_key;
    const byNumber = await send(
      "add_many",
      [
        { business_key: number, name: "B" },
        { business_key: "", name: "C" },
      ],
      { key: "business_key" },
    );
    expect(results(byNumber)).toEqual(["changed", "added"]);
    const byId = await send("add_many", [{ id: first.id, name: "D" }, { name: "E" }, { id: "99999", name: "F" }], {
      key: "id",
      partial: "1",
    });
    expect(results(byId)).toEqual(["changed", "added", undefined]);
    expect(byId.body.data.failed).toEqual({ 2: ["No record has this Id"] });
  });

  test.each([
    ["nope", "key"],
    ["secret", "key"],
    ["place", "key"],
    ["code,code", "key"],
    ["a,b,c,d,e,f", "key"],
  ])("refuses the key %s", async (key) => {
    const answer = await send("add_many", [{ name: "A", code: "x" }], { key });
    expect([answer.status, answer.body.errors.length]).toEqual([400, 1]);
  });

  test("is all or nothing unless partial is sent; an empty or ambiguous key fails its row", async () => {
    await send(
      "add_many",
      [
        { name: "Twin", size: "7" },
        { name: "Twin", size: "7" },
      ],
      {},
    );
    const rows = [
      { name: "Lone", size: "1" },
      { name: "Twin", size: "9" },
      { name: "", size: "9" },
    ];
    const whole = await send("add_many", rows, { key: "name" });
    expect(whole.status).toBe(422);
    expect(Object.keys(whole.body.data.failed)).toEqual(["2"]);
    const some = await send("add_many", rows, { key: "name", partial: "1" });
    expect(results(some)).toEqual(["added", undefined, undefined]);
    expect(some.body.data.failed).toEqual({
      1: ["2 records have this Name. Make it unique, or use another key"],
      2: ["Name is empty, so the record can't be found"],
    });
    expect(some.body.errors_by_field).toEqual({ "parts.2.name": ["Name is empty, so the record can't be found"] });
  });

  test("two callers with the same key at once make one record", async () => {
    const rows = (size: string) => [{ name: `Raced ${size}`, size: "4711" }];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => send("add_many", rows(String(index)), { key: "size" })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(answers.filter((answer) => results(answer)[0] === "added")).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.data.parts[0].id)).size).toBe(1);
  });

  test("tells nothing of a record that the caller may not read but what a unique rule tells anyway", async () => {
    await send("add_many", [{ name: "Private", code: "mine", size: "31" }], {});
    const taken = await send("add_many", [{ name: "Mine?", code: "mine" }], { key: "code" }, rep.token);
    expect(taken.status).toBe(422);
    expect(taken.body.data.failed[0]).toEqual(["Code is taken"]);
    const fresh = await send("add_many", [{ name: "Private", size: "31" }], { key: "name,size" }, rep.token);
    expect(results(fresh)).toEqual(["added"]);
  });

  test("a record that the caller may read and not edit fails its row", async () => {
    const [{ id }] = (await send("add_many", [{ name: "Shown", code: "shown" }], {})).body.data.parts;
    const known = await service.db.row(sql`
      select principal_id::text as id from access_controls__users where organization_id = 1 and id = ${rep.id}::bigint`);
    await service.post(`/crm/parts/share.json?id=${id}`, { principal_id: known?.id, rights: "read" }, manager.token);
    const answer = await send("add_many", [{ name: "Changed", code: "shown" }], { key: "code" }, rep.token);
    expect(answer.body.data.failed[0]).toEqual(["You don't have permission to edit this Part"]);
  });

  test("needs the right to edit beside the right to add", async () => {
    await permit("sales_rep", "index;view;add;bulk");
    const keyed = await send("add_many", [{ name: "X", code: "y" }], { key: "code" }, rep.token);
    const plain = await send("add_many", [{ name: "X", code: "y" }], {}, rep.token);
    expect([keyed.status, plain.status]).toEqual([403, 200]);
    await permit("sales_rep", "index;view;edit;bulk");
    expect((await send("add_many", [{ name: "X", code: "z" }], { key: "code" }, rep.token)).status).toBe(403);
    // Taking back what was added is deleting it.
    await permit("sales_rep", "index;view;add;edit;bulk");
    const added = await send("add_many", [{ name: "Stays", code: "stays" }], { key: "code" }, rep.token);
    expect((await undo(added.body.job_id, rep.token)).status).toBe(403);
  });

  test("does not reach records of another organization", async () => {
    const { organizationId } = other as Person & { organizationId: string };
    expect(organizationId).not.toBe("1");
    await send("add_many", [{ name: "Ours", code: "ours" }], {});
    const answer = await send("add_many", [{ name: "Ours", code: "ours" }], { key: "code" }, other.token);
    expect(results(answer)).toEqual(["added"]);
  });

  test("more than a thousand rows become a job that says how many were added, changed and left alone", async () => {
    const rows = (size: string) =>
      Array.from({ length: 1_200 }, (_, index) => ({ name: `Many ${index}`, code: `many ${index}`, size }));
    const over = async (id: string) => {
      for (;;) {
        const { jobs } = (await service.get(`/core/jobs/view.json?id=${id}`, manager.token)).body.data;
        if (!["queued", "running"].includes(jobs.status)) return jobs;
      }
    };
    const first = await send("add_many", rows("1"), { key: "code", partial: "1" });
    expect(first.status).toBe(202);
    expect(JSON.parse((await over(first.body.job_id)).result).counts).toEqual({ added: 1_200 });
    const again = await send("add_many", [...rows("1").slice(0, 600), ...rows("2").slice(600)], { key: "code" });
    expect(JSON.parse((await over(again.body.job_id)).result).counts).toEqual({ changed: 600, unchanged: 600 });
    const back = await undo(again.body.job_id);
    const { done, failed, status } = await over(back.body.job_id);
    expect([status, done, failed]).toEqual(["done", "600", "0"]);
  });
});

test("what must be unique is free again once its records are deleted, for many at once too", async () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({ name: `Freed ${index}`, code: `freed ${index}` }));
  const ids = (await send("add_many", rows, {})).body.data.parts.map(({ id }: { id: string }) => id);
  expect((await send("add_many", rows, {})).status).toBe(422);
  await service.post("/crm/parts/delete_selected.json", { ids, is_confirm: "1" }, manager.token);
  expect((await send("add_many", rows, {})).status).toBe(200);
});

test("a deleted record is not found by its key: what has the key is added, and what cannot come back beside it stays", async () => {
  const rows = ["key of a deleted one", "its neighbor"].map((code) => ({ name: code, code }));
  const ids: string[] = (await send("add_many", rows, {})).body.data.parts.map(({ id }: { id: string }) => id);
  await service.post("/crm/parts/delete_selected.json", { ids, is_confirm: "1" }, manager.token);
  const again = await send("add_many", rows.slice(0, 1), { key: "code" });
  expect([again.body.errors, results(again)]).toEqual([[], ["added"]]);
  const back = await service.post("/crm/parts/restore_selected.json", { ids }, manager.token);
  expect([back.status, back.body.data.changed, Object.keys(back.body.data.failed)]).toEqual([200, [ids[1]], [ids[0]]]);
});

describe("edit_many with a key", () => {
  test("changes by key and never adds", async () => {
    await send("add_many", [{ name: "Here", code: "here" }], {});
    const answer = await send(
      "edit_many",
      [
        { code: "here", name: "Changed" },
        { code: "gone", name: "Nothing" },
      ],
      { key: "code" },
    );
    expect(answer.status).toBe(200);
    expect(results(answer)).toEqual(["changed", undefined]);
    expect(answer.body.data.failed).toEqual({ 1: ["No record has this Code"] });
    expect((await send("edit_many", [{ code: "gone", name: "Nothing" }], { key: "code" })).status).toBe(422);
  });

  test("with atomic=1 changes all or none, and tells of each row why", async () => {
    const [first, second] = (
      await send(
        "add_many",
        [
          { name: "One", code: "all 1", size: "1" },
          { name: "Two", code: "all 2", size: "2" },
        ],
        {},
      )
    ).body.data.parts;
    const rows = [
      { code: "all 1", size: "10" },
      { code: "all 2", size: "many" },
      { code: "all 3", size: "3" },
    ];
    const refused = await send("edit_many", rows, { key: "code", atomic: "1" });
    expect([refused.status, refused.body.data.failed]).toEqual([422, { 2: ["No record has this Code"] }]);
    const faulty = await send("edit_many", rows.slice(0, 2), { key: "code", atomic: "1" });
    expect([faulty.status, Object.keys(faulty.body.data.failed)]).toEqual([422, ["1"]]);
    expect(faulty.body.data.parts.map(({ errors }: { errors: string[] }) => errors.length)).toEqual([0, 1]);
    expect([(await part(first.id)).size, (await part(second.id)).size]).toEqual(["1", "2"]);
    const some = await send("edit_many", rows, { key: "code", atomic: "0" });
    expect(results(some)).toEqual(["changed", undefined, undefined]);
    const sound = await send(
      "edit_many",
      [
        { code: "all 1", size: "10" },
        { code: "all 2", size: "20" },
      ],
      {
        key: "code",
        atomic: "1",
      },
    );
    expect(results(sound)).toEqual(["unchanged", "changed"]);
    // add_many is all or nothing by itself: atomic=0 says what partial=1 says.
    const more = [
      { code: "all 1", size: "11" },
      { code: "all 4", name: "" },
    ];
    expect((await send("add_many", more, { key: "code", atomic: "1" })).status).toBe(422);
    expect((await part(first.id)).size).toBe("10");
    expect(results(await send("add_many", more, { key: "code", atomic: "0" }))).toEqual(["changed", undefined]);
    for (const [name, value] of [
      ["atomic", "2"],
      ["partial", "1"],
    ] as const) {
      const answer = await send("add_many", more, { key: "code", atomic: "1", [name]: value });
      expect([answer.status, answer.body.errors[0]]).toEqual([400, expect.stringContaining(`${name}: must be one of`)]);
    }
  });
});

describe("JSON lines", () => {
  const lines = async (
    operation: string,
    query: string,
    body: string | Uint8Array<ArrayBuffer>,
    token = manager.token,
    headers = {},
  ) => {
    const answer = await fetch(`${service.url}/crm/parts/${operation}.json${query}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson", ...headers },
      body,
    });
    const text = await answer.text();
    const isLines = answer.headers.get("content-type")?.includes("ndjson");
    return {
      status: answer.status,
      rows: isLines
        ? text
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [JSON.parse(text)],
    };
  };

  test("are saved as they come and answered line by line, as one job that can be undone", async () => {
    const body = Array.from({ length: 2_300 }, (_, index) =>
      JSON.stringify({ name: `Line ${index}`, size: `${10_000 + index}` }),
    );
    body[1_500] = "{nonsense";
    body[1_501] = JSON.stringify({ name: "" });
    const { status, rows } = await lines("add_many", "?key=size,name&", body.join("\n"));
    expect([status, rows.length]).toEqual([200, 2_301]);
    expect(rows[0]).toMatchObject({ row: 0, result: "added", errors: [] });
    expect(rows.filter(({ errors }) => errors.length > 0).map(({ row }) => row)).toEqual([1_500, 1_501]);
    const last = rows.at(-1);
    expect(last).toMatchObject({ total: 2_300, errors: [] });
    const job = (await service.get(`/core/jobs/view.json?id=${last.job_id}`, manager.token)).body.data.jobs;
    expect([job.status, job.done, job.failed]).toEqual(["done", "2300", "2"]);
    const edited = await lines(
      "edit_many",
      "",
      [JSON.stringify({ id: rows[1].id, name: "Other" }), JSON.stringify({ id: "999999", name: "x" })].join("\n"),
    );
    expect(edited.rows.slice(0, 2)).toMatchObject([
      { row: 0, id: rows[1].id, result: "changed" },
      { row: 1, id: null },
    ]);
    const plain = await lines("add_many", "", JSON.stringify({ name: "Plain" }));
    expect(plain.rows[0]).toMatchObject({ row: 0, result: "added" });
    expect((await undo(plain.rows[1].job_id)).status).toBe(200);
  });

  test.each([
    ["add_many", "?atomic=1", {}, 400],
    ["add_many", "", { "idempotency-key": "k" }, 400],
    ["add_many", "?key=secret", {}, 400],
    ["add", "", {}, 415],
  ])("%s%s %j is %s", async (operation, query, headers, status) => {
    expect((await lines(operation, query, "{}", manager.token, headers)).status).toBe(status);
  });

  /** A body that is sent piece by piece. */
  function sending(operation: string, token = manager.token) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const gone = new AbortController();
    const answer = fetch(`${service.url}/crm/parts/${operation}.json`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
      body: readable,
      duplex: "half",
      signal: gone.signal,
    } as RequestInit);
    answer.catch(() => undefined);
    return {
      answer,
      write: (text: string) => writer.write(Buffer.from(text)).catch(() => undefined),
      end: () => writer.close(),
      leave: () => gone.abort(),
    };
  }
  const jobsInState = async (status: string): Promise<string[]> => {
    const rows = await service.db.rows(sql`
      select id::text as id from core__jobs where organization_id = 1 and kind = 'add' and status = ${status} order by id`);
    return rows.map(({ id }) => id ?? "");
  };
  const thousand = (name: string) =>
    Array.from({ length: 1_000 }, (_, index) => `${JSON.stringify({ name: `${name} ${index}` })}\n`).join("");

  test("who sends them slowly takes no turn from others, and no more than some do so at once", async () => {
    const slow = Array.from({ length: 8 }, () => sending("add_many"));
    for (const { write } of slow) void write('{"name": ');
    while ((await jobsInState("queued")).length < 8);
    expect((await lines("add_many", "", JSON.stringify({ name: "Ninth" }))).status).toBe(429);
    const others = await Promise.all(
      Array.from({ length: 16 }, () => service.get("/crm/parts/index.json?limit=1", manager.token)),
    );
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
    for (const { write, end } of slow) {
      await write('"Slow"}\n');
      await end();
    }
    const answers = await Promise.all(slow.map(async ({ answer }) => (await answer).text()));
    expect(answers.map((text) => JSON.parse(text.split("\n")[0] ?? "").result)).toEqual(
      Array.from({ length: 8 }, () => "added"),
    );
    expect(await jobsInState("queued")).toEqual([]);
  });

  test("what was saved before the sender went away is a job that is over and can be undone", async () => {
    const { write, leave } = sending("add_many");
    void write(thousand("Left"));
    let id: string | undefined;
    while (id === undefined) [id] = await jobsInState("running");
    leave();
    while ((await jobsInState("running")).length > 0);
    expect((await undo(id)).status).toBe(200);
  });

  test("lines whose sender is gone for good end in words; what was saved stays and can be undone", async () => {
    const { write, end, answer } = sending("add_many");
    void write(thousand("Cut off"));
    let id: string | undefined;
    while (id === undefined) [id] = await jobsInState("running");
    const own = sql`organization_id = 1 and job_id = ${id}::bigint`;
    const read = async () => (await service.get(`/core/jobs/view.json?id=${id}`, manager.token)).body.data.jobs;
    const look = () => service.db.transaction((transaction) => notify(transaction, "dossier_jobs", ""));
    // For as long as somebody says that it is being sent, it is nobody else's.
    expect(await service.db.transaction((transaction) => nextTurn(transaction))).toBeUndefined();
    expect((await undo(id)).status).toBe(409);
    // As a process that was killed leaves it.
    await service.db.run(sql`
      update core__job_queue set held_until = (now() at time zone 'utc') - interval '1 minute' where ${own}`);
    await look();
    while ((await read()).status === "running");
    const words = "after 1,000 lines. What was saved is kept and can be undone. Send the rest again";
    const ended = await read();
    expect([ended.status, ended.done, ended.total]).toEqual(["failed", "1000", "1000"]);
    expect(JSON.parse(ended.result).message).toEqual([expect.stringContaining(words)]);
    expect(await service.db.row(sql`select 1 as found from core__job_queue where ${own}`)).toBeUndefined();
    expect(await named("Cut off")).toBe("1000");
    // Whoever only seemed to be gone is told, and adds nothing to a job that is over.
    void write(thousand("Too late"));
    void end().catch(() => undefined);
    const last = JSON.parse((await (await answer).text()).trim().split("\n").at(-1) ?? "");
    expect([last.job_id, last.total, last.errors]).toEqual([id, 1_000, [expect.stringContaining(words)]]);
    expect([(await read()).status, await named("Too late")]).toEqual(["failed", "0"]);
    expect((await undo(id)).status).toBe(200);
    expect(await named("Cut off")).toBe("0");
  });

  test("a stream that is stopped ends after the chunk that it is at", async () => {
    const { write, end, answer } = sending("add_many");
    void write(thousand("Stopped"));
    let id: string | undefined;
    while (id === undefined) [id] = await jobsInState("running");
    expect((await service.post(`/core/jobs/cancel.json?id=${id}`, {}, manager.token)).status).toBe(200);
    void write(thousand("More"));
    void write(thousand("Even more"));
    void end().catch(() => undefined);
    const last = JSON.parse((await (await answer).text()).trim().split("\n").at(-1) ?? "");
    expect([last.total, last.errors.length]).toEqual([2_000, 1]);
    const job = (await service.get(`/core/jobs/view.json?id=${id}`, manager.token)).body.data.jobs;
    expect([job.status, job.done]).toEqual(["cancelled", "2000"]);
  });

  test("a stream that is stopped and undone saves nothing more", async () => {
    const { write, end, answer } = sending("add_many");
    void write(thousand("Undone"));
    let id: string | undefined;
    while (id === undefined) [id] = await jobsInState("running");
    expect((await service.post(`/core/jobs/cancel.json?id=${id}`, {}, manager.token)).status).toBe(200);
    expect((await undo(id)).status).toBe(200);
    void write(thousand("After the undo"));
    void end().catch(() => undefined);
    const last = JSON.parse((await (await answer).text()).trim().split("\n").at(-1) ?? "");
    expect([last.total, last.errors]).toEqual([1_000, [expect.stringContaining("Stopping")]]);
    expect([await named("Undone"), await named("After the undo")]).toEqual(["0", "0"]);
  });

  test.each(["a session", "an API key that is revoked", "an API key that expires"])(
    "a stream ends with %s",
    async (what) => {
      const name = `By ${what}`;
      const key = { data: { api_keys: { name, scope: "write" } } };
      const made = await service.post("/access_controls/api_keys/add.json", key, manager.token);
      const { id: keyId, secret } = made.body.data.api_keys;
      const token = what === "a session" ? await service.login("manager", service.admin.password) : secret;
      const { write, end, answer } = sending("add_many", token);
      void write(thousand(name));
      let id: string | undefined;
      while (id === undefined) [id] = await jobsInState("running");
      if (what === "an API key that expires") {
        await service.db.run(sql`
        update access_controls__api_keys set expires = now() at time zone 'utc' - interval '1 minute' where id = ${keyId}::bigint`);
      } else {
        const ended =
          what === "a session"
            ? await service.post("/access_controls/users/logout.json", {}, token)
            : await service.post("/access_controls/api_keys/revoke.json", { id: keyId }, manager.token);
        expect(ended.status).toBe(200);
      }
      void write(thousand(`${name} after`));
      void end().catch(() => undefined);
      const last = JSON.parse((await (await answer).text()).trim().split("\n").at(-1) ?? "");
      expect([last.total, last.errors.length]).toEqual([1_000, 1]);
      expect([await named(name), await named(`${name} after`)]).toEqual(["1000", "0"]);
      expect((await undo(id)).status).toBe(200);
    },
  );

  test("what somebody may do is asked again for each thousand lines", async () => {
    const { write, end, answer } = sending("add_many");
    void write(thousand("Allowed"));
    let id: string | undefined;
    while (id === undefined) [id] = await jobsInState("running");
    await permit("sales_manager", "index;view;edit;delete;bulk");
    void write(thousand("Forbidden"));
    void end().catch(() => undefined);
    const last = JSON.parse((await (await answer).text()).trim().split("\n").at(-1) ?? "");
    await permit("sales_manager", "index;view;add;edit;delete;bulk");
    expect([last.total, last.errors.length]).toEqual([1_000, 1]);
    expect([await named("Allowed"), await named("Forbidden")]).toEqual(["1000", "0"]);
    expect((await undo(id)).status).toBe(200);
  });

  test("a line that cannot be read ends the stream with its number; lines before it are saved and told", async () => {
    const good = (name: string) => `${JSON.stringify({ name })}\n`;
    const latin = Buffer.concat([
      Buffer.from(`${good("Before 1")}\n${good("Before 2")}`),
      Buffer.from('{"name": "M\xfcller"}\n', "latin1"),
      Buffer.from(good("After")),
    ]);
    const long = `{"name": "${"x".repeat(11_000_000)}"}`;
    const read = "Couldn't read the request body:";
    for (const [body, total, said] of [
      [latin, 2, `${read} Line 4: it is not valid UTF-8`],
      [
        `${good("Before 1")}${good("Before 2")}${long}\n${good("After")}`,
        2,
        `${read} Line 3: the line is larger than 10 MiB`,
      ],
      [long, 0, `${read} Line 1: the line is larger than 10 MiB`],
    ] as const) {
      const { status, rows } = await lines("add_many", "", body);
      expect([status, rows.length, rows.at(-1)]).toMatchObject([200, total + 1, { total, errors: [said] }]);
      expect(rows.slice(0, -1).map(({ errors }) => errors)).toEqual(Array.from({ length: total }, () => []));
      expect([await named("Before"), await named("After")]).toEqual([String(total), "0"]);
      expect((await undo(rows.at(-1).job_id)).status).toBe(200);
    }
  });

  test("a line that is wrong in itself fails alone, with its number and its place", async () => {
    const body = `\n{"name": "Fine"}\n{nonsense\n["no record"]\n${JSON.stringify({ name: "x".repeat(10_000_000) })}\n`;
    const { rows } = await lines("add_many", "", body);
    expect(rows.slice(0, -1).map(({ errors }) => errors)).toEqual([
      [],
      ["Line 3: a key in quotes is missing at character 2 of the JSON text"],
      [expect.stringContaining("must be")],
      [expect.stringMatching(/^Name .*characters/u)],
    ]);
    expect((await undo(rows.at(-1).job_id)).status).toBe(200);
  });

  test("a few long lines are a chunk as well", async () => {
    const long = JSON.stringify({ name: "x".repeat(5 * 1024 * 1024) });
    const { rows } = await lines("add_many", "", [long, long, JSON.stringify({ name: "Short" })].join("\n"));
    expect(rows.map(({ errors }) => errors.length)).toEqual([1, 1, 0, 0]);
    const chunks = await service.db.rows(sql`
      select number::text as number from core__job_chunks where organization_id = 1 and job_id = ${rows[3].job_id}::bigint order by number`);
    expect(chunks.map(({ number }) => number)).toEqual(["0", "1"]);
    expect((await undo(rows[3].job_id)).status).toBe(200);
  });
});
