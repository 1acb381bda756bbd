// What an import and its undo tell: every row counted once, and what is left with what to do about it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { addPerson } from "../people.ts";
import { type Importing, save, startImporting } from "./importing.ts";

let at: Importing;

beforeAll(async () => {
  at = await startImporting();
  await at.run(file(0, "KNOWN"), { mode: "add" });
});
afterAll(() => at.service.stop());

const resultOf = async (id: string) => JSON.parse((await at.over(id)).result);
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

/** Rows without a name, which is required; `serials` of good ones before them. */
const file = (bad: number, ...serials: string[]) =>
  `name,serial\n${serials.map((serial) => `n,${serial}\n`).join("")}${Array.from({ length: bad }, (_, index) => `,BAD${index}\n`).join("")}`;

describe("a summary", () => {
  test.each([
    ["all failed, at once", () => file(3), {}, { added: 0, failed: 3 }],
    ["all failed, checked at once", () => file(3), { dry_run: "1" }, { added: 0, failed: 3 }],
    ["all failed, as a job", () => file(1_100), {}, { added: 0, failed: 1_100 }],
    ["all failed, checked as a job", () => file(1_100), { dry_run: "1" }, { added: 0, failed: 1_100 }],
    ["some failed", () => file(2, "SUM1", "SUM2"), {}, { added: 2, failed: 2 }],
    [
      "known ones are skipped",
      () => file(1, "KNOWN", "SUM3"),
      { mode: "skip", key: "serial" },
      { added: 1, skipped: 1, failed: 1 },
    ],
    [
      "known ones stay as they are",
      () => file(0, "KNOWN"),
      { mode: "upsert", key: "serial" },
      { unchanged: 1, failed: 0 },
    ],
  ] as const)("counts every row where %s", async (_, content, more, expected) => {
    const { body } = await at.run(content(), { mode: "add", ...more });
    const { counts, dry_run: dry } = await resultOf(body.job_id);
    expect(counts).toMatchObject(expected);
    const rows = content().trimEnd().split("\n").length - 1;
    expect(sum(counts)).toBe(rows);
    if (body.data) expect(body.data.counts).toEqual(counts);
    expect(dry).toBe("dry_run" in more ? 1 : undefined);
  });

  test("of an import that was all or nothing counts what stood in its way", async () => {
    const { body } = await at.run(file(1_100, "SUM9"), { mode: "add", atomic: "1" });
    const { status, failed, result } = await at.over(body.job_id);
    expect([status, failed]).toEqual(["failed", "1100"]);
    expect(JSON.parse(result).counts).toEqual({ added: 0, changed: 0, unchanged: 0, skipped: 0, failed: 1_100 });
  });
});

test("an undo that could take back only a part says what is left and what to do", async () => {
  const idOf = async (serial: string) =>
    (await at.service.db.row(sql`select id::text as id from crm__assets where serial = ${serial}`))?.id ?? "";
  await at.run("name,serial,price\nOld,LEFT1,1\nOld,LEFT2,1\nOld,LEFT3,1\n", { mode: "add" });
  const content = "name,serial,price\nNew,LEFT1,2\nNew,LEFT2,2\nNew,LEFT3,2\nNew,LEFT4,2\nNew,LEFT5,2\n";
  const { body } = await at.run(content, { mode: "upsert", key: "serial" });
  expect(body.data.counts).toMatchObject({ added: 2, changed: 3, failed: 0 });
  const edit = { data: { assets: { id: await idOf("LEFT1"), price: "7" }, action: save } };
  expect((await at.service.post("/crm/assets/edit.json", edit, at.manager.token)).status).toBe(200);
  for (const serial of ["LEFT2", "LEFT4"]) {
    const path = `/crm/assets/delete.json?id=${await idOf(serial)}&is_confirm=1`;
    expect((await at.service.post(path, {}, at.manager.token)).status).toBe(200);
  }
  const undo = () => at.service.post(`/core/jobs/undo.json?id=${body.job_id}`, {}, at.manager.token);
  const first = await undo();
  // What the import added and somebody deleted since is as the undo would leave it.
  expect(first.body.data.left_alone).toEqual({ [await idOf("LEFT1")]: ["price"] });
  expect(Object.keys(first.body.data.failed)).toEqual([await idOf("LEFT2")]);
  const { message } = await resultOf(first.body.job_id);
  expect(message).toEqual([
    "1 record was changed after this job and keeps those changes. Review them and revert by hand what you need",
    "1 record couldn't be reverted. Check the reasons (a record may have to be restored first, or you may need a permission), then undo the rest",
  ]);
  // Restored as it says, the rest goes back.
  const restored = await at.service.post(`/crm/assets/restore.json?id=${await idOf("LEFT2")}`, {}, at.manager.token);
  expect(restored.status).toBe(200);
  const second = await undo();
  expect([second.status, second.body.data.changed]).toEqual([200, [await idOf("LEFT2")]]);
  expect((await resultOf(second.body.job_id)).message).toEqual([expect.stringMatching(/^1 record was changed/)]);
});

test("an undo that took back everything has nothing more to say", async () => {
  const { body } = await at.run("name,serial\nGone,GONE1\n", { mode: "add" });
  const back = await at.service.post(`/core/jobs/undo.json?id=${body.job_id}`, {}, at.manager.token);
  expect((await resultOf(back.body.job_id)).message).toBe(undefined);
});

test("an import stays with whoever started it, also when all that the person owns is handed over", async () => {
  const leaver = await addPerson(at.service, "leaver", ["sales_manager"]);
  const heir = await addPerson(at.service, "heir", ["sales_manager"]);
  const { body } = await at.run("name,serial\nMine,HAND1\n,HAND2\n", { mode: "add" }, leaver.token);
  expect(body.data.counts).toMatchObject({ added: 1, failed: 1 });
  const path = `/access_controls/users/deactivate.json?id=${leaver.id}&hand_over_to=${heir.id}`;
  const { body: left } = await at.service.post(path, {}, at.admin);
  expect([left.errors, left.handed_over]).toEqual([[], { "crm/assets": 1 }]);
  for (const operation of ["view", "failures", "faulty_rows"]) {
    const asked = `/core/jobs/${operation}.json?id=${body.job_id}`;
    expect((await at.service.get(asked, heir.token)).status).toBe(404);
  }
  expect((await at.service.get("/core/jobs/index.json", heir.token)).body.paginate.total_count).toBe(0);
  expect((await at.service.get(`/core/jobs/view.json?id=${body.job_id}`, at.admin)).status).toBe(200);
  // Who administers can still take it back.
  const back = await at.service.post(`/core/jobs/undo.json?id=${body.job_id}`, {}, at.admin);
  expect([back.status, back.body.errors]).toEqual([200, []]);
});
