// A design that moves: exported, planned, applied all at once, applied again without a change, taken back; and what is none. The starter
// designs are applied and walked.
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readSavedViews } from "../../../client/lists/saved-views.ts";
import { createTransport } from "../../../client/transport/transport.ts";
import { sql } from "../../../server/database/sql.ts";
import { parseDesign, readDesignAt, writeDesign, writeDesignAt } from "../../../server/designs/design-files.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let tenant: Awaited<ReturnType<typeof addOrganization>>;
let folder: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  tenant = await addOrganization(service, "tenant");
  folder = mkdtempSync(path.join(tmpdir(), "dossier-design-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

const post = (operation: string, body: object, token: string | undefined = admin) =>
  service.post(`/metadata/designs/${operation}.json`, body, token);
const exported = async (query = ""): Promise<string> =>
  (await service.get(`/metadata/designs/export.json${query}`, admin)).body.data.design;
interface Planned {
  readonly name: string;
  readonly kind: string;
  readonly key: string;
  readonly action: string;
  readonly changes: readonly { readonly path: string; readonly to: string | null }[];
}
const changing = (body: { data: { plan: { items: readonly Planned[] } } }): readonly Planned[] =>
  body.data.plan.items.filter(({ action }) => action !== "unchanged");
const list = async (type: string) => {
  const { body } = await service.get(`/${type}/index.json?limit=50`, admin);
  expect(body.errors).toEqual([]);
  return body.paginate;
};

const begun = async () =>
  (await service.get("/development_base/menus/app_menu.json?begun=1", admin)).body.begun as number;

describe("starter designs", () => {
  test("come to somebody who has no record yet", async () => expect(await begun()).toBe(0));

  test.each(["maintenance", "issues", "recruiting"])(
    "%s is applied in one step, and a second time changes nothing",
    async (starter) => {
      const { body: plan } = await post("plan", { starter });
      expect(plan.errors).toEqual([]);
      expect(changing(plan).every(({ action }) => action === "add")).toBe(true);
      // Record types that come along are called by their names, not their keys.
      expect(changing(plan).filter(({ name, key }) => name === key)).toEqual([]);
      const first = await post("apply", { starter, fingerprint: plan.data.plan.fingerprint });
      expect(first.body.errors).toEqual([]);
      const again = await post("plan", { starter });
      expect(changing(again.body)).toEqual([]);
      expect((await post("apply", { starter })).body.message).toEqual([
        "Nothing to change: the design is applied already",
      ]);
      // What the tool exports of it is what it was applied from, but for the records, which have moved on.
      const design = parseDesign(await exported(`?modules=${starter}`));
      const shipped = await readDesignAt(path.join("starters", starter));
      const keys = (items: typeof design.items) =>
        items
          .flatMap(({ kind, key }) => (kind === "records" || kind === "navigation" ? [] : [`${kind} ${key}`]))
          .sort();
      expect(keys(design.items)).toEqual(keys(shipped.items));
      const { body: menu } = await service.get("/development_base/menus/app_menu.json", admin);
      expect(Object.keys(menu.data[starter].children).length).toBeGreaterThan(1);
    },
  );

  test("bring records, so that nobody is asked for a first one", async () => expect(await begun()).toBe(1));

  test("their roles open lists with views; so does a role that can do nothing else", async () => {
    const viewsOf = async (person: Person, key: string) => {
      const call = createTransport({ baseUrl: service.url, token: async () => person.token });
      return (await readSavedViews(call, key)).map(({ name }) => name);
    };
    const technician = await addPerson(service, "technician", ["technician"]);
    expect(await viewsOf(technician, "maintenance/work_orders")).toEqual(["All work orders", "Board"]);
    const operations = [{ record_type: "maintenance/assets", operations: ["index", "view"] }];
    const roles = { code: "looker", name: "Looker", operations };
    const action = { save_progress: "Save" };
    expect(
      (await service.post("/access_controls/roles/add.json", { data: { roles, action } }, admin)).body.errors,
    ).toEqual([]);
    expect(await viewsOf(await addPerson(service, "looker", ["looker"]), "maintenance/assets")).toEqual([]);
  });

  test("are walked: totals add up, stages were taken, forms and boards are there", async () => {
    await expect
      .poll(async () => {
        const { data } = await list("maintenance/work_orders");
        return data
          .map((row: Record<string, string>) => [row["work_orders.title"], Number(row["work_orders.parts_total"] ?? 0)])
          .sort();
      })
      .toEqual([
        ["Align table", 0],
        ["Check brakes", 128],
        ["Replace seal", 38.9],
      ]);
    const { data } = await list("maintenance/work_orders");
    const stages = Object.fromEntries(
      data.map((row: Record<string, string>) => [row["work_orders.title"], row["work_orders.status"]]),
    );
    expect(JSON.stringify(stages)).toMatch(/Align table":"(?:done|Done)"/);
    const { body: view } = await service.get(
      `/maintenance/work_orders/view.json?id=${data[0]["work_orders.id"]}`,
      admin,
    );
    expect(JSON.stringify(view.form)).toContain("Who and when");
    const q = encodeURIComponent(JSON.stringify({ where: { "listviews.name": "Board" }, limit: 10 }));
    const { body: boards } = await service.get(`/core/listviews/index.json?q=${q}`, admin);
    for (const board of boards.paginate.data) {
      const opened = await service.get(`/${board.controller}/index.json?current_listview=${board.id}`, admin);
      expect(opened.status).toBe(200);
    }
    expect(boards.paginate.data.length).toBe(2);
    const { body: audit } = await service.get("/access_controls/audit_events/index.json?limit=200", admin);
    expect(JSON.stringify(audit.paginate.data)).toContain("Recruiting");
  });
});

describe("a design", () => {
  test("is written to a folder and read back the same, one file per thing", async () => {
    const design = parseDesign(await exported());
    const place = path.join(folder, "all");
    await writeDesignAt(place, design);
    expect(readdirSync(place)).toEqual(expect.arrayContaining(["design.json", "record_types", "roles", "views"]));
    const read = await readDesignAt(place);
    expect(writeDesign({ ...read, items: [...read.items].sort(byKey) })).toBe(
      writeDesign({ ...design, items: [...design.items].sort(byKey) }),
    );
    expect(JSON.stringify(design)).not.toMatch(/password|token|secret|principal_id/);
    // A second export takes the place of the first.
    await writeDesignAt(place, { ...design, items: design.items.slice(0, 1) });
    expect((await readDesignAt(place)).items.length).toBe(1);
  });

  test("tells what would change, refuses what would lose values, and is taken back", async () => {
    const design = parseDesign(await exported("?modules=issues"));
    const changed = JSON.parse(writeDesign(design));
    const file = changed.files["record_types/issues.issues.json"];
    file.label = "Ticket";
    file.fields = file.fields.filter(({ name }: { name: string }) => name !== "kind");
    file.fields.push({ name: "points", type: "integer" });
    for (const [place, form] of Object.entries<{ definition: { sections: { elements: { field?: string }[] }[] } }>(
      changed.files,
    )) {
      if (!place.startsWith("forms/")) continue;
      for (const section of form.definition.sections)
        section.elements = section.elements.filter(({ field }) => field !== "kind");
    }
    for (const [place, view] of Object.entries<{ query: { fields: string[] } }>(changed.files)) {
      if (place.startsWith("views/")) view.query.fields = view.query.fields.filter((field) => field !== "issues.kind");
    }
    changed.files["roles/reader.json"] = {
      code: "reader",
      name: "Reader",
      operations: { "issues/issues": ["index", "view"] },
    };
    const text = JSON.stringify(changed);
    const { body: plan } = await post("plan", { design: text });
    expect(plan.errors).toEqual([]);
    const type = changing(plan).find(({ kind }) => kind === "record_types");
    expect(type?.changes.map((one) => one.path)).toEqual(
      expect.arrayContaining(["label", "fields.kind", "fields.points"]),
    );
    expect(plan.data.plan.losses).toEqual([{ type: "issues/issues", field: "kind", values: 3 }]);
    const refused = await post("apply", { design: text });
    expect(refused.status).toBe(409);
    expect(refused.body.errors.join(" ")).toContain("Values of kind (issues/issues): 3");
    expect((await post("apply", { design: text, fingerprint: "x", allow_loss: "1" })).status).toBe(409);
    const before = await exported("?modules=issues");
    const done = await post("apply", { design: text, allow_loss: "1" });
    expect(done.body.errors).toEqual([]);
    expect(changing((await post("plan", { design: text })).body)).toEqual([]);
    expect((await service.get("/issues/issues/index.json", admin)).status).toBe(200);
    // What somebody changed since is not undone without being told.
    const { body: stored } = await service.get("/metadata/record_types/view.json?key=issues/issues", admin);
    const later = { ...JSON.parse(stored.data.record_types.definition), plural: "Later" };
    await service.post("/metadata/record_types/save.json", { definition: JSON.stringify(later) }, admin);
    const warned = await post("rollback", { allow_loss: "1" });
    expect(warned.status).toBe(409);
    expect(warned.body.errors.join(" ")).toContain("issues");
    const { body: back } = await post("rollback", { allow_loss: "1", override: "1" });
    expect(back.errors).toEqual([]);
    const { body: kinds } = await service.get("/issues/issues/index.json?q={%22fields%22:[%22issues.kind%22]}", admin);
    expect(
      kinds.paginate.data.filter((row: Record<string, string | null>) => row["issues.kind"] !== null),
    ).toHaveLength(3);
    expect(await exported("?modules=issues")).toBe(before);
    // The apply before that made record types that refer to each other: they go together.
    expect((await post("rollback", {})).status).toBe(409);
    const { body: gone } = await post("rollback", { allow_loss: "1", override: "1" });
    expect(gone.errors).toEqual([]);
    expect((await service.get("/recruiting/openings/index.json", admin)).status).toBe(404);
  });

  test("is not rolled back while somebody holds a role of it, who is named", async () => {
    const files = { "roles/guard.json": { code: "guard", name: "Guard", operations: {} } };
    const design = JSON.stringify({ format: "dossier-design", version: 1, name: "Guards", files });
    expect((await post("apply", { design })).body.errors).toEqual([]);
    const holder = await addPerson(service, "mia", ["guard"]);
    const refused = await post("rollback", { allow_loss: "1" });
    expect(refused).toMatchObject({ status: 422, body: { error_code: "design_refused" } });
    expect(refused.body.errors).toContain(
      `Guard (guard): Still used by Users: mia (${holder.id}). Remove it there first, then try again`,
    );
    await service.db.run(sql`delete from access_controls__roles_users where user_id = ${holder.id}::bigint`);
    expect((await post("rollback", { allow_loss: "1" })).body.errors).toEqual([]);
  });

  test("takes rights from a role that it no longer gives, and keeps what other organizations applied", async () => {
    await service.db.run(sql`
      insert into metadata__design_applies (organization_id, name, items)
      values (${tenant.organizationId}::bigint, 'Of another organization', '[]')`);
    await service.db.run(sql`
      insert into metadata__design_applies (organization_id, name, items)
      select 1, 'Older ' || n, '[]' from generate_series(1, 25) n order by n`);
    const withRights = (operations: object, fields: object) => {
      const files = { "roles/keeper.json": { code: "keeper", name: "Keeper", operations, fields } };
      return post("apply", {
        design: JSON.stringify({ format: "dossier-design", version: 1, name: "Keepers", files }),
      });
    };
    const given = { "crm/leads": ["index", "view"], "crm/companies": ["index", "view", "edit"] };
    expect((await withRights(given, { "crm/leads": { city: 4, score: 1 } })).body.errors).toEqual([]);
    expect((await withRights({ "crm/leads": ["index"] }, { "crm/leads": { city: 4 } })).body.errors).toEqual([]);
    const held = await service.db.rows(sql`
      select o.record_type || ' ' || array_to_string(o.operations, ' ') as may from access_controls__role_operations o
      join access_controls__roles r on r.organization_id = 1 and r.id = o.role_id and r.code = 'keeper'
      where o.organization_id = 1 and o.deleted = 0
      union all select f.record_type || ' ' || f.field from access_controls__role_fields f
      join access_controls__roles r on r.organization_id = 1 and r.id = f.role_id and r.code = 'keeper'
      where f.organization_id = 1 and f.deleted = 0`);
    expect(held.map(({ may }) => may)).toEqual(["crm/leads index", "crm/leads city"]);
    const kept = await service.db.rows(sql`
      select name from metadata__design_applies where organization_id = ${tenant.organizationId}::bigint`);
    expect(kept).toEqual([{ name: "Of another organization" }]);
    // Of its own, the last twenty.
    const own = await service.db.rows(sql`
      select name from metadata__design_applies where organization_id = 1 order by id desc`);
    expect(own.map(({ name }) => name)).toEqual([
      ...["Keepers", "Keepers"],
      ...Array.from({ length: 18 }, (_, index) => `Older ${25 - index}`),
    ]);
    for (const _ of ["the second", "the first"])
      expect((await post("rollback", { allow_loss: "1" })).body.errors).toEqual([]);
  });

  test("takes back what it added to the navigation, and can add it again", async () => {
    const link = (key: string) => ({
      key,
      label: key,
      url: `https://example.org/${key}`,
      is_active: true,
      hidden_for: [],
    });
    const shown = { icon: "folder", is_active: true, hidden_for: [] };
    const before = JSON.parse(await exported("?modules=crm,fleet,plain"));
    const crm = before.files["navigation/crm.json"] ?? { name: "crm", label: "Sales", ...shown, entries: [] };
    const files = {
      "navigation/crm.json": { ...crm, entries: [...crm.entries, link("prices")] },
      "navigation/fleet.json": { name: "fleet", label: "Fleet", ...shown, entries: [link("map")] },
      "navigation/plain.json": { name: "plain", label: "Plain", ...shown, entries: [] },
      "record_types/fleet.vans.json": {
        ...{ module: "fleet", controller: "vans", label: "Van", plural: "Vans", displayField: "name" },
        fields: [{ name: "name", type: "short-text" }],
        access: { read: ["organization"], edit: [], delete: [], comment: [] },
      },
    };
    const design = JSON.stringify({ format: "dossier-design", version: 1, name: "Fleet", files });
    const menu = async () => JSON.stringify((await service.get("/development_base/menus/app_menu.json", admin)).body);
    const plain = async () => changing((await post("plan", { design })).body).map(({ kind, key }) => `${kind} ${key}`);
    const fresh = await plain();
    expect(fresh).toEqual(expect.arrayContaining(["navigation fleet", "navigation plain"]));
    const menuBefore = await menu();
    for (const _ of ["once", "again"]) {
      expect((await post("apply", { design })).body.errors).toEqual([]);
      for (const words of ["prices", "Fleet", "Vans"]) expect(await menu()).toContain(words);
      expect((await post("rollback", {})).body.errors).toEqual([]);
      expect(await menu()).toBe(menuBefore);
      expect(await plain()).toEqual(fresh);
    }
  });

  test("that fails at its last thing leaves nothing of the others", async () => {
    const before = await exported();
    const bad = {
      format: "dossier-design",
      version: 1,
      name: "Half",
      files: {
        "record_types/half.things.json": {
          ...{ module: "half", controller: "things", label: "Thing", plural: "Things", displayField: "name" },
          fields: [{ name: "name", type: "short-text" }],
          access: { read: ["organization"], edit: [], delete: [], comment: [] },
        },
        "forms/half.json": {
          id: "01930000-0000-7000-8000-0000000000aa",
          controller: "half/things",
          name: "Bad form",
          is_default: true,
          definition: { sections: [{ section: "S", elements: [{ field: "no_such" }] }] },
        },
      },
    };
    const { status, body } = await post("apply", { design: JSON.stringify(bad) });
    expect([status, body.errors.join(" ")]).toEqual([422, expect.stringContaining("Bad form")]);
    expect((await service.get("/half/things/index.json", admin)).status).toBe(404);
    const table = await service.db.row(sql`select to_regclass('half__things')::text as name`);
    expect(table?.name).toBeNull();
    expect(await exported()).toBe(before);
  });

  test("names people by name, and says who is missing", async () => {
    const design = JSON.parse(await exported("?modules=issues"));
    const [place = ""] = Object.keys(design.files).filter((one) => one.startsWith("workflows/"));
    const gone = await addPerson(service, "nobody", []);
    await service.db.run(sql`
      update access_controls__users set deleted = 1 where organization_id = 1 and id = ${gone.id}::bigint`);
    design.files[place].definition.stages[0].actors.push("user:@nobody", "group:@Night shift");
    const { body } = await post("plan", { design: JSON.stringify(design) });
    expect(body.data.plan.missing.map(({ name }: { name: string }) => name)).toEqual([
      "user:@nobody",
      "group:@Night shift",
    ]);
    const refused = await post("apply", { design: JSON.stringify(design) });
    expect([refused.status, refused.body.errors.join(" ")]).toEqual([
      409,
      expect.stringContaining("group Night shift"),
    ]);
    design.files[place].definition.stages[0].actors = ["owner", "user:@rep"];
    expect((await post("apply", { design: JSON.stringify(design) })).body.errors).toEqual([]);
    expect(JSON.stringify(JSON.parse(await exported("?modules=issues")))).toContain("user:@rep");
    const row = await service.db.row(
      sql`select definition::text as text from core__workflows where controller = 'issues/issues'`,
    );
    expect(row?.text).toContain(`user:${rep.id}`);
  });

  test("is for those who design", async () => {
    for (const token of [rep.token, tenant.token]) {
      expect((await service.get("/metadata/designs/export.json", token)).status).toBe(403);
      for (const operation of ["plan", "apply", "rollback"]) {
        expect((await post(operation, { starter: "issues" }, token)).status).toBe(403);
      }
    }
    expect((await service.get("/metadata/designs/export.json")).status).toBe(401);
  });

  const head = { format: "dossier-design", version: 1, name: "X" };
  test.each([
    ["no JSON", "{"],
    ["no design", "[]"],
    ["of a later version", JSON.stringify({ ...head, version: 9, files: {} })],
    ["with a path out of it", JSON.stringify({ ...head, files: { "roles/../../x.json": {} } })],
    ["with an unknown kind", JSON.stringify({ ...head, files: { "users/x.json": {} } })],
    ["with a key for JavaScript", `{"format":"dossier-design","version":1,"name":"X","files":{"__proto__":{}}}`],
    ["with a text that no table keeps", `{"format":"dossier-design","version":1,"name":"a\\u0000b","files":{}}`],
    ["nested too deep", `{"files":${"[".repeat(5_000)}${"]".repeat(5_000)}}`],
    [
      "with a role that is none",
      JSON.stringify({ ...head, files: { "roles/x.json": { code: "X y", operations: {} } } }),
    ],
  ])("that is %s is refused in a sentence", async (_what, design) => {
    const { status, body } = await post("plan", { design });
    expect(status).toBe(400);
    expect(body.errors[0]).toMatch(/^design: /);
  });

  test("in a folder with links or strange names is refused", async () => {
    const place = path.join(folder, "links");
    await writeDesignAt(place, parseDesign(await exported("?modules=issues")));
    symlinkSync("/etc/passwd", path.join(place, "roles", "x.json"));
    await expect(readDesignAt(place)).rejects.toThrow(/is no file of a design/);
    rmSync(path.join(place, "roles", "x.json"));
    writeFileSync(path.join(place, "roles", "Evil name.json"), "{}");
    await expect(readDesignAt(place)).rejects.toThrow(/is no file of a design/);
    await expect(readDesignAt(path.join(folder, "nowhere"))).rejects.toThrow(/There is no file or folder/);
  });
});

const byKey = (one: { kind: string; key: string }, other: { kind: string; key: string }) =>
  `${one.kind} ${one.key}` < `${other.kind} ${other.key}` ? -1 : 1;
