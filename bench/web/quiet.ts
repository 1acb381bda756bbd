// When a page has everything that it asked for: it never stops waiting for what others will change.
import type { Page, Request } from "playwright-core";

/** It ends when somebody changes something, or after half a minute. */
export const isOpen = (request: Request): boolean => request.url().includes("/core/changes/");

const QUIET_MS = 500;

/** Until the page asks for nothing any more, but for what others will change. */
export function quietOf(page: Page): () => Promise<void> {
  const underWay = new Set<Request>();
  let last = performance.now();
  const note = (request: Request, isOver: boolean): void => {
    if (isOpen(request)) return;
    last = performance.now();
    if (isOver) underWay.delete(request);
    else underWay.add(request);
  };
  page.on("request", (request) => note(request, false));
  page.on("requestfinished", (request) => note(request, true));
  page.on("requestfailed", (request) => note(request, true));
  return async () => {
    while (underWay.size > 0 || performance.now() - last < QUIET_MS) await page.waitForTimeout(QUIET_MS / 5);
  };
}
