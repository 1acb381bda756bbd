// What people come in to, on the wire: who is shown which entries, everybody's own favorites, and dashboards that are shared.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let manager: Person;
let tenant: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  manager = await addPerson(service, "manager", ["sales_manager"]);
  tenant = await addOrganization(service, "tenant");
});
afterAll(() => service.stop());

interface Entry {
  readonly label: string;
  readonly controller: string;
  readonly section: "work" | "administration" | null;
  readonly operations: readonly string[];
}

const entries = async (token: string): Promise<readonly Entry[]> => {
  const { body } = await service.get("/development_base/menus/app_menu.json", token);
  return Object.values<{ children: Record<string, Entry> }>(body.data).flatMap(({ children }) =>
    Object.values(children),
  );
};
const inSection = async (token: string, section: Entry["section"]) =>
  (await entries(token)).filter((entry) => entry.section === section).map(({ controller }) => controller);

describe("the navigation", () => {
  const work = ["crm/companies", "crm/peoples", "crm/opportunities", "crm/leads", "crm/quotes"];

  test("keeps what programs read for everybody who may list it", async () => {
    const keys = (await entries(rep.token)).map(({ controller }) => controller);
    expect(keys).toEqual(expect.arrayContaining([...work, "crm/types", "development_base/modules", "masters/locales"]));
  });

  test("shows representatives what they work with, and nothing that they could only look at", async () => {
    expect((await inSection(rep.token, "work")).sort()).toEqual([...work].sort());
    expect(await inSection(rep.token, "administration")).toEqual([]);
  });

  test("shows administration by what the role allows, not by who is called an administrator", async () => {
    // A sales manager's role adds types; groups only administrators write, whatever a role says.
    expect((await inSection(manager.token, "administration")).sort()).toEqual(["crm/sub_types", "crm/types"]);
    expect(await inSection(admin, "administration")).toEqual(
      expect.arrayContaining(["development_base/modules", "masters/locales", "access_controls/policies", "crm/types"]),
    );
  });

  test("leaves out for a tenant's administrator what belongs to the operator", async () => {
    const shown = await inSection(tenant.token, "administration");
    expect(shown).toEqual(expect.arrayContaining(["access_controls/users", "access_controls/policies", "core/forms"]));
    expect(shown).not.toEqual(expect.arrayContaining(["development_base/modules"]));
    expect(shown.filter((key) => key.startsWith("development_base/") || key === "masters/locales")).toEqual([]);
  });

  test("says what can be done with the records of an entry", async () => {
    const of = async (token: string, key: string) =>
      (await entries(token)).find(({ controller }) => controller === key)?.operations;
    expect(await of(rep.token, "crm/leads")).toEqual(expect.arrayContaining(["index", "view", "add", "edit"]));
    expect(await of(rep.token, "crm/types")).not.toContain("add");
    expect(await of(rep.token, "core/jobs")).not.toContain("add");
  });
});

describe("the navigation that people arrange", () => {
  const read = async (token = admin) => service.get("/development_base/menus/navigation.json", token);
  const arrange = (modules: unknown, revision: string | undefined, token = admin) =>
    service.post("/development_base/menus/arrange.json", { navigation: JSON.stringify(modules), revision }, token);
  // biome-ignore lint/suspicious/noExplicitAny: bodies of the wire
  const sent = (modules: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: bodies of the wire
    modules.map(({ is_own: _, entries: all, ...module }: any) => ({
      ...module,
      // biome-ignore lint/suspicious/noExplicitAny: bodies of the wire
      entries: all.map(({ controller: _c, plural: _p, is_setup: _s, ...entry }: any) => entry),
    }));
  const menu = async (token: string, query = "") =>
    (await service.get(`/development_base/menus/app_menu.json${query}`, token)).body.data;
  const labels = (module: { children: Record<string, Entry> }) =>
    Object.values(module.children).map(({ label }) => label);

  test("is renamed, moved, hidden from roles and added to in one step, and nothing of access changes", async () => {
    const { body } = await read();
    const before = await menu(admin);
    // What is listed under Administration is told apart.
    const setUp = body.data.modules
      // biome-ignore lint/suspicious/noExplicitAny: bodies of the wire
      .flatMap((module: any) => module.entries)
      // biome-ignore lint/suspicious/noExplicitAny: bodies of the wire
      .flatMap((entry: any) => (entry.is_setup ? [entry.controller] : []));
    expect(setUp).toEqual(expect.arrayContaining(["crm/types", "core/forms"]));
    expect(setUp).not.toContain("crm/leads");
    const changed = sent(body.data.modules);
    // biome-ignore lint/suspicious/noExplicitAny: bodies of the wire
    const crm = changed.find(({ name }: any) => name === "crm");
    const [first, second, ...rest] = crm.entries;
    crm.label = "Selling";
    crm.entries = [second, { ...first, label: "Firms" }, ...rest.slice(0, -1)];
    const hidden = crm.entries.find(({ url }: { url: string }) => url === "crm/quotes/index");
    hidden.hidden_for = ["sales_rep"];
    const link = { id: null, key: "handbook", label: "Handbook", url: "https://example.com/h", icon: "link" };
    changed.unshift({
      ...{ name: "desk", label: "Desk", icon: "folder", is_active: true, hidden_for: ["sales_manager"] },
      entries: [rest.at(-1), { ...link, is_active: true, hidden_for: [] }],
    });
    const manuals = { ...link, key: "manuals", label: "Manuals", is_active: true, hidden_for: [] };
    changed.push({
      ...{ name: "yard", label: "Yard", icon: "folder", is_active: true, hidden_for: [] },
      entries: [manuals],
    });
    const { status } = await arrange(changed, body.data.revision);
    expect(status).toBe(200);
    // A design takes along what nobody changed since it was added.
    const design = (await service.get("/metadata/designs/export.json", admin)).body.data.design;
    const { files } = JSON.parse(design);
    expect(files["navigation/yard.json"]).toMatchObject({ label: "Yard", entries: [{ label: "Manuals" }] });
    const now = await menu(admin);
    expect(Object.keys(now)[0]).toBe("desk");
    expect(now.desk.children.handbook).toMatchObject({ label: "Handbook", controller: null });
    expect(now.crm.label).toBe("Selling");
    expect(labels(now.crm).slice(0, 2)).toEqual([second.label, "Firms"]);
    // Nobody else is asked whether they saw it first.
    expect((await arrange(changed, body.data.revision)).status).toBe(409);
    expect(labels((await menu(rep.token)).crm)).not.toContain(hidden.label);
    expect(labels((await menu(manager.token)).crm)).toContain(hidden.label);
    expect(await menu(manager.token)).not.toHaveProperty("desk");
    expect((await service.get("/crm/quotes/index.json", rep.token)).status).toBe(200);
    // The web app knows what one can do with what is hidden.
    const all = (await menu(rep.token, "?hidden=1")).crm.children.quotes;
    expect(all).toMatchObject({ is_hidden: 1, operations: expect.arrayContaining(["add"]) });
    const { body: audit } = await service.get("/access_controls/audit_events/index.json?limit=5", admin);
    expect(JSON.stringify(audit.paginate.data)).toContain("menu_changed");

    // What the service writes at the next start leaves what people decided.
    const { body: again } = await read();
    const back = sent(again.data.modules).filter(({ name }: { name: string }) => name !== "desk" && name !== "yard");
    // biome-ignore lint/suspicious/noExplicitAny: bodies of the wire
    const sales = back.find(({ name }: any) => name === "crm");
    sales.label = before.crm.label;
    sales.entries = [...sales.entries, rest.at(-1)].map((entry) => ({
      ...entry,
      hidden_for: [],
      label: entry.label === "Firms" ? first.label : entry.label,
    }));
    expect((await arrange(back, again.data.revision)).status).toBe(200);
    expect(await menu(admin)).not.toHaveProperty("desk");
    expect(labels((await menu(admin)).crm).sort()).toEqual(labels(before.crm).sort());
  });

  test("once arranged, a module that is new stands last", async () => {
    const { data } = (await service.get("/development_base/menus/navigation.json", admin)).body;
    const modules = data.modules.map(({ is_own: _, entries: list, ...module }: Record<string, unknown>) => ({
      ...module,
      entries: (list as Record<string, unknown>[]).map(({ controller: _c, plural: _p, is_setup: _s, ...one }) => one),
    }));
    const turned = { navigation: JSON.stringify(modules.toReversed()), revision: data.revision };
    expect((await service.post("/development_base/menus/arrange.json", turned, admin)).body.errors).toEqual([]);
    const definition = {
      ...{ module: "aardvarks", controller: "ants", label: "Ant", plural: "Ants", displayField: "name" },
      fields: [{ name: "name", type: "short-text" }],
      access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
    };
    const body = { definition: JSON.stringify(definition) };
    expect((await service.post("/metadata/record_types/save.json", body, admin)).body.errors).toEqual([]);
    const names = (await service.get("/development_base/menus/navigation.json", admin)).body.data.modules.map(
      ({ name }: { name: string }) => name,
    );
    expect(names).toEqual([...modules.map(({ name }: { name: string }) => name).toReversed(), "aardvarks"]);
  });

  test("is for those who design, and refuses what is none", async () => {
    expect((await read(rep.token)).status).toBe(403);
    expect((await read(tenant.token)).status).toBe(403);
    expect((await service.get("/development_base/menus/navigation.json")).status).toBe(401);
    const { body } = await read();
    const good = sent(body.data.modules);
    expect((await arrange(good, body.data.revision, tenant.token)).status).toBe(403);
    const entry = { ...good[0].entries[0], id: null, key: "evil" };
    for (const bad of [
      "x",
      [{ name: "crm" }],
      [good[0], good[0]],
      [{ ...good[0], name: "../x" }],
      [{ ...good[0], hidden_for: "sales_rep" }],
      [{ ...good[0], entries: [{ ...entry, url: "javascript:alert(1)" }] }],
      [{ ...good[0], entries: [{ ...entry, label: "" }] }],
    ]) {
      expect((await arrange(bad, undefined)).status).toBe(400);
    }
    const unknown = { ...entry, id: "00000000-0000-7000-8000-000000000000" };
    expect((await arrange([{ ...good[0], entries: [unknown] }], undefined)).status).toBe(409);
    expect((await read()).body.data.revision).toBe(body.data.revision);
  });
});

describe("favorites", () => {
  const list = async (token: string) => (await service.get("/core/favorites/index.json", token)).body.data.favorites;
  const post = (operation: string, body: object, token: string) =>
    service.post(`/core/favorites/${operation}.json`, body, token);
  const keys = async (token: string) => (await list(token)).map(({ key }: { key: string }) => key);

  test("are everybody's own, in their order, with today's names", async () => {
    const [mine = "", foreign = ""] = await addRows(service, "crm/leads", [
      { last_name: "Ash", name: "Ann Ash", owned_by: rep.id },
      { last_name: "Oak", name: "Olga Oak" },
    ]);
    const { body: views } = await service.get("/core/listviews/index.json?limit=1", rep.token);
    const view = views.paginate.data[0].id;
    for (const [controller, id] of [
      ["crm/leads", mine],
      ["core/listviews", view],
    ]) {
      expect((await post("add", { controller, id }, rep.token)).status).toBe(200);
      // Once is enough.
      expect((await post("add", { controller, id }, rep.token)).status).toBe(200);
    }
    expect(await keys(rep.token)).toEqual([`crm/leads/${mine}`, `core/listviews/${view}`]);
    expect(await list(rep.token)).toMatchObject([
      { controller: "crm/leads", id: mine, name: "Ann Ash", label: "Lead", lists: null },
      { controller: "core/listviews", id: view, lists: expect.stringMatching(/^\w+\/\w+$/u) },
    ]);
    expect(await list(manager.token)).toEqual([]);

    await post("arrange", { keys: [`core/listviews/${view}`, "crm/leads/999", `crm/leads/${mine}`] }, rep.token);
    expect(await keys(rep.token)).toEqual([`core/listviews/${view}`, `crm/leads/${mine}`]);

    // Another organization's administrator cannot ask for what is called so here.
    expect((await post("add", { controller: "crm/leads", id: foreign }, tenant.token)).status).toBe(404);

    // What is deleted is not there, and comes back with the record.
    await service.post(`/crm/leads/delete.json?id=${mine}&is_confirm=1`, {}, admin);
    expect(await keys(rep.token)).toEqual([`core/listviews/${view}`]);
    await service.post(`/crm/leads/restore.json?id=${mine}`, {}, admin);
    expect(await keys(rep.token)).toEqual([`core/listviews/${view}`, `crm/leads/${mine}`]);
    await post("remove", { controller: "core/listviews", id: view }, rep.token);
    expect(await keys(rep.token)).toEqual([`crm/leads/${mine}`]);
  });

  test.each([
    ["an unknown record type", "add", { controller: "no/such", id: "1" }, 400],
    ["no record", "add", { controller: "crm/leads" }, 400],
    ["an id that is none", "add", { controller: "crm/leads", id: "x' or 1=1" }, 404],
    ["a record that is not there", "add", { controller: "crm/leads", id: "99999999" }, 404],
    ["a type that keeps to itself", "add", { controller: "core/notifications", id: "1" }, 404],
    ["an order that is no list", "arrange", { keys: "crm/leads/1" }, 400],
  ])("refuse %s", async (_what, operation, body, status) => {
    expect((await post(operation, body, rep.token)).status).toBe(status);
    expect((await service.post(`/core/favorites/${operation}.json`, body)).status).toBe(401);
  });

  test("are at most a hundred; what is gone makes room", async () => {
    const rows = Array.from({ length: 101 }, (_, n) => ({ name: `Company ${n}`, owned_by: manager.id }));
    const [first = "", ...others] = await addRows(service, "crm/companies", rows);
    const full = ["crm/companies/999999", ...others.slice(0, 99).map((id) => `crm/companies/${id}`)];
    await service.db.run(sql`
      insert into core__favorites (organization_id, user_id, keys) values (1, ${manager.id}::bigint, ${full}::text[])`);
    expect((await post("add", { controller: "crm/companies", id: first }, manager.token)).status).toBe(200);
    expect(await keys(manager.token)).toEqual([...full.slice(1), `crm/companies/${first}`]);
    const { status, body } = await post("add", { controller: "crm/companies", id: others[99] }, manager.token);
    expect(status).toBe(409);
    expect(body.errors).toEqual(["You can have up to 100 favorites. Remove one first."]);
  });

  test("are taken off by any name of their type", async () => {
    const [person = ""] = await addRows(service, "crm/peoples", [
      { last_name: "Elm", name: "Eva Elm", owned_by: rep.id },
    ]);
    await post("add", { controller: "crm/people", id: person }, rep.token);
    expect(await keys(rep.token)).toContain(`crm/peoples/${person}`);
    await post("remove", { controller: "crm/people", id: person }, rep.token);
    expect(await keys(rep.token)).not.toContain(`crm/peoples/${person}`);
  });
});

describe("a dashboard that is shared", () => {
  const save = (operation: "add" | "edit", values: object, token: string) =>
    service.post(
      `/core/team_dashboards/${operation}.json`,
      { data: { team_dashboards: values, action: { save_progress: "Save" } } },
      token,
    );
  const read = (token: string | undefined, id?: string) =>
    service.get(`/core/listviews/dashboard.json${id === undefined ? "" : `?dashboard=${id}`}`, token);
  const offered = async (token: string): Promise<readonly { id: string; name: string; is_edit: boolean }[]> =>
    (await read(token)).body.dashboards;
  const views = async (token: string, controller: string): Promise<readonly { id: string; name: string }[]> => {
    const q = encodeURIComponent(JSON.stringify({ where: { "listviews.controller": controller }, limit: 100 }));
    return (await service.get(`/core/listviews/index.json?q=${q}`, token)).body.paginate.data;
  };
  const roleOf = async (code: string): Promise<string> =>
    (
      await service.db.row(
        sql`select principal_id::text as id from access_controls__roles where organization_id = 1 and code = ${code}`,
      )
    )?.id ?? "";

  let leads: string;
  let users: string;
  let own: string;
  let made: string;
  let support: Person;

  beforeAll(async () => {
    support = await addPerson(service, "support", ["support"]);
    leads = (await views(manager.token, "crm/leads"))[0]?.id ?? "";
    users = (await views(admin, "access_controls/audit_events"))[0]?.id ?? "";
    const personal = await service.post(
      "/core/listviews/add.json",
      { data: { listviews: { controller: "crm/leads", name: "Mine alone" }, action: { save_progress: "Save" } } },
      manager.token,
    );
    own = personal.body.id;
    const tiles = JSON.stringify([{ id: own }, { id: leads, size: "wide" }]);
    const { body } = await save("add", { name: "Sales", tiles }, manager.token);
    expect(body.errors).toEqual([]);
    made = body.id;
  });

  test("is nobody else's before, and theirs from the moment on that it is shared with one of their roles", async () => {
    expect(await offered(rep.token)).toEqual([]);
    expect((await read(rep.token, made)).status).toBe(404);
    const role = { principal_id: await roleOf("sales_rep"), rights: "read" };
    expect((await service.post(`/core/team_dashboards/share.json?id=${made}`, role, rep.token)).status).toBe(403);
    const shared = await service.post(`/core/team_dashboards/share.json?id=${made}`, role, manager.token);
    expect(shared.body.errors).toEqual([]);
    expect(await offered(rep.token)).toMatchObject([{ id: made, name: "Sales", is_edit: false }]);
    expect(await offered(support.token)).toEqual([]);
    // Its owner's own view is there for its owner alone.
    const seen = async (token: string) =>
      (await read(token, made)).body.paginate.data.map((tile: { id: string; size: string | null }) => [
        tile.id,
        tile.size,
      ]);
    expect(await seen(manager.token)).toEqual([
      [own, null],
      [leads, "wide"],
    ]);
    expect(await seen(rep.token)).toEqual([[leads, "wide"]]);
    // What stands on one's own stays as it was.
    expect((await read(rep.token)).body.paginate.data.length).toBeGreaterThan(1);
  });

  test("has no tile of a type that its reader may not list", async () => {
    const code = "leads_only";
    const add = (key: string, values: object) =>
      service.post(
        `/access_controls/${key}/add.json`,
        { data: { [key]: values, action: { save_progress: "Save" } } },
        admin,
      );
    const { body: role } = await add("roles", { name: "Leads only", code });
    for (const record_type of ["crm/leads", "core/listviews", "core/team_dashboards"]) {
      const granted = await add("role_operations", { role_id: role.id, record_type, operations: "index;view" });
      expect(granted.body.errors).toEqual([]);
    }
    const narrow = await addPerson(service, "narrow", [code]);
    const { body } = await save("edit", { id: made, tiles: JSON.stringify([{ id: users }, { id: leads }]) }, admin);
    expect(body.errors).toEqual([]);
    await service.post(
      `/core/team_dashboards/share.json?id=${made}`,
      { principal_id: await roleOf(code), rights: "read" },
      admin,
    );
    const ids = async (token: string) =>
      (await read(token, made)).body.paginate.data.map((tile: { id: string }) => tile.id);
    expect(await ids(admin)).toEqual([users, leads]);
    expect(await ids(narrow.token)).toEqual([leads]);
    expect(
      (await service.get(`/access_controls/audit_events/index.json?current_listview=${users}`, narrow.token)).status,
    ).toBe(403);
  });

  test("is what people start with, a team's before a role's, until they have changed their own", async () => {
    const starter = await addPerson(service, "starter", ["sales_rep"]);
    const first = async (): Promise<string | null> => (await read(starter.token, "first")).body.dashboard;
    const share = (id: string, principal_id: string | undefined, until: string | null = null) =>
      service.post(`/core/team_dashboards/share.json?id=${id}`, { principal_id, rights: "read", until }, manager.token);
    const add = async (name: string, tiles: readonly { id: string }[]): Promise<string> =>
      (await save("add", { name, tiles: JSON.stringify(tiles) }, manager.token)).body.id;
    // By the test above: shared with the role.
    expect(await first()).toBe(made);
    const { body: group } = await service.post(
      "/access_controls/groups/add.json",
      { data: { groups: { name: "Starters", members: [{ user_id: starter.id }] }, action: { save_progress: "Save" } } },
      admin,
    );
    const row = await service.db.row(
      sql`select principal_id::text as id from access_controls__groups where id = ${group.id}::bigint`,
    );
    const teams = await add("A team's", [{ id: leads }]);
    expect((await share(teams, row?.id ?? undefined)).body.errors).toEqual([]);
    expect(await first()).toBe(teams);
    expect((await offered(starter.token)).map(({ id }) => id)).toEqual([teams, made]);
    expect((await read(starter.token, "first")).body.dashboards).toMatchObject([
      { through: "group" },
      { through: "role" },
    ]);
    // Neither one that shows them nothing, nor one that a colleague shares with them, nor everybody's, comes first.
    const empty = await add("A blank", [{ id: own }]);
    await share(empty, row?.id ?? undefined);
    expect(await first()).toBe(teams);
    // However many others come before it by their names.
    await service.db.run(sql`update core__team_dashboards set name = 'Z team''s' where id = ${teams}::uuid`);
    const everybodys = Array.from({ length: 200 }, (_, index) => ({
      name: `B ${index}`,
      is_personal: "0",
      tiles: "[]",
    }));
    const many = await service.post(
      "/core/team_dashboards/add_many.json",
      { data: { team_dashboards: everybodys } },
      admin,
    );
    expect(many.body.errors).toEqual([]);
    expect(await first()).toBe(teams);
    expect((await offered(starter.token)).map(({ id }) => id).slice(0, 3)).toEqual([empty, teams, made]);
    // Nor are one's own lost among them; and any of them is there for whoever asks for it by its id.
    const last = await add("Z own", []);
    expect((await offered(manager.token)).map(({ id }) => id)).toContain(last);
    const [cut] = (
      await service.db.rows(sql`select id::text as id from core__team_dashboards where name = 'B 99'`)
    ).map(({ id }) => id ?? "");
    const chosen = await offered(manager.token);
    expect([chosen.length, chosen.some(({ id }) => id === cut)]).toEqual([200, false]);
    expect((await read(manager.token, cut)).body).toMatchObject({ dashboard: cut });
    await service.db.run(sql`update core__team_dashboards set deleted = 1 where name like 'B %' or name = 'Z own'`);
    const { body } = await service.get(`/access_controls/users/view.json?id=${starter.id}`, admin);
    const self = await service.db.row(
      sql`select principal_id::text as id from access_controls__users where id = ${body.id}::bigint`,
    );
    const personal = await add("A colleague's", [{ id: leads }]);
    await share(personal, self?.id ?? undefined);
    expect(await first()).toBe(teams);
    // What is not shared any longer is not offered, and the role's is next.
    for (const id of [teams, empty, personal]) {
      await service.post(`/core/team_dashboards/delete.json?id=${id}&is_confirm=1`, {}, manager.token);
    }
    expect(await first()).toBe(made);
    await service.post(`/core/listviews/pin.json?id=${leads}`, {}, starter.token);
    expect(await first()).toBeNull();
    // Their own is what they see without asking for the first.
    expect((await read(starter.token)).body.dashboard).toBeNull();
  });

  test("is changed by those who may edit it, and by nobody else", async () => {
    expect((await save("edit", { id: made, name: "Stolen" }, rep.token)).status).toBe(403);
    expect(
      (await service.post(`/core/team_dashboards/delete.json?id=${made}&is_confirm=1`, {}, rep.token)).status,
    ).toBe(403);
    expect((await save("add", { name: "Rep's" }, rep.token)).status).toBe(403);
    expect((await offered(admin)).find(({ id }) => id === made)).toMatchObject({ name: "Sales", is_edit: true });
  });

  test("is not there for an administrator of another organization, nor for a stranger", async () => {
    await save("edit", { id: made, is_personal: "0" }, admin);
    expect(await offered(support.token)).toMatchObject([{ id: made }]);
    expect(await offered(tenant.token)).toEqual([]);
    expect((await read(tenant.token, made)).status).toBe(404);
    expect((await service.get(`/core/team_dashboards/view.json?id=${made}`, tenant.token)).status).toBe(404);
    expect((await save("edit", { id: made, name: "Stolen" }, tenant.token)).status).toBe(404);
    expect((await read(undefined, made)).status).toBe(401);
    // Nor can they put a view of this organization on theirs.
    const { status, body } = await save(
      "add",
      { name: "Theirs", tiles: JSON.stringify([{ id: leads }]) },
      tenant.token,
    );
    expect([status, Object.keys(body.errors_by_field)]).toEqual([422, ["team_dashboards.tiles"]]);
  });

  test.each([
    ["no list", { id: "x" }],
    ["an id that is none", [{ id: "x' or 1=1" }]],
    ["a size that is none", [{ id: "00000000-0000-7000-8000-000000000000", size: "gigantic" }]],
    [
      "more than it takes",
      Array.from({ length: 51 }, (_, n) => ({ id: `00000000-0000-7000-8000-0000000000${n + 10}` })),
    ],
    ["a view that is not there", [{ id: "00000000-0000-7000-8000-000000000000" }]],
  ])("refuses tiles that are %s", async (_what, tiles) => {
    const { status, body } = await save("add", { name: "Bad", tiles: JSON.stringify(tiles) }, manager.token);
    expect([status, Object.keys(body.errors_by_field)]).toEqual([422, ["team_dashboards.tiles"]]);
  });

  test("refuses the same view twice, and another one's personal view", async () => {
    for (const tiles of [[{ id: leads }, { id: leads }], [{ id: own }]]) {
      const by = tiles.length === 2 ? manager.token : support.token;
      const { status } = await save("add", { name: "Bad", tiles: JSON.stringify(tiles) }, by);
      expect(status).toBe(tiles.length === 2 ? 422 : 403);
    }
    expect((await read(rep.token, "not-an-id")).status).toBe(404);
  });
});
