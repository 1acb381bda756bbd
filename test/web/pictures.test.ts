// Views that are pictures: each is drawn, read as figures, and leads to the records behind a part of it.
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addPerson, addRows } from "../http/people.ts";
import {
  type App,
  allPhoneFaults,
  enterQuickly,
  expectAccessible,
  follow,
  frame,
  hearNothing,
  openApp,
  sees,
  shoot,
  untilQuiet,
} from "./app.ts";
import { inBrowser } from "./browser.ts";

const picture = (page: Page, name: RegExp) => page.getByRole("img", { name });
const count = (page: Page) => page.getByRole("main").getByRole("status").first();
const row = (page: Page, name: string | RegExp) => page.getByRole("grid").getByRole("row").filter({ hasText: name });
/** A mark of a drawing by what it says; drawings are SVG, so that their texts are there. */
const mark = (page: Page, text: string) => page.locator("svg text").filter({ hasText: text }).first();

/** By keyboard alone: opens the menu, goes down to the line, takes it. */
const chooseByKey = async (page: Page, button: Locator, line: string): Promise<void> => {
  await button.press("Enter");
  await page.waitForFunction(() => document.activeElement?.closest("[role=menu]"));
  const chosen = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  for (let steps = 0; steps < 12 && !(await chosen()).startsWith(line); steps += 1)
    await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
};

inBrowser("pictures of lists", () => {
  let app: App;
  let token: string;
  const viewOf = async (controller: string, name: string): Promise<string> => {
    const q = { fields: ["listviews.id"], where: [{ "listviews.controller": controller }, { "listviews.name": name }] };
    const path = `/core/listviews/index.json?track_open=0&q=${encodeURIComponent(JSON.stringify(q))}`;
    const { body } = await app.service.get(path, token);
    return body.paginate.data[0].id;
  };
  const place = async (controller: string, name: string): Promise<string> =>
    `/${controller}/index?view=${await viewOf(controller, name)}`;

  /** Until it is the view that is shown: what is looked for may have stood on the one before, too. */
  const show = async (page: Page, controller: string, name: string): Promise<void> => {
    await follow(page, await place(controller, name));
    const views = page.getByRole("navigation", { name: "Views" });
    await views.locator("[aria-current=page]").filter({ hasText: name }).waitFor({ state: "attached" });
  };

  beforeAll(async () => {
    app = await openApp();
    token = await app.service.login();
    const statuses = ["new", "new", "new", "contacted", "contacted", "qualified"];
    await addRows(
      app.service,
      "crm/leads",
      Array.from({ length: 24 }, (_, index) => ({
        first_name: "Ida",
        last_name: `Moss ${String(index).padStart(2, "0")}`,
        name: `Ida Moss ${String(index).padStart(2, "0")}`,
        company_name: "Fenwick Looms",
        status: statuses[index % 6],
        source: index % 3 === 0 ? "referral" : "web",
        score: "40",
        amount: "1000.00",
        next_follow_up: `2026-03-${String((index % 28) + 1).padStart(2, "0")}`,
      })),
    );
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  test("a bar leads to the records behind it, figures stand in a table by request, and every kind is drawn", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, await place("crm/leads", "By status"));
    await picture(page, /By status, bar chart: Leads by status.*Highest: New, 12.*Lowest: Qualified, 4/).waitFor();
    const drawing = picture(page, /By status/);
    await expect.poll(() => drawing.locator("path[fill='#5558c4']").count()).toBeGreaterThanOrEqual(3);
    await expectAccessible(page);
    await drawing.locator("path[fill='#5558c4']").nth(1).click({ force: true });
    await row(page, "Ida Moss").first().waitFor();
    await expect.poll(() => count(page).textContent()).toBe("8");
    expect(JSON.parse(new URL(page.url()).searchParams.get("q") ?? "").where).toEqual([
      { "leads.status": "contacted" },
    ]);
    await page.goBack();
    await drawing.waitFor();

    // Each figure is a link to its records, and there are totals.
    await show(page, "crm/leads", "By source");
    await picture(page, /pie chart/).waitFor();
    await mark(page, "Website").waitFor();
    await page.getByText("Table", { exact: true }).click();
    const table = page.getByRole("table");
    expect(await table.getByRole("row", { name: /^Total/ }).textContent()).toBe("Total24");
    await expectAccessible(page);
    await table.getByRole("link", { name: "Referral" }).click();
    await row(page, "Ida Moss").first().waitFor();
    await expect.poll(() => count(page).textContent()).toBe("8");

    // Where the exact figures take long, an estimate is drawn until they come.
    let come = (): void => undefined;
    const areReady = new Promise<void>((done) => {
      come = done;
    });
    await page.route(/crm\/leads\/index\.json/u, async (route) => {
      if (!route.request().url().includes("estimate=1")) await areReady;
      const response = await route.fetch();
      const { paginate, ...rest } = await response.json();
      const isExact = route.request().url().includes("estimate=1") ? 0 : 1;
      await route.fulfill({ json: { ...rest, paginate: { ...paginate, total_count_is_exact: isExact } } });
    });
    await show(page, "crm/leads", "New leads by month");
    const note = page.getByText("Estimate", { exact: true });
    await note.waitFor();
    await picture(page, /line chart/).waitFor();
    come();
    await note.waitFor({ state: "hidden" });
    await page.unrouteAll({ behavior: "wait" });
    await picture(page, /New leads by month, line chart: Leads per month \(created\)/).waitFor();
    await mark(page, "2026").or(mark(page, "20")).first().waitFor();
    await show(page, "crm/leads", "Average score");
    await mark(page, "40").waitFor();
    await show(page, "crm/leads", "By country");
    await picture(page, /map/).locator("path").nth(150).waitFor({ state: "attached" });
    // One figure is shown large, and nothing to draw is said in words.
    await show(page, "crm/opportunities", "Open amount");
    await page.getByRole("region", { name: /Open amount/ }).waitFor();
    await show(page, "crm/opportunities", "Pipeline");
    await sees(page, /No data to show|No opportunities/);
  });

  const drag = async (page: Page, from: Locator, to: Locator): Promise<void> => {
    await from.hover();
    await page.mouse.down();
    const box = await to.boundingBox();
    if (box === null) throw new Error("there is nowhere to drop it");
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 6 });
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 4, { steps: 2 });
    await page.mouse.up();
  };
  const stored = async (name: string) => {
    const q = { fields: ["leads.status", "leads.next_follow_up"], where: { "leads.name": name } };
    const path = `/crm/leads/index.json?track_open=0&q=${encodeURIComponent(JSON.stringify(q))}`;
    const { body } = await app.service.get(path, token);
    return body.paginate.data[0];
  };
  const boardByStatus = async () => {
    const query = {
      fields: ["leads.name", "leads.status", "leads.amount"],
      ui_helper: "kanban",
      chart: { lanes: "leads.status", value: "leads.amount" },
    };
    return `/crm/leads/index?view=${await viewOf("crm/leads", "All leads")}&q=${encodeURIComponent(JSON.stringify(query))}`;
  };
  const statusOf = async (name: string) => (await stored(name))["leads.status"];

  test("a card is dragged to another lane, moved by its menu, taken back, and kept from where it cannot go", async () => {
    const page = await app.visit();
    // No news arrives: the board learns of its own changes by itself.
    await hearNothing(page);
    await enterQuickly(app, page, await boardByStatus());
    const lane = (name: string) => page.getByRole("region", { name, exact: true });
    const card = (name: string, inside: string) => lane(inside).getByRole("listitem").filter({ hasText: name });
    await card("Ida Moss 00", "New").waitFor();
    await lane("New").getByText("12", { exact: true }).waitFor();
    await untilQuiet(page);
    const lists: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === "/crm/leads/index.json") lists.push(searchParams.get("q") ?? "");
    });
    await drag(page, card("Ida Moss 00", "New"), lane("Qualified"));
    await card("Ida Moss 00", "Qualified").waitFor();
    await sees(page, "Ida Moss 00 moved to Qualified");
    // The two lanes, their counts and the view: no other lane is asked for again.
    await expect.poll(() => lists.filter((q) => q.includes("qualified")).length).toBe(1);
    await untilQuiet(page);
    expect(lists.filter((q) => /contacted|converted|unqualified/u.test(q))).toEqual([]);
    await expect.poll(() => statusOf("Ida Moss 00")).toBe("qualified");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => statusOf("Ida Moss 00")).toBe("new");
    await card("Ida Moss 00", "New").waitFor();

    await chooseByKey(page, lane("New").getByRole("button", { name: "Move Ida Moss 01" }), "Contacted");
    await card("Ida Moss 01", "Contacted").waitFor();
    await expect.poll(() => statusOf("Ida Moss 01")).toBe("contacted");

    // A lane that a card cannot go to says why, before the drop and after it, and in its menu.
    const held = card("Ida Moss 02", "New");
    const reason = "The workflow has no step from New to Converted.";
    await chooseByKey(page, held.getByRole("button", { name: "Move Ida Moss 02" }), "Converted");
    await sees(page, "Ida Moss 02 can't move to Converted");
    await held.getByRole("button", { name: "Move Ida Moss 02" }).click();
    const line = page.getByRole("menuitem", { name: `Converted ${reason}` });
    expect(await line.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Escape");
    const [from, to] = [await held.boundingBox(), await lane("Converted").boundingBox()];
    if (!from || !to) throw new Error("the board is not to be seen");
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + 60, { steps: 8 });
    await lane("Converted").getByText(reason).waitFor();
    await page.mouse.up();
    await page.getByRole("alert").filter({ hasText: reason }).first().waitFor();
    await held.waitFor();
    expect(await statusOf("Ida Moss 02")).toBe("new");

    // One that somebody else changed meanwhile goes back, with the reason.
    const id = (await stored("Ida Moss 02"))["leads.id"];
    const data = { leads: { id, company_name: "Fenwick & Co" }, action: { save_progress: "Save" } };
    await app.service.post("/crm/leads/edit.json", { data }, token);
    await held.getByRole("button", { name: "Move Ida Moss 02" }).click();
    await page.getByRole("menuitem", { name: "Qualified", exact: true }).click();
    await sees(page, "Couldn't save the change");
    expect(await statusOf("Ida Moss 02")).toBe("new");
    await held.waitFor();
  });

  test("on a board by stages a card goes where a transition leads, and takes it with what it needs", async () => {
    const [company] = await addRows(app.service, "crm/companies", [{ name: "Fenwick Looms" }]);
    const opportunities = { name: "Loom refit", amount: "900", company_id: company };
    const data = { opportunities, action: { save_progress: "Save" } };
    const made = await app.service.post("/crm/opportunities/add.json", { data }, token);
    expect(made.body.errors).toEqual([]);
    const page = await app.visit();
    const query = {
      fields: ["opportunities.name", "opportunities.amount"],
      ui_helper: "kanban",
      chart: { lanes: "opportunities.current_stage", value: "opportunities.amount" },
    };
    const view = await viewOf("crm/opportunities", "All opportunities");
    const q = encodeURIComponent(JSON.stringify(query));
    await enterQuickly(app, page, `/crm/opportunities/index?view=${view}&q=${q}`);
    const lane = (name: RegExp) => page.getByRole("region", { name });
    const card = lane(/Qualification/)
      .getByRole("listitem")
      .filter({ hasText: "Loom refit" });
    await card.waitFor();
    await drag(page, card, lane(/Proposal/));
    await lane(/Proposal/)
      .getByText("Loom refit")
      .waitFor();
    await sees(page, /Loom refit moved to .*Proposal/);
    await page.getByRole("button", { name: "Move Loom refit" }).click();
    await page.getByRole("menuitem", { name: /Lost/ }).click();
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.getByRole("button", { name: "Mark as lost" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Lost reason").first().click();
    await page.getByRole("option", { name: "Price" }).click();
    await dialog.getByRole("button", { name: "Mark as lost" }).click();
    // A lane that nothing goes on from is folded until somebody opens it.
    await page.getByRole("button", { name: "Expand Lost" }).click();
    await lane(/Lost/).getByText("Loom refit").waitFor();
    const stage = async () => {
      const { body } = await app.service.get(`/crm/opportunities/view.json?id=${made.body.id}`, token);
      return [body.data.opportunities.stage, body.data.opportunities.lost_reason];
    };
    await expect.poll(stage).toEqual(["lost", "price"]);
  });

  test("an entry of the calendar is moved to another day, by pointer and by keyboard; a day starts a new record", async () => {
    const today = new Date();
    const month = `${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, "0")}`;
    await addRows(app.service, "crm/leads", [
      {
        first_name: "Ola",
        last_name: "Reed",
        name: "Ola Reed",
        status: "new",
        rating: "hot",
        next_follow_up: `${month}-12`,
      },
    ]);
    const page = await app.visit();
    await enterQuickly(app, page, await place("crm/leads", "Follow-ups"));
    const day = (date: number) =>
      page.locator("section").filter({ has: page.locator(`time[datetime="${month}-${date}"]`) });
    const entry = page.getByRole("link", { name: /Ola Reed/ });
    await day(12)
      .getByRole("link", { name: /Ola Reed/ })
      .waitFor();
    await drag(page, entry, day(17));
    await day(17)
      .getByRole("link", { name: /Ola Reed/ })
      .waitFor();
    await expect.poll(async () => (await stored("Ola Reed"))["leads.next_follow_up"]).toBe(`${month}-17`);
    await sees(page, /Ola Reed moved to \w+ 17,/);
    await entry.focus();
    await page.keyboard.press("Alt+ArrowRight");
    await day(18)
      .getByRole("link", { name: /Ola Reed/ })
      .waitFor();
    await expect.poll(async () => (await stored("Ola Reed"))["leads.next_follow_up"]).toBe(`${month}-18`);
    // Once more before the list is read again: the focus went along, and the change is made on what the one before left.
    await page.route(/leads\/index\.json/u, async (route) => {
      await expect.poll(async () => (await stored("Ola Reed"))["leads.next_follow_up"]).toBe(`${month}-20`);
      await route.fallback();
    });
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(() => day(19).locator("a:focus").count()).toBe(1);
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(async () => (await stored("Ola Reed"))["leads.next_follow_up"]).toBe(`${month}-20`);
    await page.unroute(/leads\/index\.json/u);
    await day(21).hover();
    await day(21)
      .getByRole("link", { name: /^New on \w+ 21,/ })
      .click();
    await page.getByRole("heading", { level: 1, name: "New lead" }).waitFor();
    const shown = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
    await expect
      .poll(() => page.getByLabel("Next follow-up").inputValue())
      .toBe(shown.format(new Date(`${month}-21T00:00:00Z`)));
  });

  test("a view is shown as something else by request, in the address alone", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, await place("crm/leads", "All leads"));
    await row(page, "Ida Moss").first().waitFor();
    await page.getByRole("button", { name: "Show as" }).click();
    await page.getByRole("radio", { name: "Pie" }).click();
    await picture(page, /All leads, pie chart: Count by/).waitFor();
    await page.getByRole("combobox", { name: "Group by" }).or(page.getByLabel("Group by")).first().click();
    await page.getByRole("option", { name: "Source" }).click();
    await picture(page, /Count by source/).waitFor();
    await page.getByLabel("Measure").first().click();
    await page.getByRole("option", { name: "Sum" }).click();
    await picture(page, /Sum of .* by source/).waitFor();
    const shown = page.url();
    await page.getByRole("radiogroup", { name: "Show as" }).getByRole("radio", { name: "Table" }).click();
    await row(page, "Ida Moss").first().waitFor();
    expect(JSON.parse(new URL(page.url()).searchParams.get("q") ?? "{}").group).toBeUndefined();
    await page.goto(shown);
    await picture(page, /Sum of .* by source/).waitFor();
    await page.getByRole("button", { name: "View options: unsaved changes" }).click();
    await page.getByRole("menuitem", { name: "Save as new view" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Worth by source");
    await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).click();
    await picture(page, /Worth by source, pie chart: Sum of .* by source/).waitFor();
    expect(new URL(page.url()).searchParams.get("q")).toBeNull();
  });

  test("the dashboard takes views from their menu, is arranged by keyboard and by pointer, and keeps it", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, await place("crm/leads", "Board by stage"));
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Pin to dashboard" }).click();
    await sees(page, "“Board by stage” pinned to your dashboard");
    await page.goto("/");
    const tiles = page.getByRole("region", { name: "Dashboard" }).locator("header h2");
    const names = async () => (await tiles.allTextContents()).map((name) => name.trim());
    await expect.poll(names).toContain("Board by stage");
    const before = await names();
    expect(before.at(-1)).toBe("Board by stage");
    await chooseByKey(page, page.getByRole("button", { name: "Arrange Board by stage" }), "Move earlier");
    const placeOf = async (name: string) => (await names()).indexOf(name);
    await expect.poll(() => placeOf("Board by stage")).toBeLessThan(before.length - 1);
    await page.getByRole("button", { name: "Arrange Board by stage" }).click();
    await page.getByRole("menuitemradio", { name: "Full width" }).click();
    const tile = (name: string) => page.getByRole("region", { name: new RegExp(`: ${name}$`) });
    await expect.poll(() => tile("Board by stage").getAttribute("data-size")).toBe("full");
    await drag(page, tile("Pipeline").locator("header"), tile("New leads by month").locator("header"));
    // Figures stand before all other tiles, and no row has a hole.
    await expect.poll(() => placeOf("Pipeline")).toBe(4);
    const widths = await page.locator("section[data-size]:not([data-figure])").evaluateAll((all) =>
      all.map((one) => {
        const { top, width } = one.getBoundingClientRect();
        return [Math.round(top), Math.round(width)] as const;
      }),
    );
    const gap = 12;
    const filled = [...new Set(widths.map(([top]) => top))].map((row) =>
      widths.filter(([top]) => top === row).reduce((sum, [, width]) => sum + width + gap, -gap),
    );
    expect(Math.max(...filled) - Math.min(...filled)).toBeLessThanOrEqual(4);
    const arranged = await names();
    await page.reload();
    await expect.poll(names).toEqual(arranged);
    await expect.poll(() => tile("Board by stage").getAttribute("data-size")).toBe("full");
    await page.getByRole("button", { name: "Arrange By source" }).click();
    await page.getByRole("menuitem", { name: "Remove from dashboard" }).click();
    await expect.poll(names).not.toContain("By source");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(names).toEqual(arranged);

    // Within a month: figures are compared with the days before, and what has no date says so.
    await tile("New leads").getByText(/vs /).waitFor();
    await page.getByRole("button", { name: "Dates" }).click();
    await page.getByRole("menuitemradio", { name: "Last month" }).click();
    await tile("Pipeline").getByText("Any date").waitFor();
    expect(new URL(page.url()).searchParams.get("dates")).toBe("last_month");
    expect(await tile("New leads by month").getByText("Any date").count()).toBe(0);

    // The same tiles as a dashboard for a role.
    await page.getByRole("button", { name: "New dashboard" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Field sales");
    // What is found by the first letters can be chosen while the rest is looked for.
    let answer = (): void => undefined;
    const isChosen = new Promise<void>((done) => {
      answer = done;
    });
    await page.route(/listviews\/access\.json.*find=Sales/u, async (route) => {
      await isChosen;
      await route.continue();
    });
    const asked = page.waitForRequest(/listviews\/access\.json.*find=Sales/u);
    const offered = page.getByRole("option", { name: "Sales representative" });
    await page.getByRole("dialog").getByRole("textbox", { name: "Shared with" }).click();
    await offered.waitFor();
    // The toast on what was undone may still be where the list is: wherever toasts are, the list lies over them.
    const pile = await offered.evaluate((option) => {
      const toasts = [...document.querySelectorAll<HTMLElement>(".mantine-Notifications-root")];
      const styles = toasts.map((one) => one.style.cssText);
      for (const one of toasts)
        one.style.cssText += "; inset: 0; width: auto; max-width: none; transform: none; pointer-events: auto";
      const { left, top, width, height } = option.getBoundingClientRect();
      const found = document.elementsFromPoint(left + width / 2, top + height / 2);
      for (const [index, one] of toasts.entries()) one.style.cssText = styles[index] ?? "";
      return found.flatMap((one) =>
        option === one ? ["option"] : toasts.some((toast) => toast === one) ? ["toasts"] : [],
      );
    });
    expect([...new Set(pile)]).toEqual(["option", "toasts"]);
    await page.keyboard.type("Sales rep");
    await asked;
    await offered.click();
    await page.getByRole("button", { name: "Remove Sales representative" }).waitFor();
    answer();
    // Who goes on closes the list, which may lie over the button.
    await page.getByRole("dialog").getByLabel("Name").click();
    await page.getByRole("listbox").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Create dashboard" }).click();
    const tabs = page.getByRole("navigation", { name: "Dashboards" });
    await expect.poll(() => tabs.locator("[aria-current]").textContent()).toBe("Field sales");
    await expect.poll(names).toEqual(arranged);
    await tabs.getByRole("link", { name: "My dashboard" }).click();
    await expect.poll(() => tabs.locator("[aria-current]").textContent()).toBe("My dashboard");
    // Whoever has the role starts with it, and chooses their own for good.
    await addPerson(app.service, "fieldrep", ["sales_rep"]);
    await app.leave();
    const rep = await app.visit();
    await enterQuickly(app, rep, "/", "fieldrep");
    const theirs = rep.getByRole("navigation", { name: "Dashboards" });
    await expect.poll(() => theirs.locator("[aria-current]").textContent()).toBe("Field sales");
    await theirs.getByRole("link", { name: "My dashboard" }).click();
    await expect.poll(() => theirs.locator("[aria-current]").textContent()).toBe("My dashboard");
    await rep.goto("/");
    await expect.poll(() => theirs.locator("[aria-current]").textContent()).toBe("My dashboard");
  });

  test("board, calendar and dashboard are accessible in dark, and fit a phone", async () => {
    const page = await app.visit({ colorScheme: "dark", viewport: { width: 380, height: 760 } });
    await enterQuickly(app, page, await place("crm/leads", "Board by stage"));
    await sees(page, /Ida Moss/);
    expect(await allPhoneFaults(page, true, frame)).toEqual([]);
    await shoot(page, "board-dark-380");
    await show(page, "crm/leads", "Follow-ups");
    await page.locator("time[datetime]").first().waitFor();
    expect(await allPhoneFaults(page, true, frame)).toEqual([]);
    await shoot(page, "calendar-dark-380");
    await follow(page, "/");
    await page
      .getByRole("region", { name: /By source$/ })
      .getByRole("img")
      .waitFor();
    expect(await allPhoneFaults(page, true, frame)).toEqual([]);
    await shoot(page, "dashboard-dark-380");
  });
});
