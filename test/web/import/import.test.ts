// A spreadsheet becomes records in the web app: dropped, mapped, checked, corrected, run, and taken back.
import type { Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import {
  type App,
  enterQuickly,
  expectAccessible,
  follow,
  heading,
  openApp,
  phoneFaults,
  sees,
  shoot,
} from "../app.ts";
import { inBrowser } from "../browser.ts";

inBrowser("import", () => {
  let app: App;

  beforeAll(async () => {
    app = await openApp();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const file = (text: string) => ({ name: "leads.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  const lastNames = async (): Promise<readonly string[]> => {
    const q = { fields: ["leads.last_name"], order: ["leads.last_name ASC"] };
    const token = await app.service.login();
    const { body } = await app.service.get(
      `/crm/leads/index.json?q=${encodeURIComponent(JSON.stringify(q))}&limit=50`,
      token,
    );
    return body.paginate.data.map((row: Record<string, string>) => row["leads.last_name"]);
  };

  test("a file is mapped, checked, corrected, imported and undone; a reload on the way loses nothing", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/leads/index");
    // In an empty list it is the first thing that is offered.
    await page.getByRole("link", { name: "Import leads" }).click();
    await heading(page, "Import leads").waitFor();
    await page
      .getByLabel("Choose a file to import")
      .setInputFiles(
        file(
          "Last name;First name;Score;Next follow-up;Status;Shoe size\nLovelace;Ada;90;31.12.2026;New;38\nHopper;Grace;many;01.02.2026;New;39\nTuring;Alan;75;;New;42\n",
        ),
      );
    const field = (column: string) => page.getByRole("combobox", { name: `Field for ${column}` });
    await field("Last name").waitFor();
    await sees(page, "5 of 6 columns will be imported");
    expect(await field("Last name").inputValue()).toBe("Last name (required)");
    expect(await field("Shoe size").inputValue()).toBe("Don't import");
    await sees(page, /CSV · Semicolon · UTF-8 · Header in row 1 · Day, month, year/);
    const preview = page.getByRole("region", { name: "Preview" }).getByRole("table");
    await preview.getByText("Dec 31, 2026").waitFor();
    // Each way to read a day is told by an example, each way to import in words of a table.
    const offered = async (label: string, options: readonly string[]) => {
      await page.getByRole("combobox", { name: label }).click();
      await expect.poll(() => page.getByRole("option").allInnerTexts()).toEqual(options);
      await page.keyboard.press("Escape");
    };
    await page.getByRole("button", { name: /^File format/ }).click();
    await offered("Dates", [
      "Day, month, year (\u206631/12/2026\u2069)",
      "Month, day, year (\u206612/31/2026\u2069)",
      "Year, month, day (\u20662026-12-31\u2069)",
    ]);
    await offered("Rows in the file", [
      "Add each row as a new record",
      "Update matching records only",
      "Add new rows, update matching records",
      "Add new rows, skip matching records",
    ]);

    await field("Shoe size").click();
    await page.getByRole("option", { name: "Employees" }).click();
    await sees(page, "6 of 6 columns will be imported");
    await shoot(page, "import-columns");
    await page.reload();
    await sees(page, "6 of 6 columns will be imported");
    expect(await field("Shoe size").inputValue()).toBe("Employees");

    await page.getByRole("button", { name: "Check import" }).click();
    const result = page.getByRole("list", { name: "Result" });
    await expect.poll(() => result.innerText()).toMatch(/2\s+new\s+1\s+with problems/);
    await shoot(page, "import-check");
    await expectAccessible(page);
    expect(await lastNames()).toEqual([]);
    const reasonColor = () =>
      page.getByText("Score must be a whole number").evaluate((cell) => getComputedStyle(cell).color);
    const red = await reasonColor();
    await page.getByLabel("Row 3, Score").fill("85");
    await sees(page, "1 corrected cell. Check again to see the result.");
    // What was wrong with it is no longer told as a fault.
    expect(await reasonColor()).not.toBe(red);
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByRole("button", { name: "Import 3 records" }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot(page, "import-phone");
    expect(await phoneFaults(page)).toEqual([]);

    await page.getByRole("button", { name: "Import 3 records" }).click();
    await sees(page, "Import finished");
    await expect.poll(() => result.innerText()).toMatch(/3\s+added/);
    await shoot(page, "import-done");
    expect(await lastNames()).toEqual(["Hopper", "Lovelace", "Turing"]);
    // What somebody changes afterwards stays, and is told.
    const token = await app.service.login();
    const { body } = await app.service.get("/crm/leads/index.json?search_basic=Turing", token);
    const id = body.paginate.data[0]["leads.id"];
    const edited = { data: { leads: { id, city: "Wilmslow" }, action: { save_progress: "Save" } } };
    expect((await app.service.post("/crm/leads/edit.json", edited, token)).body.errors).toEqual([]);
    await page.getByRole("button", { name: "Undo import" }).click();
    await sees(page, "Import undone");
    await sees(page, /1 record was changed after this job and keeps those changes\. Review them and revert by hand/);
    // What somebody changed never goes back.
    expect(await page.getByRole("button", { name: "Undo the rest" }).count()).toBe(0);
    expect(await result.count()).toBe(0);
    await page.getByRole("button", { name: "View these records" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Alan Turing" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await lastNames()).toEqual(["Turing"]);
    const gone = await app.service.post(`/crm/leads/delete.json?id=${id}&is_confirm=1`, {}, token);
    expect(gone.body.errors).toEqual([]);
    await page.getByRole("button", { name: "Import another file" }).click();
    await page.getByLabel("Choose a file to import").setInputFiles(file("Last name,First name\n"));
    await sees(page, "This file has no rows");
    await page.getByRole("button", { name: "Use another file" }).click();
    await page.getByLabel("Choose a file to import").setInputFiles(file('Last name\n"x\n'));
    await sees(page, /a quote is opened here and never closed/);
    // By another name of a type, its own address.
    await follow(page, "/crm/people/import");
    await heading(page, "Import people").waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/crm/peoples/import");
  });

  test("pasted rows are imported; a column becomes a field; a mapping is saved, shared, renamed and deleted", async () => {
    const page = await app.visit();
    /** Whether nothing took it. */
    const paste = (text: string) =>
      page.evaluate((given) => {
        const data = new DataTransfer();
        data.setData("text/plain", given);
        return (document.activeElement ?? document.body).dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
        );
      }, text);
    const field = (column: string) => page.getByRole("combobox", { name: `Field for ${column}` });
    await enterQuickly(app, page, "/crm/leads/index");
    await page.getByRole("link", { name: "Import leads" }).waitFor();
    await paste("Last name\tBadge\tScore\nNoether\tBlue\t7\nGalois\tGreen\t8\n");
    await heading(page, "Import leads").waitFor();
    await sees(page, "2 of 3 columns will be imported");
    await field("Badge").click();
    await page.getByRole("option", { name: "Create a new field…" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Label").inputValue()).toBe("Badge");
    await dialog.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "Choice", exact: true }).click();
    await dialog.getByText("Options: Blue, Green").waitFor();
    await expectAccessible(page);
    await shoot(page, "import-new-field");
    await dialog.getByRole("button", { name: "Create field" }).click();
    await sees(page, "3 of 3 columns will be imported");
    expect(await field("Badge").inputValue()).toBe("Badge");

    const saved = page.getByRole("button", { name: "Saved mappings" });
    await saved.click();
    await page.getByRole("menuitem", { name: "Save mapping" }).click();
    await dialog.getByLabel("Name").fill("Badges");
    await dialog.getByRole("radio", { name: "Everyone in the organization" }).check();
    await dialog.getByRole("button", { name: "Save mapping" }).click();
    await dialog.waitFor({ state: "detached" });
    await saved.click();
    await page.getByRole("menuitem", { name: "Manage mappings" }).click();
    await dialog.getByText("Everyone in the organization").waitFor();
    await dialog.getByRole("button", { name: "Edit Badges" }).click();
    await dialog.getByLabel("Name").fill("Badges and scores");
    await dialog.getByRole("radio", { name: "Only me" }).check();
    await dialog.getByRole("button", { name: "Save mapping" }).click();
    await dialog.getByText("Badges and scores").waitFor();
    await dialog.getByText("Only the owner").waitFor();
    await expectAccessible(page);
    await shoot(page, "import-mappings");
    await dialog.getByRole("button", { name: "Delete Badges and scores" }).click();
    await dialog.getByText("No saved mappings").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await saved.click();
    await page.getByRole("menuitem", { name: "Badges and scores" }).click();
    await page.locator(":focus").and(saved).waitFor();

    await page.getByRole("button", { name: "Check import" }).click();
    const isFeed = (sent: Request) => sent.url().includes("/core/changes/index.json");
    const heard = page
      .waitForResponse(async (answer) => isFeed(answer.request()) && (await answer.text()).includes('"crm/leads"'))
      .then(() => page.waitForRequest(isFeed));
    await page.getByRole("button", { name: "Import 2 records" }).click();
    await sees(page, "Import finished");
    // The feed's news of the import is in before the list is open: what was kept of the list is old, and is read anew.
    await heard;
    await page.getByRole("link", { name: "View leads" }).click();
    // Beside the table, and more rows than the list has, from a column on: its labels name them.
    const lower = page.getByRole("gridcell", { name: "7", exact: true });
    await lower.waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Space");
    const peek = page.getByRole("complementary", { name: "Preview" });
    await peek.getByRole("region").first().focus();
    expect(await paste("Two lines\nof prose")).toBe(true);
    await page.keyboard.press("Escape");
    await peek.waitFor({ state: "detached" });
    // Whoever ticked a row has the focus in its box.
    await page.getByRole("grid").getByRole("checkbox").last().check();
    await paste("Last name\tScore\nEuler\t9\n");
    await heading(page, "Import leads").waitFor();
    await sees(page, "Pasted rows.csv");
    await page.goBack();
    await lower.click();
    await paste("10\n11\n12\n");
    await heading(page, "Import leads").waitFor();
    await sees(page, "Pasted rows.csv");
    const preview = page.getByRole("region", { name: "Preview" }).getByRole("row");
    await expect.poll(() => preview.count()).toBe(4);
    await page.goBack();
    // As many as it has, but past its end.
    await lower.click();
    await paste("20\n21\n");
    await page.getByRole("dialog").getByRole("button", { name: "Import all rows instead" }).click();
    await heading(page, "Import leads").waitFor();
    await expect.poll(() => preview.count()).toBe(3);
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot(page, "import-pasted-phone");
    expect(await phoneFaults(page)).toEqual([]);
  });

  test("of several mappings the last one that was chosen is used; a row that was as it should be is an outcome", async () => {
    const token = await app.service.login();
    const justSave = { action: { save_progress: "Save" } };
    const add = async (path: string, data: object) => {
      const sent = { data: { ...data, ...justSave } };
      const { body } = await app.service.post(`/${path}/add.json`, sent, token);
      expect(body.errors).toEqual([]);
      return body.id;
    };
    const lead = await add("crm/leads", { leads: { last_name: "Kowalewska", email: "sofia@example.com", score: "1" } });
    const mapping = { Mail: "email", Points: "score", Who: "last_name" };
    const keep = (name: string, settings: object) =>
      add("core/import_mappings", {
        import_mappings: { name, controller: "crm/leads", settings: JSON.stringify(settings) },
      });
    const first = await keep("First choice", { mapping: { Who: "first_name" }, mode: "add" });
    const last = await keep("Last choice", { mapping, mode: "upsert", key: "email" });
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/leads/import");
    await page
      .getByLabel("Choose a file to import")
      .setInputFiles(file("Mail,Points,Who\nsofia@example.com,2,Kowalewska\nmaria@example.com,3,\n"));
    const field = (column: string) => page.getByRole("combobox", { name: `Field for ${column}` });
    await field("Who").waitFor();
    const held = new Map<string, () => void>();
    await page.route("**/core/import_mappings/settings.json*", async (route) => {
      const id = new URL(route.request().url()).searchParams.get("id") ?? "";
      await new Promise<void>((release) => held.set(id, release));
      await route.continue();
    });
    const saved = page.getByRole("button", { name: "Saved mappings" });
    for (const name of ["First choice", "Last choice"]) {
      await saved.click();
      await page.getByRole("menuitem", { name }).click();
    }
    await expect.poll(() => held.size).toBe(2);
    for (const id of [first, last]) {
      const answered = page.waitForResponse((answer) => answer.url().includes(`settings.json?id=${id}`));
      held.get(id)?.();
      await (await answered).finished();
    }
    await expect.poll(() => field("Points").inputValue()).toBe("Score");
    expect(await field("Who").inputValue()).toBe("Last name (required)");
    await page.getByRole("button", { name: "Check import" }).click();
    const start = page.getByRole("button", { name: "Import 1 record", exact: true });
    await start.waitFor();
    const edited = { data: { leads: { id: lead, score: "2" }, ...justSave } };
    expect((await app.service.post("/crm/leads/edit.json", edited, token)).body.errors).toEqual([]);
    await start.click();
    await sees(page, "Import finished");
    await expect
      .poll(() => page.getByRole("list", { name: "Result" }).innerText())
      .toMatch(/1\s+unchanged\s+1\s+failed/);
    expect(await page.getByText("No rows were imported").count()).toBe(0);

    await page.getByRole("button", { name: "Import another file" }).click();
    await page.getByLabel("Choose a file to import").setInputFiles(file("Last name\nErdős\n"));
    await page.getByRole("button", { name: "Check import" }).click();
    await start.click();
    await sees(page, "Import finished");
    const { body } = await app.service.get(`/crm/leads/index.json?search_basic=${encodeURIComponent("Erdős")}`, token);
    const added = { data: { leads: { id: body.paginate.data[0]["leads.id"], city: "Budapest" }, ...justSave } };
    expect((await app.service.post("/crm/leads/edit.json", added, token)).body.errors).toEqual([]);
    // Undos from before an update counted what they left, and said nothing of it.
    await page.route("**/core/jobs/view.json*", async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      const { jobs } = json.data;
      const { message: _, ...result } = JSON.parse(jobs.result ?? "{}");
      await route.fulfill({
        response,
        json: { ...json, data: { ...json.data, jobs: { ...jobs, result: JSON.stringify(result) } } },
      });
    });
    await page.getByRole("button", { name: "Undo import" }).click();
    await sees(page, "Some records were left as they are.");
    await page.getByRole("button", { name: "View these records" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Erdős" }).waitFor();
  });

  test("on a phone, rows are pasted or typed into a text area", async () => {
    const page = await app.visit();
    await page.setViewportSize({ width: 390, height: 844 });
    await enterQuickly(app, page, "/crm/leads/import");
    const area = page.getByRole("textbox", { name: "Paste rows" });
    const use = page.getByRole("button", { name: "Use these rows" });
    await area.waitFor();
    expect(await use.isDisabled()).toBe(true);
    await shoot(page, "import-paste-area");
    await expectAccessible(page);
    expect(await phoneFaults(page)).toEqual([]);
    const paste = (text: string) =>
      area.evaluate((target, given) => {
        const data = new DataTransfer();
        data.setData("text/plain", given);
        return target.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
        );
      }, text);
    // A word stays in the area; a table goes on at once.
    expect(await paste("Noether")).toBe(true);
    expect(await paste("Last name\tScore\nNoether\t7\n")).toBe(false);
    await sees(page, "Pasted rows.tsv");
    await sees(page, "2 of 2 columns will be imported");
    await page.getByRole("button", { name: "Use another file" }).click();
    // A field that can't be imported says why.
    await paste("Last name\tCreated\nNoether\t2026-01-01\n");
    await sees(page, "Created is filled in automatically and can't be imported");
    await shoot(page, "import-column-reason");
    expect(await phoneFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Use another file" }).click();
    // Some keyboards insert what was copied as if it were typed. What is pasted behind it does not go on by itself.
    await area.fill("Last name,Score\n");
    expect(await paste("Galois,8\nEuler,9\n")).toBe(true);
    // What could not be read is there to be corrected.
    await area.fill("Last name\tScore\nGalois\0\t8\nEuler\t9");
    await use.click();
    await sees(page, /NUL character/);
    await expect.poll(() => area.inputValue()).toContain("Euler");
    await page.locator(":focus").and(area).waitFor();
    await area.fill("Last name,Score\nGalois,8\nEuler,9\n\n");
    await area.press("Tab");
    await page.keyboard.press("Enter");
    await sees(page, "2 of 2 columns will be imported");
    const preview = page.getByRole("region", { name: "Preview" }).getByRole("row");
    await expect.poll(() => preview.count()).toBe(3);
  });
});
