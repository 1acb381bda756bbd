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

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const definition = {
    module: "crm",
    controller: "samples",
    label: "Sample",
    plural: "Samples",
    displayField: "title",
    businessKey: { prefix: "S-", digits: 4 },
    fields: [
      { name: "title", type: "short-text", required: true },
      ...types.map(({ id, examples }) => {
        const settings = id === "reference" ? { to: "crm/companies" } : id === "money" ? {} : examples.settings;
        return { name: nameOf(id), label: `My ${id}`, type: id, settings };
      }),
    ],
    access: { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] },
  };
  const designed = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify(definition) },
    admin,
  );
  expect(designed.body.errors).toEqual([]);
  const company = await service.post(
    "/crm/companies/add.json",
    { data: { companies: { name: 'Round, "trip"' }, action: save } },
    admin,
  );
  const samples = Array.from({ length: 6 }, (_, index) => ({
    title: ["=1+1", "'=2", "plain", ' "quoted", x', "@me", "-5"][index],
    ...Object.fromEntries(
      types.map(({ id, examples }) => {
        const { sent } = examples.good[index % examples.good.length] ?? { sent: null };
        return [nameOf(id), id === "reference" ? (index % 2 === 0 ? company.body.id : null) : sent];
      }),
    ),
  }));
  const added = await service.post("/crm/samples/add_many.json", { data: { samples } }, admin);
  expect(added.body.errors).toEqual([]);
});

afterAll(() => service.stop());

test.each(["csv", "xlsx", "json"])("an export as %s is imported again unchanged", async (format) => {
  const q = encodeURIComponent(
    JSON.stringify({ fields: ["samples.id", "samples.title", ...types.map(({ id }) => `samples.${nameOf(id)}`)] }),
  );
  const exported = await fetch(`${service.url}/crm/samples/export.json?format=${format}&q=${q}`, {
    headers: { authorization: `Bearer ${admin}` },
  });
  expect(exported.status).toBe(200);
  const form = new FormData();
  form.append("file", await exported.blob(), `samples.${format}`);
  const { body } = await service.post("/crm/samples/import_columns.json", form, admin);
  expect(body.errors).toEqual([]);
  expect([body.data.key, body.data.mode]).toEqual([["id"], "upsert"]);
  const targets = body.data.columns.flatMap(({ target }: { target: string | null }) => target ?? []);
  // An address is one text in a list, and several fields in an import.
  const expected = types.flatMap(({ id }) => (id === "address" ? [] : [nameOf(id)]));
  expect(targets).toEqual(expect.arrayContaining(["id", "title", ...expected]));
  const mapping = Object.fromEntries(
    body.data.columns.map(({ name, target }: { name: string; target: string }) => [name, target]),
  );
  const common = {
    file: body.data.file.id,
    mapping,
    mode: "upsert",
    key: "id",
    empty: "clear",
    override_duplicates: "1",
  };
  const back = await service.post("/crm/samples/import.json", common, admin);
  expect(back.body.data?.faults ?? back.body.errors).toEqual([]);
  expect(back.body.data.counts).toEqual({ added: 0, changed: 0, unchanged: 6, skipped: 0, failed: 0 });
});
