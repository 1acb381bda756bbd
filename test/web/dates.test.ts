// Days in forms: shown and typed as the profile writes them, chosen from the calendar, cleared; on a phone and in Arabic.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { addRows } from "../http/people.ts";
import { type App, enterQuickly, openApp, phoneFaults, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";

inBrowser("days in forms", () => {
  let app: App;
  let lead: string;

  beforeAll(async () => {
    app = await openApp();
    [lead = ""] = await addRows(app.service, "crm/leads", [
      { name: "Ada Day", last_name: "Day", status: "new", next_follow_up: "2026-03-04" },
    ]);
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const open = async (locale: string, size?: { width: number; height: number }) => {
    await app.service.db.run(sql`update access_controls__users set locale = ${locale}`);
    const page = await app.visit(size ? { viewport: size } : {});
    await enterQuickly(app, page, `/crm/leads/edit?id=${lead}`);
    return page;
  };
  const stored = async () =>
    (await app.service.db.row(sql`select next_follow_up::text as day from crm__leads where id = ${lead}::bigint`))?.day;

  test("the profile's format is shown, typed and saved; the calendar chooses and clears", async () => {
    const page = await open("de-DE", { width: 390, height: 844 });
    const input = page.getByRole("textbox", { name: "Next follow up", exact: true });
    await expect.poll(() => input.inputValue()).toBe("04.03.2026");
    await input.fill("5.4.2026");
    await input.blur();
    await expect.poll(() => input.inputValue()).toBe("05.04.2026");
    await input.press("Alt+ArrowDown");
    const calendar = page.getByRole("dialog");
    await calendar.getByRole("button", { name: /^17 / }).waitFor();
    await shoot(page, "dates-phone");
    expect(await phoneFaults(page)).toEqual([]);
    await calendar.getByRole("button", { name: /^17 / }).click();
    await expect.poll(() => input.inputValue()).toBe("17.04.2026");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect.poll(stored).toBe("2026-04-17");
  });

  test("what is no day is said, and stays as it was typed", async () => {
    const page = await open("en-US");
    const input = page.getByRole("textbox", { name: "Next follow up", exact: true });
    await input.fill("soonish");
    await input.blur();
    await page.getByText("Enter a date like Dec 31, 2026").waitFor();
    expect(await input.inputValue()).toBe("soonish");
    await shoot(page, "dates-desktop");
  });
});
