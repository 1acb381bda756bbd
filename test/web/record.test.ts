// The page of a record: reading, changing, refusals at their fields, conflicts, what was typed kept, adding, deleting
// and the way back.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addPerson, addRows } from "../http/people.ts";
import { holdTurns } from "../unrest.ts";
import { type App, enterQuickly, expectAccessible, fillLogin, follow, heading, openApp, sees } from "./app.ts";
import { inBrowser } from "./browser.ts";
import { addLeads, field, save } from "./leads.ts";

inBrowser("the page of a record", () => {
  let app: App;
  let ids: string[];
  /** As somebody else would, on the wire. */
  const change = async (id: string, values: Record<string, string>): Promise<void> => {
    const body = { data: { leads: { id, ...values }, action: { save_progress: "Save" } } };
    const { status } = await app.service.post("/crm/leads/edit.json", body, await app.service.login());
    expect(status).toBe(200);
  };
  const stored = async (id: string) => {
    const { body } = await app.service.get(`/crm/leads/view.json?id=${id}`, await app.service.login());
    return body.data.leads;
  };

  beforeAll(async () => {
    app = await openApp();
    ids = await addLeads(app.service);
    await addPerson(app.service, "vera", ["sales_rep"]);
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("shows the record by its form, with links and labels, and says when there is none", async () => {
    const page = await app.visit();
    await page.addInitScript(() => {
      const shifts: number[] = [];
      new PerformanceObserver((list) => {
        // A layout shift has a value, which the typings do not know.
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
      Object.assign(window, { shifts });
    });
    await enterQuickly(app, page, `/crm/leads/view?id=${ids[0]}`);
    await heading(page, "Tove Ash").waitFor();
    await expect.poll(() => page.title()).toBe("Tove Ash · Dossier");
    const main = page.getByRole("main");
    expect(await main.getByRole("link", { name: "ash@timber.example" }).getAttribute("href")).toMatch(/^mailto:/);
    expect(await main.getByRole("link", { name: "timber.example", exact: true }).getAttribute("target")).toBe("_blank");
    await main.getByText("New", { exact: true }).first().waitFor();
    const crumbs = page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("listitem");
    await expect.poll(() => crumbs.allTextContents()).toEqual(["Sales", "Leads", "Tove Ash"]);
    await page.getByRole("combobox", { name: "Write a comment" }).waitFor();
    // Nothing jumped while it came.
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.05);
    await follow(page, "/crm/leads/view?id=99999999");
    await page.getByRole("heading", { name: "Record not found" }).waitFor();
  });

  test("a refused field has the focus by the time the refusal is seen, and whoever goes on elsewhere keeps it", async () => {
    const page = await app.visit();
    await holdTurns(page);
    await enterQuickly(app, page, "/crm/leads/add");
    await field(page, "First name").fill("Maj");
    // Whatever the app leaves for later does not happen any more.
    const refused = page.evaluate(() => window.turns.holdAt("[role=alert]"));
    await save(page);
    await refused;
    await sees(page, "1 field needs your attention");
    const hasFocus = (name: string) => field(page, name).evaluate((input) => input === document.activeElement);
    await expect.poll(() => hasFocus("Last name")).toBe(true);
    await field(page, "City").focus();
    await page.evaluate(() => window.turns.release());
    await page.keyboard.type("Umeå");
    expect(await field(page, "City").inputValue()).toBe("Umeå");
  });

  test("says why what was chosen of a conflict is refused, and goes on from there", async () => {
    const page = await app.visit();
    const id = ids[4] ?? "";
    await enterQuickly(app, page, `/crm/leads/edit?id=${id}`);
    await field(page, "City").fill("Umeå");
    await field(page, "Last name").fill("");
    await change(id, { city: "Luleå" });
    await save(page);
    await sees(page, "Someone else changed this record while you were editing");
    await page.getByRole("button", { name: "Save selected values" }).click();
    await sees(page, "1 field needs your attention");
    await field(page, "Last name").fill("Fir");
    await save(page);
    await sees(page, / saved$/);
    expect(await stored(id)).toMatchObject({ city: "Umeå", last_name: "Fir" });
  });

  test("puts together what two people changed in different fields, and asks field by field where they are the same", async () => {
    const page = await app.visit();
    const id = ids[2] ?? "";
    await enterQuickly(app, page, `/crm/leads/edit?id=${id}`);
    await field(page, "City").fill("Umeå");
    await change(id, { job_title: "Sawyer" });
    await save(page);
    await sees(page, "Saved and merged with someone else's changes");
    expect(await stored(id)).toMatchObject({ city: "Umeå", job_title: "Sawyer" });

    const next = ids[3] ?? "";
    await page.waitForURL(/\/crm\/leads\/view/);
    await follow(page, `/crm/leads/edit?id=${next}`);
    await heading(page, "Edit Tove Elm").waitFor();
    await field(page, "City").fill("Umeå");
    await field(page, "Job title").fill("Forester");
    await change(next, { job_title: "Sawyer", city: "Luleå" });
    await save(page);
    await sees(page, "Someone else changed this record while you were editing");
    await page.locator(":focus").filter({ hasText: "Someone else changed this record" }).waitFor();
    await sees(page, /\S+ saved it .*\d/);
    await page.getByRole("radio", { name: "Use theirs: City" }).check();
    await page.getByRole("button", { name: "Save selected values" }).click();
    await sees(page, / saved$/);
    expect(await stored(next)).toMatchObject({ city: "Luleå", job_title: "Forester" });

    // Who goes on in the same form goes on at its heading.
    await page.waitForURL(/\/crm\/leads\/view/);
    await follow(page, `/crm/leads/edit?id=${next}`);
    await field(page, "City").fill("Piteå");
    await change(next, { city: "Boden" });
    await page.getByRole("button", { name: "Save and continue" }).click();
    await page.getByRole("button", { name: "Save selected values" }).click();
    await page.locator("h1:focus").waitFor();
    await expect.poll(async () => (await stored(next)).city).toBe("Piteå");
  });

  test("keeps what was typed over a reload, from others who log in at the same place, and for who typed it, until it is discarded", async () => {
    const page = await app.visit();
    const { userName, password } = app.service.admin;
    const kept = () => page.getByText("Draft restored");
    const write = async () => {
      await page.getByLabel("Leads", { exact: true }).click();
      await page.getByLabel("New lead").click();
      await page.getByRole("dialog").getByRole("button", { name: "Open full form" }).click();
      await heading(page, "New lead").waitFor();
    };
    const leave = async () => {
      await page.getByRole("button", { name: /user menu$/ }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await sees(page, "You're signed out.");
    };
    await enterQuickly(app, page, `/crm/leads/view?id=${ids[4]}`);
    const remembered = () => page.evaluate(() => Object.keys(localStorage).some((key) => key.includes(".recent.")));
    await expect.poll(remembered).toBe(true);
    await write();
    await field(page, "City").fill("Secret");
    await page.reload();
    await kept().waitFor();
    expect(await field(page, "City").inputValue()).toBe("Secret");
    await leave();
    expect(await remembered()).toBe(false);
    await fillLogin(page, "vera", password);
    await write();
    await field(page, "City").waitFor();
    expect([await kept().count(), await field(page, "City").inputValue()]).toEqual([0, ""]);
    await leave();
    await fillLogin(page, userName, password);
    await write();
    await kept().waitFor();
    expect(await field(page, "City").inputValue()).toBe("Secret");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => field(page, "City").inputValue()).toBe("");
  });

  test("adds a record from the list", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/leads/index");
    await page.getByRole("link", { name: "New lead" }).click();
    // The quick form asks for what is needed; the whole form goes on from what was typed there.
    const quick = page.getByRole("dialog", { name: "New lead" });
    await quick.getByLabel("First name").fill("Maja");
    const rating = quick.getByLabel("Rating").and(page.locator("input")).first();
    await rating.focus();
    await page.keyboard.press("Control+Enter");
    expect(await rating.getAttribute("aria-expanded")).not.toBe("true");
    await quick.getByText("Last name is required").first().waitFor();
    await quick.getByRole("button", { name: "Open full form" }).click();
    await heading(page, "New lead").waitFor();
    await expect.poll(() => field(page, "First name").inputValue()).toBe("Maja");
    await save(page);
    await sees(page, "Last name is required");
    await field(page, "First name").fill("Maj");
    await field(page, "Last name").fill("Rowan");
    // The service writes it, and its answer is lost.
    let lost = 0;
    await page.route("**/crm/leads/add.json*", async (route) => {
      lost += 1;
      await route.fetch();
      await route.abort("connectionreset");
    });
    await page.getByRole("button", { name: "Save", exact: true }).dblclick();
    const notice = page.getByRole("alert").filter({ hasText: "Couldn't confirm that your changes were saved" });
    await notice.getByText(/nothing will be saved twice\. Your changes are still here\./).waitFor();
    await expect.poll(() => notice.evaluate((box) => box === document.activeElement)).toBe(true);
    const box = await notice.boundingBox();
    expect(box && box.y > 0 && box.y + box.height < 800).toBe(true);
    expect(lost).toBe(1);
    await page.unroute("**/crm/leads/add.json*");
    await page.reload();
    await sees(page, "Draft restored");
    // Twice at once, faster than the screen can be drawn.
    await page.getByRole("button", { name: "Save", exact: true }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await heading(page, /Maj Rowan/).waitFor();
    expect(new URL(page.url()).searchParams.get("id")).toMatch(/^\d+$/);
    const q = encodeURIComponent(JSON.stringify({ where: { "leads.last_name": "Rowan" } }));
    const { body } = await app.service.get(`/crm/leads/index.json?track_open=0&q=${q}`, await app.service.login());
    expect(body.paginate.data).toHaveLength(1);
  });

  test("deletes after asking, brings it back, and deletes for good", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `/crm/leads/view?id=${ids[5]}&panel=access`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void Object.assign(window, { copied: text });
    });
    await page.getByRole("menuitem", { name: "Copy link" }).click();
    await sees(page, "Link copied");
    const copied = await page.evaluate(() => (window as unknown as { copied: string }).copied);
    expect(copied).toBe(`${app.url}/crm/leads/view?id=${ids[5]}`);
    // Not opened from a list: nothing stands beside it.
    expect(await page.getByRole("button", { name: "Next record" }).count()).toBe(0);
    const remove = async () => {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await sees(page, /^Tove Hazel deleted/);
    };
    await remove();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/crm/leads/index");
    await page.getByRole("grid").getByText("Tove Fir").waitFor();
    expect(await page.getByRole("grid").getByText("Tove Hazel").count()).toBe(0);
    // After a reload too, from the history of one's own actions.
    await page.reload();
    await page.getByRole("button", { name: /user menu$/ }).click();
    await page.getByRole("menuitem", { name: "Recent actions" }).click();
    const history = page.getByRole("dialog", { name: "Recent actions" });
    await history.getByRole("button", { name: "Undo: Tove Hazel deleted" }).click();
    await history.getByText("Undone").waitFor();
    expect(await stored(ids[5] ?? "")).toMatchObject({ deleted: "0" });
    await expectAccessible(page);
    await page.keyboard.press("Escape");

    // At once, from what is said about it.
    await follow(page, `/crm/leads/view?id=${ids[5]}`);
    await remove();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await expect.poll(async () => (await stored(ids[5] ?? "")).deleted).toBe("0");

    // And from the recycle bin, which says when and by whom.
    const admin = await app.service.login();
    await app.service.post(`/crm/leads/delete.json?id=${ids[5]}&is_confirm=1`, {}, admin);
    const viewCalled = async (name: string): Promise<string> => {
      const q = { fields: ["listviews.id"], where: { "listviews.controller": "crm/leads", "listviews.name": name } };
      const path = `/core/listviews/index.json?q=${encodeURIComponent(JSON.stringify(q))}`;
      return (await app.service.get(path, admin)).body.paginate.data[0].id;
    };
    await follow(page, `/crm/leads/index?view=${await viewCalled("Recycle Bin")}`);
    await page.getByRole("columnheader", { name: /^Deleted by/ }).waitFor();
    await page
      .getByRole("row", { name: /Tove Hazel/ })
      .getByRole("checkbox")
      .click();
    await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Restore" }).click();
    await expect.poll(async () => (await stored(ids[5] ?? "")).deleted).toBe("0");
    // For good, by an administrator, from its own page.
    const [gone = ""] = await addRows(app.service, "crm/leads", [{ last_name: "Gone", name: "Gone", status: "new" }]);
    await app.service.post(`/crm/leads/delete.json?id=${gone}&is_confirm=1`, {}, admin);
    await follow(page, `/crm/leads/view?id=${gone}`);
    await sees(page, "This record is in the recycle bin.");
    await page.getByRole("button", { name: "Delete permanently" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
    await sees(page, "Gone permanently deleted");
    expect((await app.service.get(`/crm/leads/view.json?id=${gone}`, admin)).status).toBe(404);
    // The list opens with the view that was used last.
    await app.service.get(`/crm/leads/index.json?current_listview=${await viewCalled("All leads")}`, admin);
  });

  test("is added, talked about, moved on, deleted and brought back by keyboard alone, and goes on paper", async () => {
    const page = await app.visit({ viewport: { width: 1440, height: 900 } });
    const choose = async (words: string, whole: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.getByRole("textbox", { name: "Search records, views and actions" }).fill(words);
      await page.locator("[data-selected]", { hasText: whole }).waitFor();
      await page.keyboard.press("Enter");
    };
    // The rows come before the rights do; the key is pressed the moment they are seen.
    const rows = page.waitForResponse(/\/crm\/leads\/index\.json/);
    await page.route(/who_may\.json/, async (route) => {
      await (await rows).finished();
      await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 2_000 })));
      await route.continue();
    });
    await enterQuickly(app, page, "/crm/leads/index");
    await page.getByRole("grid").getByText("Tove Fir").waitFor();
    await page.keyboard.press("c");
    await page.locator("input:focus").waitFor();
    expect(await field(page, "First name").evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.type("Maj");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Keyes");
    await page.keyboard.press("Control+Enter");
    await sees(page, "Maj Keyes created");
    await page.getByRole("link", { name: "Open", exact: true }).click();
    await heading(page, "Maj Keyes").waitFor();
    await page.getByRole("combobox", { name: "Write a comment" }).waitFor();
    await page.keyboard.press("m");
    await page.keyboard.type("Called them");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("listitem").getByText("Called them").waitFor();
    await choose("mark as", "Mark as contacted");
    await page.locator("[aria-current=step]", { hasText: "Contacted" }).waitFor();
    await choose("delete maj", "Delete Maj Keyes");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await sees(page, "Maj Keyes deleted");
    await page.keyboard.press("Control+z");
    await heading(page, "Maj Keyes").waitFor();
    await page.getByRole("button", { name: "Details" }).click();
    await expect.poll(() => page.getByText("Last name").count()).toBe(0);
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await page.getByText("Last name").first().waitFor();
    expect(await page.getByRole("navigation", { name: "Navigation" }).isVisible()).toBe(false);
  });

  test("is peeked at beside the list", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/leads/index?search=timber");
    await page.getByRole("grid").getByText("Tove Birch").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Space");
    const peek = page.getByRole("complementary", { name: "Preview" });
    await peek.getByRole("link", { name: /@timber.example$/ }).waitFor();
    await page.keyboard.press("Escape");
    await peek.waitFor({ state: "detached" });
    // Opened from the list, a record has its neighbors there, over a reload and an edit.
    const next = page.getByRole("button", { name: "Next record" });
    const names = page.getByRole("grid").locator("a[data-record]");
    const [first = "", second = ""] = (await names.allTextContents()).slice(0, 2);
    await names.first().click();
    await heading(page, first).waitFor();
    await sees(page, /^1 of \d+$/);
    expect(await page.getByRole("button", { name: "Previous record" }).isDisabled()).toBe(true);
    await next.click();
    await heading(page, second).waitFor();
    // Who goes on by the button can press it again.
    await expect.poll(() => next.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("k");
    await heading(page, first).waitFor();
    await page.keyboard.press("j");
    await heading(page, second).waitFor();
    await page.reload();
    await sees(page, /^2 of \d+$/);
    // The form to edit it is there before the service has answered again.
    await page
      .getByRole("main")
      .getByRole("button", { name: /^Edit last name/ })
      .waitFor();
    await page.route(/\/crm\/leads\/edit\.json/, () => undefined);
    await page.keyboard.press("e");
    await heading(page, `Edit ${second}`).waitFor();
    await page.unroute(/\/crm\/leads\/edit\.json/);
    await page.getByRole("button", { name: "Cancel" }).click();
    await sees(page, /^2 of \d+$/);

    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/crm/leads/add");
    expect(await field(page, "Last name").inputValue()).toBe(second.split(" ").at(-1));
    // What is typed over the copy outlives a reload, and is no part of another new record.
    await field(page, "Last name").fill("Copied");
    await page.reload();
    await sees(page, "Draft restored");
    expect(await field(page, "Last name").inputValue()).toBe("Copied");
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await field(page, "Last name").inputValue()).toBe(second.split(" ").at(-1));
  });
});
