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

  const open = async (locale: string, size?: { width: number; height: number }, language = "en") => {
    await app.service.db.run(sql`update access_controls__users set locale = ${locale}, time_zone = 'Asia/Kolkata'`);
    const page = await app.visit(size ? { viewport: size } : {});
    await page.addInitScript((code) => localStorage.setItem("dossier.language", code), language);
    await enterQuickly(app, page, `/crm/leads/edit?id=${lead}`);
    return page;
  };
  const row = () =>
    app.service.db.row(sql`
      select next_follow_up::text as day, last_contacted::text as moment from crm__leads where id = ${lead}::bigint`);
  const stored = async () => (await row())?.day;
  const storedMoment = async () => (await row())?.moment;

  test("the profile's format is shown, typed and saved; the calendar chooses and clears", async () => {
    const page = await open("de-DE", { width: 390, height: 844 });
    const input = page.getByRole("textbox", { name: "Next follow-up", exact: true });
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

  test("what is no day is said, and stays as it was typed; Clear takes a day away; a moment is typed in the profile's time zone", async () => {
    await app.service.db.run(sql`update crm__leads set next_follow_up = '2026-03-04' where id = ${lead}::bigint`);
    const page = await open("en-US");
    const input = page.getByRole("textbox", { name: "Next follow-up", exact: true });
    await expect.poll(() => input.inputValue()).toBe("Mar 4, 2026");
    await input.fill("soonish");
    await input.blur();
    await page.getByText("Enter a date like Dec 31, 2026").waitFor();
    expect(await input.inputValue()).toBe("soonish");
    await shoot(page, "dates-desktop");
    await input.fill("3/4/2026");
    await input.press("Alt+ArrowDown");
    await page.getByRole("dialog").getByRole("button", { name: "Clear" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => input.inputValue()).toBe("");
    await page.getByText(/^Enter a date like/).waitFor({ state: "detached" });
    // Nothing is there to be cleared any more.
    await input.press("Alt+ArrowDown");
    await expect.poll(() => page.getByRole("dialog").getByRole("button", { name: "Clear" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });

    // It keeps its time when a day is chosen.
    const moment = page.getByRole("textbox", { name: "Last contacted", exact: true });
    await moment.fill("2026-02-30 10:00:00");
    await moment.blur();
    await page.getByText(/^Enter a date like/).waitFor();
    expect(await moment.inputValue()).toBe("2026-02-30 10:00:00");
    await moment.fill("3/4/2026 6:05 pm");
    await moment.blur();
    await page.getByText(/^Enter a date like/).waitFor({ state: "detached" });
    await expect.poll(() => moment.inputValue()).toMatch(/^Mar 4, 2026, (?:6:05\sPM|18:05)$/u);
    await moment.press("Alt+ArrowDown");
    await page.getByRole("dialog").getByRole("button", { name: /^17 / }).click();
    await expect.poll(() => moment.inputValue()).toMatch(/^Mar 17, 2026/);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    // India is five hours and a half ahead.
    await expect.poll(storedMoment).toBe("2026-03-17 12:35:00");
    expect(await stored()).toBe(null);
  });

  test("from right to left, with Arabic digits", async () => {
    await app.service.db.run(sql`update crm__leads set next_follow_up = '2026-03-04' where id = ${lead}::bigint`);
    const page = await open("ar-EG", { width: 390, height: 844 }, "ar");
    const input = page.getByRole("textbox", { name: /^المتابعة التالية/ });
    await input.waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.dir)).toBe("rtl");
    await input.fill("٥/٤/٢٠٢٦");
    await input.press("Alt+ArrowDown");
    const calendar = page.getByRole("dialog");
    await calendar.getByRole("button", { name: "مسح" }).waitFor();
    await shoot(page, "dates-arabic");
    expect(await phoneFaults(page)).toEqual([]);
    // The arrow that points onward, to the left here, leads to the next month.
    const [previous, next] = await Promise.all(
      [0, -1].map((at) => calendar.locator("[data-direction]").nth(at).boundingBox()),
    );
    expect(previous?.x).toBeGreaterThan(next?.x ?? Number.POSITIVE_INFINITY);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "حفظ", exact: true }).click();
    await expect.poll(stored).toBe("2026-04-05");
  });
});
