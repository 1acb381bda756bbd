// A spreadsheet becomes records in the web app: dropped, mapped, checked, corrected, run, and taken back.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type App, enterQuickly, expectAccessible, heading, openApp, phoneFaults, sees, shoot } from "../app.ts";
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
          "Last name;First name;Score;Next follow up;Status;Shoe size\nLovelace;Ada;90;31.12.2026;New;38\nHopper;Grace;many;01.02.2026;New;39\nTuring;Alan;75;;New;42\n",
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
    await expectAccessible(page, true);
    expect(await lastNames()).toEqual([]);
    await page.getByLabel("Row 3, Score").fill("85");
    await sees(page, "1 corrected cell. Check again to see the result.");
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
    await page.getByRole("button", { name: "Undo import" }).click();
    await sees(page, "Import undone");
    expect(await lastNames()).toEqual([]);
    await page.getByRole("button", { name: "Import another file" }).click();
    await page.getByLabel("Choose a file to import").setInputFiles(file('Last name\n"x\n'));
    await sees(page, /a quote is opened here and never closed/);
  });
});
