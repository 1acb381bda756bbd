// What somebody may not do is said before they try, and a page does not outlive its record. And what is asked for in vain is
// not asked for any longer.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { addPerson, addRows } from "../http/people.ts";
import { type App, enterQuickly, expectAccessible, heading, openApp, sees } from "./app.ts";
import { inBrowser } from "./browser.ts";

inBrowser("what one may not, and what is gone", () => {
  let app: App;
  let rep: { readonly id: string };
  beforeAll(async () => {
    app = await openApp();
    rep = await addPerson(app.service, "rep", ["sales_rep"]);
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const open = async (place: string, userName?: string): Promise<Page> => {
    const page = await app.visit();
    await enterQuickly(app, page, place, userName);
    return page;
  };

  test("a form that cannot be saved is not shown to be filled in", async () => {
    const page = await open("/masters/currencies/edit?id=1", "rep");
    await page.getByRole("heading", { name: "You don't have permission to edit this record" }).waitFor();
    expect(await page.getByRole("button", { name: "", exact: true }).count()).toBe(0);
    await expectAccessible(page);
    await page
      .getByRole("main")
      .getByRole("link", { name: /^View / })
      .click();
    await page.waitForURL(/masters\/currencies\/view\?id=1/);
    await page.goto("/masters/currencies/add");
    await page.getByRole("heading", { name: "You don't have permission to create a Currency" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "All Currencies" }).click();
    await heading(page, "Currencies").waitFor();
  });

  test("the page of a record that one no longer has access to goes when one acts on it", async () => {
    const [id = ""] = await addRows(app.service, "crm/leads", [
      { last_name: "Alder & Sons", name: "Alder & Sons", status: "new", owned_by: rep.id },
    ]);
    const page = await open(`/crm/leads/view?id=${id}`, "rep");
    await heading(page, "Alder & Sons").waitFor();
    await page.getByPlaceholder(/^Add a comment/).fill("Called them");
    const admin = await app.service.login();
    const given = await app.service.post(
      "/crm/leads/edit_selected.json",
      { ids: id, data: { leads: { owned_by: "1" } } },
      admin,
    );
    expect(given.body.data.changed).toEqual([id]);
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await page.getByRole("heading", { name: "Record not found" }).waitFor();
    expect(await page.getByText("Alder & Sons").count()).toBe(0);
    await app.service.db.run(sql`delete from crm__leads where organization_id = 1 and id = ${id}::bigint`);
  });

  test("a page that is opened by keys takes what is typed, and the filter takes the focus and gives it back", async () => {
    const page = await open("/", "rep");
    await heading(page, /^Good/).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("q");
    await page.keyboard.type("clover");
    await heading(page, "Search everything").waitFor();
    await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("clover");
    await expect.poll(() => new URL(page.url()).searchParams.get("text")).toBe("clover");
    await page.goto("/crm/leads/index");
    await page.getByRole("button", { name: /^View:/ }).waitFor();
    await sees(page, "No leads yet");
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    await page.getByRole("button", { name: "Filter", exact: true }).focus();
    await page.keyboard.press("f");
    await page.keyboard.type("advanced");
    const search = page.getByRole("textbox", { name: "Search fields" });
    await expect.poll(() => search.inputValue()).toBe("advanced");
    await page.keyboard.press("Escape");
    await expect.poll(focused).toBe("Filter");
  });

  test("what a later key makes needless is no longer asked for", async () => {
    await addRows(
      app.service,
      "crm/leads",
      ["Clover", "Cloud"].map((name) => ({ last_name: name, name, status: "new", owned_by: rep.id })),
    );
    const page = await open("/crm/leads/index", "rep");
    await page.getByRole("grid").getByText("Cloud").waitFor();
    const asked: string[] = [];
    const given: string[] = [];
    const searched = (url: string) => new URL(url).searchParams.get("search_basic") ?? "";
    // The first answer never comes: only the page itself can end it.
    await page.route(/crm\/leads\/index\.json.*search_basic=clou(&|$)/, (route) => {
      asked.push(searched(route.request().url()));
    });
    page.on("requestfailed", (request) => {
      if (request.url().includes("search_basic=")) given.push(searched(request.url()));
    });
    const box = page.getByRole("searchbox");
    await box.fill("clou");
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await box.fill("clover");
    await page.getByRole("grid").getByText("Clover").waitFor();
    await expect.poll(() => given.length).toBe(asked.length);
    expect(new Set(given)).toEqual(new Set(["clou"]));
    // The same of the palette's search.
    const texts: string[] = [];
    const ended: string[] = [];
    await page.route(/core\/search\/index\.json\?.*text=cloud(&|$)/, () => {
      texts.push("cloud");
    });
    page.on("requestfailed", (request) => {
      if (request.url().includes("core/search/index.json"))
        ended.push(new URL(request.url()).searchParams.get("text") ?? "");
    });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("cloud");
    await expect.poll(() => texts.length).toBe(1);
    await page.keyboard.type("y");
    await expect.poll(() => ended).toEqual(["cloud"]);
    await sees(page, "Search everything for “cloudy”");
  });
});
