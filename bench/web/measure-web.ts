// `npm run bench -- web`: what people do all day, timed in the browser on the demo organization, each as a multiple of a fixed amount of
// script work in the same page and round; what a first visit costs; and how soon others' changes show. `--against COMMIT` measures another
// version by the same script.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { root } from "../../server/lib/root.ts";
import { findChromium, launchChromium } from "../../test/web/chromium.ts";
import { checkOut, otherCommit } from "../guard/other-checkout.ts";
import { spread } from "../load/figures.ts";
import type { Options } from "../options.ts";
import { benchPassword } from "../organization/people.ts";
import type { Fact } from "../report/result.ts";
import { login, spawnService } from "../serve/serve.ts";
import { scriptWork } from "./browser-work.ts";
import { coldVisit } from "./cold-visit.ts";
import { interactions } from "./interactions.ts";
import { liveScreens } from "./live.ts";

const ADMIN = "admin";
const desktop = { width: 1440, height: 900 };

export async function measureWeb(options: Options): Promise<readonly Fact[]> {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error("The section web needs Chromium: install it or set CHROMIUM_PATH");
  const folder = mkdtempSync(path.join(tmpdir(), "dossier-bench-web-"));
  // The engine runs as an account of its own where we are root: the folder must be open to it.
  chmodSync(folder, 0o755);
  const environment = {
    DATA_DIR: path.join(folder, "data"),
    PORT: String(options.port),
    ADMIN_PASSWORD: benchPassword,
    DEMO_DATA: "1",
  };
  const commit = options.against && otherCommit(options.against);
  const checkout = commit ? await checkOut(commit, options.data) : root;
  const service = await spawnService(checkout, environment);
  const browser = await launchChromium(chromium);
  try {
    return await walk(browser, options);
  } finally {
    await browser.close();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function walk(browser: Browser, options: Options): Promise<readonly Fact[]> {
  const baseURL = `http://127.0.0.1:${options.port}`;
  const visit = async (): Promise<Page> => {
    const context = await browser.newContext({ baseURL, viewport: desktop, reducedMotion: "reduce" });
    return context.newPage();
  };
  const cold = await visit();
  const facts: Fact[] = [...(await coldVisit(cold, ADMIN, benchPassword))];
  await cold.context().close();

  const token = await login(options.port, ADMIN);
  let turns = 0;
  const turn = (): number => {
    turns += 1;
    return turns;
  };
  const quote = () => waitingQuote(baseURL, token, turn());
  const page = await visit();
  const signIn = await timed(page, async () => {
    await page.goto("/login");
    await page.getByLabel("User name").fill(ADMIN);
    await page.getByLabel("Password", { exact: true }).fill(benchPassword);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: /^Good / }).waitFor();
  });
  facts.push(told("sign in", [signIn]));
  const rounds = Math.max(3, options.rounds);
  for (const { name, from, act } of interactions(quote, turn)) {
    const took: Timed[] = [];
    // The first brings code and lists; it is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      await from(page);
      const one = await timed(page, () => act(page)).catch((error: Error) => {
        throw new Error(`${name}: ${error.message}`, { cause: error });
      });
      if (round > 0) took.push(one);
    }
    facts.push(told(name, took));
  }
  facts.push(...(await liveScreens(page, baseURL, token, options.seed)));
  await page.context().close();
  return facts;
}

interface Timed {
  readonly ms: number;
  /** Of the fixed work, right after. */
  readonly work: number;
}

async function timed(page: Page, act: () => Promise<void>): Promise<Timed> {
  const began = performance.now();
  await act();
  const ms = performance.now() - began;
  return { ms, work: await scriptWork(page) };
}

function told(name: string, took: readonly Timed[]): Fact {
  const ratios = spread(took.map(({ ms, work }) => ms / work));
  const ms = spread(took.map((one) => one.ms)).median;
  return {
    name,
    value: ratios.median,
    unit: "× script work",
    note: `${ratios.low.toFixed(2)}–${ratios.high.toFixed(2)}, ${ms.toFixed(0)} ms here`,
  };
}

/** A quote that waits for an approval. */
async function waitingQuote(baseURL: string, token: string, turn: number): Promise<string> {
  const post = async (operation: string, data: unknown): Promise<{ id: string; errors: readonly string[] }> => {
    const response = await fetch(`${baseURL}/crm/quotes/${operation}.json`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ data }),
    });
    // Its own answers.
    const body = (await response.json()) as { id: string; errors: readonly string[] };
    if (body.errors.length > 0) throw new Error(`a quote cannot be made: ${body.errors.join("; ")}`);
    return body;
  };
  const values = { name: `Measured ${turn}`, amount: "1000.00", discount: "15" };
  const { id } = await post("add", { quotes: values, action: { save_progress: "Save" } });
  await post("edit", { quotes: { id }, action: { submit: "Submit for approval" } });
  return id;
}
