// Who sees saved mappings; files and parameters that were made to harm.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { writeZip } from "../../../server/lib/writing/zip-writer.ts";
import { ALL, type Importing, save, startImporting } from "./importing.ts";

let at: Importing;

beforeAll(async () => {
  at = await startImporting();
});
afterAll(() => at.service.stop());

describe("a saved mapping", () => {
  const settings = JSON.stringify({ mapping: { "Secret column": "name" }, defaults: { serial: "S-1" } });
  const keep = (token: string, values: object = {}) =>
    at.service.post(
      "/core/import_mappings/add.json",
      {
        data: {
          import_mappings: { name: "Kept", controller: "crm/assets", settings, is_personal: "0", ...values },
          action: save,
        },
      },
      token,
    );
  const keyOf = async (limits: object) => {
    const body = { data: { api_keys: { name: "limited", limits } } };
    return (await at.service.post("/access_controls/api_keys/add.json", body, at.manager.token)).body.data.api_keys
      .secret;
  };

  test("is there for those who may import into its record type, and for nobody else it is shared with", async () => {
    const kept = await keep(at.manager.token);
    expect(kept.body.errors).toEqual([]);
    const { id } = kept.body;
    const person = await at.service.db.row(sql`
      select principal_id::text as principal from access_controls__users where id = ${at.rep.id}::bigint`);
    const share = { related_type: "core/import_mappings", related_id: id, principal_id: person?.principal };
    const shared = await at.service.post(
      "/access_controls/shares/add.json",
      { data: { shares: { ...share, rights: "read;edit" }, action: save } },
      at.manager.token,
    );
    expect(shared.body.errors).toEqual([]);
    const asked = encodeURIComponent(JSON.stringify({ where: { "import_mappings.controller": "crm/assets" } }));
    const seenBy = async (token: string) => {
      const list = await at.service.get(`/core/import_mappings/index.json?q=${asked}`, token);
      const one = await at.service.get(`/core/import_mappings/view.json?id=${id}`, token);
      const history = await at.service.get(`/core/import_mappings/revisions.json?id=${id}`, token);
      const { data, total_count: total } = list.body.paginate ?? {};
      return [one.status, history.status, data?.length, Number(total)];
    };
    const [seen, unseen] = [
      [200, 200, 1, 1],
      [404, 404, 0, 0],
    ];
    expect(await seenBy(at.manager.token)).toEqual(seen);
    expect(await seenBy(at.admin)).toEqual(seen);
    expect(await seenBy(at.rep.token)).toEqual(unseen);
    expect(await seenBy(at.other.token)).toEqual(unseen);
    const edited = { data: { import_mappings: { id, name: "Taken" }, action: save } };
    expect((await at.service.post("/core/import_mappings/edit.json", edited, at.rep.token)).status).toBe(404);
    await at.permit("sales_rep", "index;view;add;import");
    expect(await seenBy(at.rep.token)).toEqual(seen);
    await at.permit("sales_rep", "index;view;add");
    expect(await seenBy(at.rep.token)).toEqual(unseen);
    // What a key is limited to, it sees the mappings of.
    expect(await seenBy(await keyOf({ "core/import_mappings": "read", "crm/assets": "write" }))).toEqual(seen);
    expect(await seenBy(await keyOf({ "core/import_mappings": "read", "crm/assets": "read" }))).toEqual(unseen);
    // Whoever made it loses it with the right.
    await at.permit("sales_manager", "index;view;add;edit;delete");
    expect(await seenBy(at.manager.token)).toEqual(unseen);
    await at.permit("sales_manager", ALL);
    expect(await seenBy(at.manager.token)).toEqual(seen);
  });

  const hide = async (name: string) => {
    await at.design([{ name, label: "Secret bonus", type: "integer" }]);
    const role = await at.service.db.row(
      sql`select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_manager'`,
    );
    const hides = { role_id: role?.id, record_type: "crm/assets", field: name, permission: "1" };
    const hidden = await at.service.post(
      "/access_controls/role_fields/add.json",
      { data: { role_fields: hides, action: save } },
      at.admin,
    );
    expect(hidden.body.errors).toEqual([]);
  };
  const settingsOf = async (id: string, token: string) => {
    const { status, body } = await at.service.get(`/core/import_mappings/settings.json?id=${id}`, token);
    return status === 200 ? body.data.settings : status;
  };
  const storedOf = async (id: string) =>
    JSON.parse(
      (await at.service.db.row(sql`select settings::text as text from core__import_mappings where id = ${id}::bigint`))
        ?.text ?? "",
    );
  const change = (id: string, values: object, token: string) =>
    at.service.post(
      "/core/import_mappings/edit.json",
      { data: { import_mappings: { id, ...values }, action: save } },
      token,
    );

  /** As it was kept before names were checked, or while its fields were there. */
  const plant = (id: string, settings: object) =>
    at.service.db.run(
      sql`update core__import_mappings set settings = ${JSON.stringify(settings)}::jsonb where id = ${id}::bigint`,
    );
  const shareToEdit = async (id: string) => {
    const person = await at.service.db.row(sql`
      select principal_id::text as principal from access_controls__users where id = ${at.manager.id}::bigint`);
    const shares = {
      related_type: "core/import_mappings",
      related_id: id,
      principal_id: person?.principal,
      rights: "read;edit",
    };
    const shared = await at.service.post(
      "/access_controls/shares/add.json",
      { data: { shares, action: save } },
      at.admin,
    );
    expect(shared.body.errors).toEqual([]);
  };

  test("tells its reader only about fields that the reader sees, and keeps the others when that reader saves it", async () => {
    await hide("extra_pay");
    const whole = {
      mapping: { Name: "name", Pay: "extra_pay", Again: { field: "assets.extra_pay" }, Old: "never_was" },
      defaults: { serial: "S-1", extra_pay: "70707" },
      key: "serial,extra_pay",
      mode: "upsert",
      separator: ";",
    };
    const { id } = (await keep(at.admin)).body;
    await plant(id, whole);
    expect(await settingsOf(id, at.admin)).toEqual(whole);
    const seen = {
      mapping: { Name: "name" },
      defaults: { serial: "S-1" },
      key: "serial",
      mode: "upsert",
      separator: ";",
    };
    expect(await settingsOf(id, at.manager.token)).toEqual(seen);
    expect(await settingsOf(id, at.rep.token)).toBe(404);
    expect(await settingsOf(id, at.other.token)).toBe(404);
    await shareToEdit(id);
    const next = { ...seen, mapping: { Title: "name" }, defaults: {} };
    expect((await change(id, { settings: JSON.stringify(next) }, at.manager.token)).body.errors).toEqual([]);
    expect(await settingsOf(id, at.manager.token)).toEqual(next);
    const { Pay, Again, Old } = whole.mapping;
    expect(await storedOf(id)).toEqual({
      ...next,
      mapping: { Title: "name", Pay, Again, Old },
      defaults: { extra_pay: "70707" },
      key: "serial,extra_pay",
    });
    // Under another type's name, what is said about hidden fields could be about ones that are seen.
    const moved = await change(id, { controller: "crm/leads" }, at.manager.token);
    expect(moved.status).toBe(422);
    // Whoever sees it all can remove it.
    expect((await change(id, { settings: JSON.stringify(next) }, at.admin)).body.errors).toEqual([]);
    expect(await storedOf(id)).toEqual(next);
    await at.design([], { discard: "extra_pay" });
  });

  test("never shows its settings in lists, filters, history, exports, conflicts or events", async () => {
    const { id } = (await keep(at.admin, { settings: JSON.stringify({ mapping: { zz_hidden: "name" } }) })).body;
    const changed = JSON.stringify({ mapping: { zz_hidden: "name", zz_other: "serial" } });
    expect((await change(id, { settings: changed, name: "Kept again" }, at.admin)).body.errors).toEqual([]);
    const q = (query: object) => encodeURIComponent(JSON.stringify(query));
    const stale = await change(id, { settings: "{}", name: "Other", revision: "1" }, at.admin);
    expect(stale.status).toBe(409);
    const answers = [
      stale,
      ...(await Promise.all(
        [
          "index.json",
          `view.json?id=${id}`,
          `revisions.json?id=${id}`,
          `timeline.json?id=${id}`,
          "export.json",
          `edit.json?id=${id}`,
          `index.json?q=${q({ fields: ["import_mappings.settings"] })}`,
          `index.json?q=${q({ where: { "import_mappings.settings is not null": "" } })}`,
          "lookup.json?search=zz_hidden",
        ].map((path) => at.service.get(`/core/import_mappings/${path}`, at.admin)),
      )),
      await at.service.get("/core/changes/index.json?controller=core/import_mappings", at.admin),
      await at.service.get("/core/search/index.json?search=zz_hidden", at.admin),
    ];
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/zz_hidden|zz_other/u);
    // It must still be given.
    const without = await keep(at.admin, { settings: "" });
    expect([without.status, without.body.errors]).toEqual([422, expect.arrayContaining(["Settings is required"])]);
    // It goes back with the rest, unseen.
    const back = await at.service.post(`/core/import_mappings/revert.json?id=${id}&revision=1`, {}, at.admin);
    expect(back.body.errors).toEqual([]);
    expect(JSON.stringify(back.body)).not.toMatch(/zz_hidden|zz_other/u);
    expect(await storedOf(id)).toEqual({ mapping: { zz_hidden: "name" } });
  });

  const unseenSaid =
    "mapping_id: uses fields that don't exist or that you can't see. Choose the columns yourself, or ask its owner or an administrator to change it";

  test("treats fields that are hidden and fields that never were alike", async () => {
    await hide("tip");
    const { body } = await at.upload("name,serial\nn,ALIKE1\n");
    const good = { mapping: { name: "name", serial: "serial" }, mode: "add" };
    const use = (id: string) =>
      at.service.post(
        "/crm/assets/import.json",
        { file: body.data.file.id, mapping_id: id, dry_run: "1" },
        at.manager.token,
      );
    const { token } = at.manager;
    for (const field of ["tip", "never_was"]) {
      // Nobody brings in what they do not see: whoever mistyped a name learns of it.
      const { id } = (await keep(token, { settings: JSON.stringify(good) })).body;
      for (const sent of [
        { mapping: { A: "name", B: field } },
        { mapping: { B: { field: `assets.${field}` } } },
        { mapping: { A: "name" }, defaults: { [field]: "1" } },
        { mapping: JSON.stringify({ B: field }) },
        { mapping: { A: "name" }, key: `name,${field}` },
      ]) {
        const values = { settings: JSON.stringify(sent) };
        const name = JSON.stringify(sent).includes("assets.") ? `assets.${field}` : field;
        for (const refused of [await keep(token, values), await change(id, values, token)])
          expect([refused.status, refused.body.errors]).toEqual([
            422,
            [
              "Some fields need your attention",
              `Settings uses ${name}, a field that doesn't exist or that you can't see`,
            ],
          ]);
      }
      expect(await storedOf(id)).toEqual(good);
      // What is there already is not told, not even by who guesses it, and stays when a colleague saves the rest.
      await plant(id, { mapping: { A: field, Skipped: "" } });
      expect(await settingsOf(id, token)).toEqual({ mapping: { Skipped: "" } });
      const guessed = await change(id, { settings: JSON.stringify({ mapping: { A: field } }) }, token);
      expect(guessed.status).toBe(422);
      const refused = await use(id);
      expect([refused.status, refused.body.errors]).toEqual([400, [unseenSaid]]);
      // Its owner saves it again, and it can be used.
      expect((await change(id, { name: "Another name" }, token)).body.errors).toEqual([]);
      expect(await storedOf(id)).toEqual({ mapping: { A: field, Skipped: "" } });
      expect((await change(id, { settings: JSON.stringify(good) }, token)).body.errors).toEqual([]);
      expect(await storedOf(id)).toEqual(good);
      expect((await use(id)).body.data.counts).toMatchObject({ added: 1 });
    }
    await at.design([], { discard: "tip" });
  });

  test("is saved again without a field that was removed since, by its owner", async () => {
    await at.design([{ name: "later", type: "short-text" }]);
    const { token } = at.manager;
    const settings = (more: object) => JSON.stringify({ mapping: { name: "name", ...more } });
    const { id } = (await keep(token, { settings: settings({ Extra: "later" }) })).body;
    await at.design([], { discard: "later" });
    expect(await settingsOf(id, token)).toEqual({ mapping: { name: "name" } });
    expect((await change(id, { settings: settings({}) }, token)).body.errors).toEqual([]);
    expect(await storedOf(id)).toEqual({ mapping: { name: "name" } });
    // An earlier version may name it again: who goes back brings nothing in.
    const back = await at.service.post(`/core/import_mappings/revert.json?id=${id}&revision=1`, {}, token);
    expect(back.body.errors).toEqual([]);
    expect(await storedOf(id)).toEqual({ mapping: { name: "name", Extra: "later" } });
  });

  test("grows no larger than what can be sent by what a colleague does not see of it", async () => {
    await hide("gratuity");
    const { id } = (await keep(at.admin)).body;
    await shareToEdit(id);
    const many = (mark: string, field: string) => ({
      mapping: Object.fromEntries(Array.from({ length: 2_500 }, (_, n) => [`${mark} ${n}`, field])),
    });
    await plant(id, many("one", "gratuity"));
    const grown = await change(id, { settings: JSON.stringify(many("two", "name")) }, at.manager.token);
    expect([grown.status, grown.body.errors]).toEqual([
      422,
      expect.arrayContaining(["Settings must be at most 64 KiB of JSON"]),
    ]);
    await at.design([], { discard: "gratuity" });
  });

  test("is refused without a name where it uses fields that its reader cannot see, as if they were not there", async () => {
    await hide("bonus");
    const { body } = await at.upload("name,serial,Extra\nn,SHARED1,1\n");
    const use = async (kept: object, token: string, more: object = {}) => {
      const { id } = (await keep(token)).body;
      await plant(id, kept);
      const sent = { file: body.data.file.id, mapping_id: id, dry_run: "1", ...more };
      return at.service.post("/crm/assets/import.json", sent, at.manager.token);
    };
    const good = { name: "name", serial: "serial" };
    for (const kept of [
      { mapping: { ...good, Extra: "bonus" } },
      { mapping: { ...good, Extra: { field: "assets.bonus" } } },
      { mapping: good, defaults: { bonus: "500" } },
      { mapping: good, mode: "upsert", key: "serial,bonus" },
      { mapping: { ...good, Extra: "never_was" } },
    ]) {
      const refused = await use(kept, at.admin);
      expect([refused.status, refused.body.errors]).toEqual([400, [unseenSaid]]);
    }
    // Others may have changed it since its owner wrote it. What is sent takes precedence.
    const own = await use({ mapping: { ...good, Extra: "bonus" } }, at.manager.token);
    expect([own.status, own.body.errors]).toEqual([400, [unseenSaid]]);
    const instead = await use({ mapping: { Extra: "bonus" }, mode: "add" }, at.admin, { mapping: good });
    expect(instead.body.data?.counts ?? instead.body.errors).toMatchObject({ added: 1 });
    await at.design([], { discard: "bonus" });
  });

  test.each([
    ["by somebody who may not import", () => at.rep.token, {}, "You don't have permission to import Assets"],
    ["for a record type that is not there", () => at.manager.token, { controller: "crm/nothing" }, "crm/nothing"],
    ["under another name of its type", () => at.manager.token, { controller: "crm/people" }, "crm/people"],
    [
      "with more than an import takes",
      () => at.manager.token,
      { settings: JSON.stringify({ mapping: { ["x".repeat(300_000)]: "name" } }) },
      "Settings must be at most 64 KiB of JSON",
    ],
  ])("is not kept %s", async (_, token, values, said) => {
    const refused = await keep(token(), values);
    expect([refused.status, refused.body.errors.join(" ")]).toEqual([422, expect.stringContaining(said)]);
  });
});

test("corrections are those of a person, not a file of their own", async () => {
  const { body } = await at.upload("name,serial\nx,y\n");
  const sent = {
    file: body.data.file.id,
    mapping: { name: "name" },
    corrections: { 2: { name: "x".repeat(3_000_000) } },
  };
  const refused = await at.service.post("/crm/assets/import.json", sent, at.manager.token);
  expect([refused.status, refused.body.errors[0]]).toEqual([
    400,
    "corrections: Corrections and their column names can't exceed 2,097,152 characters in total. Correct the file instead",
  ]);
});

test("names of files are only names, wherever they are told", async () => {
  const odd = '..\\..\\etc/"=cmd|A0\u202e\u0007\r\nSet-Cookie: a=b;<script>.csv';
  const form = new FormData();
  form.append("file", new Blob(["name,serial,price\nOdd,ODD1,x\n"]), odd);
  form.append("mapping", JSON.stringify({ name: "name", serial: "serial", price: "price" }));
  const ran = await at.service.post("/crm/assets/import.json", form, at.manager.token);
  expect(ran.body.data?.counts ?? ran.body.errors).toMatchObject({ failed: 1 });
  const rows = await at.service.get(`/core/jobs/faulty_rows.json?id=${ran.body.job_id}`, at.manager.token);
  expect([rows.status, rows.headers.get("set-cookie")]).toEqual([200, null]);
  expect(rows.headers.get("content-disposition")).toMatch(/^[\x20-\x7e]+$/u);
  const { title } = (await at.service.get(`/core/jobs/view.json?id=${ran.body.job_id}`, at.manager.token)).body.data
    .jobs;
  expect(title).toBe('Import "=cmd|A0\u202eSet-Cookie: a=b;<script>.csv');
});

test("JSON that never ends, or that goes too deep, is told with its place, and nothing of it is kept", async () => {
  await at.service.db.run(sql`delete from core__import_files`);
  const files: [string, string, string][] = [
    [
      "a.json",
      `[{"name":"a"},{"name":"${"x".repeat(12_000_000)}`,
      "Line 1, column 23: the cell has more than 1,048,576 characters",
    ],
    [
      "a.jsonl",
      `{"name":"a"}\n{"name":${'["x",'.repeat(2_000_000)}`,
      "Line 2, column 1: the row has more than 4,194,304 characters",
    ],
    ["a.json", `{"rows":${'{"a":'.repeat(2_000_000)}`, "Line 1, column 10000009: the JSON is incomplete"],
    [
      "a.jsonl",
      `{"name":${'{"a":'.repeat(9)}1${"}".repeat(9)}}\n`,
      "Line 1, column 39: values are nested more than 6 levels deep",
    ],
  ];
  for (const [name, content, said] of files) {
    const { status, body } = await at.upload(content, name);
    expect([status, body.errors[0]]).toEqual([422, `The file couldn't be read: ${said}`]);
  }
  expect(await at.service.db.row(sql`select 1 as one from core__import_files`)).toBeUndefined();
});

test("names of columns and sheets that are cut leave no half of a character, and are found again", async () => {
  const cut = "x".repeat(199);
  const mapping = { name: "name", [`${cut}\ufffd`]: "serial" };
  const done = await at.run(`name,${cut}\u{1f600}\nCut,CUT1\n`, { mapping, header_row: "1" });
  expect(done.body.data?.counts ?? done.body.errors).toMatchObject({ added: 1 });
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const parts = {
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Target="a.xml"/><Relationship Id="r2" Target="b.xml"/></Relationships>',
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="Cover" r:id="r1"/><sheet name="${"y".repeat(300)}" r:id="r2"/></sheets></workbook>`,
    "xl/a.xml": "<worksheet></worksheet>",
    "xl/b.xml": `<worksheet><row>${cell("name")}</row><row>${cell("Drill")}</row></worksheet>`,
  };
  const bytes: Buffer[] = [];
  for await (const part of writeZip(Object.entries(parts).map(([name, text]) => ({ name, content: [text] }))))
    bytes.push(part);
  const { body } = await at.upload(new Uint8Array(Buffer.concat(bytes)), "a.xlsx");
  expect([body.errors, body.data?.rows.length]).toEqual([[], 1]);
  const again = await at.service.get(`/crm/assets/import_columns.json?file=${body.data.file.id}`, at.manager.token);
  expect([again.status, again.body.data?.rows.length]).toEqual([200, 1]);
});

test("a combination that must be unique does not name its fields that are hidden from whoever imports", async () => {
  const fields = [
    { name: "plant", type: "short-text" },
    { name: "vault_code", label: "Vault code", type: "short-text", initial: "V-77" },
  ];
  await at.design(fields, { unique: [["plant", "vault_code"]] });
  const role = await at.service.db.row(
    sql`select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_manager'`,
  );
  const role_fields = { role_id: role?.id, record_type: "crm/assets", field: "vault_code", permission: "1" };
  const hidden = await at.service.post(
    "/access_controls/role_fields/add.json",
    { data: { role_fields, action: save } },
    at.admin,
  );
  expect(hidden.body.errors).toEqual([]);
  const content = "name,serial,plant\na,U1,North\nb,U2,North\n";
  for (const more of [{ dry_run: "1" }, {}]) {
    const { body } = await at.run(content, { mode: "add", ...more });
    expect(body.data.faults).toEqual([
      {
        row: 3,
        column: "plant",
        value: "North",
        reasons: ["Another record already has these values"],
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/vault|V-77/iu);
  }
  // Two that are taken in the same seen field are both said, as a conflict.
  await at.design(fields, { unique: [["plant", "vault_code"], ["plant"]] });
  const assets = { name: "a", serial: "U4", plant: "North" };
  const twice = await at.service.post("/crm/assets/add.json", { data: { assets, action: save } }, at.manager.token);
  expect([twice.status, twice.body.errors_by_field?.["assets.plant"]?.length]).toEqual([409, 2]);
  // Where none of them is seen, the row is at fault.
  await at.design(fields, { unique: [["vault_code"]] });
  const { body } = await at.run("name,serial,plant\nc,U3,South\n", { mode: "add" });
  expect(body.data.faults).toEqual([
    { row: 2, column: null, value: null, reasons: ["Another record already has these values"] },
  ]);
  expect(JSON.stringify(body)).not.toMatch(/vault|V-77/iu);
});
