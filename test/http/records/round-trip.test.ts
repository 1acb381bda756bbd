// Every list's export can be imported again: nothing changes, whatever the format and the types of its fields.
import { afterAll, beforeAll, expect, test } from "vitest";
import { fieldTypes } from "../../../server/fields/index.ts";
import { startService, type TestService } from "../../service.ts";

let service: TestService;
let admin: string;
const save = { save_progress: "Save" };
/** What no cell can hold, and what the service gives out. */
const notInCells = new Set(["file", "image", "auto-number"]);
const types = Object.values(fieldTypes).filter(({ id }) => !notInCells.has(id));
const nameOf = (id: string): string => `f_${id.replaceAll("-", "_")}`;

const everyType = types.map(({ id, examples }) => {
  const settings = id === "reference" ? { to: "crm/companies" } : id === "money" ? {} : examples.settings;
  return { name: nameOf(id), label: `My ${id}`, type: id, settings };
});
const access = { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] };

const samplesType = (associations: readonly object[]) => ({
  module: "crm",
  controller: "samples",
  label: "Sample",
  plural: "Samples",
  displayField: "title",
  businessKey: { prefix: "S-", digits: 4 },
  fields: [
    { name: "title", type: "short-text", required: true },
    ...everyType,
    { name: "doubled", type: "decimal", computed: { kind: "formula", formula: `${nameOf("integer")} * 2` } },
  ],
  associations,
  access,
});

const linesType = {
  module: "crm",
  controller: "sample_lines",
  label: "Line",
  plural: "Lines",
  displayField: "title",
  fields: [
    { name: "title", type: "short-text", required: true },
    { name: "sample_id", label: "Sample", type: "reference", settings: { to: "crm/samples" } },
    ...everyType,
  ],
  access,
};

async function design(definition: object): Promise<void> {
  const answer = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify(definition) },
    admin,
  );
  expect(answer.body.errors).toEqual([]);
}

let companyId: string;
const valuesOf = (index: number) => ({
  title: ["=1+1", "'=2", "plain", ' "quoted", x', "@me", "-5"][index],
  ...Object.fromEntries(
    types.map(({ id, examples }) => {
      const { sent } = examples.good[index % examples.good.length] ?? { sent: null };
      return [nameOf(id), id === "reference" ? (index % 2 === 0 ? companyId : null) : sent];
    }),
  ),
});

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  await design(samplesType([]));
  await design(linesType);
  await design(
    samplesType([
      { kind: "has-many", name: "lines", label: "Lines", type: "crm/sample_lines", via: "sample_id", owned: true },
      { kind: "has-many-polymorphic", name: "addresses", label: "Addresses", type: "core/addresses", owned: true },
    ]),
  );
  const company = await service.post(
    "/crm/companies/add.json",
    { data: { companies: { name: 'Round, "trip"' }, action: save } },
    admin,
  );
  companyId = company.body.id;
  const samples = Array.from({ length: 6 }, (_, index) => ({
    ...valuesOf(index),
    // None, one, several; more of the one kind than of the other.
    lines: Array.from({ length: index % 4 }, (__, line) => valuesOf(line)),
    addresses: index % 2 === 0 ? [] : [{ type: "home", address_line_1: `Street ${index}`, city: "Ulm, Do" }],
  }));
  const added = await service.post("/crm/samples/add_many.json", { data: { samples } }, admin);
  expect(added.body.errors).toEqual([]);
});

afterAll(() => service.stop());

const fields = ["samples.id", "samples.title", "samples.doubled", ...types.map(({ id }) => `samples.${nameOf(id)}`)];

async function exported(format: string, more = ""): Promise<Blob> {
  const q = encodeURIComponent(JSON.stringify({ fields, order: ["samples.id ASC"] }));
  const answer = await fetch(`${service.url}/crm/samples/export.json?format=${format}&q=${q}${more}`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  expect(answer.status).toBe(200);
  return answer.blob();
}

async function look(file: Blob, format: string) {
  const form = new FormData();
  form.append("file", file, `samples.${format}`);
  const { body } = await service.post("/crm/samples/import_columns.json", form, admin);
  expect(body.errors).toEqual([]);
  const mapping: Record<string, string | null> = Object.fromEntries(
    body.data.columns.map(({ name, target }: { name: string; target: string | null }) => [name, target]),
  );
  return { data: body.data, mapping, targets: Object.values(mapping).flatMap((target) => target ?? []) };
}

async function sampleIds(): Promise<readonly string[]> {
  const q = encodeURIComponent(JSON.stringify({ fields: ["samples.id"], order: ["samples.id ASC"] }));
  const { body } = await service.get(`/crm/samples/index.json?limit=100&q=${q}`, admin);
  return body.paginate.data.map((row: Record<string, string>) => row["samples.id"]);
}

const all = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await service.get(`/crm/samples/view.json?id=${id}`, admin)).body.data.samples));

/** What a record holds, but for what differs from one to the next: ids, numbers, times. */
const bare = (record: Record<string, unknown>) => {
  const part = ({ title, address_line_1, city, type, ...row }: Record<string, unknown>) => ({
    ...Object.fromEntries(types.map(({ id }) => [id, row[nameOf(id)]])),
    ...{ title, address_line_1, city, type },
  });
  const rows = (list: unknown) => (list as Record<string, unknown>[]).map(part);
  return { ...part(record), lines: rows(record.lines), addresses: rows(record.addresses) };
};

test.each(["csv", "xlsx", "json"])("an export as %s is imported again unchanged", async (format) => {
  const { data, mapping, targets } = await look(await exported(format), format);
  expect([data.key, data.mode, data.grouped]).toEqual([["id"], "upsert", 0]);
  // An address is one text in a list, and several fields in an import.
  const expected = types.flatMap(({ id }) => (id === "address" ? [] : [nameOf(id)]));
  expect(targets).toEqual(expect.arrayContaining(["id", "title", ...expected]));
  // What is worked out is in the file, and left alone.
  expect(Object.keys(mapping)).toContain(format === "json" ? "samples.doubled" : "Doubled");
  expect(targets).not.toContain("doubled");
  const common = { file: data.file.id, mapping, mode: "upsert", key: "id", empty: "clear", override_duplicates: "1" };
  const back = await service.post("/crm/samples/import.json", common, admin);
  expect(back.body.data?.faults ?? back.body.errors).toEqual([]);
  expect(back.body.data.counts).toEqual({ added: 0, changed: 0, unchanged: 6, skipped: 0, failed: 0 });
});

test.each(["csv", "xlsx", "json"])(
  "an export as %s with children is imported again unchanged; added anew, it makes the same records; undo takes them back",
  async (format) => {
    const file = await exported(format, "&children=1");
    const { data, mapping, targets } = await look(file, format);
    const isTable = format !== "json";
    expect([data.key, data.mode, data.grouped]).toEqual([["id"], "upsert", isTable ? 1 : 0]);
    const at = (name: string, field: string, position: number) =>
      isTable ? `${name}.${field}` : `${name}.${position}.${field}`;
    expect(targets).toEqual(
      expect.arrayContaining([
        ...["id", "title", `${nameOf("address")}.zip`, `${nameOf("address")}.country_id`, at("addresses", "city", 1)],
        ...types.flatMap(({ id }) => (id === "address" ? [] : [nameOf(id), at("lines", nameOf(id), 3)])),
        ...[at("lines", "id", 2), at("lines", `${nameOf("address")}.zip`, 1)],
      ]),
    );
    const common = {
      ...{ file: data.file.id, mapping, key: "id", empty: "clear", override_duplicates: "1" },
      ...(data.grouped === 1 ? { grouped: "1" } : {}),
    };
    const back = await service.post("/crm/samples/import.json", { ...common, mode: "upsert" }, admin);
    expect(back.body.data?.faults ?? back.body.errors).toEqual([]);
    expect(back.body.data.counts).toEqual({ added: 0, changed: 0, unchanged: 6, skipped: 0, failed: 0 });
    const anew = await service.post("/crm/samples/import.json", { ...common, mode: "add" }, admin);
    expect(anew.body.data?.faults ?? anew.body.errors).toEqual([]);
    expect(anew.body.data.counts).toMatchObject({ added: 6 });
    const ids = await sampleIds();
    const records = (await all(ids)).map(bare);
    expect(records.slice(6)).toEqual(records.slice(0, 6));
    const undone = await service.post(`/core/jobs/undo.json?id=${anew.body.job_id}`, {}, admin);
    expect([undone.status, undone.body.errors]).toEqual([200, []]);
    expect(Object.keys(undone.body.data.left_alone ?? {})).toEqual([]);
    expect(await sampleIds()).toEqual(ids.slice(0, 6));
  },
);

test("an import that changes fields of every type and adds children is undone", async () => {
  type Row = Record<string, unknown>;
  const { data: rows } = JSON.parse(await (await exported("json", "&children=1")).text()) as { data: Row[] };
  const ids = await sampleIds();
  const isId = (name: string) => /(^|\.)id$/u.test(name);
  const anew = (child: Row): Row => Object.fromEntries(Object.entries(child).filter(([name]) => !isId(name)));
  // Each is made the same as the one after it, and its children are added.
  const moved = ids.map((id, index) => {
    const next = Object.entries(rows[(index + 1) % rows.length] ?? {});
    return Object.fromEntries(
      next.map(([name, value]) => [
        name,
        name === "samples.id" ? id : Array.isArray(value) ? value.map((child) => anew(child)) : value,
      ]),
    );
  });
  const before = (await all(ids)).map(bare);
  const { data, mapping } = await look(new Blob([JSON.stringify(moved)]), "json");
  const sent = { file: data.file.id, mapping, key: "id", mode: "update", empty: "clear", override_duplicates: "1" };
  const done = await service.post("/crm/samples/import.json", sent, admin);
  expect(done.body.data?.faults ?? done.body.errors).toEqual([]);
  expect(done.body.data.counts).toMatchObject({ changed: 6, failed: 0 });
  const after = (await all(ids)).map(bare);
  const plain = ({ lines: _, addresses: __, ...row }: ReturnType<typeof bare>) => row;
  expect(after.map(plain)).toEqual([...before.slice(1), ...before.slice(0, 1)].map(plain));
  expect(after.map(({ lines }) => lines.length)).toEqual(
    before.map(({ lines }, at) => lines.length + (before[(at + 1) % 6]?.lines.length ?? 0)),
  );
  const undone = await service.post(`/core/jobs/undo.json?id=${done.body.job_id}`, {}, admin);
  expect([undone.status, undone.body.errors, undone.body.data.left_alone ?? {}]).toEqual([200, [], {}]);
  expect((await all(ids)).map(bare)).toEqual(before);
});

test("the export of every record type that ships is imported again unchanged", async () => {
  const add = async (type: string, values: object) => {
    const data = { [type]: values, action: save };
    const { body } = await service.post(`/crm/${type}/add.json?override_duplicates=1`, { data }, admin);
    expect([type, body.errors]).toEqual([type, []]);
    return body.id as string;
  };
  const addresses = [{ type: "work", address_line_1: "1, Quay", city: "Ulm" }];
  const company_id = await add("companies", { name: "Everything; Ltd", annual_revenue: "1234567.89", addresses });
  await add("peoples", { first_name: "Ada", last_name: "O'Neil", company_id, addresses });
  await add("leads", { last_name: "-Lead", email: "lead@round.example", next_follow_up: "2026-02-28", addresses });
  await add("opportunities", { name: "=Deal", company_id, amount: "10.50" });
  await add("quotes", { name: "Quote", company_id });
  const { body } = await service.get("/metadata/record_types/index.json", admin);
  const shipped = body.data.record_types.filter(
    ({ operations, scope, origin }: Record<string, unknown>) =>
      origin === "built-in" &&
      scope === "organization" &&
      (operations as string[]).includes("import") &&
      (operations as string[]).includes("export"),
  );
  const unchanged: string[] = [];
  for (const { key } of shipped) {
    const answer = await fetch(`${service.url}/${key}/export.json?format=csv&children=1`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    const file = await answer.text();
    if (answer.status !== 200 || file.trim().split("\n").length < 2) continue;
    const form = new FormData();
    form.append("file", new Blob([file]), "export.csv");
    const found = await service.post(`/${key}/import_columns.json`, form, admin);
    const { data, errors } = found.body;
    expect([key, errors]).toEqual([key, []]);
    const mapping = Object.fromEntries(
      data.columns.map(({ name, target }: { name: string; target: string | null }) => [name, target]),
    );
    const back = await service.post(
      `/${key}/import.json`,
      {
        ...{ file: data.file.id, mapping, mode: "update", key: data.key.join(), override_duplicates: "1" },
        ...(data.grouped === 1 ? { grouped: "1" } : {}),
      },
      admin,
    );
    const { counts, faults } = back.body.data ?? { counts: {}, faults: back.body.errors };
    expect([key, faults, counts]).toEqual([key, [], { ...counts, added: 0, changed: 0, skipped: 0, failed: 0 }]);
    if (counts.unchanged > 0) unchanged.push(key);
  }
  const worked = ["companies", "leads", "opportunities", "peoples", "quotes"].map((name) => `crm/${name}`);
  expect(unchanged).toEqual(expect.arrayContaining(["access_controls/users", "core/addresses", ...worked]));
});
