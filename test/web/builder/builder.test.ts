// A company makes inspections of its own: what its designers are offered and told on the way, and what its people meet in the forms.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addPerson } from "../../http/people.ts";
import { type App, enterQuickly, expectAccessible, openApp, sees } from "../app.ts";
import { inBrowser } from "../browser.ts";

const OPEN = { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] };

/** Inspections with findings as rows, the open ones counted. */
const inspections = {
  module: "safety",
  controller: "inspections",
  label: "Inspection",
  plural: "Inspections",
  displayField: "name",
  fields: [
    { name: "name", label: "Name", type: "short-text", required: true },
    {
      name: "result",
      label: "Result",
      type: "choice",
      settings: {
        options: [
          { value: "passed", label: "Passed" },
          { value: "failed", label: "Failed" },
        ],
      },
    },
    { name: "next_due", label: "Next due", type: "date" },
    { name: "remarks", label: "Remarks", type: "long-text" },
    {
      name: "open_findings",
      label: "Open findings",
      type: "integer",
      computed: {
        kind: "roll-up",
        type: "safety/findings",
        via: "inspection",
        function: "count",
        where: "not closed",
      },
    },
  ],
  associations: [{ kind: "has-many", name: "findings", type: "safety/findings", via: "inspection", owned: true }],
  rules: [
    {
      name: "due",
      formula: 'result is empty or result != "passed" or next_due is not empty',
      message: "A passed inspection needs a next due date",
    },
  ],
  access: OPEN,
};
const findings = {
  module: "safety",
  controller: "findings",
  label: "Finding",
  plural: "Findings",
  hidden: true,
  displayField: "name",
  fields: [
    { name: "name", label: "Name", type: "short-text" },
    { name: "closed", label: "Closed", type: "flag" },
    { name: "inspection", label: "Inspection", type: "reference", settings: { to: "safety/inspections" } },
  ],
  access: OPEN,
};

inBrowser("a type of one's own", () => {
  let app: App;
  let token: string;
  const save = async (path: string, body: object) => {
    const answer = await app.service.post(path, body, token);
    expect(answer.body.errors).toEqual([]);
    return answer.body;
  };
  beforeAll(async () => {
    app = await openApp();
    token = await app.service.login();
    const design = (given: object) => save("/metadata/record_types/save.json", { definition: JSON.stringify(given) });
    const { associations: _, fields, ...alone } = inspections;
    await design({ ...alone, fields: fields.filter(({ name }) => name !== "open_findings") });
    await design(findings);
    await design(inspections);
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("its designer is offered what can be used, and told what is wrong by the names on the screen", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/metadata/record_types/view?key=safety/inspections");
    await page.getByRole("button", { name: "Add field" }).click();
    await page.getByLabel("Find a type").fill("reference");
    await page.keyboard.press("Enter");
    await page.locator(":focus").and(page.getByLabel("Label")).waitFor();
    await page.keyboard.type("Asset");
    // Nobody knows yet what could be a default.
    const asset = page.getByRole("region", { name: "Asset settings" });
    await asset.getByLabel("Refers to").first().waitFor();
    expect(await asset.getByText("Default value").count()).toBe(0);
    await page.getByRole("button", { name: "Asset menu" }).click();
    await page.getByRole("menuitem", { name: "Remove field" }).click();
    await page.getByRole("button", { name: "Open findings Roll-up" }).click();
    await page.getByRole("textbox", { name: "Condition" }).fill("closed = no");
    await page.getByRole("button", { name: "Save design" }).click();
    await page.getByRole("button", { name: "Open findings · Calculation there is no field no" }).waitFor();
    await page.getByRole("textbox", { name: "Condition" }).fill("not closed");
    // A rule is checked before such a value is known.
    await page.getByRole("tab", { name: "Rules" }).click();
    const offered = page.getByRole("group", { name: "Insert a field" });
    await offered.getByRole("button", { name: "Next due" }).waitFor();
    expect(await offered.getByRole("button", { name: "Open findings" }).count()).toBe(0);
  });

  test("its workflow is designed by keyboard, with what is wrong said in the words of the sheet", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/safety/inspections/about?tab=design");
    await page.getByRole("link", { name: "New workflow" }).click();
    await page.getByRole("button", { name: "Submit Review" }).click();
    const sheet = page.getByRole("region", { name: /transition settings$/ });
    await sheet.getByRole("combobox", { name: "Required fields" }).click();
    await page.getByRole("option", { name: "Result" }).waitFor();
    // Nobody can fill it in.
    expect(await page.getByRole("option", { name: "Open findings" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    const add = async (effect: string) => {
      await sheet.getByRole("button", { name: "Add effect: Effects" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: effect }).press("Enter");
    };
    await add("Send an email");
    await page
      .locator(":focus")
      .and(sheet.getByRole("combobox", { name: "To" }))
      .waitFor();
    await sheet.getByRole("textbox", { name: "Subject" }).fill("{{nothing}}");
    await sheet.getByRole("textbox", { name: "Text", exact: true }).fill("Hello");
    await add("Set fields");
    await page
      .locator(":focus")
      .and(sheet.getByRole("combobox", { name: "Add field…" }))
      .waitFor();
    await page.keyboard.type("Remarks");
    await page.keyboard.press("Enter");
    const value = sheet.getByRole("textbox", { name: "New value for Remarks" });
    await value.fill("On site");
    await sees(page, 'Put text in quotes: "On site"');
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const stages = page.getByRole("list", { name: "Stages" });
    await stages.getByText("Effects 1 · Subject: Inspection has no field nothing").waitFor();
    await stages.getByText("Effects 2 · Remarks: ").waitFor();
    await page.getByRole("button", { name: "Definition has problems, marked below" }).waitFor();
    await expectAccessible(page);
  });

  test("actors whom no role lets edit are told where they are chosen; the option that an effect sets is picked", async () => {
    await addPerson(app.service, "sam", ["support"]);
    const page = await app.visit();
    await enterQuickly(app, page, "/core/workflows/add?controller=safety/inspections&name=Ways");
    await page.getByRole("button", { name: "Review 1 actor" }).click();
    const sheet = page.getByRole("region", { name: /settings$/ });
    await sheet.getByRole("status").filter({ hasText: "No role can edit inspections yet" }).waitFor();
    const operations = [{ record_type: "safety/inspections", operations: "index;view;edit" }];
    const clerk = { name: "Clerk", code: "clerk", operations };
    await save("/access_controls/roles/add.json", { data: { roles: clerk, action: { save_progress: "Save" } } });
    await page.reload();
    await page.getByRole("button", { name: "Review 1 actor" }).click();
    const actors = sheet.getByRole("combobox", { name: "Actors" });
    await actors.click();
    await page.getByRole("option", { name: "The role Clerk" }).click();
    await page.keyboard.press("Escape");
    await sheet.getByText("The role Clerk").waitFor();
    expect(await sheet.getByRole("status").count()).toBe(0);
    await actors.click();
    await page.getByRole("option", { name: "The role Support" }).click();
    await page.keyboard.press("Escape");
    await sheet.getByRole("status").filter({ hasText: "Support can't edit inspections" }).waitFor();
    await page.getByRole("button", { name: "Approve Done" }).click();
    await sheet.getByRole("button", { name: "Add effect: Effects" }).click();
    await page.getByRole("menuitem", { name: "Set fields" }).click();
    await sheet.getByRole("combobox", { name: "Add field…" }).click();
    await page.getByRole("option", { name: "Result" }).click();
    const value = sheet.getByLabel("New value for Result");
    await value.click();
    await page.getByRole("option", { name: "Passed" }).click();
    expect(await value.inputValue()).toBe('"passed"');
    await expectAccessible(page);
  });

  test("a press on a button counts though the words about the field that it leaves move it away", async () => {
    const page = await app.visit({ viewport: { width: 390, height: 1200 } });
    await enterQuickly(app, page, "/safety/inspections/add");
    await page.getByRole("textbox", { name: "Name" }).fill("Forklift");
    await page.getByRole("combobox", { name: "Result" }).click();
    await page.getByRole("option", { name: "Passed" }).click();
    const add = page.getByRole("button", { name: "Add finding" });
    const place = await add.boundingBox();
    if (place === null) throw new Error("There is no button to press");
    // As a hand does it: down, and up some time later, when everything is drawn again.
    await page.mouse.move(place.x + place.width / 2, place.y + 2);
    await page.mouse.down();
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await page.mouse.up();
    await page.getByRole("textbox", { name: "Name, row 1" }).waitFor();
    await sees(page, "A passed inspection needs a next due date");
  });

  test("whoever it waits for but no role lets edit is told so, instead of being offered what is refused", async () => {
    const definition = JSON.stringify({
      stages: [
        { key: "open", name: "Open", kind: "start", actors: ["owner"] },
        { key: "shut", name: "Shut", kind: "end" },
      ],
      transitions: [{ name: "shut", label: "Shut it", from: "open", to: "shut" }],
    });
    const action = { save_progress: "Save" };
    const workflows = { name: "Ways of inspections", controller: "safety/inspections", definition };
    await save("/core/workflows/add.json", { data: { workflows, action } });
    const rita = await addPerson(app.service, "rita", ["sales_rep"]);
    const owned = { name: "Hers", owned_by: rita.id };
    const { id } = await save("/safety/inspections/add.json", { data: { inspections: owned, action } });
    const page = await app.visit();
    await enterQuickly(app, page, `/safety/inspections/view?id=${id}`, "rita");
    const bar = page.getByRole("region", { name: "Workflow Ways of inspections" });
    await bar.getByText("None of your roles allows editing Inspections").waitFor();
    expect(await bar.getByRole("button", { name: "Shut it" }).count()).toBe(0);
  });

  test("a link in the navigation leads somewhere, and what is not saved yet is there when one comes back", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/administration?part=navigation");
    await page.getByRole("button", { name: "Add a link to Sales" }).click();
    await page.locator(":focus").and(page.getByLabel("Name")).waitFor();
    await page.keyboard.type("Handbook");
    const address = page.getByLabel("Address");
    await address.fill("javascript:alert(1)");
    await sees(page, "Enter an address that starts with https:// or http://, or a path of this app");
    const save = page.getByRole("button", { name: "Save navigation" });
    expect(await save.isDisabled()).toBe(true);
    await address.fill("https://example.org/handbook");
    await page.getByRole("link", { name: "Translations", exact: true }).click();
    await page.getByRole("heading", { name: "Translations" }).waitFor();
    await page.getByRole("link", { name: "Navigation", exact: true }).click();
    await page.getByRole("button", { name: /^Handbook/ }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: /^Handbook/ }).waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: /^Handbook/ }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: "Add a link to Sales" }).waitFor();
    expect(await page.getByRole("button", { name: /^Handbook/ }).count()).toBe(0);
  });

  test("whoever saves the navigation second is told what changed, and goes on with both", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/administration?part=navigation");
    await page.getByRole("button", { name: "Add a link to Sales" }).click();
    await page.keyboard.type("Handbook");
    await page.getByLabel("Address").fill("https://example.org/handbook");
    const read = async () => (await app.service.get("/development_base/menus/navigation.json", token)).body.data;
    const { modules, revision } = await read();
    const bare = ({ controller: _c, plural: _p, is_setup: _s, ...entry }: Record<string, unknown>) => entry;
    const renamed = modules.map(({ is_own: _, ...one }: { name: string; is_own: boolean; entries: [] }) => ({
      ...one,
      ...(one.name === "crm" ? { label: "Selling" } : {}),
      entries: one.entries.map(bare),
    }));
    await save("/development_base/menus/arrange.json", { navigation: JSON.stringify(renamed), revision });
    const press = page.getByRole("button", { name: "Save navigation" });
    await press.click();
    const notice = page.getByRole("alert").filter({ hasText: "They changed: Selling." });
    await page.locator(":focus").and(notice).waitFor();
    await page.getByRole("button", { name: /^Handbook/ }).waitFor();
    await press.click();
    await sees(page, "Navigation updated");
    const stored = (await read()).modules.find(({ name }: { name: string }) => name === "crm");
    expect(stored.label).toBe("Selling");
    expect(stored.entries.map(({ label }: { label: string }) => label)).toContain("Handbook");
  });

  test("a condition that is half filled in is still there when the window is resized", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/core/workflows/add?controller=safety/inspections&name=Ways");
    await page.getByRole("button", { name: "Approve Done" }).click();
    const sheet = page.getByRole("region", { name: /transition settings$/ });
    await sheet.getByRole("group", { name: "Available when" }).getByRole("button", { name: "Add condition" }).click();
    await sheet.getByRole("combobox", { name: "Field", exact: true }).click();
    await page.getByRole("option", { name: "Remarks" }).click();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const within = page.getByRole("list", { name: "Stages" }).getByRole("region", { name: /transition settings$/ });
      await expect.poll(() => within.count()).toBe(width < 1000 ? 1 : 0);
      await expect.poll(() => sheet.getByRole("combobox", { name: "Field", exact: true }).inputValue()).toBe("Remarks");
    }
  });

  test("a condition that is begun for one section of a form is not there at another", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/quotes/about?tab=design");
    await page.getByRole("link", { name: "New form" }).click();
    await page
      .locator("[data-canvas]")
      .getByRole("button", { name: /^Details/ })
      .click();
    const sheet = page.getByRole("region", { name: "Section settings" });
    const shown = sheet.getByRole("group", { name: "Shown when" });
    await shown.getByRole("button", { name: "Add condition" }).click();
    await shown.getByRole("combobox", { name: "Field", exact: true }).waitFor();
    await page.getByRole("button", { name: "Add section" }).click();
    await expect.poll(() => sheet.getByLabel("Heading").inputValue()).toBe("New section");
    expect(await shown.getByRole("combobox").count()).toBe(0);
  });

  test("with a finger, everything that is pressed in a designer has room for it", async () => {
    const page = await app.visitApart({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await enterQuickly(app, page, "/metadata/record_types/view?key=safety/inspections");
    await page.getByRole("button", { name: /^Result Choice/ }).click();
    await page.getByRole("button", { name: "Remove Passed" }).waitFor();
    const low = page.locator("[data-designer] :is(button, input[type=text])").filter({ visible: true });
    const heights = await low.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect([heights.length > 10, heights.filter((height) => height < 40)]).toEqual([true, []]);
  });

  test("the permissions of a role are one stop of the Tab key, with arrow keys within", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/administration?part=roles");
    const matrix = page.getByRole("region", { name: /^Permissions of / });
    const box = (name: string) => matrix.getByRole("checkbox", { name, exact: true });
    const focused = (name: string) => page.locator(":focus").and(box(name)).waitFor();
    await box("All others: List").waitFor();
    await matrix.focus();
    await page.keyboard.press("Tab");
    await focused("All others: List");
    await page.keyboard.press("ArrowRight");
    await focused("All others: View");
    await page.keyboard.press("ArrowDown");
    await focused("Companies: View");
    await page.keyboard.press("End");
    await page.keyboard.press("Home");
    await focused("Companies: List");
    // Its line gets settings of its own, and a button; both keep the focus where one is.
    const follow = matrix.getByRole("button", { name: "Companies: use “All others”" });
    if ((await follow.count()) === 0) await page.keyboard.press("Space");
    await page.keyboard.press("End");
    await page.locator(":focus").and(follow).waitFor();
    await page.keyboard.press("Enter");
    await follow.waitFor({ state: "detached" });
    await focused("Companies: List");
    // One Tab leads out of it, and one back to where one was.
    await page.keyboard.press("Tab");
    expect(await matrix.locator(":focus").count()).toBe(0);
    await page.keyboard.press("Shift+Tab");
    await focused("Companies: List");
    await expectAccessible(page);
  });
});
