// Amounts in several currencies in the web app: every cell keeps its symbol, sums are converted and say so.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { addRows } from "../http/people.ts";
import { type App, enterQuickly, openApp } from "./app.ts";
import { inBrowser } from "./browser.ts";

inBrowser("amounts in several currencies", () => {
  let app: App;
  let token: string;
  let currency: (code: string) => string;
  const views = new Map<string, string>();

  beforeAll(async () => {
    app = await openApp();
    token = await app.service.login();
    const codes = await app.service.db.rows(sql`select id::text as id, code from masters__currencies`);
    currency = (code) => codes.find((row) => row.code === code)?.id ?? "";
    // The organization's own currency is the US dollar.
    await addRows(app.service, "masters/exchange_rates", [
      { base_id: currency("EUR"), currency_id: currency("USD"), date: "2024-03-09", rate: "1.25" },
    ]);
    await addRows(app.service, "crm/leads", [
      { name: "Ada Euro", last_name: "Euro", amount: "10.00", currency_id: currency("EUR"), status: "new" },
      { name: "Bo Euro", last_name: "Euro", amount: "30.00", currency_id: currency("EUR"), status: "new" },
      { name: "Cy Dollar", last_name: "Dollar", amount: "100.00", currency_id: currency("USD"), status: "new" },
    ]);
    const add = async (name: string, query: object) => {
      const listviews = { name, controller: "crm/leads", query: JSON.stringify(query) };
      const { body } = await app.service.post(
        "/core/listviews/add.json",
        { data: { listviews, action: { save_progress: "Save" } } },
        token,
      );
      views.set(name, body.id);
    };
    await add("Rows", {
      fields: ["leads.name", "leads.amount"],
      columns: { "leads.amount": { compute_column_total: "1" } },
    });
    await add("KPI", { fields: ["sum(leads.amount) as Pipeline"], ui_helper: "number" });
    await add("Bars", {
      fields: ["leads.status", "sum(leads.amount) as Pipeline"],
      group: ["leads.status"],
      ui_helper: "bar",
    });
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const open = async (view: string, more = "") => {
    const page = await app.visit();
    await enterQuickly(app, page, `/crm/leads/index?view=${views.get(view)}${more}`);
    return page;
  };

  test.each(["", "&sort=leads.amount&dir=DESC"])(
    "a dollar among euros leaves every cell with its symbol, and the total is converted (%s)",
    async (more) => {
      const page = await open("Rows", more);
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      const grid = page.getByRole("grid");
      const row = (text: string | RegExp) => grid.getByRole("row").filter({ hasText: text });
      await row(/Ada Euro.*€10\.00/).waitFor();
      await row(/Bo Euro.*€30\.00/).waitFor();
      await row(/Cy Dollar.*\$100\.00/).waitFor();
      const total = row("≈ $150.00");
      await total.waitFor();
      expect(await total.textContent()).toContain("Converted at exchange rates of Mar 9, 2024: €40.00 + $100.00");
      expect(asked.filter((url) => decodeURIComponent(url).includes("count(id)"))).toEqual([]);
      const note = page.getByText("Amounts in different currencies are sorted and filtered by number only");
      if (more === "") expect(await note.count()).toBe(0);
      else await note.waitFor();
    },
  );

  test("a figure is converted and says so; without a rate it is told by currency", async () => {
    let page = await open("KPI");
    await page.getByText("$150.00", { exact: true }).waitFor();
    await page.getByText("Converted at exchange rates of Mar 9, 2024").waitFor();
    const [id] = await addRows(app.service, "crm/leads", [
      { name: "Dee Dinar", last_name: "Dinar", amount: "5.00", currency_id: currency("KWD"), status: "contacted" },
    ]);
    page = await open("KPI");
    await page.getByText(/^€40\.00 \+ KWD\s5\.000 \+ \$100\.00$/).waitFor();
    page = await open("Bars");
    await page
      .getByRole("row")
      .filter({ hasText: /Contacted.*KWD\s5\.000/ })
      .waitFor();
    await page.getByText("can't be compared in a chart").waitFor();
    await app.service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, token);
  });

  test("rates are imported from the bank's file", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/masters/exchange_rates/index");
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Import rates" }).click();
    await (await chooser).setFiles({
      name: "eurofxref-hist.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("Date,USD,\n2024-03-11,1.5,\n"),
    });
    await page.getByText("1 exchange rates added, 0 updated, 0 unchanged").waitFor();
    await page.getByRole("grid").getByText("1.5", { exact: true }).waitFor();
  });
});
