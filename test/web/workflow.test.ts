// A record on its way: the bar of its stages, what one may do, what a transition asks for, the log, and my work.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { addPerson, type Person } from "../http/people.ts";
import { type App, enterQuickly, expectAccessible, heading, openApp, sees, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";

inBrowser("a record on its way", () => {
  let app: App;
  let rep: Person;
  const SAVE = { save_progress: "Save" };
  const post = (type: string, operation: string, values: object, action: object, token: string) =>
    app.service.post(`/${type}/${operation}.json`, { data: { [type.split("/")[1] ?? ""]: values, action } }, token);
  const add = async (type: string, values: object) => (await post(type, "add", values, SAVE, rep.token)).body.id;
  const stage = async (type: string, id: string) =>
    (await app.service.get(`/${type}/view.json?id=${id}`, await app.service.login())).body.workflow.__stage;

  beforeAll(async () => {
    app = await openApp();
    rep = await addPerson(app.service, "rita", ["sales_rep"]);
    await addPerson(app.service, "mona", ["sales_manager"]);
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("moves on by a button, asks for what is missing, and tells how it came there", async () => {
    const id = await add("crm/leads", { first_name: "Ivo", last_name: "Larch" });
    await app.service.db.run(
      sql`update crm__leads set stage_since = stage_since - interval '2 days' where id = ${id}::bigint`,
    );
    const page = await app.visit();
    await enterQuickly(app, page, `/crm/leads/view?id=${id}`, "rita");
    await heading(page, "Ivo Larch").waitFor();
    const bar = page.getByRole("region", { name: "Workflow Leads" });
    await bar.getByText("Your action needed · in this stage for 2 days").waitFor();
    const current = bar.locator("[aria-current=step]");
    await expect.poll(() => current.textContent()).toBe("New");
    await expectAccessible(page);
    await bar.getByRole("button", { name: "Qualify", exact: true }).click();
    await sees(page, "Moved to Qualified");
    // A plain move is undone without a question.
    await page.keyboard.press("Control+z");
    await sees(page, "Qualify undone");
    await expect.poll(() => current.textContent()).toBe("New");
    await bar.getByRole("button", { name: "Qualify", exact: true }).click();
    await expect.poll(() => current.textContent()).toBe("Qualified");
    // What was passed over is not painted as done.
    await bar.locator("li[data-state=before]", { hasText: "New" }).waitFor();
    await bar.locator("li[data-state=skipped]", { hasText: "Contacted" }).waitFor();
    // An action leads back: no button is needed beside it.
    expect(await bar.getByRole("button", { name: "Undo Qualify" }).count()).toBe(0);
    await bar.getByRole("button", { name: "Convert" }).click();
    const dialog = page.getByRole("dialog", { name: "Convert" });
    await dialog.getByLabel("Company").waitFor();
    // Not every record type has a field "Status": it is a stage that the record goes to.
    await dialog.getByText("Next stage: Converted").waitFor();
    await shoot(page, "workflow-dialog");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Convert" }).click();
    await sees(page, /Company is required/);
    await dialog.getByLabel("Company").fill("Larch & Sons");
    await dialog.getByRole("button", { name: "Convert" }).click();
    await sees(page, "Moved to Converted");
    expect(await stage("crm/leads", id)).toBe("Converted");
    // The step created records, so the shortcut asks before it deletes them.
    const question = page.getByRole("dialog", { name: "Undo Convert?" });
    await page.keyboard.press("Control+z");
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    expect(await stage("crm/leads", id)).toBe("Converted");
    await bar.getByRole("button", { name: "Undo Convert" }).click();
    await question.getByRole("button", { name: "Undo Convert" }).click();
    await sees(page, "Convert undone");
    expect(await stage("crm/leads", id)).toBe("Qualified");
    // Undone already, by another way: nothing else is.
    await page.keyboard.press("Control+z");
    await question.getByRole("button", { name: "Undo Convert" }).click();
    await sees(page, /Another step was taken since/);
    expect(await stage("crm/leads", id)).toBe("Qualified");
    const company = await add("crm/companies", { name: "Larch & Sons" });
    await post("crm/leads", "edit", { id, company_name: "Larch & Sons" }, SAVE, rep.token);
    await page.reload();
    await bar.getByRole("button", { name: "Convert" }).click();
    await dialog.getByRole("radio", { name: "Use Larch & Sons" }).check();
    await dialog.getByRole("radio", { name: "Don't create one" }).check();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Convert" }).click();
    const converted = async () => (await app.service.get(`/crm/leads/view.json?id=${id}`, rep.token)).body.data.leads;
    await expect
      .poll(converted)
      .toMatchObject({ status: "converted", converted_company_id: company, converted_opportunity_id: null });
    await page.getByRole("button", { name: "Stages" }).click();
    await page.getByText("rita set the stage to New").waitFor();
    await page.getByText("rita moved this to Converted").first().waitFor();
    await shoot(page, "workflow-record");
    // No action leads back from here, though one leads on.
    const definition = {
      stages: [
        { key: "open", name: "Open", kind: "start" },
        { key: "active", name: "Active" },
        { key: "closed", name: "Closed", kind: "end" },
      ],
      transitions: [
        { name: "activate", label: "Activate", from: "open", to: "active", undo: true },
        { name: "close", label: "Close", from: "active", to: "closed" },
      ],
    };
    const values = {
      name: "Firms",
      controller: "crm/companies",
      is_active: "1",
      definition: JSON.stringify(definition),
    };
    await post("core/workflows", "add", values, SAVE, await app.service.login());
    const firm = await add("crm/companies", { name: "One way" });
    await post("crm/companies", "edit", { id: firm }, { activate: "Activate" }, rep.token);
    await page.goto(`/crm/companies/view?id=${firm}`);
    const way = page.getByRole("region", { name: "Workflow Firms" });
    await way.getByRole("button", { name: "Close" }).waitFor();
    await way.getByRole("button", { name: "Undo Activate" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo Activate" }).click();
    await sees(page, "Activate undone");
    expect(await stage("crm/companies", firm)).toBe("Open");
  });

  test("asks for a field that the form of one's own doesn't have, and begins there", async () => {
    const admin = await app.service.login();
    const definition = {
      module: "crm",
      controller: "checks",
      label: "Check",
      plural: "Checks",
      displayField: "name",
      fields: [
        { name: "name", type: "short-text" },
        { name: "remarks", type: "long-text" },
      ],
      access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
    };
    await app.service.post("/metadata/record_types/save.json", { definition: JSON.stringify(definition) }, admin);
    const own = { name: "Own", controller: "crm/checks" };
    const form = JSON.stringify({ sections: [{ section: "All", elements: [{ field: "name" }] }] });
    await post("core/forms", "add", { ...own, definition: form, is_default: "1" }, SAVE, admin);
    const steps = JSON.stringify({
      stages: [
        { key: "open", name: "Open", kind: "start", actors: ["owner"] },
        { key: "shut", name: "Shut", kind: "end" },
      ],
      transitions: [{ name: "shut", label: "Shut", from: "open", to: "shut", required: ["remarks"] }],
    });
    await post("core/workflows", "add", { ...own, definition: steps, is_active: "1" }, SAVE, admin);
    const { id } = (await post("crm/checks", "add", { name: "Roof" }, SAVE, admin)).body;
    const page = await app.visit();
    await enterQuickly(app, page, `/crm/checks/view?id=${id}`);
    await page.getByRole("button", { name: "Shut" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Shut" });
    await page.locator(":focus").and(dialog.getByLabel("Remarks")).waitFor();
    await page.keyboard.type("Dry");
    await dialog.getByRole("button", { name: "Shut" }).click();
    await sees(page, "Moved to Shut");
    expect(await stage("crm/checks", id)).toBe("Shut");
  });

  test("what waits for somebody is their work, until they have decided", async () => {
    const id = await add("crm/quotes", { name: "Ten desks", amount: "5000", discount: "20" });
    await post("crm/quotes", "edit", { id }, { submit: "Submit" }, rep.token);
    const page = await app.visit();
    await enterQuickly(app, page, "/", "mona");
    await page.getByRole("link", { name: "My work, 1 waiting" }).click();
    await heading(page, "My work").waitFor();
    await shoot(page, "my-work");
    await page.getByRole("link", { name: /Ten desks/ }).click();
    const bar = page.getByRole("region", { name: "Workflow Quotes" });
    await bar.getByRole("button", { name: "Reject" }).click();
    const dialog = page.getByRole("dialog", { name: "Reject" });
    await dialog.getByLabel("Reason").fill("Too much for ten desks");
    await dialog.getByRole("button", { name: "Reject" }).click();
    await sees(page, "Moved to Draft");
    await page.getByRole("link", { name: "My work", exact: true }).click();
    await sees(page, "You're all caught up");
    expect(await stage("crm/quotes", id)).toBe("Draft");
  });

  test("on a phone; and what somebody else did meanwhile is said, not overwritten", async () => {
    const id = await add("crm/leads", { first_name: "Una", last_name: "Alder" });
    const page = await app.visit({ viewport: { width: 380, height: 740 } });
    await enterQuickly(app, page, `/crm/leads/view?id=${id}`, "rita");
    await heading(page, "Una Alder").waitFor();
    const bar = page.getByRole("region", { name: "Workflow Leads" });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(wide).toBe(false);
    await expectAccessible(page);
    await shoot(page, "workflow-phone");
    await post("crm/leads", "edit", { id }, { contact: "Contact" }, rep.token);
    await bar.getByRole("button", { name: "Qualify", exact: true }).click();
    await sees(page, /This record has moved to Contacted/);
    await expect.poll(() => bar.locator("[aria-current=step]").textContent()).toBe("Contacted");
    await page.goto("/core/workflows/my_work");
    await heading(page, "My work").waitFor();
    await page.getByRole("link", { name: /Una Alder/ }).waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot(page, "my-work-phone");
  });
});
