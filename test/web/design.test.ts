// Designing in the browser, without a word of JSON: a record type with its fields, a form, a workflow.
import { readFile } from "node:fs/promises";
import type { Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { addRows } from "../http/people.ts";
import { type App, enterQuickly, expectAccessible, follow, heading, openApp, phoneFaults, sees, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";

inBrowser("designing", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const look = async (page: Page, name: string) => {
    await expectAccessible(page);
    await shoot(page, `design-${name}`);
  };
  const addField = async (page: Page, type: string, label: string) => {
    await page.getByRole("button", { name: "Add field" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Find a type").fill(type);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    // Whoever added it goes on typing.
    await page.locator(":focus").and(page.getByLabel("Label")).waitFor();
    await page.keyboard.type(label);
  };

  test("a record type is made, filled, changed with what becomes of its values said first, and kept while it is not saved", async () => {
    const page = await app.visit();
    // What an earlier try left behind.
    await app.service.post(
      "/metadata/record_types/remove.json?key=crm/facilities&is_confirm=1",
      {},
      await app.service.login(),
    );
    await enterQuickly(app, page, "/administration?part=record_types");
    await page.getByRole("link", { name: "New record type" }).click();
    await page.getByLabel("Singular name").fill("Facility");
    expect(await page.getByLabel("Plural name").inputValue()).toBe("Facilities");
    expect(await page.getByLabel("URL name").inputValue()).toBe("facilities");
    await page
      .getByLabel(/^Module/)
      .and(page.locator("input"))
      .first()
      .click();
    await page.getByRole("option", { name: "Sales" }).click();
    await shoot(page, "design-type-general");
    await page.getByRole("tab", { name: "Fields" }).click();
    await addField(page, "whole number", "Size");
    await addField(page, "one option from a list", "State");
    await page.getByRole("button", { name: "Create record type" }).click();
    // What the service refuses stands at its place.
    await sees(page, "Couldn't save the design");
    await page.getByRole("group", { name: "Options" }).getByText("must list at least one option").waitFor();
    await page.getByRole("button", { name: /^State · Options/ }).click();
    await expect.poll(() => page.locator(":focus").getAttribute("aria-label")).toBe("New option");
    await page.getByLabel("New option").fill("Open");
    await page.keyboard.press("Enter");
    await page.getByLabel("New option").fill("Closed");
    await page.keyboard.press("Enter");
    // By the keyboard alone: the state goes before the size.
    await page.getByRole("button", { name: "Move State, 3 of 3" }).focus();
    await page.keyboard.press("ArrowUp");
    await page.getByRole("button", { name: "Move State, 2 of 3" }).waitFor();
    await shoot(page, "design-type-fields");
    await page.reload();
    await sees(page, "Draft restored");
    await page.getByRole("button", { name: "Create record type" }).click();
    await sees(page, "Facilities saved.");
    // At once, without a reload: navigation, list, form, page.
    await page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Facilities" }).click();
    await page.getByRole("link", { name: "New facility" }).first().click();
    await page.getByLabel("Name").fill("Hall 3");
    await page.getByLabel("State").and(page.locator("input")).first().click();
    await page.getByRole("option", { name: "Closed" }).click();
    await page.getByLabel("Size").fill("120");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("link", { name: "Open", exact: true }).click();
    await heading(page, "Hall 3").waitFor();

    const query = JSON.stringify({ fields: ["facilities.name", "facilities.size"] });
    const listviews = { name: "By size", controller: "crm/facilities", query };
    await app.service.post(
      "/core/listviews/add.json",
      { data: { listviews, action: { save_progress: "Save" } } },
      await app.service.login(),
    );
    await page.goto("/metadata/record_types/view?key=crm/facilities");
    await page.getByRole("button", { name: "Size menu" }).click();
    await page.getByRole("menuitem", { name: "Remove field" }).click();
    await page.getByRole("button", { name: "Save design" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("1 value", { exact: true }).waitFor();
    const use = dialog.getByRole("listitem").filter({ has: page.getByRole("link", { name: "By size" }) });
    await use.getByText("continues without this field").first().waitFor();
    await look(page, "type-redesign");
    await dialog.getByRole("button", { name: "Save anyway" }).click();
    await sees(page, "1 value was moved to Removed fields.");
    // It comes back with its values, and gets another name that views need not know.
    const bin = page.getByRole("list", { name: "Removed fields" });
    await bin.getByRole("button", { name: "Restore Size" }).waitFor();
    await look(page, "removed-fields");
    await bin.getByRole("button", { name: "Restore Size" }).click();
    await sees(page, "Size restored");
    await page.getByRole("button", { name: /^Size\s*Whole number/ }).click();
    await page.getByLabel("API name").fill("floor_space");
    await page.getByRole("button", { name: "Save design" }).click();
    await dialog.getByText("size → floor_space").waitFor();
    await shoot(page, "design-type-rename");
    await dialog.getByRole("button", { name: "Save design" }).click();
    const token = await app.service.login();
    const names = async () => {
      const { body } = await app.service.get("/metadata/schema/index.json?search_controller=crm/facilities", token);
      return body.data.schema.map(({ name }: { name: string }) => name);
    };
    await expect.poll(names).toContain("floor_space");
    expect(await names()).toEqual(expect.arrayContaining(["name", "state"]));
    expect(await names()).not.toContain("size");

    // A type that the service comes with takes fields of one's own, and keeps its own.
    await page.evaluate(() => history.pushState({}, "", "/metadata/record_types/view?key=crm/leads"));
    await heading(page, "Leads").waitFor();
    await addField(page, "whole number", "Seats");
    expect(await page.getByLabel("API name").inputValue()).toBe("x_seats");
    await addField(page, "calendar date", "Check back");
    await page
      .getByRole("combobox", { name: "Default value type" })
      .or(page.getByLabel("Default value type"))
      .first()
      .click();
    await page.getByRole("option", { name: "In 14 days" }).click();
    await page.getByRole("button", { name: "Website menu" }).click();
    await page.getByRole("menuitem", { name: "Hide field" }).click();
    await shoot(page, "design-built-in");
    await page.getByRole("button", { name: "Save design" }).click();
    await sees(page, "Leads saved.");
    await page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Leads" }).click();
    await page.getByRole("link", { name: "New lead" }).first().click();
    await page.getByRole("button", { name: "Open full form" }).click();
    await page.getByLabel("Seats").waitFor();
    // The input for days is fetched when it is needed.
    await expect.poll(() => page.getByLabel("Check back").inputValue()).not.toBe("");
    expect(await page.getByLabel("Website").count()).toBe(0);
  });

  test("a computed field is designed with its faults and its values at hand, and shown on the record", async () => {
    const token = await app.service.login();
    const fields = [
      { name: "name", type: "short-text" },
      { name: "hours", type: "integer" },
    ];
    const access = { read: ["organization"], edit: ["organization"], delete: [], comment: [] };
    const visit = {
      module: "crm",
      controller: "visits",
      label: "Visit",
      plural: "Visits",
      displayField: "name",
      fields,
      access,
    };
    const saved = await app.service.post(
      "/metadata/record_types/save.json",
      { definition: JSON.stringify(visit) },
      token,
    );
    expect(saved.body.errors).toEqual([]);
    const values = { data: { visits: { name: "First visit", hours: "3" }, action: { save_progress: "Save" } } };
    const { body } = await app.service.post("/crm/visits/add.json", values, token);
    const page = await app.visit();
    await enterQuickly(app, page, "/metadata/record_types/view?key=crm/visits");
    await addField(page, "formula", "Cost");
    const formula = page.getByLabel("Formula").and(page.locator("textarea"));
    await formula.fill("hours *");
    await sees(page, "at the end");
    await formula.fill("hours * 12.5");
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("37.5000").waitFor();
    await look(page, "computed");
    const kept = await page.evaluate(() => Object.entries(sessionStorage));
    await page.getByRole("button", { name: "Save design" }).click();
    await sees(page, "Visits saved.");
    // The field stays in sight; a page that was left before the save was answered finds no draft of it.
    await expect.poll(() => formula.inputValue()).toBe("hours * 12.5");
    await page.evaluate((entries) => {
      for (const [key, value] of entries) sessionStorage.setItem(key, value);
    }, kept);
    await page.reload();
    await heading(page, "Visits").waitFor();
    expect(await page.getByText("Draft restored").count()).toBe(0);
    await expect
      .poll(async () => (await app.service.get(`/crm/visits/view.json?id=${body.id}`, token)).body.data.visits.cost)
      .toBe("37.5000");
    await page.goto(`/crm/visits/view?id=${body.id}`);
    await heading(page, "First visit").waitFor();
    await page.getByText("37.5").first().waitFor();
  });

  test("on a phone, a formula of amounts becomes money, and a new record type leads to its line of the roles", async () => {
    const page = await app.visitApart({ viewport: { width: 390, height: 844 } });
    await enterQuickly(app, page, "/metadata/record_types/add");
    await page.getByLabel("Singular name").fill("Part");
    const module = page.getByLabel(/^Module/).and(page.locator("input"));
    await module.first().click();
    await page.getByRole("option", { name: "Sales" }).click();
    // By the keyboard alone from here on.
    await page.getByRole("tab", { name: "General" }).focus();
    await page.keyboard.press("ArrowRight");
    await addField(page, "money", "Price");
    await addField(page, "whole number", "Quantity");
    await addField(page, "formula", "Total");
    const formula = page.getByLabel("Formula").and(page.locator("textarea"));
    await formula.fill("quantity + price");
    await sees(page, "price is an amount of money and quantity a plain number");
    await formula.fill("quantity * price");
    await page.getByRole("button", { name: "Show as money in this currency" }).press("Enter");
    await expect
      .poll(() => page.getByLabel("Result type").and(page.locator("input")).first().inputValue())
      .toBe("Money");
    await page.locator(":focus").and(page.getByLabel("Result type")).waitFor();
    expect(await phoneFaults(page)).toEqual([]);
    await page.keyboard.press("Control+s");
    await sees(page, "Only administrators can add parts until a role allows it.");
    expect(await phoneFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "Set role permissions" }).press("Enter");
    await page
      .locator(":focus")
      .and(page.getByRole("checkbox", { name: "Parts: List" }))
      .waitFor();
    const roleName = await page.getByLabel("Role", { exact: true }).and(page.locator("input")).first().inputValue();
    const mayAdd = page.getByRole("checkbox", { name: "Parts: Add" });
    await mayAdd.press("Space");
    // What is not saved yet outlasts a long look at another tab: the list of roles is read again, what one of them may do is not.
    await page.clock.setFixedTime(Date.now() + 120_000);
    const isOf = (sent: Request, what: string) => sent.url().includes(`/access_controls/${what}/index.json`);
    let matrices = 0;
    page.on("request", (sent) => {
      if (isOf(sent, "role_operations")) matrices += 1;
    });
    const readAgain = page.waitForResponse((answer) => isOf(answer.request(), "roles"));
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await readAgain;
    expect(matrices).toBe(0);
    expect(await mayAdd.isChecked()).toBe(true);
    // Somebody else gave the same type a line meanwhile: that save is not made, and nothing of what was ticked is lost.
    const token = await app.service.login();
    const { role_id } = (await app.service.get("/access_controls/roles/index.json?limit=50", token)).body.paginate.data
      .map((role: Record<string, string>) => ({ role_id: role["roles.id"], name: role["roles.name"] }))
      .find(({ name }: { name: string }) => name === roleName);
    const line = { role_id, record_type: "crm/parts", operations: "index" };
    const data = { role_operations: line, action: { save_progress: "Save" } };
    expect((await app.service.post("/access_controls/role_operations/add.json", { data }, token)).body.errors).toEqual(
      [],
    );
    const save = page.getByRole("button", { name: "Save", exact: true });
    await save.press("Enter");
    await sees(page, "Someone else changed these permissions in the meantime.");
    await sees(page, "1 row changed");
    await expect.poll(() => page.getByRole("checkbox", { name: "Parts: List" }).isChecked()).toBe(true);
    expect(await mayAdd.isChecked()).toBe(true);
    await save.press("Enter");
    await sees(page, "No changes");
    await page.locator(":focus").and(save).waitFor();
    const told = page.waitForResponse((answer) => answer.url().includes("who_may.json"));
    await follow(page, "/metadata/record_types/view?key=crm/parts");
    await heading(page, "Parts").waitFor();
    await told;
    await expect.poll(() => page.getByText("Only administrators can add parts").count()).toBe(0);
  });

  test("rules are written by keyboard: what they make required and options that are none are said, combinations are unique", async () => {
    const page = await app.visit();
    const admin = await app.service.login();
    const options = [
      { value: "done", label: "Finished" },
      { value: "open", label: "Open" },
    ];
    const definition = {
      ...{ module: "crm", controller: "jobs_done", label: "Job done", plural: "Jobs done", displayField: "name" },
      fields: [
        { name: "name", label: "Name", type: "short-text", required: true },
        { name: "site", label: "Site", type: "short-text" },
        { name: "state", label: "State", type: "choice", settings: { options } },
        { name: "begun", label: "Begun", type: "date" },
        { name: "ended", label: "Ended", type: "date" },
      ],
      access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
    };
    const sent = { definition: JSON.stringify(definition) };
    expect((await app.service.post("/metadata/record_types/save.json", sent, admin)).body.errors).toEqual([]);
    const add = async (values: Record<string, string>): Promise<number> => {
      const data = { jobs_done: values, action: { save_progress: "Save" } };
      return (await app.service.post("/crm/jobs_done/add.json", { data }, admin)).status;
    };

    await enterQuickly(app, page, "/metadata/record_types/view?key=crm/jobs_done");
    await page.getByRole("tab", { name: "Rules" }).click();
    await page.getByRole("button", { name: "Add rule" }).press("Enter");
    const formula = page.getByLabel("Must be true");
    // Whoever added it goes on typing.
    await page.locator(":focus").and(formula).waitFor();
    await page.keyboard.type('ended >= begun and state = "Finished"');
    await sees(page, "“Finished” isn't an option of State.");
    await sees(page, "records without “State”, “Begun”, or “Ended” can't be saved");
    await look(page, "rule-hints");
    await page.getByRole("button", { name: "Use “done”" }).press("Enter");
    await page.locator(":focus").and(formula).waitFor();
    await page.getByRole("button", { name: "Allow empty values" }).press("Enter");
    await page.locator(":focus").and(formula).waitFor();
    expect(await formula.inputValue()).toBe(
      'state is empty or begun is empty or ended is empty or (ended >= begun and state = "done")',
    );
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("It can't end before it begins.");
    await page.getByRole("button", { name: "Add combination" }).press("Enter");
    const combination = page.getByRole("combobox", { name: "Fields of combination 1" });
    await page.locator(":focus").and(combination).waitFor();
    for (const name of ["Site", "Name"]) {
      await page.keyboard.type(name);
      await page.getByRole("option", { name, exact: true }).waitFor();
      await page.keyboard.press("Enter");
    }
    await page.getByRole("button", { name: "Save design" }).click();
    await sees(page, "Jobs done saved.");

    expect([await add({ name: "A", site: "North" }), await add({ name: "A", site: "South" })]).toEqual([200, 200]);
    expect(await add({ name: "A", site: "North" })).toBe(409);
    expect(await add({ name: "B", state: "done", begun: "2026-02-01", ended: "2026-01-01" })).toBe(422);
  });

  test("whoever saves second is told what changed and goes on from there; a reference offers only what its designer lets it", async () => {
    const page = await app.visit();
    const admin = await app.service.login();
    const type = (controller: string, fields: readonly unknown[]) => ({
      ...{ module: "crm", controller, label: controller.slice(0, -1), plural: controller, displayField: "name" },
      fields: [{ name: "name", label: "Name", type: "short-text" }, ...fields],
      access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
    });
    const refers = (name: string, label: string, to: string) => ({ name, label, type: "reference", settings: { to } });
    const save = async (definition: unknown): Promise<void> => {
      const sent = { definition: JSON.stringify(definition) };
      const { body } = await app.service.post("/metadata/record_types/save.json", sent, admin);
      expect(body.errors).toEqual([]);
    };
    const add = async (controller: string, values: Record<string, string>): Promise<string> => {
      const data = { [controller]: values, action: { save_progress: "Save" } };
      return (await app.service.post(`/crm/${controller}/add.json`, { data }, admin)).body.id;
    };
    await save(type("plants", []));
    await save(type("engines", [refers("plant_id", "Plant", "crm/plants")]));
    const visits = [refers("plant_id", "Plant", "crm/plants"), refers("engine_id", "Engine", "crm/engines")];
    await save(type("checks", visits));
    const [north, south] = [await add("plants", { name: "North" }), await add("plants", { name: "South" })];
    await add("engines", { name: "Turbine", plant_id: north });
    await add("engines", { name: "Pump", plant_id: south });

    await enterQuickly(app, page, "/metadata/record_types/view?key=crm/checks");
    await page
      .getByRole("button", { name: /^Engine/ })
      .first()
      .click();
    await page.getByLabel("Limit the choices").fill("plant_id = record.plants");
    await save(type("checks", [...visits, { name: "extra", label: "Extra", type: "flag" }]));
    const size = page.viewportSize() ?? { width: 1280, height: 800 };
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Save design" }).click();
    await sees(page, "admin changed this record type while you were editing");
    // Whoever saved was further down.
    await page.locator(":focus").and(page.getByRole("alert")).waitFor();
    const top = await page.evaluate(() => document.activeElement?.getBoundingClientRect().top ?? -1);
    expect([top >= 48, top < 844]).toEqual([true, true]);
    await page.setViewportSize(size);
    await sees(page, "Extra added");
    await look(page, "changed-meanwhile");
    await page.getByRole("button", { name: "Apply my changes on top" }).click();
    await page.getByRole("button", { name: "Save design" }).click();
    // What was typed is still there, and what is wrong with it is said where it is.
    await sees(page, "Couldn't save the design");
    await page
      .getByRole("button", { name: /^Engine/ })
      .first()
      .click();
    await page.getByLabel("Limit the choices").fill("plant_id = ");
    await page.getByRole("button", { name: "This record: Plant" }).click();
    await page.getByRole("button", { name: "Save design" }).click();
    await expect
      .poll(async () => {
        const { body } = await app.service.get("/metadata/record_types/view.json?key=crm/checks", admin);
        const { fields } = JSON.parse(body.data.record_types.definition);
        return fields.map((one: { name: string; where?: string }) => [one.name, one.where]);
      })
      .toEqual([
        ["name", undefined],
        ["plant_id", undefined],
        ["engine_id", "plant_id = record.plant_id"],
        ["extra", undefined],
      ]);

    await page.goto("/crm/checks/add");
    await page.locator('[data-field="checks.engine_id"] input').click();
    await sees(page, "No matching records. The choices depend on other fields in this record.");
    await page.locator('[data-field="checks.plant_id"] input').click();
    await page.getByRole("option", { name: "South", exact: true }).click();
    await page.locator('[data-field="checks.engine_id"] input').click();
    await page.getByRole("option", { name: "Pump" }).waitFor();
    expect(await page.getByRole("option", { name: "Turbine" }).count()).toBe(0);
    await page.keyboard.press("Escape");

    // What a policy of it grants, roles must allow too.
    await follow(page, "/access_controls/policies/add?record_type=crm/checks");
    await page
      .getByRole("status")
      .filter({ hasText: /^No role can edit.* yet/ })
      .waitFor();
    await page.getByRole("link", { name: "Go to roles" }).waitFor();
    // For another record type it begins with the rules of that one.
    const removers = page.getByRole("combobox", { name: "Can delete" });
    expect(await removers.getAttribute("placeholder")).not.toBe("");
    // Until they are known, those of the other type are neither shown nor saved.
    const asked = /who_may.*companies/;
    await page.route(asked, (route) => route.fulfill({ status: 500, json: { errors: [] } }));
    await page.getByRole("combobox", { name: "Record type" }).fill("Companies");
    await page.getByRole("option", { name: "Companies", exact: true }).click();
    const again = page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    expect(await removers.count()).toBe(0);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "needs your attention" }).waitFor();
    await page.unroute(asked);
    await again.click();
    await expect.poll(() => removers.getAttribute("placeholder")).toBe("");
  });

  test("a chosen record fills in what is taken from it, also in rows; cells offer what a record can choose", async () => {
    const page = await app.visit();
    const admin = await app.service.login();
    const save = async (controller: string, fields: readonly unknown[], associations: readonly unknown[] = []) => {
      const definition = {
        ...{ module: "crm", controller, label: controller.slice(0, -1), plural: controller, displayField: "name" },
        fields: [{ name: "name", label: "Name", type: "short-text", searchable: true }, ...fields],
        ...{ associations, access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] } },
      };
      const sent = { definition: JSON.stringify(definition) };
      const { body } = await app.service.post("/metadata/record_types/save.json", sent, admin);
      expect(body.errors).toEqual([]);
    };
    const add = async (controller: string, values: Record<string, string>): Promise<string> => {
      const data = { [controller]: values, action: { save_progress: "Save" } };
      return (await app.service.post(`/crm/${controller}/add.json`, { data }, admin)).body.id;
    };
    const refers = (name: string, label: string, to: string, more = {}) => ({
      ...{ name, label, type: "reference", settings: { to } },
      ...more,
    });
    await save("yards", [{ name: "zone", label: "Zone", type: "short-text" }]);
    await save("cranes", [
      refers("yard_id", "Yard", "crm/yards"),
      { name: "rate", label: "Rate", type: "decimal", settings: { scale: 2 } },
    ]);
    const limited = { where: "yard_id = record.yard_id" };
    const hires = [
      refers("yard_id", "Yard", "crm/yards"),
      refers("crane_id", "Crane", "crm/cranes", limited),
      { name: "zone", label: "Zone", type: "short-text", initialFormula: "yard.zone" },
    ];
    await save("hires", hires);
    await save("lifts", [
      refers("hire_id", "Hire", "crm/hires"),
      refers("yard_id", "Yard", "crm/yards", { initialFormula: "hire.yard_id" }),
      refers("crane_id", "Crane", "crm/cranes", limited),
      { name: "rate", label: "Rate", type: "decimal", settings: { scale: 2 }, initialFormula: "crane.rate" },
      { name: "zone", label: "Zone", type: "short-text", initialFormula: "yard.zone" },
      { name: "place", label: "Place", type: "short-text", initialFormula: "hire.zone" },
    ]);
    await save("hires", hires, [{ kind: "has-many", name: "lifts", type: "crm/lifts", via: "hire_id", owned: true }]);
    const [east, west] = [
      await add("yards", { name: "East", zone: "E7" }),
      await add("yards", { name: "West", zone: "W1" }),
    ];
    await add("cranes", { name: "Goliath", yard_id: east, rate: "12.50" });
    await add("cranes", { name: "Gollum", yard_id: west, rate: "8" });

    const asked: string[] = [];
    page.on("request", (one) => {
      if (one.url().includes("/hires/starts.json")) asked.push(decodeURIComponent(one.url()));
    });
    await enterQuickly(app, page, "/crm/hires/add");
    const input = (name: string) => page.locator(`[data-field="hires.${name}"] input`);
    const choose = async (name: string, option: string) => {
      await input(name).click();
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    await page.getByLabel("Name").fill("Monday");
    // A row of a hire without a yard has no yard, which no crane is in.
    await page.getByRole("button", { name: /^Add lift/ }).click();
    const cell = (place: number) => page.locator(`tr[data-row="0"] [data-column="${place}"] input`);
    await cell(2).click();
    await sees(page, "No matching records. The choices depend on other fields in this record.");
    await choose("yard_id", "East");
    await expect.poll(() => input("zone").inputValue()).toBe("E7");
    await sees(page, "Taken from Yard");
    await choose("yard_id", "West");
    await expect.poll(() => input("zone").inputValue()).toBe("W1");
    // What somebody typed stays, an empty value too.
    await input("zone").fill("");
    await choose("yard_id", "East");
    await expect.poll(() => page.getByText("Taken from Yard").count()).toBe(0);
    expect(await input("zone").inputValue()).toBe("");
    await input("zone").fill("own");

    // In a row: its yard is that of the hire, its choices follow, and Enter takes an option, not the next row.
    await cell(0).fill("Beam");
    await expect.poll(() => cell(1).inputValue()).toBe("East");
    await expect.poll(() => cell(4).inputValue()).toBe("E7");
    await expect.poll(() => cell(5).inputValue()).toBe("own");
    await cell(2).focus();
    const searched = page.waitForResponse((one) => one.url().includes("search_basic=gol"));
    await page.keyboard.type("gol");
    await searched;
    await page.getByRole("option", { name: "Goliath" }).and(page.locator("[data-combobox-selected]")).waitFor();
    expect(await page.getByRole("option", { name: "Gollum" }).count()).toBe(0);
    await page.keyboard.press("Enter");
    await expect.poll(() => cell(2).inputValue()).toBe("Goliath");
    expect(await page.locator("tr[data-row]").count()).toBe(1);
    await expect.poll(() => cell(3).inputValue()).toMatch(/^12\.50?$/);
    // Nothing comes from what was typed there, so it is not told.
    expect(asked.filter((url) => url.includes('"zone":null'))).not.toEqual([]);
    expect(asked.filter((url) => url.includes("own"))).toEqual([]);
    await shoot(page, "design-taken-over");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await heading(page, "Monday").waitFor();
    const { body } = await app.service.get("/crm/hires/index.json", admin);
    const id = body.paginate.data[0]["hires.id"];
    const { data } = (await app.service.get(`/crm/hires/view.json?id=${id}`, admin)).body;
    expect(data.hires).toMatchObject({
      zone: "own",
      lifts: [{ yard_id: east, rate: "12.50", zone: "E7", place: "own" }],
    });

    // In a cell of the list.
    await page.goto("/crm/hires/index");
    await page
      .getByRole("gridcell", { name: "Monday" })
      .or(page.getByRole("cell", { name: "Monday" }))
      .first()
      .waitFor();
    const headers = await page.getByRole("columnheader").allTextContents();
    const crane = page.locator("[role=row], tr").filter({ hasText: "Monday" }).locator("[role=gridcell], td");
    await crane.nth(headers.findIndex((text) => text.startsWith("Crane"))).dblclick();
    await page.getByRole("option", { name: "Goliath" }).waitFor();
    expect(await page.getByRole("option", { name: "Gollum" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
  });

  test("a form is arranged by keyboard, shows a field only when it matters, and is used at once", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/quotes/about?tab=design");
    await page.getByRole("link", { name: "New form" }).click();
    const details = page.getByRole("list", { name: "Details" });
    await details.getByRole("button", { name: "Valid until", exact: true }).click();
    const sheet = page.getByRole("region", { name: "Valid until settings" });
    await sheet.getByLabel("Label").fill("Good until");
    const shown = sheet.getByRole("group", { name: "Shown when" });
    await shown.getByRole("button", { name: "Add condition" }).click();
    await shown.getByLabel("Field", { exact: true }).and(page.locator("input")).click();
    await page.getByRole("option", { name: "Discount", exact: true }).click();
    await shown.getByLabel("Operator for Discount").and(page.locator("input")).click();
    await page.getByRole("option", { name: "is greater than" }).click();
    await shown.getByLabel("Value of Discount").fill("10");
    await shoot(page, "design-form");
    // Tab stops at one line of all, and the arrow keys lead through them.
    const line = details.getByRole("button", { name: /^Good until/ });
    await line.focus();
    await page.keyboard.press("ArrowUp");
    const focused = () => page.locator(":focus").evaluate((one) => one.getAttribute("aria-label") ?? one.textContent);
    expect(await focused()).toBe("Offered amount");
    await page.keyboard.press("End");
    expect(await focused()).toBe("Revision");
    await page.keyboard.press("Home");
    expect(await focused()).toMatch(/^Details/);
    // What moves the line, by the same keys, comes after it.
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Move Details, 1 of 4");
    await line.focus();
    const adds = page.getByRole("button", { name: "Add section" });
    const isThere = () => adds.evaluate((button) => button === document.activeElement);
    for (let tabs = 0; tabs < 4 && !(await isThere()); tabs += 1) await page.keyboard.press("Tab");
    expect(await isThere()).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByText("choose this section in the settings of a field").waitFor();
    await page.getByRole("button", { name: "Remove section", exact: false }).click();
    // To the very top, by the arrow keys.
    const handle = details.getByRole("button", { name: /^Move Good until/ });
    const place = async () => Number(/, (\d+) of/.exec((await handle.getAttribute("aria-label")) ?? "")?.[1]);
    await handle.focus();
    const before = await place();
    await page.keyboard.press("ArrowUp");
    await expect.poll(place).toBe(before - 1);
    // What no section names stands in the section of all others.
    await page.getByRole("button", { name: "Add all other fields" }).click();
    await details.getByRole("button", { name: "Description", exact: true }).click();
    await page
      .getByRole("region", { name: "Description settings" })
      .getByRole("button", { name: /^Remove/ })
      .click();
    await page.getByRole("list", { name: "Other" }).getByText("Description").waitFor();
    // Tab stops where it stood, and at the first line of those that are not in a section, which only the pointer drags.
    const stops = () => page.locator("[data-pick][tabindex='0']").allTextContents();
    await expect.poll(stops).toEqual([expect.stringMatching(/^Attachments/), "Description"]);
    expect(await page.getByRole("button", { name: /^Move Description/ }).count()).toBe(0);
    await shoot(page, "design-form-others");
    // The preview is the real form: it follows what is typed.
    await page.getByText("Preview", { exact: true }).click();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByLabel("Discount").waitFor();
    await expect.poll(() => preview.getByLabel("Good until").count()).toBe(0);
    await preview.getByLabel("Discount").fill("12");
    await preview.getByLabel("Good until").waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await heading(page, "Quotes: form").waitFor();
    // Of two who design it at once, the second learns what the first has changed.
    const token = await app.service.login();
    const id = new URL(page.url()).searchParams.get("id") ?? "";
    const stored = await app.service.get(`/core/forms/view.json?id=${id}`, token);
    const definition = JSON.parse(stored.body.data.forms.definition);
    await follow(page, `/core/forms/edit?id=${id}`);
    await page.getByRole("button", { name: "Add section" }).click();
    await page.locator(":focus").and(page.getByLabel("Heading")).waitFor();
    await page.keyboard.type("Mine");
    const [head] = definition.sections;
    const moved = head.elements.filter(({ field }: { field: string }) => ["valid_until", "discount"].includes(field));
    head.elements = head.elements.filter((one: unknown) => !moved.includes(one));
    definition.sections.push({ section: "Theirs", elements: moved });
    const theirs = { id, definition: JSON.stringify(definition) };
    const first = { data: { forms: theirs, action: { save_progress: "Save" } } };
    expect((await app.service.post("/core/forms/edit.json", first, token)).body.errors).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const conflict = page.getByRole("alert").filter({ hasText: "Someone else changed this record" });
    await conflict.getByText("Added: Mine").waitFor();
    await conflict.getByText("Added: Theirs").waitFor();
    await conflict.getByText(/^Moved: (Good until and Discount|Discount and Good until)$/).waitFor();
    await conflict.getByRole("button", { name: "Discard my changes" }).click();
    await conflict.waitFor({ state: "detached" });
    await page.locator("h1:focus").waitFor();
    await page.goto("/crm/quotes/add");
    await page.getByLabel("Discount").fill("5");
    expect(await page.getByLabel("Good until").count()).toBe(0);
    await page.getByLabel("Discount").fill("15");
    await page.getByLabel("Good until").waitFor();
    await page.getByLabel("Description").waitFor();
    // What a policy is for is known: its list doesn't cover the policy.
    await follow(page, "/access_controls/policies/add?record_type=crm/quotes");
    const named = page.getByRole("combobox", { name: "Record type" });
    await page.locator(":focus").and(named).waitFor();
    expect([await named.inputValue(), await named.getAttribute("aria-expanded")]).toEqual(["Quotes", "false"]);
    // A record type has one policy at most: whoever begins another is told at once, and led to it.
    const policy = JSON.stringify({ read: ["owner"], edit: ["owner"], delete: [], comment: [] });
    const data = { policies: { record_type: "crm/leads", policy }, action: { save_progress: "Save" } };
    const { body } = await app.service.post("/access_controls/policies/add.json", { data }, token);
    await page.getByRole("combobox", { name: "Can view" }).waitFor();
    await named.fill("Leads");
    await page.getByRole("option", { name: "Leads", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "Leads already have an access policy" }).waitFor();
    await page.getByRole("link", { name: "Open the existing policy" }).click();
    await page.waitForURL(`**/access_controls/policies/edit?id=${body.id}`);
    await page.getByRole("combobox", { name: "Can view" }).waitFor();
    expect(await page.getByText("already have an access policy").count()).toBe(0);
    // Of a policy, the second of two learns which rights the first has changed.
    await page.getByRole("button", { name: "Only the owner" }).click();
    const wider = JSON.stringify({ read: ["owner"], edit: ["owner"], delete: ["organization"], comment: [] });
    const other = { data: { policies: { id: body.id, policy: wider }, action: { save_progress: "Save" } } };
    expect((await app.service.post("/access_controls/policies/edit.json", other, token)).body.errors).toEqual([]);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await conflict.getByText("Changed: Can delete and Can comment", { exact: true }).waitFor();
    await conflict.getByText("Changed: Can delete", { exact: true }).waitFor();
    await app.service.post("/access_controls/policies/delete.json", { id: body.id, is_confirm: "1" }, token);
  });

  test("a workflow is drawn from its stages; what cannot work is said where it is, and records go its way", async () => {
    const page = await app.visit({ viewport: { width: 380, height: 800 }, colorScheme: "dark" });
    await enterQuickly(app, page, "/crm/companies/about?tab=design");
    await page.getByRole("link", { name: "New workflow" }).click();
    const stages = page.getByRole("list", { name: "Stages" });
    await page.getByRole("button", { name: "Add stage" }).click();
    // Whoever added it goes on with its name, letter by letter.
    await page.locator(":focus").and(page.getByLabel("Name")).waitFor();
    await page.keyboard.type("On hold");
    await stages
      .getByRole("button", { name: /^On hold/, expanded: true })
      .and(page.locator("[tabindex='0']"))
      .waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await stages
      .getByText("no transition leads here from the start; no transition leads out, and it is not an end stage")
      .waitFor();
    await look(page, "workflow-phone");
    await page.getByRole("button", { name: "Add a transition from Review" }).click();
    const way = page.getByRole("region", { name: /transition settings$/ });
    await page.locator(":focus").and(way.getByLabel("Label")).waitFor();
    await page.keyboard.type("Hold");
    // People may say why, unless that is not asked for.
    const reason = way.getByLabel("Reason", { exact: true }).and(page.locator("input"));
    expect(await reason.inputValue()).toBe("Optional");
    await reason.click();
    await page.getByRole("option", { name: "Not requested" }).click();
    // What is removed leaves the focus in the list.
    await page.getByRole("button", { name: "Add a transition from Review" }).click();
    await page.locator(":focus").and(way.getByLabel("Label")).waitFor();
    await way.getByRole("button", { name: "Remove transition" }).focus();
    await page.keyboard.press("Enter");
    await way.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest("ol")?.ariaLabel)).toBe("Stages");
    await page.getByRole("button", { name: "Add a transition from On hold" }).click();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("img", { name: /Review: .*Hold to On hold; On hold: Continue to Done/ }).waitFor();
    const token = await app.service.login();
    const saved = async () =>
      (await app.service.get("/core/workflows/stages.json?controller=crm/companies", token)).body.data;
    const names = async () => (await saved()).stages.map(({ name }: { name: string }) => name);
    // The drawing follows the draft; the save is done when the service says so.
    await expect.poll(names).toEqual(["Draft", "Review", "On hold", "Done"]);
    const hold = (await saved()).transitions.find(({ name }: { name: string }) => name === "hold");
    expect(hold.reason).toBe("none");
  });

  /** A workflow of people, changed by programs while somebody looks at its page. */
  const onboarding = async () => {
    const token = await app.service.login();
    const save = async (operation: string, values: object) => {
      const body = { data: { workflows: values, action: { save_progress: "Save" } } };
      const answer = await app.service.post(`/core/workflows/${operation}.json`, body, token);
      expect(answer.body.errors).toEqual([]);
      return answer.body.id;
    };
    /** Applies to new people until the test is over, however it ends. */
    const add = async (name: string, definition: string) => {
      const id = await save("add", { name, controller: "crm/peoples", definition });
      onTestFinished(() => save("edit", { id, is_active: "0" }));
      return id;
    };
    const [open, end] = [
      { key: "open", name: "Open", kind: "start", actors: ["owner"] },
      { key: "shut", name: "Shut", kind: "end" },
    ];
    const definition = (middle: string, name: string) =>
      JSON.stringify({
        stages: [open, { key: middle, name, actors: ["owner"] }, end],
        transitions: [
          { name: "ask", label: "Ask", from: "open", to: middle },
          { name: "agree", label: "Agree", from: middle, to: "shut" },
        ],
      });
    const post = async (operation: string, values: object, action: object) =>
      (await app.service.post(`/crm/peoples/${operation}.json`, { data: { peoples: values, action } }, token)).body;
    return { token, add, save, definition, post };
  };

  test("records on an earlier version of a workflow are counted on its page, and moved to the newest by keyboard", async () => {
    const { token, add, save, definition, post } = await onboarding();
    const id = await add("Onboarding", definition("check", "Check"));
    const people = [];
    for (const last_name of ["One", "Two", "Three"]) {
      people.push((await post("add", { last_name }, { save_progress: "Save" })).id);
    }
    await post("edit", { id: people[0] }, { ask: "Ask" });
    const page = await app.visit();
    await enterQuickly(app, page, `/core/workflows/view?id=${id}`);
    await heading(page, "Onboarding").waitFor();
    const button = page.getByRole("button", { name: "Move to version 2" });
    expect(await button.count()).toBe(0);
    await save("edit", { id, definition: definition("audit", "Audit") });
    await page.reload();
    await page.getByText("3 records are on earlier versions").waitFor();
    // What changed in a document is not told by the first of its characters.
    await page.getByText("changed Definition").waitFor();
    expect(await page.getByText('"stages"').count()).toBe(0);
    await look(page, "older-records");
    await button.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Move records to version 2?" });
    await dialog.getByRole("row", { name: /^Check Not in version 2 1/ }).waitFor();
    const kept = dialog.getByRole("combobox", { name: "New stage for Open" });
    expect(await kept.inputValue()).toBe("Open");
    await look(page, "move-records");
    await dialog.getByRole("button", { name: "Move records" }).focus();
    await page.keyboard.press("Enter");
    // Nothing is guessed for a stage that is gone.
    const gone = dialog.getByRole("combobox", { name: "New stage for Check" });
    await page.locator(":focus").and(gone).waitFor();
    const pointedAt = page.locator("[role=option][data-combobox-selected]");
    for (const stage of ["Open", "Audit"]) {
      await page.keyboard.press("ArrowDown");
      await expect.poll(() => pointedAt.allTextContents()).toEqual([stage]);
    }
    await page.keyboard.press("Enter");
    await expect.poll(() => gone.inputValue()).toBe("Audit");
    // Meanwhile the last record leaves that stage, and somebody else saves a version that nobody here has seen.
    await post("edit", { id: people[0] }, { agree: "Agree" });
    await post("edit", { id: people[1] }, { ask: "Ask" });
    await save("edit", { id, definition: definition("audit", "Examination") });
    await dialog.getByRole("button", { name: "Move records" }).focus();
    await page.keyboard.press("Enter");
    const renewed = page.getByRole("dialog", { name: "Move records to version 3?" });
    await renewed.getByRole("alert").getByText("Version 3 of this workflow has been saved meanwhile").waitFor();
    await renewed.getByRole("row", { name: /^Shut 1/ }).waitFor();
    const chosen = renewed.getByRole("combobox", { name: "New stage for Check" });
    expect(await chosen.inputValue()).toBe("Examination");
    await post("edit", { id: people[1] }, { agree: "Agree" });
    let letGo = (): void => undefined;
    const isLetGo = new Promise<void>((done) => {
      letGo = done;
    });
    await page.route("**/core/workflows/move_records.json*", async (route) => {
      await isLetGo;
      await route.continue();
    });
    const isAsked = page.waitForRequest("**/core/workflows/move_records.json*");
    await renewed.getByRole("button", { name: "Move records" }).focus();
    await page.keyboard.press("Enter");
    // Whoever closed it now would not learn what became of it.
    await isAsked;
    await renewed.getByRole("button", { name: "Cancel" }).and(page.locator(":disabled")).waitFor();
    await page.keyboard.press("Escape");
    letGo();
    await sees(page, "3 people moved");
    await renewed.waitFor({ state: "detached" });
    await page.getByText("on earlier versions").waitFor({ state: "detached" });
    await page.locator(":focus").and(heading(page, "Onboarding")).waitFor();
    const moved = await app.service.get(`/crm/peoples/view.json?id=${people[0]}`, token);
    expect(moved.body.workflow).toMatchObject({ version: "3", __stage: "Shut" });
  });

  test("many records on an earlier version are moved as a job; what became of it is told, with the way to those that stay", async () => {
    const { add, save, definition, post } = await onboarding();
    const id = await add("Many at once", definition("check", "Check"));
    const names = Array.from({ length: 1_003 }, (_, index) => ({ last_name: `Many ${index}` }));
    const many = await addRows(app.service, "crm/peoples", names);
    await app.service.db.run(sql`
      update crm__peoples set workflow_version = 1, owned_by = (select min(id) from access_controls__users), current_stage = (
        select n.id from core__workflow_nodes n where n.organization_id = 1 and n.workflow_id = ${id}::uuid and n.key = 'open')
      where organization_id = 1 and id = any(${many}::bigint[])`);
    await save("edit", { id, definition: definition("review", "Review") });
    const page = await app.visit();
    await enterQuickly(app, page, `/core/workflows/view?id=${id}`);
    await page.getByRole("button", { name: "Move to version 2" }).click();
    await app.service.db.transaction(async (transaction) => {
      // One that is moved: the job waits for it, and is not over before anybody sees it.
      await transaction.run(sql`
        select id from crm__peoples where organization_id = 1 and id = ${many[0] ?? ""}::bigint for update`);
      await page.getByRole("dialog").getByRole("button", { name: "Move records" }).click();
      await page.getByRole("button", { name: "Stop: Move 1,003 people" }).waitFor();
      // Its stage is gone in the version that it would move to.
      expect((await post("edit", { id: many.at(-1) }, { ask: "Ask" })).errors).toEqual([]);
    });
    await sees(page, "Move 1,003 people: Done, 1 failed");
    await page.getByText("1 record is on an earlier version").waitFor();
    await page.getByRole("link", { name: "Jobs" }).last().click();
    await heading(page, "Jobs").waitFor();
  });

  /** What is typed outlives a look elsewhere and a save under way; rows and the focus stay where they are. */
  async function translatesLink(page: Page): Promise<void> {
    const token = await app.service.login();
    const stored = async () => {
      const { body } = await app.service.get("/core/translations/wording.json?language=de", token);
      return body.data.labels.find(({ label }: { label: string }) => label === "Price list").translation;
    };
    await page.evaluate(() => history.pushState({}, "", "/administration?part=translations"));
    const german = page.getByLabel("Price list (German)");
    await german.fill("Preise");
    const language = page.getByLabel("Language", { exact: true }).and(page.locator("input"));
    await language.click();
    await page.getByRole("option", { name: "English" }).click();
    await page.getByLabel("Price list (English)").waitFor();
    await page.locator(":focus").and(language).waitFor();
    await page.evaluate(() => history.pushState({}, "", "/administration?part=navigation"));
    await page.getByRole("button", { name: "Save navigation" }).waitFor();
    await page.goBack();
    await expect.poll(() => german.inputValue()).toBe("Preise");
    let letGo = (): void => {};
    const typed = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route("**/core/translations/translate*", async (route) => {
      await typed;
      await route.continue();
    });
    const sent = page.waitForRequest("**/core/translations/translate*");
    await german.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Control+s");
    await sent;
    await page.keyboard.type("!");
    letGo();
    await expect.poll(stored).toBe("Preise");
    await page.getByRole("button", { name: "Save translations" }).and(page.locator("[aria-busy=false]")).waitFor();
    expect(await german.inputValue()).toBe("Preise!");
    for (const text of ["Preisliste", ""]) {
      await german.fill(text);
      await page.keyboard.press("Control+s");
      await expect.poll(async () => (await stored()) ?? "").toBe(text);
      await page.getByRole("button", { name: "Discard" }).waitFor({ state: "detached" });
      await page.locator(":focus").and(german).waitFor();
    }
    // A record type lists the labels that it shares with others too.
    await page.evaluate(() => history.pushState({}, "", "/administration?part=navigation"));
    await page.getByRole("button", { name: "Save navigation" }).waitFor();
    await page.evaluate(() => history.pushState({}, "", "/administration?part=translations&type=crm/quotes"));
    await page.getByLabel("Only untranslated").uncheck();
    await page.getByLabel("Created by (German)").waitFor();
    await german.waitFor({ state: "detached" });
    // A label of one's own is what one calls it; what ships is only suggested.
    const definition = {
      ...{ module: "crm", controller: "fees", label: "Feeling", plural: "Feelings", displayField: "rate" },
      fields: [{ name: "rate", label: "Rate", type: "short-text" }],
      access: { read: ["organization"], edit: [], delete: [], comment: [] },
    };
    const sentType = { definition: JSON.stringify(definition) };
    expect((await app.service.post("/metadata/record_types/save.json", sentType, token)).body.errors).toEqual([]);
    await page.goto("/administration?part=translations&type=crm/fees");
    await page.getByRole("button", { name: "Fill in 1 suggestion" }).click();
    await expect.poll(() => page.getByLabel("Rate (German)").inputValue()).toBe("Kurs");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Fill in 1 suggestion" }).waitFor();
  }

  test("the navigation is arranged by keyboard, from the list one is looking at, and saved as a whole", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/quotes/index");
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Customize navigation" }).click();
    const sidebar = page
      .getByRole("navigation", { name: "Navigation" })
      .getByRole("region", { name: /^(Sales|Deals)$/ });
    const names = () => sidebar.getByRole("listitem").allTextContents();
    const handle = page.getByRole("button", { name: /^Move Quotes, \d+ of \d+$/ });
    await handle.focus();
    for (let step = 0; step < 12; step += 1) {
      if ((await handle.getAttribute("aria-label"))?.startsWith("Move Quotes, 1 of")) break;
      await page.keyboard.press("ArrowUp");
    }
    await page.getByRole("button", { name: /^Quotes crm\/quotes/ }).click();
    await page.getByLabel("Name").fill("Offers");
    await page.locator("#content").getByRole("button", { name: "Sales", exact: true }).click();
    await page.getByLabel("Name").fill("Deals");
    await page.getByRole("button", { name: "Add a link to Deals" }).click();
    // Letter by letter: the input stays while the link gets its address.
    await page.getByLabel("Address").focus();
    await page.keyboard.type("https://example.com/prices");
    await page.getByLabel("Name").fill("Price list");
    await shoot(page, "design-navigation");
    await page.getByRole("button", { name: "Save navigation" }).click();
    await sees(page, "Navigation updated");
    await page
      .locator(":focus")
      .and(page.getByRole("button", { name: "Save navigation" }))
      .waitFor();
    await expect.poll(names).toEqual(expect.arrayContaining(["Offers", "Price list"]));
    expect((await names())[0]).toBe("Offers");
    await translatesLink(page);
    await page.evaluate(() => history.pushState({}, "", "/administration?part=navigation"));
    // And back, so that whoever comes after finds what they know.
    await page.getByRole("button", { name: /^Price list/ }).click();
    await page.getByRole("button", { name: "Remove link" }).click();
    await page.getByRole("button", { name: /^Offers crm\/quotes/ }).click();
    await page.getByLabel("Name").fill("Quotes");
    await page.locator("#content").getByRole("button", { name: "Deals", exact: true }).click();
    await page.getByLabel("Name").fill("Sales");
    await page.getByRole("button", { name: "Save navigation" }).click();
    await expect.poll(names).not.toContain("Price list");
  });

  test("a template is previewed, used, exported as a file that changes nothing, and rolled back", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/administration?part=designs");
    await page.getByRole("button", { name: "Use Issue tracker" }).click();
    const preview = page.getByRole("dialog", { name: "Preview of Issue tracker" });
    await preview.getByRole("heading", { name: "Record types" }).waitFor();
    await look(page, "template");
    await preview.getByRole("button", { name: "Apply design" }).click();
    await sees(page, "Issue tracker applied");
    const tracked = page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Issues" });
    await tracked.waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export design" }).click();
    const file = await (await download).path();
    await page.getByLabel("Import a design file").setInputFiles(file);
    await page.getByText("Nothing would change").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    // What a field leaves behind when it goes is listed.
    const design = JSON.parse(await readFile(file, "utf8"));
    const issues = design.files["record_types/issues.issues.json"];
    issues.fields = issues.fields.filter(({ name }: { name: string }) => name !== "kind");
    for (const { definition } of Object.values<{ definition?: { sections?: { elements: { field?: string }[] }[] } }>(
      design.files,
    ))
      for (const section of definition?.sections ?? [])
        section.elements = section.elements.filter(({ field }) => field !== "kind");
    const without = Buffer.from(JSON.stringify(design));
    await page
      .getByLabel("Import a design file")
      .setInputFiles({ name: "without.json", mimeType: "application/json", buffer: without });
    const used = page.getByRole("dialog").getByRole("region", { name: "Affected uses of fields" });
    await used.getByText("issues/issues.kind").waitFor();
    await used
      .getByText(/continues without/)
      .first()
      .waitFor();
    await look(page, "plan-uses");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page
      .getByLabel("Import a design file")
      .setInputFiles({ name: "design.json", mimeType: "application/json", buffer: Buffer.from("{]") });
    await page.getByRole("dialog").getByRole("alert").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

    // The records that came along count as a loss.
    await page.getByRole("button", { name: "Roll back Issue tracker?" }).click();
    const asked = page.getByRole("dialog", { name: "Roll back Issue tracker?" });
    await asked.getByRole("button", { name: "Roll back" }).click();
    await asked.getByLabel("Remove these values").waitFor();
    await shoot(page, "design-roll-back");
    await asked.getByLabel("Remove these values").check();
    await asked.getByRole("button", { name: "Roll back" }).click();
    await sees(page, "Design rolled back");
    await tracked.waitFor({ state: "detached" });
  });
});
