// The screen while others work: what they change is there by itself, and what one types, selects or looks at stays.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addPerson, addRows } from "../../http/people.ts";
import { type App, enterQuickly, expectAccessible, openApp, phoneFaults, sees, shoot } from "../app.ts";
import { addLeads, field } from "../leads.ts";

let app: App;
let token: string;
let ids: string[];

const edit = async (id: string | undefined, values: object) => {
  const { body } = await app.service.post(
    "/crm/leads/edit.json",
    { data: { leads: { id, ...values }, action: { save_progress: "Save" } } },
    token,
  );
  expect(body.errors).toEqual([]);
};

beforeAll(async () => {
  app = await openApp();
  token = await app.service.login();
  ids = await addLeads(app.service);
});
afterEach(() => app.leave());
afterAll(() => app.stop());

test("a list, a record and what is typed, while somebody else edits", { timeout: 90_000 }, async () => {
  const page = await app.visit();
  await enterQuickly(app, page, "/crm/leads/index");
  const row = (one: string) => page.getByRole("row", { name: new RegExp(one) });
  await row("Tove Elm").waitFor();
  await page.waitForResponse((response) => response.url().includes("/core/changes/"));
  await row("Tove Birch").getByRole("checkbox").click();
  await edit(ids[3], { last_name: "Oak" });
  await row("Tove Oak").waitFor();
  expect(await row("Tove Birch").getByRole("checkbox").isChecked()).toBe(true);

  // A record that comes in above takes nothing from the cell that is edited, from the focus and from the range.
  const cells = row("Tove Cedar").getByRole("gridcell");
  const company = cells.filter({ hasText: "Lindqvist Timber" });
  await company.dblclick();
  const input = row("Tove Cedar").getByRole("textbox");
  await input.fill("Cedar Boa");
  const top = await row("Tove Cedar").getAttribute("aria-rowindex");
  await addRows(app.service, "crm/leads", [
    { first_name: "Aaron", last_name: "Aas", name: "Aaron Aas", company_name: "Fjord", status: "new" },
  ]);
  await row("Aaron Aas").waitFor();
  expect(Number(await row("Tove Cedar").getAttribute("aria-rowindex"))).toBe(Number(top) + 1);
  await page.keyboard.type("ts");
  expect(await input.inputValue()).toBe("Cedar Boats");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+ArrowDown");
  await addRows(app.service, "crm/leads", [
    { first_name: "Aaron", last_name: "Aak", name: "Aaron Aak", company_name: "Fjord", status: "new" },
  ]);
  await row("Aaron Aak").waitFor();
  const inRange = page.locator("[role=gridcell][aria-selected=true]");
  expect(await inRange.count()).toBe(2);
  expect(await row("Tove Cedar").locator("[role=gridcell][aria-selected=true]").count()).toBe(1);
  expect(await page.evaluate(() => document.activeElement?.closest("[role=row]")?.textContent)).toContain("Tove");

  await page.goto(`/crm/leads/view?id=${ids[4]}`);
  await sees(page, "Tove Fir");
  const comment = page.getByRole("combobox", { name: "Write a comment" });
  await comment.fill("Half a sen");
  await page.waitForResponse((response) => response.url().includes("/core/changes/"));
  await edit(ids[4], { last_name: "Pine" });
  await page.getByRole("heading", { name: /Tove Pine/ }).waitFor();
  expect(await comment.inputValue()).toBe("Half a sen");

  // Who else is there: seen here as they come, edit and go; and the other way round.
  const colleague = await addPerson(app.service, "yuki", ["administrator"]);
  const look = async (query: string) =>
    (await app.service.get(`/core/changes/index.json?tab=c&${query}`, colleague.token)).body.data.present;
  const place = `record=crm/leads/${ids[4]}`;
  await look(place);
  await page.getByRole("button", { name: "yuki is viewing this record" }).hover();
  await page.getByRole("tooltip").getByText("yuki is viewing this record").waitFor();
  await look(`${place}&doing=edit`);
  const editing = page.getByRole("button", { name: "yuki is editing this record" });
  await editing.waitFor();
  await shoot(page, "presence");
  await expectAccessible(page);
  expect(await comment.inputValue()).toBe("Half a sen");
  await expect.poll(() => look(place)).toEqual([expect.objectContaining({ doing: "view" })]);
  await look("");
  await editing.waitFor({ state: "detached" });

  await page.goto(`/crm/leads/edit?id=${ids[5]}`);
  const name = field(page, "First name");
  await name.fill("Solveig");
  await page.waitForResponse((response) => response.url().includes("/core/changes/"));
  await edit(ids[5], { last_name: "Yew" });
  await page.waitForResponse((response) => response.url().includes("/core/changes/"));
  expect(await name.inputValue()).toBe("Solveig");
  const form = `record=crm/leads/${ids[5]}`;
  await expect.poll(() => look(`${form}&doing=edit`)).toEqual([expect.objectContaining({ doing: "edit" })]);
  await sees(page, "yuki is editing this record too");
  await shoot(page, "presence-edit");
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await phoneFaults(page)).toEqual([]);
  await shoot(page, "presence-phone");
  expect(await name.inputValue()).toBe("Solveig");
  await page.goto("/crm/leads/index");
  await expect.poll(() => look(form)).toEqual([]);
});

test("a design that is changed elsewhere: a new column and the label of an option are there without a reload", async () => {
  const design = async (label: string, more: readonly object[]) => {
    const level = { name: "level", type: "choice", settings: { options: [{ value: "level_1", label }] } };
    const definition = {
      module: "crm",
      controller: "courses",
      label: "Course",
      plural: "Courses",
      displayField: "name",
      fields: [{ name: "name", type: "short-text" }, level, ...more],
      access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
    };
    const sent = { definition: JSON.stringify(definition) };
    expect((await app.service.post("/metadata/record_types/save.json", sent, token)).body.errors).toEqual([]);
  };
  await design("First level", []);
  const values = { data: { courses: { name: "Joinery", level: "level_1" }, action: { save_progress: "Save" } } };
  const { body } = await app.service.post("/crm/courses/add.json", values, token);
  expect(body.errors).toEqual([]);
  const page = await app.visit();
  await enterQuickly(app, page, "/crm/courses/index");
  await page.getByRole("gridcell", { name: "First level" }).waitFor();
  await page.waitForResponse((response) => response.url().includes("/core/changes/"));
  await design("Top level", [{ name: "grade", type: "integer" }]);
  await page.getByRole("gridcell", { name: "Top level" }).waitFor();
  await page.getByRole("columnheader", { name: /^Grade/ }).waitFor();
});
