// The page of a record type: its fields, its connections, who may do what.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type App, enterQuickly, heading, openApp, sees } from "./app.ts";
import { inBrowser } from "./browser.ts";

inBrowser("the page of a record type", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("is reached from the list: its fields are listed and filtered, who may do what is told, and connections lead on", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/leads/index");
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "About Leads" }).click();
    await page.getByRole("tab", { name: "Fields" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/crm/leads/about");
    const row = page.getByRole("row", { name: /^Last name/ });
    await row.waitFor();
    expect(await row.textContent()).toMatch(/last_name.*Text.*Required.*Searchable.*Sortable/);
    const token = await app.service.login();
    const schema = await app.service.get("/metadata/schema/index.json?search_controller=crm/leads", token);
    const total = schema.body.data.schema.length;
    await sees(page, `${total} of ${total}`);
    await page.getByLabel("Filter fields").fill("NAME text");
    await sees(page, new RegExp(`^[1-9]\\d? of ${total}$`));
    expect(await page.getByRole("row", { name: /^Phone/ }).count()).toBe(0);
    await page.getByLabel("Filter fields").fill("zzz");
    await sees(page, "No fields match “zzz”.");
    await page.keyboard.press("Escape");
    await sees(page, `${total} of ${total}`);
    // The policy in sentences, the roles as a matrix.
    await page.getByRole("tab", { name: "Permissions" }).click();
    await sees(page, /The owner.* can view it\./);
    const matrix = page.getByRole("region", { name: "Roles and actions" });
    const allowed = (name: string) =>
      matrix
        .getByRole("row", { name: new RegExp(`^${name}`) })
        .getByRole("img", { name: "Allowed", exact: true })
        .count();
    expect(await matrix.getByRole("columnheader").allTextContents()).toEqual([
      "Role",
      "List",
      "View",
      "Add",
      "Edit",
      "Delete",
      "Comment",
      "Import",
      "Export",
      "Bulk",
      "Design",
    ]);
    expect(await allowed("You")).toBe(10);
    expect(await allowed("Administrator")).toBe(10);
    expect(await allowed("Read only")).toBe(2);
    expect(new URL(page.url()).search).toBe("?tab=access");
    await page.goto("/crm/leads/about?tab=connections");
    await page.getByRole("heading", { name: "Has many" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Countries" }).click();
    await heading(page, "Countries").waitFor();
    await sees(page, "Shared by all organizations");
  });

  test("is reached even while the list is still being fetched", async () => {
    const page = await app.visit();
    const held: (() => void)[] = [];
    const hold = (pattern: string) =>
      page.route(pattern, (route) => void held.push(() => void route.continue().catch(() => undefined)));
    await enterQuickly(app, page, "/account");
    await hold("**/crm/leads/index.json*");
    await page.getByRole("link", { name: "Leads", exact: true }).first().click();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "About Leads" }).waitFor();
    await hold("**/assets/*.js");
    await page.getByRole("menuitem", { name: "About Leads" }).click();
    const listed = page.waitForResponse(/crm\/leads\/index\.json/);
    await page.unroute("**/crm/leads/index.json*");
    for (const go of held.splice(0, 1)) go();
    await (await listed).finished();
    await sees(page, "No leads yet");
    await page.unroute("**/assets/*.js");
    for (const go of held.splice(0)) go();
    await page.getByRole("tab", { name: "Fields" }).waitFor();
  });
});
