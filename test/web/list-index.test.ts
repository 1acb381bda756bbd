// A long list that is slow for want of an index: it says so, whoever designs has the index built in the list and removes it
// in the design of the type; others are told whom to ask, or that it is built by itself.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { addPerson, addRows } from "../http/people.ts";
import { type App, enterQuickly, expectAccessible, openApp, sees } from "./app.ts";
import { inBrowser } from "./browser.ts";

inBrowser("a list that needs an index", () => {
  let app: App;
  beforeAll(async () => {
    app = await openApp({ LARGE_LIST_ROWS: "3" });
    const people = Array.from({ length: 6 }, (_, index) => ({
      last_name: `Row ${index}`,
      name: `Row ${index}`,
      score: String(index),
    }));
    await addRows(app.service, "crm/leads", people);
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const SLOW = "This list is slow because Score has no index.";

  test("is in the list of slow views, where its index is built and removed", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/administration?part=speed");
    await sees(page, "No response times yet");
    const view = await app.service.db.row(
      sql`select id::text as id from core__listviews where controller = 'crm/leads' and name = 'All leads'`,
    );
    const id = view?.id ?? "";
    await app.service.db.run(sql`
      insert into core__view_times (organization_id, day, record_type, view, bucket, wanted, lists)
      values (1, (now() at time zone 'utc')::date, 'crm/leads', ${id}, 24, 'score', 20)`);
    await page.reload();
    await sees(page, "1 view is over the budget: 95% of requests under 500 ms");
    const row = page.getByRole("row", { name: /All leads/ });
    await row.getByRole("button", { name: "Build index on Score for All leads" }).click();
    await row.getByText("Ready").waitFor();
    await row.getByRole("button", { name: "Remove index on Score for All leads" }).click();
    await row.getByRole("button", { name: "Build index on Score for All leads" }).waitFor();
    await app.service.db.run(
      sql`insert into metadata__indexes (record_type, field, automatic) values ('crm/leads', 'amount', true)`,
    );
    await page.reload();
    const automatic = page.getByRole("region", { name: "Automatic indexes" }).first();
    await automatic.getByText("Ready").waitFor();
    await expectAccessible(page);
    await automatic.getByRole("button", { name: "Keep index on Estimated amount of Leads" }).click();
    await automatic.waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("List performance");
    await row.getByRole("link", { name: "All leads" }).click();
    await page.waitForURL((url) => url.searchParams.get("view") === id);
  });

  test("has it built by an administrator, who can remove it again", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/leads/index?sort=leads.score");
    const notice = page.getByRole("status").filter({ hasText: SLOW });
    await notice.waitFor();
    await expectAccessible(page);
    await notice.getByRole("button", { name: "Build index" }).click();
    await sees(page, "Index on Score built");
    await notice.waitFor({ state: "detached" });

    await page.goto("/crm/leads/about?tab=design");
    await page.getByText("Added indexes").waitFor();
    await sees(page, "Ready");
    await expectAccessible(page);
    const remove = page.getByRole("button", { name: "Remove index on Score" });
    await remove.click();
    await remove.waitFor({ state: "detached" });
    await page.getByText("Removing").waitFor({ state: "detached" });
    await page.goto("/crm/leads/index?sort=leads.score");
    await notice.waitFor();
  });

  test("says so after a second, while its rows are still on their way", async () => {
    const page = await app.visit();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route("**/crm/leads/index.json*", async (route) => {
      if (!route.request().url().includes("notices=only")) await held;
      await route.continue();
    });
    await enterQuickly(app, page, "/crm/leads/index?sort=leads.score");
    const notice = page.getByRole("status").filter({ hasText: SLOW });
    await notice.getByRole("button", { name: "Build index" }).waitFor();
    expect(await page.getByRole("link", { name: "Row 0" }).count()).toBe(0);
    letGo();
    await page.getByRole("link", { name: "Row 0" }).waitFor();
    await notice.waitFor();
  });

  test("tells others whom to ask", async () => {
    const person = await addPerson(app.service, "manager", ["sales_manager"]);
    const owned = Array.from({ length: 5 }, (_, index) => ({
      last_name: `Own ${index}`,
      name: `Own ${index}`,
      owned_by: person.id,
    }));
    await addRows(app.service, "crm/leads", owned);
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/leads/index?sort=leads.score", "manager");
    const notice = page.getByRole("status").filter({ hasText: SLOW });
    await notice.getByText("Ask an administrator of this service to build one.").waitFor();
    expect(await notice.getByRole("button").count()).toBe(0);

    await page.goto("/crm/leads/index?sort=leads.employees");
    await sees(page, "If people often sort or filter by this field, an index is built automatically.");
    await app.service.db.transaction(async (transaction) => {
      // Building waits for whoever was at it before.
      await transaction.run(sql`update crm__leads set score = score where name = 'Row 1'`);
      await app.service.db.run(
        sql`insert into metadata__indexes (record_type, field, automatic) values ('crm/leads', 'employees', true)`,
      );
      await page.reload();
      await sees(page, "An index for this is being built.");
    });
  });
});
