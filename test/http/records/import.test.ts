// Import on the wire: a file is uploaded, looked at, checked, run, and taken back.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UPSERT_LOCK } from "../../../server/database/locks.ts";
import { sql } from "../../../server/database/sql.ts";
import { writeZip } from "../../../server/lib/writing/zip-writer.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let manager: Person;
let rep: Person;
let other: Person;

const save = { save_progress: "Save" };

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  manager = await addPerson(service, "manager", ["sales_manager"]);
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addOrganization(service, "elsewhere");
  await design([]);
  await permit("sales_manager", "index;view;add;edit;delete;import;export;bulk");
});

afterAll(() => service.stop());

async function design(more: readonly object[], discard: readonly string[] = []): Promise<void> {
  const definition = {
    module: "crm",
    controller: "assets",
    label: "Asset",
    plural: "Assets",
    displayField: "name",
    businessKey: { prefix: "A-", digits: 4 },
    fields: [
      { name: "name", type: "short-text", required: true },
      { name: "serial", label: "Serial number", type: "short-text", unique: true },
      { name: "bought", type: "date" },
      { name: "price", type: "decimal", settings: { precision: 12, scale: 2 } },
      {
        name: "state",
        type: "choice",
        settings: {
          options: [
            { value: "ok", label: "In use" },
            { value: "gone", label: "Scrapped" },
          ],
        },
      },
      { name: "company_id", label: "Company", type: "reference", settings: { to: "crm/companies" } },
      { name: "lead_id", label: "Lead", type: "reference", settings: { to: "crm/leads" } },
      { name: "keeper_id", label: "Keeper", type: "reference", settings: { to: "access_controls/users" } },
      { name: "hidden", type: "short-text", permission: 1 },
      { name: "fixed", type: "short-text", permission: 4 },
      ...more,
    ],
    access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
  };
  const saved = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify(definition), discard: discard.join(",") },
    admin,
  );
  expect(saved.body.errors).toEqual([]);
}

/** Somebody waits for a lock in this database. */
const isWaited = async (but = ""): Promise<boolean> =>
  (await service.db.row(sql`
    select 1 as one from pg_locks where not granted and locktype <> ${but}
      and pid in (select pid from pg_stat_activity where datname = current_database())`)) !== undefined;

async function permit(code: string, operations: string, type = "crm/assets"): Promise<void> {
  const known = await service.db.row(sql`
    select r.id, o.id::text as held from access_controls__roles r left join access_controls__role_operations o
      on o.organization_id = 1 and o.role_id = r.id and o.record_type = ${type} and o.deleted = 0
    where r.organization_id = 1 and r.code = ${code}`);
  const row = { role_id: known?.id, record_type: type, operations, ...(known?.held ? { id: known.held } : {}) };
  const body = { data: { role_operations: row, action: save } };
  const saved = await service.post(
    `/access_controls/role_operations/${known?.held ? "edit" : "add"}.json`,
    body,
    admin,
  );
  expect(saved.body.errors).toEqual([]);
}

async function upload(content: string | Uint8Array<ArrayBuffer>, name = "assets.csv", token = manager.token) {
  const form = new FormData();
  form.append("file", new Blob([content]), name);
  return service.post("/crm/assets/import_columns.json", form, token);
}

async function zipped(parts: Readonly<Record<string, string>>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes: Buffer[] = [];
  const all = Object.entries(parts).map(([name, text]) => ({ name, content: [text] }));
  for await (const part of writeZip(all)) bytes.push(part);
  return new Uint8Array(Buffer.concat(bytes));
}

async function run(content: string, more: Record<string, unknown>, token = manager.token, headers = {}) {
  const { body } = await upload(content, "assets.csv", token);
  expect(body.errors).toEqual([]);
  const mapping = Object.fromEntries(
    body.data.columns.map(({ name, target }: { name: string; target: string }) => [name, target]),
  );
  return service.post("/crm/assets/import.json", { file: body.data.file.id, mapping, ...more }, token, headers);
}

/** What everybody who upserts many assets locks. */
const wholeType = (): number =>
  createHash("sha256")
    .update(JSON.stringify(["1", "crm/assets"]))
    .digest()
    .readInt32BE(0);

const job = async (id: string, token = manager.token) =>
  (await service.get(`/core/jobs/view.json?id=${id}`, token)).body.data.jobs;
const over = async (id: string) => {
  for (;;) {
    const now = await job(id);
    if (["done", "failed", "cancelled"].includes(now.status)) return now;
  }
};
const assets = async (where: object, token = manager.token) => {
  const q = encodeURIComponent(JSON.stringify({ where, fields: ["assets.*"], order: ["assets.id ASC"] }));
  return (await service.get(`/crm/assets/index.json?limit=1000&q=${q}`, token)).body.paginate.data;
};

describe("import_columns", () => {
  test("tells why a column goes nowhere that is called like a field", async () => {
    const { body } = await upload("Name,Created,Shoe size\nDrill,2026-01-01,38\n");
    expect(body.data.columns.map(({ target, reason }: Record<string, string>) => [target, reason])).toEqual([
      ["name", null],
      [null, "Created is filled in automatically and can't be imported"],
      [null, null],
    ]);
    const sent = await run("name,created\nDrill,2026-01-01\n", { mapping: { name: "name", created: "created" } });
    expect(sent.body.errors).toEqual(["mapping[created]: Created is filled in automatically and can't be imported"]);
  });

  test("tells what the file is and where its columns would go", async () => {
    const { status, body } = await upload(
      "Name;Serial number;PRICE;Bought;Company;Nonsense\nDrill;S1;1.234,50;31.12.2026;;x\n",
    );
    expect([status, body.errors]).toEqual([200, []]);
    expect(body.data.dialect).toMatchObject({
      format: "csv",
      separator: ";",
      encoding: "utf-8",
      header_row: 1,
      date_order: "dmy",
      decimal_sign: ",",
    });
    expect(body.data.columns.map(({ name, target }: { name: string; target: string }) => [name, target])).toEqual([
      ["Name", "name"],
      ["Serial number", "serial"],
      ["PRICE", "price"],
      ["Bought", "bought"],
      ["Company", "company_id"],
      ["Nonsense", null],
    ]);
    expect(body.data.rows).toEqual([{ row: 2, cells: ["Drill", "S1", "1.234,50", "31.12.2026", "", "x"] }]);
    expect([body.data.key, body.data.mode]).toEqual([["serial"], "upsert"]);
    const paths = body.data.fields.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(expect.arrayContaining(["id", "business_key", "name", "state", "keeper_id"]));
    expect(paths).not.toContain("hidden");
    expect(paths).not.toContain("fixed");
    const again = await service.get(
      `/crm/assets/import_columns.json?file=${body.data.file.id}&separator=comma&header_row=0`,
      manager.token,
    );
    expect(again.body.data.columns).toHaveLength(2);
    for (const wrong of ["quote=%0A", "quote=ab", "separator=%0A"]) {
      const refused = await service.get(
        `/crm/assets/import_columns.json?file=${body.data.file.id}&${wrong}`,
        manager.token,
      );
      expect(refused.status, wrong).toBe(400);
    }
  });

  test.each([
    ["a file of somebody else", () => admin],
    ["a file of another organization", () => other.token],
  ])("%s is not there", async (_, token) => {
    const { body } = await upload("name\nx\n");
    const asked = await service.get(`/crm/assets/import_columns.json?file=${body.data.file.id}`, token());
    expect([asked.status, asked.body.errors]).toEqual([400, ["file: This upload has expired. Upload the file again"]]);
    const ran = await service.post(
      "/crm/assets/import.json",
      { file: body.data.file.id, mapping: { name: "name" } },
      token(),
    );
    expect(ran.status).toBe(400);
  });

  test("needs the right to import", async () => {
    expect((await upload("name\nx\n", "a.csv", rep.token)).status).toBe(403);
    expect(
      (await service.post("/crm/assets/import.json", { file: "x", mapping: { a: "name" } }, rep.token)).status,
    ).toBe(403);
    expect((await service.get("/crm/assets/import_columns.json?file=x")).status).toBe(401);
  });

  test("a file is what stands in it, whatever its name says; what cannot be read is told with its place", async () => {
    const csv = "\ufeffName,Name,Bought\r\nx,y,1899-12-31\nz,,9999-12-31\r";
    const read = await upload(csv, "assets.xlsx");
    expect([read.status, read.body.data.dialect.format]).toEqual([200, "csv"]);
    expect(read.body.data.columns.map(({ name }: { name: string }) => name)).toEqual(["Name", "Name (2)", "Bought"]);
    expect(read.body.data.rows.map(({ cells }: { cells: string[] }) => cells)).toEqual([
      ["x", "y", "1899-12-31"],
      ["z", "", "9999-12-31"],
    ]);
    const files: [string, string | Buffer<ArrayBuffer>, string][] = [
      ["a.csv", 'name\n"x\n', "Line 2, column 1: a quote is opened here and never closed"],
      ["a.csv", `name\n${"x,".repeat(1_000_000)}`, "Line 2, column 1001: there are more than 1,000 columns"],
      [
        "a.csv",
        `name,notes\nx,${"y".repeat(3_000_000)}`,
        "Line 2, column 2: the cell has more than 1,048,576 characters",
      ],
      ["a.csv", `name\n${"y".repeat(10_000_000)}`, "Line 2, column 1: the cell has more than 1,048,576 characters"],
      ["a.csv", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "picture files can't be imported"],
      ["a.xlsx", Buffer.from("PK\x03\x04nothing of it"), "The file is not an XLSX workbook"],
      ["a.csv", "<html><table><tr><td>x</td></tr></table></html>", "XML files can't be imported"],
      ["a.csv", " \r\n \n", "This file has no rows"],
      ["a.json", "[]", "This file has no rows"],
      [
        "a.jsonl",
        `{"name":"${"y".repeat(5_000_000)}"}\n{}`,
        "Line 1, column 9: the cell has more than 1,048,576 characters",
      ],
      ["a.json", '[{"name": "x"}, 7]', "Line 1, column 17: each entry must be an object"],
    ];
    for (const [name, content, said] of files) {
      const { status, body } = await upload(content, name);
      expect([status, body.errors[0]]).toEqual([422, expect.stringContaining(`couldn't be read: ${said}`)]);
    }
    // A cover sheet is passed over, until somebody asks for it.
    const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const book = await upload(
      await zipped({
        "xl/_rels/workbook.xml.rels":
          '<Relationships><Relationship Id="r1" Target="a.xml"/><Relationship Id="r2" Target="b.xml"/></Relationships>',
        "xl/workbook.xml":
          '<workbook xmlns:r="r"><sheets><sheet name="Cover" r:id="r1"/><sheet name="Data" r:id="r2"/></sheets></workbook>',
        "xl/a.xml": "<worksheet></worksheet>",
        "xl/b.xml": `<worksheet><row>${cell("name")}</row><row>${cell("Drill")}</row></worksheet>`,
      }),
    );
    expect([book.body.errors, book.body.data?.dialect.sheet, book.body.data?.rows.length]).toEqual([[], "Data", 1]);
    const cover = `/crm/assets/import_columns.json?file=${book.body.data.file.id}&sheet=Cover`;
    const { status, body } = await service.get(cover, manager.token);
    expect([status, body.message, body.data?.columns, body.data?.dialect.sheets]).toEqual([
      200,
      ["This file has no rows"],
      [],
      ["Cover", "Data"],
    ]);
    const { id: bookId } = book.body.data.file;
    const nothing = { file: bookId, sheet: "Cover", mapping: { name: "name" } };
    const empty = await service.post("/crm/assets/import.json", nothing, manager.token);
    expect([empty.status, empty.body.errors[0]]).toEqual([422, expect.stringContaining("This file has no rows")]);
    // Nobody is told that something without rows is ready; what could be a row in place of a header can be read as one.
    const header = await upload("name,serial\r\n\r\n");
    expect([header.status, header.body.message, header.body.data.rows]).toEqual([200, ["This file has no rows"], []]);
    const { id } = header.body.data.file;
    const row = await service.get(`/crm/assets/import_columns.json?file=${id}&header_row=0`, manager.token);
    expect(row.body.data.rows).toHaveLength(1);
    const none = await service.post("/crm/assets/import.json", { file: id, mapping: { name: "name" } }, manager.token);
    expect([none.status, none.body.errors[0]]).toEqual([422, expect.stringContaining("This file has no rows")]);
  });
});

describe("import", () => {
  test("a dry run tells everything and keeps nothing; the run does the same; undo takes it back", async () => {
    const first = await run("name,serial\nOld,D1\nSame,D2\n", { mode: "add" });
    expect(first.body.message).toEqual(["2 added, 0 updated, 0 unchanged, 0 skipped, 0 failed"]);
    const file =
      "name,serial,price,bought,state\nNew name,D1,5,2026-01-02,In use\nSame,D2,,,\nNew,D3,abc,31/31/2026,nope\nFine,D4,1,,gone\n,D5,,,\n";
    const before = await service.db.row(
      sql`select last_value::text as n from core__auto_numbers where organization_id = 1 and record_type = 'crm/assets'`,
    );
    const dry = await run(file, { mode: "upsert", key: "serial", dry_run: "1" });
    expect([dry.status, dry.body.errors]).toEqual([200, []]);
    expect(dry.body.data.counts).toEqual({ added: 1, changed: 1, unchanged: 1, skipped: 0, failed: 2 });
    const cells = dry.body.data.faults.map(({ row, column, value }: Record<string, unknown>) => [row, column, value]);
    expect(cells).toEqual([
      [4, "price", "abc"],
      [4, "bought", "31/31/2026"],
      [4, "state", "nope"],
      [6, "name", null],
    ]);
    expect(
      (await assets({ "assets.serial": ["D1", "D3", "D4"] })).map((row: Record<string, string>) => row["assets.name"]),
    ).toEqual(["Old"]);
    const after = await service.db.row(
      sql`select last_value::text as n from core__auto_numbers where organization_id = 1 and record_type = 'crm/assets'`,
    );
    expect(after).toEqual(before);
    const corrections = { 4: { price: "7", bought: "", state: "ok" }, 6: { name: "Named" } };
    const done = await run(file, { mode: "upsert", key: "serial", corrections });
    expect(done.body.data.counts).toEqual({ added: 3, changed: 1, unchanged: 1, skipped: 0, failed: 0 });
    const rows = await assets({ "assets.serial": ["D1", "D2", "D3", "D4", "D5"] });
    expect(
      rows.map((row: Record<string, string>) => [row["assets.name"], row["assets.price"], row["assets.state"]]),
    ).toEqual([
      ["New name", "5.00", "ok"],
      ["Same", null, null],
      ["New", "7.00", "ok"],
      ["Fine", "1.00", "gone"],
      ["Named", null, null],
    ]);
    const [changed] = rows;
    await service.post(
      "/crm/assets/edit.json",
      { data: { assets: { id: changed["assets.id"], price: "6" }, action: save } },
      manager.token,
    );
    const back = await service.post(`/core/jobs/undo.json?id=${done.body.job_id}`, {}, manager.token);
    expect([back.status, back.body.data.left_alone]).toEqual([200, { [changed["assets.id"]]: ["price"] }]);
    const left = await assets({ "assets.serial": ["D1", "D2", "D3", "D4", "D5"] });
    expect(left.map((row: Record<string, string>) => [row["assets.name"], row["assets.price"]])).toEqual([
      ["Old", "6.00"],
      ["Same", null],
    ]);
    expect(JSON.parse((await job(dry.body.job_id)).result)).toMatchObject({ dry_run: 1 });
    // It names no records: there are none that it changed.
    const named = sql`select record_ids::text as ids from core__job_chunks where job_id = ${dry.body.job_id}::bigint`;
    expect(await service.db.rows(named)).toEqual([{ ids: "{}" }]);
    expect((await service.post(`/core/jobs/undo.json?id=${dry.body.job_id}`, {}, manager.token)).status).toBe(409);
  });

  test.each([
    ["add", "", { failed: 1 }, "Before"],
    ["update", "serial", { changed: 1, failed: 1 }, "Now"],
    ["upsert", "serial", { added: 1, changed: 1 }, "Now"],
    ["skip", "serial", { added: 1, skipped: 1 }, "Before"],
  ])("mode %s", async (mode: string, key: string, counts: object, name: string) => {
    await run(`name,serial\nBefore,M-${mode}\n`, { mode: "add" });
    const rows = mode === "add" ? "" : `Fresh,F-${mode}\n`;
    const answer = await run(`name,serial\nNow,M-${mode}\n${rows}`, { mode, ...(key ? { key } : {}) });
    expect(answer.body.data.counts).toMatchObject(counts);
    expect(
      (await assets({ "assets.serial": `M-${mode}` })).map((row: Record<string, string>) => row["assets.name"]),
    ).toEqual([name]);
  });

  test("empty cells leave or clear; defaults fill in what the file lacks", async () => {
    const odd = await run("name\nOdd\n", { mode: "add", defaults: { price: { a: "1" } } });
    expect([odd.status, odd.body.errors[0]]).toEqual([400, expect.stringContaining("defaults[price]")]);
    await run("name,serial,price\nE,E1,5\n", { mode: "add", defaults: { state: "gone" } });
    await run("name,serial,price\nE,E1,\n", { mode: "upsert", key: "serial" });
    const price = async () =>
      (await assets({ "assets.serial": "E1" })).map((row: Record<string, string>) => [
        row["assets.price"],
        row["assets.state"],
      ]);
    expect(await price()).toEqual([["5.00", "gone"]]);
    await run("name,serial,price\nE,E1,\n", { mode: "upsert", key: "serial", empty: "clear" });
    expect(await price()).toEqual([[null, "gone"]]);
  });

  test("numbers of a workbook are what they are, whatever the decimal sign of its texts", async () => {
    await design([{ name: "weight", type: "decimal", settings: { precision: 9, scale: 3, min: "0" } }]);
    const text = (of: string) => `<c t="inlineStr"><is><t>${of}</t></is></c>`;
    const rows = [
      text("name") + text("weight"),
      `${text("number")}<c><v>1.125</v></c>`,
      text("text") + text("1.234"),
      `${text("corrected")}<c><v>2.125</v></c>`,
      `${text("wrong")}<c><v>-1.125</v></c>`,
    ];
    const book = await zipped({
      "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="r1" Target="sheet.xml"/></Relationships>',
      "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
      "xl/sheet.xml": `<worksheet>${rows.map((row) => `<row>${row}</row>`).join("")}</worksheet>`,
    });
    const read = await upload(book, "assets.xlsx");
    const sent = {
      file: read.body.data.file.id,
      mapping: { name: "name", weight: "weight" },
      decimal_sign: ",",
      date_order: "dmy",
      corrections: { 4: { weight: "2,5" } },
    };
    const { body } = await service.post("/crm/assets/import.json", sent, manager.token);
    expect(body.data.counts).toMatchObject({ added: 3, failed: 1 });
    // Written like the texts of the file: that is how it is corrected, there or in the rows that are downloaded.
    expect(body.data.faults).toMatchObject([{ row: 5, column: "weight", value: "-1,125" }]);
    const faulty = await service.get(`/core/jobs/faulty_rows.json?id=${body.job_id}`, manager.token);
    expect(String(faulty.body)).toContain("-1,125");
    const found = await assets({ "assets.name": ["number", "text", "corrected"] });
    expect(found.map((row: Record<string, string>) => row["assets.weight"])).toEqual(["1.125", "1234.000", "2.500"]);
    await design([], ["weight"]);
  });

  test("references are found by id, number, email and name; a missing one is told, left empty or made", async () => {
    const made = await service.post(
      "/crm/companies/add.json",
      { data: { companies: { name: "Acme Tools", email: "info@acme.example" }, action: save } },
      manager.token,
    );
    const { id } = made.body;
    const number = made.body.data.companies.business_key;
    const file = `name,company_id,keeper_id\na,${id},manager\nb,${number},MANAGER\nc,INFO@acme.example,\nd,acme tools,\ne,Nobody Ltd,\n`;
    const told = await run(file, { mode: "add", dry_run: "1" });
    expect(told.body.data.faults).toEqual([
      { row: 6, column: "company_id", value: "Nobody Ltd", reasons: ["Company: no company matches Nobody Ltd"] },
    ]);
    expect(told.body.data.counts).toMatchObject({ added: 4, failed: 1 });
    const mapping = { name: "name", company_id: { field: "company_id", missing: "create" }, keeper_id: "keeper_id" };
    const done = await run(file, { mode: "add", mapping });
    expect(done.body.data.counts).toMatchObject({ added: 5, failed: 0 });
    const rows = await assets({ "assets.name": ["a", "b", "c", "d", "e"] });
    expect(rows.map((row: Record<string, string>) => row["assets.company_id"]).slice(0, 4)).toEqual([id, id, id, id]);
    expect(rows.slice(0, 2).map((row: Record<string, string>) => row["assets.keeper_id"])).toEqual([
      manager.id,
      manager.id,
    ]);
    const empty = await run("name,company_id\nf,Nobody at all\n", {
      mode: "add",
      mapping: { name: "name", company_id: { field: "company_id", missing: "empty" } },
    });
    expect(empty.body.data.counts).toMatchObject({ added: 1 });
    // What else is wrong with the row is told along.
    const more = await run("name,company_id,price\nf,Nowhere Ltd,cheap\n", { mode: "add", dry_run: "1" });
    expect(more.body.data.faults).toEqual([
      { row: 2, column: "company_id", value: "Nowhere Ltd", reasons: ["Company: no company matches Nowhere Ltd"] },
      { row: 2, column: "price", value: "cheap", reasons: [expect.stringContaining("Price")] },
    ]);
    // Of two that are called the same none is meant.
    for (const last_name of ["Twin", "Twin"])
      await service.post("/crm/leads/add.json", { data: { leads: { last_name }, action: save } }, manager.token);
    const twins = await run("name,lead_id\ni,Twin\n", { mode: "add", dry_run: "1" });
    expect(twins.body.data.faults).toMatchObject([
      { column: "lead_id", value: "Twin", reasons: [expect.stringContaining("2 ")] },
    ]);
    // What was deleted is found by nothing.
    await service.post(`/crm/companies/delete.json?id=${id}&override=1`, {}, manager.token);
    const gone = await run(`name,company_id\ng,acme tools\nh,${id}\n`, { mode: "add", dry_run: "1" });
    expect(gone.body.data.faults.map(({ reasons: [said] }: { reasons: string[] }) => said)).toEqual([
      "Company: no company matches acme tools",
      `Company: no company matches ${id}`,
    ]);
  });

  test("what is made because it is missing is made once, however it is written", async () => {
    const mapping = { name: "name", company_id: { field: "company_id", missing: "create" } };
    const done = await run("name,company_id\nt1,Twice Ltd\nt2,TWICE LTD\nt3,twice ltd\n", { mode: "add", mapping });
    expect(done.body.data.counts).toMatchObject({ added: 3, failed: 0 });
    const rows = await assets({ "assets.name": ["t1", "t2", "t3"] });
    expect(new Set(rows.map((row: Record<string, string>) => row["assets.company_id"])).size).toBe(1);
    const made = await service.db.rows(sql`select name from crm__companies where lower(name) = 'twice ltd'`);
    expect(made.map(({ name }) => name)).toEqual(["Twice Ltd"]);
  });

  test("undo takes back children and what was made to be referred to, past what people changed since", async () => {
    const company = async (name: string) => {
      const data = {
        companies: { name, addresses: [{ type: "work", address_line_1: "Old 1", city: "Ulm" }] },
        action: save,
      };
      return (await service.post("/crm/companies/add.json", { data }, admin)).body.id as string;
    };
    const view = async (id: string) =>
      (await service.get(`/crm/companies/view.json?id=${id}`, admin)).body.data.companies;
    const cities = async (id: string) =>
      (await view(id)).addresses.map((row: Record<string, string>) => [row.address_line_1, row.city]);
    const [kept, changed] = [await company("Undo A"), await company("Undo B")];
    const [address] = (await view(kept)).addresses;
    const file = `id,addresses.id,addresses.address_line_1,addresses.city,industry\n${kept},${address.id},Old 1,Bonn,energy\n${kept},,New 2,Kiel,\n${changed},,New 3,Mainz,\n,,New 4,Jena,\n`;
    const form = new FormData();
    form.append("file", new Blob([file]), "companies.csv");
    const { body: found } = await service.post("/crm/companies/import_columns.json", form, admin);
    expect([found.data.key, found.data.grouped]).toEqual([["id"], 1]);
    const mapping = Object.fromEntries(
      found.data.columns.map(({ name, target }: { name: string; target: string }) => [name, target]),
    );
    const sent = { file: found.data.file.id, mapping, mode: "update", key: "id", grouped: "1" };
    const done = await service.post("/crm/companies/import.json", sent, admin);
    expect(done.body.data?.counts ?? done.body.errors).toMatchObject({ changed: 2, failed: 0 });
    expect(await cities(kept)).toEqual([
      ["Old 1", "Bonn"],
      ["New 2", "Kiel"],
    ]);
    expect(await cities(changed)).toEqual([
      ["Old 1", "Ulm"],
      ["New 3", "Mainz"],
      ["New 4", "Jena"],
    ]);
    const [, mine] = (await view(changed)).addresses;
    const edited = { id: changed, addresses: [{ id: mine.id, city: "Trier" }] };
    await service.post("/crm/companies/edit.json", { data: { companies: edited, action: save } }, admin);
    const back = await service.post(`/core/jobs/undo.json?id=${done.body.job_id}`, {}, admin);
    expect(back.body.data.left_alone).toEqual({ [changed]: ["addresses"] });
    const undone = JSON.parse((await job(back.body.job_id, admin)).result);
    expect([undone.left_alone, undone.left_alone_count]).toEqual([{ [changed]: ["addresses"] }, 1]);
    expect(await cities(kept)).toEqual([["Old 1", "Ulm"]]);
    expect((await view(kept)).industry).toBe(null);
    expect(await cities(changed)).toEqual([
      ["Old 1", "Ulm"],
      ["New 3", "Trier"],
    ]);

    const made = async () =>
      (
        await service.db.rows(
          sql`select name from crm__companies where name like 'Made %' and deleted = 0 order by name`,
        )
      ).map(({ name }) => name);
    const toMake = { name: "name", company_id: { field: "company_id", missing: "create" } };
    const created = await run("name,company_id\nr1,Made one\nr2,Made two\nr3,Made three\n", {
      mode: "add",
      mapping: toMake,
    });
    expect(await made()).toEqual(["Made one", "Made three", "Made two"]);
    // Somebody refers to one of them, and somebody changed another.
    const two = await service.db.row(sql`select id::text as id from crm__companies where name = 'Made two'`);
    const three = await service.db.row(sql`select id::text as id from crm__companies where name = 'Made three'`);
    const other = { name: "r4", company_id: two?.id };
    await service.post("/crm/assets/add.json", { data: { assets: other, action: save } }, manager.token);
    await service.post(
      "/crm/companies/edit.json",
      { data: { companies: { id: three?.id, industry: "energy" }, action: save } },
      manager.token,
    );
    const gone = await service.post(`/core/jobs/undo.json?id=${created.body.job_id}`, {}, manager.token);
    expect([gone.status, gone.body.data.left_alone ?? {}]).toEqual([200, {}]);
    expect(await made()).toEqual(["Made three", "Made two"]);
    // What stays is told, with the reason, now and later.
    const stays = [
      { controller: "crm/companies", id: two?.id, reasons: ["Kept because other records refer to it"] },
      { controller: "crm/companies", id: three?.id, reasons: ["Kept because it was changed after the import"] },
    ];
    expect(gone.body.data.kept).toHaveLength(2);
    expect(gone.body.data.kept).toEqual(expect.arrayContaining(stays));
    const { body: told } = await service.get(`/core/jobs/failures.json?id=${gone.body.job_id}`, manager.token);
    expect(told.data.failures).toEqual(stays.map((one) => ({ kind: "kept", ...one })));
    expect(JSON.parse((await job(gone.body.job_id)).result).kept).toBe(2);
    // Which they are is for those who can read them.
    const limited = { name: "jobs", limits: { "core/jobs": "read", "crm/assets": "read" } };
    const key = await service.post(
      "/access_controls/api_keys/add.json",
      { data: { api_keys: limited } },
      manager.token,
    );
    const { secret } = key.body.data.api_keys;
    const { body: little } = await service.get(`/core/jobs/failures.json?id=${gone.body.job_id}`, secret);
    expect([little.errors, little.data?.failures, little.total_count]).toEqual([[], [], 0]);
    await permit("sales_manager", "add", "crm/companies");
    const { body: none } = await service.get(`/core/jobs/failures.json?id=${gone.body.job_id}`, manager.token);
    expect([none.errors, none.data?.failures]).toEqual([[], []]);
    await permit("sales_manager", "index;view;add;edit;delete;import;export;bulk", "crm/companies");
  });

  test.each([
    ["names it to administrators", () => admin, ["extra"]],
    ["only counts the record for others, who may never have seen the field", () => manager.token, []],
  ])("undo leaves values whose field was removed, and %s", async (_, token, names) => {
    await design([{ name: "extra", type: "short-text" }]);
    await run("name,serial,extra,price\nGone,GF1,before,1\n", { mode: "upsert", key: "serial" });
    const done = await run("serial,extra,price\nGF1,after,2\n", { mode: "update", key: "serial" });
    expect(done.body.data.counts).toMatchObject({ changed: 1 });
    await design([], ["extra"]);
    const back = await service.post(`/core/jobs/undo.json?id=${done.body.job_id}`, {}, token());
    expect(back.body.errors).toEqual([]);
    const [asset] = await assets({ "assets.serial": "GF1" });
    expect(asset["assets.price"]).toBe("1.00");
    const result = JSON.parse((await job(back.body.job_id, token())).result);
    expect(result).toMatchObject({ left_alone: { [asset["assets.id"]]: names }, left_alone_count: 1 });
    // Once the field is back, so is what it held: the undo is repeated for what it left, and for nothing else.
    const again = () => service.post(`/core/jobs/undo.json?id=${done.body.job_id}`, {}, token());
    const early = await again();
    expect([early.status, early.body.errors]).toEqual([
      409,
      [
        "1 record keeps values of fields that were removed or are hidden from you. Undo the rest once you can see the fields again or they are restored",
      ],
    ]);
    const { body: bin } = await service.get("/metadata/record_types/removed.json?key=crm/assets", admin);
    const { id } = bin.data.removed.find(({ field }: { field: string }) => field === "extra");
    const restored = await service.post("/metadata/record_types/restore.json", { id }, admin);
    expect(restored.body.errors).toEqual([]);
    const rest = await again();
    expect([rest.body.errors, rest.body.data.left_alone ?? {}]).toEqual([[], {}]);
    const [whole] = await assets({ "assets.serial": "GF1" });
    expect([whole["assets.extra"], whole["assets.price"]]).toEqual(["before", "1.00"]);
    expect((await again()).body.errors).toEqual(["This job was already undone"]);
    await design([], ["extra"]);
  });

  test("undone by somebody who cannot read what it made, tells nothing of that and leaves it", async () => {
    const definition = {
      module: "crm",
      controller: "makers",
      label: "Maker",
      plural: "Makers",
      displayField: "name",
      fields: [{ name: "name", type: "short-text" }],
      access: { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] },
    };
    const saved = await service.post(
      "/metadata/record_types/save.json",
      { definition: JSON.stringify(definition) },
      admin,
    );
    expect(saved.body.errors).toEqual([]);
    await permit("sales_manager", "index;view;add;edit;delete", "crm/makers");
    await design([{ name: "maker_id", label: "Maker", type: "reference", settings: { to: "crm/makers" } }]);
    const mapping = { name: "name", maker_id: { field: "maker_id", missing: "create" } };
    const done = await run("name,maker_id\nk1,Mine\nk2,Theirs\n", { mode: "add", mapping });
    expect(done.body.data.counts).toMatchObject({ added: 2, failed: 0 });
    const makers = () =>
      service.db.rows(sql`select id::text as id, name, deleted::text as deleted from crm__makers order by name`);
    const [mine, theirs] = await makers();
    const given = { id: theirs?.id, owned_by: rep.id };
    const handed = await service.post("/crm/makers/edit.json", { data: { makers: given, action: save } }, admin);
    expect(handed.body.errors).toEqual([]);
    const undone = await service.post(`/core/jobs/undo.json?id=${done.body.job_id}`, {}, manager.token);
    expect([undone.status, undone.body.errors]).toEqual([200, []]);
    expect((undone.body.data.kept ?? []).map(({ id }: { id: string }) => id)).not.toContain(theirs?.id);
    expect(JSON.parse((await job(undone.body.job_id)).result).kept ?? 0).toBe(0);
    expect(await makers()).toEqual([
      { ...mine, deleted: "1" },
      { ...theirs, deleted: "0" },
    ]);
    await design([], ["maker_id"]);
  });

  test("records are found by unique values of every kind; a text that is no such value names none", async () => {
    const definition = {
      module: "crm",
      controller: "machines",
      label: "Machine",
      plural: "Machines",
      displayField: "name",
      fields: [
        { name: "name", type: "short-text", required: true },
        { name: "plate", type: "integer", unique: true },
        { name: "built", type: "date", unique: true },
      ],
      access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
    };
    const saved = await service.post(
      "/metadata/record_types/save.json",
      { definition: JSON.stringify(definition) },
      admin,
    );
    expect(saved.body.errors).toEqual([]);
    await design([{ name: "machine_id", label: "Machine", type: "reference", settings: { to: "crm/machines" } }]);
    const made = await service.post(
      "/crm/machines/add.json",
      { data: { machines: { name: "Lathe", plate: "770077", built: "2020-02-29" }, action: save } },
      admin,
    );
    expect(made.body.errors).toEqual([]);
    const file = "name,machine_id\nm1,770077\nm2,lathe\nm3,2020-02-29\nm4,Nothing\nm5,99999999999999999999\n";
    const done = await run(file, { mode: "add" }, admin);
    expect(done.body.data.counts).toMatchObject({ added: 3, failed: 2 });
    const rows = await assets({ "assets.name": ["m1", "m2", "m3"] }, admin);
    expect(rows.map((row: Record<string, string>) => row["assets.machine_id"])).toEqual(
      Array.from({ length: 3 }, () => made.body.id),
    );
    await design([], ["machine_id"]);
  });

  test.each([
    [{ mapping: { name: "hidden" } }, 400],
    [{ mapping: { name: "fixed" } }, 400],
    [{ mapping: { name: "created_by" } }, 400],
    [{ mapping: { name: "nope" } }, 400],
    [{ mapping: {} }, 400],
    [{ mapping: { other: "name" } }, 409],
    [{ mapping: { name: "name", serial: "name" } }, 400],
    [{ mode: "upsert" }, 400],
    [{ mode: "upsert", key: "price" }, 400],
    [{ mode: "everything" }, 400],
  ])("%j is refused", async (more, status) => {
    expect((await run("name,serial\nx,y\n", more)).status).toBe(status);
  });

  test("a saved mapping is used by its id by those who may read it; what is sent takes precedence", async () => {
    const settings = JSON.stringify({
      mapping: { a: "name", b: "serial" },
      mode: "upsert",
      key: "serial",
      separator: "pipe",
    });
    const keep = async (token: string, controller = "crm/assets", own = settings) => {
      const import_mappings = { name: "Mine", controller, settings: own };
      return (await service.post("/core/import_mappings/add.json", { data: { import_mappings, action: save } }, token))
        .body.id;
    };
    const elsewhere = JSON.stringify({ mapping: { a: "name" }, mode: "add", separator: "pipe" });
    const ofLeads = await keep(manager.token, "crm/leads", elsewhere);
    expect(ofLeads).toMatch(/^\d+$/);
    const { body } = await upload("a|b\nSaved,SM1\nSaved|SM2\n");
    const use = (id: string, more = {}) =>
      service.post("/crm/assets/import.json", { file: body.data.file.id, mapping_id: id, ...more }, manager.token);
    const id = await keep(manager.token);
    expect((await use(id, { dry_run: "1" })).body.data.counts).toMatchObject({ failed: 1, added: 1 });
    expect((await use(id, { mode: "skip", dry_run: "1" })).body.data.counts).toMatchObject({ added: 1 });
    const gone = await keep(manager.token);
    await service.post("/core/import_mappings/delete.json", { id: gone, is_confirm: "1" }, admin);
    const strangers = [await keep(other.token), await keep(rep.token), ofLeads, gone, "nope", "0"];
    for (const stranger of strangers) expect((await use(stranger)).status).toBe(400);
  });

  test("a field that was renamed is found by its former name: in a mapping, as a key, and in the last import", async () => {
    await design([{ name: "sticker", type: "short-text" }]);
    const file = "Title,Code\nRenamed,RN1\n";
    const send = async (more: object) => {
      const { body } = await upload(file);
      return service.post("/crm/assets/import.json", { file: body.data.file.id, ...more }, manager.token);
    };
    const former = { mapping: { Title: "name", Code: "sticker" }, mode: "upsert", key: "sticker" };
    expect((await send(former)).body.data.counts).toMatchObject({ added: 1 });
    await design([{ name: "label_code", type: "short-text", aliases: ["sticker"] }], ["sticker"]);
    const { columns, fields } = (await upload(file)).body.data;
    expect(columns[1]).toMatchObject({ name: "Code", target: "label_code", by: "last" });
    expect(fields.find(({ path }: { path: string }) => path === "label_code").aliases).toEqual(["sticker"]);
    const [again, grouped] = [await send(former), await send({ ...former, grouped: "1", dry_run: "1" })];
    expect([again.body.errors, grouped.body.errors]).toEqual([[], []]);
    expect((await send({ ...former, key: "label_code" })).body.data.counts).toMatchObject({ unchanged: 1 });
    const twice = await send({ mapping: { Title: "sticker", Code: "label_code" } });
    expect([twice.status, twice.body.errors[0]]).toEqual([400, expect.stringContaining("mapping[Code]")]);
    await design([], ["label_code"]);
  });

  test("each column is offered as a new field to those who design", async () => {
    const file = 'name,Weight (kg),Since\nx,"1.5",2026-01-02\n';
    const offered = (await upload(file, "a.csv", admin)).body.data.columns.map(
      ({ new_field }: { new_field: object }) => new_field,
    );
    expect(offered).toEqual([
      { name: "name_2", label: "name", type: "short-text", options: ["x"] },
      { name: "weight_kg", label: "Weight (kg)", type: "decimal", options: ["1.5"] },
      { name: "since", label: "Since", type: "date", options: ["2026-01-02"] },
    ]);
    const others = (await upload(file)).body.data.columns.map(({ new_field }: { new_field: object }) => new_field);
    expect(others).toEqual([null, null, null]);
  });

  test("days that could be read in two ways are read as in the last import; a refused one is told in the order of the file", async () => {
    const reading = async (file: string) => (await upload(file)).body.data.dialect.date_order;
    const failed = await run("name,serial,bought\nD,DW1,12/31/2026\nE,DW2,31/12/2026\n", { mode: "add" });
    expect(failed.body.data.faults).toEqual([
      {
        row: 3,
        column: "bought",
        value: "31/12/2026",
        reasons: ["Bought must be a date such as 2026-02-28 or 02/28/2026"],
      },
    ]);
    expect(await reading("name,serial,bought\nE,DW2,1/12/2026\n")).toBe("mdy");
    const [row] = (await run("name,serial,bought\nD,DW3,31.12.2026\nE,DW4,1.31.2026\n", { mode: "add" })).body.data
      .faults;
    expect(row.reasons).toEqual(["Bought must be a date such as 2026-02-28 or 28/02/2026"]);
    expect(await reading("name,serial,bought\nE,DW2,1/12/2026\n")).toBe("dmy");
    expect(await reading("name,serial,bought\nE,DW2,1/13/2026\n")).toBe("mdy");
  });

  test("faulty rows are downloaded with their reasons, mended and imported again; nothing in them is run as a formula", async () => {
    const failed = await run('name,serial,price\n"=cmd|A0",R1,x\nGood,R2,1\n', { mode: "add" });
    expect(failed.body.data.counts).toMatchObject({ added: 1, failed: 1 });
    const answer = await service.get(`/core/jobs/faulty_rows.json?id=${failed.body.job_id}`, manager.token);
    expect(answer.body).toBe("name,serial,price,Reasons\r\n'=cmd|A0,R1,x,Price must be a plain decimal number\r\n");
    const mended = await run(String(answer.body).replace(",x,", ",2,"), { mode: "add" });
    expect(mended.body.data.counts).toMatchObject({ added: 1, failed: 0 });
    expect((await assets({ "assets.serial": "R1" })).map((row: Record<string, string>) => row["assets.name"])).toEqual([
      "=cmd|A0",
    ]);
    for (const token of [other.token, rep.token])
      expect((await service.get(`/core/jobs/faulty_rows.json?id=${failed.body.job_id}`, token)).status).toBe(404);
    // What was corrected in a row that failed all the same stays corrected.
    const corrections = { 2: { name: "Corrected", serial: null } };
    const again = await run("name,serial,price\nWrong,R3,x\n", { mode: "add", corrections });
    const rows = await service.get(`/core/jobs/faulty_rows.json?id=${again.body.job_id}`, manager.token);
    expect(rows.body).toBe("name,serial,price,Reasons\r\nCorrected,,x,Price must be a plain decimal number\r\n");
  });

  test("a large file is a job; the same file twice at once makes each record once; it can be stopped", async () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => `Big ${index},B${index},${index}`);
    const file = `name,serial,price\n${lines.join("\n")}\n`;
    // What is wrong is told in the language that the reader has chosen, as it is for a small file.
    const wrong = await run(file.replaceAll(",7\n", ",sieben\n"), { mode: "add", dry_run: "1" }, manager.token, {
      "x-language": "de",
    });
    expect(JSON.parse((await over(wrong.body.job_id)).result).faults[0].reasons).toEqual([
      expect.stringContaining("muss eine"),
    ]);
    const both = await Promise.all([
      run(file, { mode: "upsert", key: "serial" }),
      run(file, { mode: "upsert", key: "serial" }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    const ends = await Promise.all(both.map(({ body }) => over(body.job_id)));
    expect(ends.map(({ status, total, done, failed }) => [status, total, done, failed])).toEqual([
      ["done", "2500", "2500", "0"],
      ["done", "2500", "2500", "0"],
    ]);
    const counts = ends.map(({ result }) => JSON.parse(result).counts);
    expect(counts.reduce((sum, { added = 0 }) => sum + added, 0)).toBe(2_500);
    const found = await service.db.row(
      sql`select count(*)::text as n from crm__assets where organization_id = 1 and deleted = 0 and serial like 'B%' and name like 'Big %'`,
    );
    expect(found?.n).toBe("2500");
  });

  test("what a chunk changes is locked in the order of ids, and two who add unique values wait for each other at once", async () => {
    const line = (index: number) => `Order ${index},O${index}`;
    const lines = Array.from({ length: 600 }, (_, index) => line(index));
    expect((await run(`name,serial\n${lines.join("\n")}\n`, { mode: "add" })).body.data.counts).toMatchObject({
      added: 600,
    });
    const [first, last] = await assets({ "assets.serial": ["O0", "O599"] });
    const free = sql`select 1 as one from crm__assets where organization_id = 1 and id = ${last["assets.id"]}::bigint for update skip locked`;
    const whileHeld = async (hold: ReturnType<typeof sql>, import_: () => ReturnType<typeof run>) => {
      let running: ReturnType<typeof run> | undefined;
      let isFree = false;
      await service.db.transaction(async (transaction) => {
        await transaction.run(hold);
        running = import_();
        await expect.poll(() => isWaited()).toBe(true);
        isFree = (await service.db.row(free)) !== undefined;
      });
      return { isFree, counts: (await running)?.body.data.counts };
    };
    // From the last to the first: slice by slice, the last would be held while the first is waited for.
    const backwards = [...lines].reverse().map((one) => one.replace("Order", "Changed"));
    const updated = await whileHeld(
      sql`select 1 from crm__assets where organization_id = 1 and id = ${first["assets.id"]}::bigint for update`,
      () => run(`name,serial\n${backwards.join("\n")}\n`, { mode: "update", key: "serial" }),
    );
    expect(updated).toEqual({ isFree: true, counts: expect.objectContaining({ changed: 600 }) });
    const added = await whileHeld(sql`select pg_advisory_xact_lock(${UPSERT_LOCK}, ${wholeType()}::integer)`, () =>
      run("name,serial\nNew,N1\nNew,N2\n", { mode: "add" }),
    );
    expect(added.counts).toMatchObject({ added: 2 });
  });

  test("dates from 1899 to 9999, formulas and columns with names of the language are only values", async () => {
    const rows = [
      "=1+1,1899-12-31,V1",
      "@SUM(A1),9999-12-31,V2",
      "x,10000-01-01,V3",
      "y,0000-00-00,V4",
      "z,2026-02-30,V5",
    ];
    const file = `constructor,valueOf,__proto__\n${rows.join("\n")}\n`;
    const mapping = { constructor: "name", valueOf: "bought", ["__proto__"]: "serial" };
    const corrections = { 2: { ["__proto__"]: "V0" } };
    const done = await run(file, { mode: "add", mapping, corrections });
    expect(done.body.data.counts).toMatchObject({ added: 2, failed: 3 });
    expect(done.body.data.faults.map(({ row, column }: Record<string, unknown>) => [row, column])).toEqual([
      [4, "valueOf"],
      [5, "valueOf"],
      [6, "valueOf"],
    ]);
    const saved = await assets({ "assets.serial": ["V0", "V1", "V2"] });
    expect(saved.map((row: Record<string, string>) => [row["assets.name"], row["assets.bought"]])).toEqual([
      ["=1+1", "1899-12-31"],
      ["@SUM(A1)", "9999-12-31"],
    ]);
  });

  test("all or nothing holds across chunks: one row of many that fails, and nothing is saved", async () => {
    const lines = Array.from({ length: 1_200 }, (_, index) => `Whole ${index},W${index}`);
    const file = `name,serial\n${lines.join("\n")}\n,W-last\n`;
    const ended = await over((await run(file, { mode: "add", atomic: "1" })).body.job_id);
    expect([ended.status, ended.failed]).toEqual(["failed", "1"]);
    expect(await assets({ "assets.serial": ["W0", "W1199"] })).toEqual([]);
    // A dry run counts nothing either, wherever the fault is.
    for (const at of [5, 290]) {
      const some = lines.slice(0, 300).with(at, `,V${at}`);
      const dry = await run(`name,serial\n${some.join("\n")}\n`, { mode: "add", atomic: "1", dry_run: "1" });
      expect(dry.body.data.counts).toMatchObject({ added: 0, failed: 1 });
    }
  });

  test("an import raises nobody's rights", async () => {
    await permit("sales_rep", "index;view;add;edit;import");
    await run("name,serial,price\nManager's,T1,5\n", { mode: "add" });
    const [{ "assets.id": id }] = await assets({ "assets.serial": "T1" });
    // Theirs to read, not to edit; nothing of it is changed by its id, number or key.
    for (const [file, key] of [
      [`id,name\n${id},Mine\n`, "id"],
      [`serial,name\nT1,Mine\n`, "serial"],
    ] as const) {
      const tried = await run(file, { mode: "upsert", key }, rep.token);
      expect(tried.body.data.counts).toMatchObject({ changed: 0, failed: 1 });
    }
    // Neither by a column nor by a default: what is hidden, fixed, or filled in by the service.
    for (const field of ["hidden", "fixed", "created_by", "organization_id", "deleted", "revision", "acl_id"]) {
      const byColumn = await run("name,x\nn,1\n", { mapping: { name: "name", x: field } }, rep.token);
      const byDefault = await run("name\nn\n", { mapping: { name: "name" }, defaults: { [field]: "1" } }, rep.token);
      expect([field, byColumn.status, byDefault.status]).toEqual([field, 400, 400]);
    }
    // An owner is named where an ordinary save lets the caller name one, and nowhere else.
    const ordinary = await service.post(
      "/crm/assets/add.json",
      { data: { assets: { name: "Given away", owned_by: manager.id }, action: save } },
      rep.token,
    );
    const given = await run(`name,owned_by\nGiven away,${manager.id}\n`, { mode: "add" }, rep.token);
    expect(given.body.data.counts.added).toBe(ordinary.status === 200 ? 1 : 0);
    // A record that the caller cannot read is not found, by no name of it; nor is one of another organization.
    const add = async (type: string, values: object, token: string) =>
      (await service.post(`/crm/${type}/add.json`, { data: { [type]: values, action: save } }, token)).body.id;
    const lead = await add("leads", { last_name: "Hush", email: "hush@secret.example" }, manager.token);
    const company = await add("companies", { name: "Elsewhere Ltd" }, other.token);
    const probed = await run(
      `name,lead_id,company_id\np1,${lead},\np2,Hush,\np3,hush@secret.example,\np4,,${company}\np5,,Elsewhere Ltd\n`,
      { mode: "add", dry_run: "1" },
      rep.token,
    );
    expect(probed.body.data.faults.map(({ reasons: [said] }: { reasons: string[] }) => said)).toEqual([
      `Lead: no lead matches ${lead}`,
      "Lead: no lead matches Hush",
      "Lead: no lead matches hush@secret.example",
      `Company: no company matches ${company}`,
      "Company: no company matches Elsewhere Ltd",
    ]);
    // What the caller may not add is not made for them: it is missing.
    const makes = { name: "name", keeper_id: { field: "keeper_id", missing: "create" } };
    const unmade = await run("name,keeper_id\nq1,Nobody here\n", { mode: "add", mapping: makes }, rep.token);
    expect(unmade.body.data.faults).toMatchObject([
      { row: 2, column: "keeper_id", reasons: ["Keeper: no user matches Nobody here"] },
    ]);
    // Where columns went last is remembered for whoever sent them there, and for nobody else.
    const odd = "Zed,Yod\nOdd,O1\n";
    await run(odd, { mode: "add", mapping: { Zed: "name", Yod: "serial" } });
    const targets = async (token: string) =>
      (await upload(odd, "assets.csv", token)).body.data.columns.map(({ target }: { target: string }) => target);
    expect([await targets(manager.token), await targets(rep.token)]).toEqual([
      ["name", "serial"],
      [null, null],
    ]);
    // Somebody else's import is neither seen nor undone.
    const own = await run("name,serial\nRep's,T2\n", { mode: "add" }, rep.token);
    const stranger = await service.post(`/core/jobs/undo.json?id=${own.body.job_id}`, {}, other.token);
    expect(stranger.status).toBe(404);
    expect((await service.post(`/core/jobs/undo.json?id=${own.body.job_id}`, {}, rep.token)).status).toBe(403);
    expect(await assets({ "assets.serial": "T2" })).toHaveLength(1);
    await permit("sales_rep", "index;view;add;edit");
  });

  test("who loses the right meanwhile, or a field that goes meanwhile, ends it with a sentence; what is done can be undone", async () => {
    await design([{ name: "later", type: "short-text" }]);
    const whole = wholeType();
    const lines = Array.from({ length: 1_500 }, (_, index) => `M ${index},M${index},x`);
    /** What happens while the first chunk waits; then it goes on. */
    const meanwhile = async (happens: (id: string) => Promise<void>) => {
      let id = "";
      await service.db.transaction(async (transaction) => {
        await transaction.run(sql`select pg_advisory_xact_lock(${UPSERT_LOCK}, ${whole}::integer)`);
        const started = await run(`name,serial,later\n${lines.join("\n")}\n`, { mode: "upsert", key: "serial" });
        expect([started.status, started.body.errors]).toEqual([202, []]);
        id = started.body.job_id;
        const isWaiting = sql`
          select 1 as one from pg_locks where locktype = 'advisory' and not granted and classid = ${UPSERT_LOCK}::oid
            and database = (select oid from pg_database where datname = current_database())`;
        while (!(await service.db.row(isWaiting)));
        await happens(id);
      });
      for (;;) {
        const now = await job(id, admin);
        if (!["queued", "running"].includes(now.status)) return { ...now, id };
      }
    };
    const said = ({ result }: { result: string }) => JSON.parse(result).message;
    const lost = await meanwhile(() => permit("sales_manager", "index;view;add;edit;delete;bulk"));
    expect([lost.status, lost.done, said(lost)]).toEqual(["failed", "1000", [expect.stringContaining("import")]]);
    await permit("sales_manager", "index;view;add;edit;delete;import;export;bulk");
    const back = await service.post(`/core/jobs/undo.json?id=${lost.id}`, {}, manager.token);
    expect([back.status, back.body.errors]).toEqual([200, []]);
    expect(await assets({ "assets.serial": ["M0", "M999"] })).toEqual([]);
    // Stopped and undone while a chunk is under way: what that one saves is taken back with the rest.
    const undone: { status?: number; total?: number } = {};
    let undoing: Promise<void> | undefined;
    const stopped = await meanwhile(async (id) => {
      expect((await service.post(`/core/jobs/cancel.json?id=${id}`, {}, manager.token)).status).toBe(200);
      undoing = service.post(`/core/jobs/undo.json?id=${id}`, {}, manager.token).then(({ status, body }) => {
        Object.assign(undone, { status, total: body.total });
      });
      await expect.poll(async () => undone.status !== undefined || (await isWaited("advisory"))).toBe(true);
    });
    await undoing;
    expect([stopped.status, undone]).toEqual(["cancelled", { status: 200, total: 1_000 }]);
    // Whoever takes its place in the queue tells what it did.
    expect(JSON.parse((await job(stopped.id)).result)?.counts).toMatchObject({ added: 1_000, failed: 0 });
    expect(await assets({ "assets.serial": ["M0", "M999"] })).toEqual([]);
    // One that is stopped tells what became of the rows that it came to.
    const told = await meanwhile(async (id) => {
      expect((await service.post(`/core/jobs/cancel.json?id=${id}`, {}, manager.token)).status).toBe(200);
    });
    await expect.poll(async () => (await job(told.id)).result).not.toBe(null);
    const { done, result } = await job(told.id);
    expect([done, JSON.parse(result).counts]).toEqual(["1000", expect.objectContaining({ added: 1_000, failed: 0 })]);
    expect((await service.post(`/core/jobs/undo.json?id=${told.id}`, {}, manager.token)).status).toBe(200);
    // And where it is stopped while the undo waits for its record.
    Object.assign(undone, { status: undefined, total: undefined });
    await meanwhile(async (id) => {
      await service.db.transaction(async (transaction) => {
        await transaction.run(sql`
          update core__jobs set status = 'cancelled' where organization_id = 1 and id = ${id}::bigint`);
        undoing = service.post(`/core/jobs/undo.json?id=${id}`, {}, manager.token).then(({ status, body }) => {
          Object.assign(undone, { status, total: body.total });
        });
        await expect.poll(() => isWaited("advisory")).toBe(true);
      });
    });
    await undoing;
    expect(undone).toEqual({ status: 200, total: 1_000 });
    expect(await assets({ "assets.serial": ["M0", "M999"] })).toEqual([]);
    const gone = await meanwhile(() => design([], ["later"]));
    expect([gone.status, said(gone)]).toEqual(["failed", [expect.stringContaining("later can't be imported")]]);
    expect(Number(gone.done) % 1_000).toBe(0);
  });

  test("what is no longer there when the import is asked for is told", async () => {
    await design([{ name: "later", type: "short-text" }]);
    const lines = Array.from({ length: 1_500 }, (_, index) => `L ${index},x`);
    const { body } = await upload(`name,later\n${lines.join("\n")}\n`);
    await design([], ["later"]);
    const gone = await service.post(
      "/crm/assets/import.json",
      { file: body.data.file.id, mapping: { name: "name", later: "later" } },
      manager.token,
    );
    expect([gone.status, gone.body.errors[0]]).toEqual([400, "mapping[later]: later can't be imported"]);
  });
});
