// Lets visitors into a service, one after the other through the same browser profile: to each it is as on the first day, but
// the browser has read the app before, which is a third of the work of a visit. Never two at once in one profile.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

export interface Visitors {
  /** A page of somebody who has never been here. */
  visit(options: BrowserContextOptions): Promise<Page>;
  /** Ends those who are still here. */
  sendAway(): Promise<void>;
  close(): Promise<void>;
}

interface Profile {
  readonly context: BrowserContext;
  /** A picture of the app: whatever it opens shares its process. */
  readonly keeper: Page;
  isTaken: boolean;
}

/** What can be said of one page alone. Whoever wants more has a profile of its own. */
const ofPages = ["viewport", "colorScheme", "reducedMotion"];

/** `prepare`: of each profile, before anybody uses it. */
export function createVisitors(
  browser: Browser,
  usual: BrowserContextOptions,
  prepare: (context: BrowserContext) => Promise<void>,
): Visitors {
  let shared: Profile | undefined;
  const apart: BrowserContext[] = [];

  const openContext = async (options: BrowserContextOptions): Promise<BrowserContext> => {
    const context = await browser.newContext({ ...usual, ...options });
    await prepare(context);
    return context;
  };

  const openProfile = async (): Promise<Profile> => {
    const context = await openContext({});
    const keeper = await context.newPage();
    await keeper.goto("/mark.svg");
    return { context, keeper, isTaken: false };
  };

  return {
    visit: async (options) => {
      if (shared?.isTaken || !Object.keys(options).every((name) => ofPages.includes(name))) {
        const context = await openContext(options);
        apart.push(context);
        return context.newPage();
      }
      shared ??= await openProfile();
      shared.isTaken = true;
      const { keeper } = shared;
      const [page] = await Promise.all([
        keeper.waitForEvent("popup"),
        keeper.evaluate(() => void window.open("about:blank")),
      ]);
      if (options.viewport) await page.setViewportSize(options.viewport);
      const { colorScheme = null, reducedMotion = usual.reducedMotion ?? null } = options;
      await page.emulateMedia({ colorScheme, reducedMotion });
      return page;
    },
    sendAway: async () => {
      await Promise.all(apart.splice(0).map((context) => context.close()));
      if (shared?.isTaken) await cleanUp(shared);
    },
    close: async () => {
      await Promise.all([...apart.splice(0), ...(shared ? [shared.context] : [])].map((context) => context.close()));
      shared = undefined;
    },
  };
}

/** So that the next visitor finds nothing of this one. */
async function cleanUp(profile: Profile): Promise<void> {
  const { context, keeper } = profile;
  await Promise.all(context.pages().map((page) => (page === keeper ? undefined : page.close())));
  await context.unrouteAll();
  await context.setOffline(false);
  await context.clearCookies();
  await keeper.evaluate(async () => {
    localStorage.clear();
    sessionStorage.clear();
    for (const { name = "" } of await indexedDB.databases())
      await new Promise((done) => {
        const removing = indexedDB.deleteDatabase(name);
        removing.onsuccess = done;
        removing.onerror = done;
      });
  });
  profile.isTaken = false;
}
