// add_many takes as many records as it says, in every request encoding, and a batch that is refused takes no numbers.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";

let service: TestService;
let admin: string;

const FIELDS = 30;
const names = Array.from({ length: FIELDS - 1 }, (_, at) => `f${at}`);

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const definition = JSON.stringify({
    module: "lab",
    controller: "samples",
    label: "Sample",
    plural: "Samples",
    displayField: "name",
    businessKey: { prefix: "S-", digits: 4 },
    fields: [
      { name: "name", type: "short-text", required: true },
      ...names.map((name) => ({ name, type: "short-text" })),
      { name: "code", type: "short-text", unique: true },
    ],
    access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
  });
  const saved = await service.post("/metadata/record_types/save.json", { definition }, admin);
  expect(saved.body.errors).toEqual([]);
});
afterAll(() => service.stop());

const record = (at: number): Record<string, string> => ({
  name: `Sample ${at}`,
  ...Object.fromEntries(names.map((name) => [name, `value ${at} of ${name}`])),
});
const records = (count: number) => Array.from({ length: count }, (_, at) => record(at));

const flat = (form: FormData | URLSearchParams, count: number) => {
  for (const [at, one] of records(count).entries()) {
    for (const [name, value] of Object.entries(one)) form.append(`data[samples][${at}][${name}]`, value);
  }
  return form;
};

const post = (body: unknown, path = "add_many") => service.post(`/lab/samples/${path}.json`, body, admin);

describe("1,000 records of 30 fields", () => {
  test.each([
    ["JSON", () => ({ data: { samples: records(1_000) } })],
    ["an urlencoded form", () => flat(new URLSearchParams(), 1_000)],
    ["a multipart form", () => flat(new FormData(), 1_000)],
  ])("are added from %s", async (_, make) => {
    const { status, body } = await post(make());
    expect([status, body.errors]).toEqual([200, []]);
    expect(body.data.samples).toHaveLength(1_000);
  });

  test("are added from a JSON-RPC call", async () => {
    const params = { data: { samples: records(1_000) } };
    const { status, body } = await post({ jsonrpc: "2.0", id: 1, method: "lab.samples.add_many", params });
    expect([status, body.result.errors]).toEqual([200, []]);
    expect(body.result.data.samples).toHaveLength(1_000);
  });

  test("are too many keys for an operation of one record, and 4,000 of them for any", async () => {
    const one = await post({ data: { samples: { name: records(200).map((each) => Object.values(each)) } } }, "add");
    expect([one.status, one.body.errors[0]]).toEqual([400, "The request has more than 5,000 keys"]);
    const many = await post({ data: { samples: records(4_000) } });
    expect([many.status, many.body.errors[0]]).toEqual([400, "The request has more than 100,000 keys"]);
  });
});

describe("a batch that is refused", () => {
  const lastNumber = async (): Promise<string> =>
    (
      await service.db.row(sql`
      select last_value::text as last from core__auto_numbers where record_type = 'lab/samples'`)
    )?.last ?? "";

  test.each([
    ["whose last record has no name", () => [...records(300), { f0: "nameless" }]],
    ["whose records are looked at one by one", () => records(50).map((one, at) => ({ ...one, code: `c${at % 49}` }))],
  ])("%s takes no number", async (_, make) => {
    const before = await lastNumber();
    const { status, body } = await post({ data: { samples: make() } });
    expect([status, body.error_code]).toEqual([422, "bulk_refused"]);
    expect(await lastNumber()).toBe(before);
  });

  test("leaves the next record the next number", async () => {
    const before = Number(await lastNumber());
    const saved = await post({ data: { samples: { name: "Next" }, action: { save_continue: "Save" } } }, "add");
    expect(saved.body.data.samples.business_key).toBe(`S-${before + 1}`);
  });
});
