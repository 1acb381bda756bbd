// How soon a screen shows what somebody else saved: from the answer to whoever saved it until it can be seen here. The saves come at
// any moment, also while the screen rests after the last one.
import type { Page } from "playwright-core";
import { spread } from "../load/figures.ts";
import type { Fact } from "../report/result.ts";
import { createRandom, seedOf } from "../traffic/random.ts";

const BUDGET_MS = 1_000;
const CHANGES = 12;
const MOST_APART_MS = 2_000;

interface LiveScreen {
  readonly name: string;
  open(): Promise<void>;
  save(text: string): Promise<unknown>;
  /** Until what was saved can be seen. */
  shown(text: string): Promise<unknown>;
}

const action = { save_progress: "Save" };

/** As somebody who is not at this page. */
interface Other {
  post(path: string, data: unknown): Promise<string>;
  boardOf(controller: string): Promise<string>;
}

async function screens(page: Page, { post, boardOf }: Other): Promise<readonly LiveScreen[]> {
  const lead = await post("crm/leads/add", { leads: { last_name: "Live", company_name: "Live" }, action });
  const company = await post("crm/companies/add", { companies: { name: "Live Ltd" }, action });
  const offer = (name: string, close = "2001-01-01") =>
    post("crm/opportunities/add", {
      opportunities: { name, company_id: company, expected_close: close, amount: "1" },
      action,
    });
  // The first in its lane.
  const opportunity = await offer("Live", "2000-01-01");
  const board = await boardOf("crm/opportunities");
  const rename = (text: string) => post("crm/leads/edit", { leads: { id: lead, company_name: text }, action });
  const shown = (text: string): Promise<void> => page.getByText(text).first().waitFor();
  const record = async (): Promise<void> => {
    await page.goto(`/crm/leads/view?id=${lead}`);
    await page.getByRole("heading", { level: 1, name: /Live/ }).waitFor();
  };
  const tile = page.getByRole("region", { name: "Leads: New leads", exact: true });
  const work = page.getByRole("link", { name: /^My work, \d+ waiting/ });
  let [figure, waiting] = [0, 0];
  return [
    {
      name: "a list",
      open: async () => {
        await page.goto("/crm/leads/index");
        await page.getByRole("grid").getByRole("gridcell").nth(2).waitFor();
      },
      save: rename,
      shown,
    },
    {
      name: "a board",
      open: async () => {
        await page.goto(`/crm/opportunities/index?view=${board}`);
        await page.getByText("Live", { exact: true }).first().waitFor();
      },
      save: (name) => post("crm/opportunities/edit", { opportunities: { id: opportunity, name }, action }),
      shown,
    },
    { name: "a record page", open: record, save: rename, shown },
    {
      name: "a record's comments",
      open: record,
      save: (body) =>
        post("core/comments/add", { comments: { related_type: "crm/leads", related_id: lead, body }, action }),
      shown,
    },
    {
      name: "My work",
      open: async () => {
        await page.goto("/core/workflows/my_work");
        await page.getByRole("heading", { level: 1, name: "My work" }).waitFor();
        waiting = Number(/\d+/.exec((await work.getAttribute("aria-label")) ?? "")?.[0]);
      },
      save: (name) => {
        waiting += 1;
        return offer(name);
      },
      shown: () => page.getByRole("link", { name: `My work, ${waiting} waiting` }).waitFor(),
    },
    {
      name: "the dashboard",
      open: async () => {
        await page.goto("/");
        figure = Number(await tile.getByText(/^\d+$/).innerText());
      },
      save: (name) => {
        figure += 1;
        return post("crm/leads/add", { leads: { last_name: name }, action });
      },
      shown: () => tile.getByText(String(figure), { exact: true }).waitFor(),
    },
  ];
}

/** Of a page that is signed in. `token`: of a session of its own. */
export async function liveScreens(page: Page, baseURL: string, token: string, seed: number): Promise<readonly Fact[]> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const ask = async <T>(path: string, sent?: { readonly body: string }): Promise<T> => {
    const response = await fetch(`${baseURL}/${path}`, { headers, ...(sent && { method: "POST", ...sent }) });
    const answer = (await response.json()) as T & { errors?: readonly string[] };
    if (answer.errors && answer.errors.length > 0) throw new Error(`${path}: ${answer.errors.join("; ")}`);
    return answer;
  };
  const other: Other = {
    post: async (path, data) => (await ask<{ id: string }>(`${path}.json`, { body: JSON.stringify({ data }) })).id,
    boardOf: async (controller) => {
      const { paginate } = await ask<{ paginate: { data: Record<string, string>[] } }>(
        "core/listviews/index.json?limit=500",
      );
      const board = paginate.data.find((view) => view.controller === controller && view.name === "Board by stage");
      if (!board?.id) throw new Error(`${controller} has no board`);
      return board.id;
    },
  };
  const run = Date.now();
  const facts: Fact[] = [];
  for (const { name, open, save, shown } of await screens(page, other)) {
    const random = createRandom(seedOf("live", name, seed));
    await open();
    const took: number[] = [];
    for (let at = 0; at <= CHANGES; at += 1) {
      await page.waitForTimeout(random.integer(0, MOST_APART_MS));
      const text = `Live on ${name}, ${at} of ${run}.`;
      await save(text);
      const began = performance.now();
      await shown(text);
      // The first may meet a page that is still being opened.
      if (at > 0) took.push(performance.now() - began);
    }
    const { median, high } = spread(took);
    const isHeld = high <= BUDGET_MS;
    facts.push({
      name: `live: ${name} shows what somebody else saved`,
      value: median,
      unit: "ms",
      note: `${high.toFixed(0)} ms at most; budget ${BUDGET_MS} ms: ${isHeld ? "held" : "NOT held"}`,
    });
  }
  return facts;
}
