// Lets visitors into a service, one after the other through the same page: each comes as on the first day, but the browser has
// read the app before, which is half the work of a visit. Never two at once; whoever comes meanwhile has a browser profile of its own.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

export interface Visitors {
  /** A page of somebody who has never been here. */
  visit(options: BrowserContextOptions): Promise<Page>;
  /** The same in a profile that nobody used before and nobody will use: for whoever changes clocks, connections or speeds. */
  visitApart(options: BrowserContextOptions): Promise<Page>;
  /** Ends those who are still here. */
  sendAway(): Promise<void>;
  close(): Promise<void>;
}

interface Shared {
  readonly context: BrowserContext;
  readonly page: Page;
  isTaken: boolean;
  /** Takes back what a visitor had done to the page before the app comes. */
  readonly takeBack: (() => Promise<void>)[];
}

/** What can be said of a page that is there. Whoever wants more has a profile of its own. */
const ofPages = ["viewport", "colorScheme", "reducedMotion", "permissions"];
/** Of the same origin, and not the app. */
const ground = "/mark.svg";
const clockChanges = [
  "install",
  "setFixedTime",
  "setSystemTime",
  "pauseAt",
  "fastForward",
  "runFor",
  "resume",
] as const;
const heard = ["request", "requestfinished", "requestfailed", "response", "console", "dialog", "download"] as const;

/** `prepare`: of each profile, before anybody uses it. */
export function createVisitors(
  browser: Browser,
  usual: BrowserContextOptions & { readonly viewport: { readonly width: number; readonly height: number } },
  prepare: (context: BrowserContext) => Promise<void>,
): Visitors {
  let shared: Shared | undefined;
  const apart: BrowserContext[] = [];

  const openContext = async (options: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser.newContext({ ...usual, ...options });
    await prepare(context);
    return context;
  };

  const visitApart = async (options: BrowserContextOptions): Promise<Page> => {
    const context = await openContext(options);
    apart.push(context);
    return context.newPage();
  };

  const openShared = async (): Promise<Shared> => {
    const context = await openContext({});
    const page = await context.newPage();
    // A clock belongs to the whole context, and cannot be given back.
    const refuse = (): Promise<never> =>
      Promise.reject(new Error("This page is shared. To change the clock, use visitApart"));
    for (const change of clockChanges) context.clock[change] = refuse;
    const takeBack: Shared["takeBack"] = [];
    const add = page.addInitScript.bind(page);
    page.addInitScript = async (...script) => {
      const added = await add(...script);
      takeBack.push(() => added.dispose());
      return added;
    };
    return { context, page, isTaken: false, takeBack };
  };

  return {
    visitApart,
    visit: async (options) => {
      if (shared?.isTaken || !Object.keys(options).every((name) => ofPages.includes(name))) return visitApart(options);
      shared ??= await openShared();
      shared.isTaken = true;
      const { page, context } = shared;
      const { viewport, colorScheme = "light", reducedMotion = usual.reducedMotion ?? null, permissions } = options;
      await page.setViewportSize(viewport ?? usual.viewport);
      await page.emulateMedia({ media: null, forcedColors: null, contrast: null, colorScheme, reducedMotion });
      if (permissions) await context.grantPermissions(permissions);
      return page;
    },
    sendAway: async () => {
      await Promise.all(apart.splice(0).map((context) => context.close()));
      if (!shared?.isTaken) return;
      const { context, page } = shared;
      if (page.isClosed()) shared = undefined;
      else await cleanUp(shared);
      if (!shared) await context.close();
    },
    close: async () => {
      await Promise.all([...apart.splice(0), ...(shared ? [shared.context] : [])].map((context) => context.close()));
      shared = undefined;
    },
  };
}

/** So that the next visitor finds nothing of this one. */
async function cleanUp(used: Shared): Promise<void> {
  const { context, page } = used;
  for (const event of heard) page.removeAllListeners(event);
  await Promise.all(context.pages().map((other) => (other === page ? undefined : other.close())));
  await page.unrouteAll({ behavior: "ignoreErrors" });
  for (const takeBack of used.takeBack.splice(0)) await takeBack();
  await page.mouse.move(0, 0);
  await page.goto(ground);
  await page.evaluate(async () => {
    localStorage.clear();
    sessionStorage.clear();
    for (const { name = "" } of await indexedDB.databases())
      await new Promise((done) => {
        const removing = indexedDB.deleteDatabase(name);
        removing.onsuccess = done;
        removing.onerror = done;
      });
  });
  await context.clearCookies();
  await context.clearPermissions();
  used.isTaken = false;
}
