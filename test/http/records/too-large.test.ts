// A record that has no room in the database is refused by itself; the others of its batch are saved.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";

let service: TestService;
let admin: string;

/** All of them filled are more than a row has room for; the first 400 are not. */
const names = Array.from({ length: 498 }, (_, at) => `f${at}`);
const filled = (some: readonly string[]) => Object.fromEntries(some.map((name) => [name, "twenty-four letters long"]));

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const definition = JSON.stringify({
    ...{ module: "lab", controller: "texts", label: "Text", plural: "Texts", displayField: "name" },
    fields: ["name", ...names].map((name) => ({ name, type: "short-text" })),
    access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
  });
  const saved = await service.post("/metadata/record_types/save.json", { definition }, admin);
  expect(saved.body.errors).toEqual([]);
});
afterAll(() => service.stop());

const add = async (values: Record<string, string>): Promise<string> => {
  const sent = { data: { texts: { name: "One", ...values }, action: { save_progress: "1" } } };
  const { body } = await service.post("/lab/texts/add.json", sent, admin);
  expect(body.errors).toEqual([]);
  return String(body.data.texts.id);
};

test("of many that are changed, one without room is refused and the others are changed", async () => {
  const ids = [await add({}), await add(filled(names.slice(0, 400))), await add({})];
  const sent = { ids, data: { texts: filled(names.slice(400)) } };
  const { status, body } = await service.post("/lab/texts/edit_selected.json", sent, admin);
  expect([status, body.errors]).toEqual([200, []]);
  expect(body.data).toEqual({
    changed: [ids[0], ids[2]],
    failed: { [ids[1] ?? ""]: [expect.stringContaining("too large")] },
  });
});
