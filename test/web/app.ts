// The real service with the built app, and a browser in front of it: what every journey starts from.
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BrowserContextOptions, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { startService, type TestService } from "../service.ts";
import { unsettle } from "../unrest.ts";
import { createVisitors } from "../visitors.ts";
import { seriousFaults } from "./axe.ts";
import { openBrowser } from "./browser.ts";
import { ensureBuilt } from "./built.ts";

export interface App {
  readonly service: TestService;
  readonly url: string;
  /** The name of the administrator's organization. */
  organization(): Promise<string>;
  /** A fresh visitor, who has never been here. */
  visit(options?: BrowserContextOptions): Promise<Page>;
  /** One in a browser profile of its own: for whoever changes clocks, connections or speeds, or counts what a first visit takes. */
  visitApart(options?: BrowserContextOptions): Promise<Page>;
  /** Ends the visitors that are still here, and complains about what their browsers complained about. */
  leave(): Promise<void>;
  stop(): Promise<void>;
}

export async function openApp(environment: Record<string, string> = {}): Promise<App> {
  await ensureBuilt();
  const service = await startService(environment);
  const browser = await openBrowser();
  const complaints: string[] = [];
  // What moves is waited for at every step.
  const usual = { viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", baseURL: service.url } as const;
  const visitors = createVisitors(browser, usual, async (context) => {
    context.setDefaultTimeout(40_000);
    await unsettle(context);
    context.on("weberror", (error) => complaints.push(error.error().message));
    context.on("console", (message) => {
      // Refused calls are part of the journeys; anything else that the console calls an error is one of ours.
      if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
        complaints.push(message.text());
    });
  });
  const watched = async (coming: Promise<Page>): Promise<Page> => {
    const page = await coming;
    watchRequests(page);
    return page;
  };
  return {
    service,
    url: service.url,
    organization: async () => {
      const { body } = await service.get("/development_base/menus/app_menu.json", await service.login());
      return body.organization_name;
    },
    visit: (options = {}) => watched(visitors.visit(options)),
    visitApart: (options = {}) => watched(visitors.visitApart(options)),
    leave: async () => {
      await visitors.sendAway();
      expect(complaints.splice(0)).toEqual([]);
    },
    stop: async () => {
      await visitors.close();
      await service.stop();
    },
  };
}

interface Traffic {
  readonly underWay: Set<Request>;
  last: number;
}

const traffic = new WeakMap<Page, Traffic>();

function watchRequests(page: Page): void {
  const seen: Traffic = { underWay: new Set(), last: performance.now() };
  traffic.set(page, seen);
  // One that waits for what others do ends only then.
  const isOwn = (request: Request): boolean => !request.url().includes("/core/changes/");
  const note = (change: (request: Request) => void) => (request: Request) => {
    if (!isOwn(request)) return;
    change(request);
    seen.last = performance.now();
  };
  page.on(
    "request",
    note((request) => seen.underWay.add(request)),
  );
  for (const event of ["requestfinished", "requestfailed"] as const) {
    // The two have the same listener, and overloads of their own.
    page.on(
      event as "requestfinished",
      note((request) => seen.underWay.delete(request)),
    );
  }
}

/** Until the page asks for nothing any more. */
export const untilQuiet = (page: Page): Promise<void> =>
  expect
    .poll(() => {
      const { underWay = new Set(), last = 0 } = traffic.get(page) ?? {};
      return underWay.size === 0 && performance.now() - last > 500;
    })
    .toBe(true);

export async function fillLogin(page: Page, userName: string, password: string): Promise<void> {
  await page.getByLabel("User name").fill(userName);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** As the administrator, to a path. */
export async function enter(app: App, page: Page, place = "/"): Promise<void> {
  await page.goto(place);
  await fillLogin(page, app.service.admin.userName, app.service.admin.password);
  await page.getByRole("navigation", { name: "Navigation" }).or(page.getByLabel("Open navigation")).first().waitFor();
}

/** As a visitor who has logged in before, where logging in is not the point. */
export async function enterQuickly(
  app: App,
  page: Page,
  place: string,
  userName = app.service.admin.userName,
): Promise<void> {
  const users = { user_name: userName, user_password: app.service.admin.password };
  const { body } = await app.service.post("/access_controls/users/login.json", { data: { users } });
  await page.addInitScript((token: string) => {
    if (sessionStorage.getItem("entered") !== null) return;
    sessionStorage.setItem("entered", "1");
    localStorage.setItem("dossier.refresh", token);
  }, body.refresh_token);
  await page.goto(place);
}

/** Within the app, as a link does: to load it anew for every page would be most of the work. */
export const follow = (page: Page, place: string): Promise<void> =>
  page.evaluate((to) => history.pushState({}, "", to), place);

/** What waits for the changes of others waits on: else it may be the first to hear what the test wants to be heard elsewhere. */
export const hearNothing = (page: Page): Promise<unknown> => page.route("**/core/changes/**", () => undefined);

export const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });

/** Waits for the words to be on the screen. */
export const sees = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();

const shots = path.isAbsolute(process.env.SCREENSHOTS ?? "")
  ? (process.env.SCREENSHOTS ?? "")
  : path.join(tmpdir(), "dossier-screenshots");

/** For people to look at, when SCREENSHOTS is set (to a folder, or to 1 for the temporary one); never compared. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: path.join(shots, `${name}.png`) });
}

/** Around every page: accessible.test.ts looks at it once. */
export const frame = ["nav[aria-label=Navigation]", "header"];

/** Rows of a table after the first six, which are made like them: about a third of the work. accessible.test.ts leaves none out. */
const alike = "[role=rowgroup] > [role=row]:nth-child(n+7)";

/** Over a page that nobody can reach meanwhile, and that is looked at without it. */
const modal = "[role=dialog][aria-modal=true]";

/** What a page is made of. Contrast, which is most of axe's work, is held by web/theme.test.ts and accessible.test.ts. */
export async function expectAccessible(page: Page): Promise<void> {
  const rules = { "color-contrast": { enabled: false } };
  expect(await seriousFaults(page, { rules, exclude: [...frame, alike], within: modal })).toEqual([]);
}

export const accessFaults = (page: Page, contrast: boolean, exclude: readonly string[] = []) =>
  seriousFaults(page, { rules: { "color-contrast": { enabled: contrast } }, exclude });

/** Nothing sticks out at the side. */
async function widthFaults(page: Page): Promise<readonly string[]> {
  const [wide = 0, room = 0] = await page.evaluate(() => [document.scrollingElement?.scrollWidth, window.innerWidth]);
  return wide > room ? [`the page is ${wide} px wide, the screen ${room}`] : [];
}

/** On a phone nothing sticks out at the side, what scrolls can be reached, and what can be touched is large enough or stands apart. */
export async function phoneFaults(page: Page): Promise<readonly string[]> {
  const values = ["target-size", "scrollable-region-focusable"];
  return [...(await widthFaults(page)), ...(await seriousFaults(page, { runOnly: { type: "rule", values } }))];
}

/** The same, and all that is looked for on a desktop. */
export async function allPhoneFaults(
  page: Page,
  contrast: boolean,
  exclude: readonly string[] = [],
): Promise<readonly string[]> {
  const rules = { "target-size": { enabled: true }, "color-contrast": { enabled: contrast } };
  return [...(await widthFaults(page)), ...(await seriousFaults(page, { rules, exclude }))];
}
