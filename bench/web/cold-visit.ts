// A first visit with an empty cache: sign in, home, the list of leads. Counts requests and bytes over the wire, and the time by which
// tasks of the main thread on home exceed 200 ms.
import type { Page, Request } from "playwright-core";
import type { Fact } from "../report/result.ts";
import { isOpen, quietOf } from "./quiet.ts";

export const budget = { requests: 40, kilobytes: 700, blockMs: 200 } as const;

interface Tasks {
  readonly __longest: number;
}

/** Of the pages that follow, the longest task so far. */
const watchTasks = (page: Page) =>
  page.addInitScript(() => {
    const seen = window as unknown as { __longest: number };
    seen.__longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.__longest = Math.max(seen.__longest, duration);
    }).observe({ type: "longtask", buffered: true });
  });

export async function coldVisit(page: Page, userName: string, password: string): Promise<readonly Fact[]> {
  const asked: Request[] = [];
  page.on("request", (request) => asked.push(request));
  const quiet = quietOf(page);
  await watchTasks(page);
  await page.goto("/login");
  await page.getByLabel("User name").fill(userName);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: /^Good / }).waitFor();
  await quiet();
  const longest = await page.evaluate(() => (window as unknown as Tasks).__longest);
  await page.getByRole("navigation", { name: "Navigation" }).getByRole("link", { name: "Leads" }).click();
  await page.getByRole("grid").getByRole("gridcell").nth(2).waitFor();
  await quiet();
  let bytes = 0;
  for (const request of asked) {
    if (isOpen(request) || request.failure() !== null || (await request.response()) === null) continue;
    const sizes = await request.sizes();
    bytes += sizes.responseBodySize + sizes.responseHeadersSize;
  }
  const kilobytes = bytes / 1000;
  const held = (isHeld: boolean, most: string): string => `budget ${most}: ${isHeld ? "held" : "NOT held"}`;
  return [
    {
      name: "cold: sign in, home, leads: requests",
      value: asked.length,
      unit: "requests",
      note: held(asked.length <= budget.requests, String(budget.requests)),
    },
    {
      name: "cold: sign in, home, leads: over the wire",
      value: kilobytes,
      unit: "kB",
      note: held(kilobytes <= budget.kilobytes, `${budget.kilobytes} kB`),
    },
    {
      name: "cold: longest block of the main thread until home stands",
      value: longest,
      unit: "ms",
      note: held(longest <= budget.blockMs, `${budget.blockMs} ms`),
    },
  ];
}
