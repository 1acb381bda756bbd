// One walk over most pages and parts on a phone: axe looks at what they are made of, nothing is too small to touch, and none sticks
// out at the side. Those that look different on a desktop, and have most of the colors (web/theme.test.ts holds pairs of colors), are
// looked at there in light as well, with contrast in both. Left out: pages that have the parts of another one here. Leaves pictures in
// a temporary folder.
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { addPerson, addRows } from "../http/people.ts";
import { runs } from "../runs.ts";
import {
  type App,
  accessFaults,
  allPhoneFaults,
  enterQuickly,
  expectAccessible,
  fillLogin,
  follow,
  frame,
  heading,
  openApp,
  phoneFaults,
  sees,
  shoot,
} from "./app.ts";
import { inBrowser } from "./browser.ts";

/** Name, address (none: stay), and what makes it worth looking at. */
type Stop = readonly [name: string, place: string | undefined, ready: (page: Page) => Promise<unknown>];

const desktop = { width: 1280, height: 800 };
const phone = { width: 380, height: 800 };

/** Others have the same parts and colors as one of these. */
const wide: ReadonlySet<string> = new Set([
  ...["login-refused", "home", "list", "record", "record-refused", "jobs", "new-key", "users"],
  ...["invitations", "role-consequences", "field-uses", "new-form"],
]);

const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();
const part = (name: string, of: string, ready: Stop[2]): Stop => [name, `/administration?part=${of}`, ready];
/** Of a list: a row, or on a phone a card. */
const line = (page: Page, name: RegExp) =>
  page
    .getByRole("row", { name })
    .or(page.getByRole("listitem").filter({ hasText: name }))
    .first()
    .waitFor();
const authPath = "/access_controls/users";

const outside: readonly Stop[] = [
  ["login", "/login", (page) => page.getByLabel("User name").waitFor()],
  [
    "login-refused",
    undefined,
    async (page) => {
      await fillLogin(page, "somebody", "wrong password");
      await sees(page, "Couldn't sign in");
    },
  ],
  ["signup", `${authPath}/signup`, (page) => heading(page, "Create an account").waitFor()],
  [
    "signup-refused",
    undefined,
    async (page) => {
      await press(page, "Create account");
      await sees(page, "Last name is required");
    },
  ],
  [
    "signup-license",
    undefined,
    async (page) => {
      await press(page, "Read the terms of use");
      await page.getByRole("dialog", { name: /./ }).getByRole("button", { name: "Accept" }).waitFor();
    },
  ],
  ["forgotten", `${authPath}/activate_forgotten_password`, (page) => page.getByLabel("User name").waitFor()],
  [
    "reset",
    `${authPath}/reset_forgotten_password?token=x`,
    (page) => page.getByLabel("Confirm new password").waitFor(),
  ],
  ["confirm", `${authPath}/confirm_mail?token=x`, (page) => page.getByRole("button").first().waitFor()],
  ["api-reference", "/docs", (page) => sees(page, "Sign in or enter an API key")],
];

const closed = async (page: Page): Promise<void> => {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
};

const inside = (lead: string): readonly Stop[] => [
  ["home", "/", (page) => page.getByRole("heading", { level: 2, name: "Sales" }).waitFor()],
  [
    "menu",
    undefined,
    async (page) => {
      await press(page, /user menu$/);
      await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
    },
  ],
  // Rows are alike: a few of them say as much as all.
  ["fields", "/crm/leads/about", (page) => page.getByLabel("Filter fields").fill("ed")],
  ["connections", "/crm/leads/about?tab=connections", (page) => sees(page, "Has many")],
  ["access", "/crm/leads/about?tab=access", (page) => page.getByRole("row", { name: /^You/ }).waitFor()],
  ["list", "/crm/leads/index", (page) => line(page, /Lovelace/)],
  ["list-empty", "/crm/quotes/index", (page) => sees(page, /No quotes/)],
  ["record", `/crm/leads/view?id=${lead}`, (page) => page.getByRole("combobox", { name: "Write a comment" }).waitFor()],
  ["access", `/crm/leads/view?id=${lead}&panel=access`, (page) => sees(page, "Share")],
  ["record-add", "/crm/leads/add", (page) => page.getByLabel(/^Last name/).waitFor()],
  [
    "record-refused",
    undefined,
    async (page) => {
      await press(page, /^Save$/);
      await sees(page, "Last name is required");
    },
  ],
  ["search", "/core/search/index?text=lovelace", (page) => page.getByRole("link", { name: /Lovelace/ }).waitFor()],
  ["my-work", "/core/workflows/my_work", (page) => page.getByRole("link", { name: /Lovelace/ }).waitFor()],
  ["jobs", "/core/jobs/index", (page) => page.getByRole("button", { name: /^Undo/ }).first().waitFor()],
  ["nothing", "/no/such/place", (page) => sees(page, "Page not found")],
  ["account", "/account", (page) => page.getByRole("row", { name: /Nightly import/ }).waitFor()],
  [
    "new-key",
    undefined,
    async (page) => {
      await press(page, "New key");
      await page.getByRole("dialog", { name: /./ }).getByLabel("Name").waitFor();
    },
  ],
  part("users", "users", (page) => page.getByRole("row", { name: /leaver/ }).waitFor()),
  [
    "deactivate",
    undefined,
    async (page) => {
      await press(page, "Deactivate leaver");
      await page.getByLabel("Transfer records to").first().waitFor();
    },
  ],
  part("navigation", "navigation", async (page) => {
    await press(page, /^Leads crm\/leads/);
    await page.getByLabel("Hide from roles").first().waitFor();
  }),
  part("designs", "designs", (page) => page.getByRole("button", { name: "Use Issue tracker" }).waitFor()),
  part("invitations", "invitations", async (page) => {
    await page.getByRole("row", { name: /ivy@x.example/ }).waitFor();
    // Without a mail server it is not on its way to anybody.
    await page.getByRole("status").filter({ hasText: "No mail server is set up" }).waitFor();
  }),
  [
    "invite",
    undefined,
    async (page) => {
      await press(page, "Invite someone");
      await page.getByRole("dialog", { name: /./ }).getByLabel("Email").waitFor();
    },
  ],
  part("roles", "roles", (page) => page.getByRole("checkbox", { name: /Leads: Export/ }).waitFor()),
  [
    "role-consequences",
    undefined,
    async (page) => {
      await page.getByRole("checkbox", { name: "Leads: List" }).click();
      await page.getByRole("region", { name: "What this changes" }).waitFor();
    },
  ],
  [
    "new-role",
    undefined,
    async (page) => {
      await press(page, "New role");
      await page.getByRole("dialog", { name: /./ }).getByLabel("Name").waitFor();
    },
  ],
  part("organization", "organization", (page) => page.getByLabel("Allowed email domains").waitFor()),
  part("license", "license", (page) => page.getByRole("heading", { name: "1. The service" }).waitFor()),
  [
    "license-editor",
    undefined,
    async (page) => {
      await press(page, "New version");
      await page.getByLabel("Text").waitFor();
    },
  ],
  part("sessions", "sessions", (page) => page.getByText("This session").waitFor()),
  part("api-keys-of-all", "api_keys", (page) => page.getByRole("row", { name: /Nightly import/ }).waitFor()),
  [
    "service-account",
    undefined,
    async (page) => {
      await press(page, "New service account");
      await page.getByRole("dialog", { name: /./ }).getByLabel("User name").waitFor();
    },
  ],
  part("speed", "speed", (page) =>
    page.getByRole("button", { name: "Build index on Score for Custom queries" }).waitFor(),
  ),
  part("record-types", "record_types", (page) => page.getByRole("link", { name: "New record type" }).waitFor()),
  ["new-type", "/metadata/record_types/add", (page) => page.getByLabel("Singular name").waitFor()],
  [
    "field-uses",
    "/metadata/record_types/view?key=crm/leads",
    async (page) => {
      await press(page, /^Score/);
      await press(page, "Where it's used");
      await page.getByRole("link", { name: "Average score" }).waitFor();
    },
  ],
  [
    "rules",
    undefined,
    async (page) => {
      await page.getByRole("tab", { name: "Rules" }).click();
      await press(page, "Add rule");
      await page.getByLabel("Must be true").waitFor();
    },
  ],
  ["designs", "/crm/quotes/about?tab=design", (page) => page.getByRole("link", { name: "New form" }).waitFor()],
  [
    "new-form",
    "/core/forms/add?controller=crm/quotes&name=Short",
    async (page) => {
      await page.getByRole("list", { name: "Details" }).getByRole("button", { name: "Discount", exact: true }).click();
      await page.getByRole("region", { name: "Discount settings" }).waitFor();
    },
  ],
  part("groups", "groups", (page) => page.getByRole("row", { name: /Northern team/ }).waitFor()),
  [
    "members",
    undefined,
    async (page) => {
      await press(page, "Members of Northern team");
      await page.getByRole("button", { name: "Remove leaver" }).waitFor();
    },
  ],
  part("audit", "audit", (page) =>
    page
      .getByRole("row", { name: /^Signed in/ })
      .first()
      .waitFor(),
  ),
  [
    "audit-detail",
    undefined,
    async (page) => {
      await press(page, /^Details of Group changed/);
      await sees(page, "Northern team");
    },
  ],
  ["webhooks", "/core/webhooks/index", (page) => line(page, /To the shop/)],
  part("translations", "translations", (page) => page.getByLabel("Only untranslated").waitFor()),
];

inBrowser("everything is accessible", () => {
  let app: App;
  let lead = "";

  beforeAll(async () => {
    app = await openApp();
    const leaver = await addPerson(app.service, "leaver", ["support"]);
    const admin = await app.service.login();
    const add = async (type: string, values: Record<string, unknown>): Promise<string> => {
      const data = { [type.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } };
      const { status, body } = await app.service.post(`/${type}/add.json`, { data }, admin);
      expect(status, JSON.stringify(body.errors)).toBe(200);
      return body.id;
    };
    lead = await add("crm/leads", { last_name: "Lovelace", email: "ada@x.example" });
    await add("access_controls/groups", { name: "Northern team", members: [{ user_id: leaver.id }] });
    await app.service.post(
      "/access_controls/api_keys/add.json",
      { data: { api_keys: { name: "Nightly import" } } },
      admin,
    );
    await add("core/webhooks", { name: "To the shop", address: "https://example.com/", record_types: "crm/leads" });
    const [role] = (await app.service.get("/access_controls/users/signup.json")).body.signup_roles;
    await add("access_controls/invitations", { email: "ivy@x.example", role_id: role.value });
    const [other = ""] = await addRows(app.service, "crm/leads", [
      { last_name: "Byron", name: "Byron", status: "new" },
    ]);
    const data = { leads: { id: [other], score: "7" } };
    await app.service.post("/crm/leads/edit_selected.json", { data }, admin);
    await app.service.db.run(sql`
      insert into core__view_times (organization_id, day, record_type, view, bucket, wanted, lists)
      values (1, (now() at time zone 'utc')::date, 'crm/leads', '', 24, 'score', 20)`);
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  async function walk(page: Page, stops: readonly Stop[]): Promise<void> {
    const faults: string[] = [];
    // All at once: whoever mends one page wants to know of the others.
    const look = async (name: string, find: (page: Page) => Promise<readonly string[]>): Promise<void> => {
      await shoot(page, name);
      faults.push(...(await find(page)).map((fault) => `${name}: ${fault}`));
    };
    // The frame is looked at once.
    let known: readonly string[] = [];
    // Nothing is open that a link would have closed.
    let isPlain = false;
    let onPhone = false;
    /** Only when it has to: every turn draws the page anew. */
    const turn = async (toPhone: boolean): Promise<void> => {
      if (onPhone === toPhone) return;
      onPhone = toPhone;
      await page.emulateMedia({ colorScheme: toPhone ? "dark" : "light" });
      await page.setViewportSize(toPhone ? phone : desktop);
    };
    for (const [name, place, ready] of stops) {
      const isThorough = runs(1) > 1 || Boolean(process.env.SCREENSHOTS);
      const isWide = isThorough || wide.has(name);
      await turn(!isWide);
      if (place !== undefined) await (isPlain ? follow(page, place) : page.goto(place));
      isPlain = place !== undefined;
      await ready(page);
      if (isWide) await look(`${name}-light`, (at) => accessFaults(at, true, known));
      await turn(true);
      await look(`${name}-dark-phone`, (at) => allPhoneFaults(at, isWide, known));
      known = frame;
    }
    expect(faults).toEqual([]);
  }

  test("what is wrong is found, each color for itself", async () => {
    const page = await app.visit({ viewport: desktop });
    const text = (color: string) => `<p style="color: ${color}">Some words in ${color}</p>`;
    await page.setContent(
      `<main style="background: #fff"><button></button>${["#999", "#000", "#999", "#aaa"].map(text).join("")}</main>`,
    );
    const wrong = await accessFaults(page, true);
    expect(wrong.map((fault) => fault.split(":")[0])).toEqual([
      "button-name",
      "color-contrast",
      "document-title",
      "html-has-lang",
    ]);
    const [, contrast = ""] = wrong;
    expect(contrast.match(/Some words in #\w+/g)).toEqual(
      ["#999", "#999", "#aaa"].map((color) => `Some words in ${color}`),
    );
    expect(await accessFaults(page, false, ["button"])).toHaveLength(2);
  });

  test("before one is in", { timeout: 240_000 }, async () => {
    await walk(await app.visit({ colorScheme: "light", viewport: desktop }), outside);
  });

  test("inside", { timeout: 600_000 }, async () => {
    const page = await app.visit({ colorScheme: "light", viewport: desktop });
    await enterQuickly(app, page, "/");
    await walk(page, inside(lead));
  });

  test("the palette, the shortcuts and the navigation of a phone", async () => {
    const page = await app.visit({ colorScheme: "dark", viewport: desktop });
    await enterQuickly(app, page, "/");
    await page.getByRole("heading", { level: 2, name: "Sales" }).waitFor();
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("textbox", { name: /^Search records/ }).waitFor();
    await expectAccessible(page);
    await closed(page);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await expectAccessible(page);
    await closed(page);
    await page.setViewportSize(phone);
    await press(page, "Open navigation");
    await page.getByRole("navigation", { name: "Navigation" }).waitFor();
    expect(await phoneFaults(page)).toEqual([]);
  });
});
