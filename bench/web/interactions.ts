// What people do in the web app all day, each timed from the key or click to what it brings on the screen. The page is the demo's,
// and warm: code and lists that an interaction needs have been there before.
import type { Page } from "playwright-core";

export interface Interaction {
  readonly name: string;
  /** Brings the page to where it starts; not timed. */
  readonly from: (page: Page) => Promise<void>;
  /** Ends when what was asked for can be seen. */
  readonly act: (page: Page) => Promise<void>;
}

const row = (page: Page, index: number) => page.getByRole("grid").getByRole("row").nth(index);
const grid = async (page: Page): Promise<void> => row(page, 2).getByRole("gridcell").nth(2).waitFor();

/** Within the app, which goes on from where it is. */
async function go(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => history.pushState({}, "", to), address);
}

const home = async (page: Page): Promise<void> => {
  await go(page, "/");
  await page.getByRole("heading", { level: 1, name: /^Good / }).waitFor();
};
const leads = async (page: Page): Promise<void> => {
  await go(page, "/crm/leads/index");
  await grid(page);
};

/** `quote`: a draft that needs an approval. `turn`: a number that no round before has had. */
export const interactions = (quote: () => Promise<string>, turn: () => number): readonly Interaction[] => [
  {
    name: "open a list from home",
    from: home,
    act: async (page) => {
      await page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Leads" }).click();
      await grid(page);
    },
  },
  {
    name: "sort a list",
    from: leads,
    act: async (page) => {
      // An order that the page has not seen yet.
      const at = turn();
      const column = ["score", "company_name", "amount", "created", "rating"][at % 5];
      const way = at % 2 === 0 ? "ASC" : "DESC";
      const answered = page.waitForResponse((response) => /crm\/leads\/index\.json/.test(response.url()));
      await go(page, `/crm/leads/index?sort=leads.${column}&dir=${way}`);
      await answered;
      await grid(page);
    },
  },
  {
    name: "search a list",
    from: leads,
    act: async (page) => {
      const word = ["weber", "tanaka", "lopez", "novak", "smith"][turn() % 5] ?? "weber";
      const answered = page.waitForResponse((response) => response.url().includes(`search_basic=${word}`));
      await page.getByRole("searchbox").fill(word);
      await answered;
    },
  },
  {
    name: "edit a cell in place",
    from: leads,
    act: async (page) => {
      // The company, behind the box and the name.
      const cell = row(page, 2).getByRole("gridcell").nth(2);
      await cell.dblclick();
      const saved = page.waitForResponse((response) => response.url().includes("crm/leads/edit"));
      await cell.getByRole("textbox").fill(`Measured ${turn()}`);
      await page.keyboard.press("Enter");
      await saved;
    },
  },
  {
    name: "add a record",
    from: leads,
    act: async (page) => {
      await page
        .getByRole("link", { name: /^New lead$/i })
        .first()
        .click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Last name").fill(`Measured ${turn()}`);
      await dialog.getByRole("button", { name: "Save", exact: true }).click();
      await dialog.waitFor({ state: "hidden" });
    },
  },
  {
    name: "approve",
    from: async (page) => {
      await go(page, `/crm/quotes/view?id=${await quote()}`);
      await page.getByRole("button", { name: "Approve", exact: true }).first().waitFor();
    },
    act: async (page) => {
      await page.getByRole("button", { name: "Approve", exact: true }).first().click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Approve", exact: true }).click();
      await page.locator("[aria-current=step]", { hasText: "Approved" }).waitFor();
    },
  },
  {
    name: "find a record in the palette",
    from: home,
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("textbox", { name: /^Search records/ }).fill("weber");
      await page.getByRole("dialog").getByText(/Weber/).first().waitFor();
      await page.keyboard.press("Escape");
    },
  },
];
