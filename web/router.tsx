// The routes: the same paths as the wire. Screens are fetched when first needed; everything but the login needs a session.
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from "@tanstack/react-router";
import type { ListChoice } from "../client/lists/lists.ts";
import { withFieldParts } from "./fields/with-field-parts.ts";
import { FailedScreen } from "./parts/layout/failure-state.tsx";
import { lazyScreen } from "./parts/loading/lazy-screen.ts";
import { queryClient } from "./query-client.ts";
import { type AboutTab, aboutTabs } from "./screens/about/about-tabs.ts";
import { type AdministrationPart, administrationParts } from "./screens/administration/administration-parts.ts";
import { newKeyPlace } from "./screens/administration/keys/new-key-place.ts";
import { LoginScreen } from "./screens/login/login-screen.tsx";
import { safeDestination } from "./session/destination.ts";
import { type SessionEnd, session } from "./session/session.ts";
import { withTexts } from "./texts/languages.ts";

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

const root = createRootRoute({ component: Outlet });

interface LoginSearch {
  readonly next?: string;
  readonly end?: SessionEnd;
}

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: (search): LoginSearch => ({
    ...(typeof search.next === "string" ? { next: search.next } : {}),
    ...(search.end === "expired" || search.end === "left" ? { end: search.end } : {}),
  }),
  beforeLoad: ({ search }) => {
    if (session.get().status === "in") throw redirect({ href: safeDestination(search.next), replace: true });
  },
  component: LoginScreen,
});

// The way in for those who are not in yet: the wire's own addresses, which links in messages carry.
const authPath = "/access_controls/users";
const { authRoutes } = makeAuth();

function makeAuth() {
  const signup = createRoute({
    getParentRoute: () => root,
    path: `${authPath}/signup`,
    validateSearch: (search): { invitation?: string; organization_id?: string } => {
      const [invitation, organization] = [textOf(search.invitation), textOf(search.organization_id)];
      return {
        ...(invitation === undefined ? {} : { invitation }),
        ...(organization === undefined ? {} : { organization_id: organization }),
      };
    },
    component: lazyScreen(() => withTexts("people", () => import("./screens/auth/signup-screen.tsx")), "SignupScreen"),
  });
  const forgotten = createRoute({
    getParentRoute: () => root,
    path: `${authPath}/activate_forgotten_password`,
    component: lazyScreen(
      () => withTexts("people", () => import("./screens/auth/forgotten-screen.tsx")),
      "ForgottenScreen",
    ),
  });
  const tokenSearch = (search: Record<string, unknown>): { token?: string } => {
    const token = textOf(search.token);
    return token === undefined ? {} : { token };
  };
  const reset = createRoute({
    getParentRoute: () => root,
    path: `${authPath}/reset_forgotten_password`,
    validateSearch: tokenSearch,
    component: lazyScreen(() => withTexts("people", () => import("./screens/auth/reset-screen.tsx")), "ResetScreen"),
  });
  const confirm = createRoute({
    getParentRoute: () => root,
    path: `${authPath}/confirm_mail`,
    validateSearch: tokenSearch,
    component: lazyScreen(
      () => withTexts("people", () => import("./screens/auth/confirm-screen.tsx")),
      "ConfirmScreen",
    ),
  });
  return { authRoutes: [signup, forgotten, reset, confirm] as const };
}

/** For whoever writes programs: with a session, or with a key alone. */
const docs = createRoute({
  getParentRoute: () => root,
  path: "/docs",
  validateSearch: (search): { type?: string } => {
    const type = textOf(search.type);
    return type === undefined ? {} : { type };
  },
  component: lazyScreen(
    () => withTexts("people", () => import("./screens/api-docs/api-docs-screen.tsx")),
    "ApiDocsScreen",
  ),
});

/** One file for all that people who are logged in see first. */
const insideScreens = () => withTexts("inside", () => withTexts("table", () => import("./screens/inside.ts")));

const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: ({ location }) => {
    if (session.get().status === "out") {
      throw redirect({ to: "/login", search: location.href === "/" ? {} : { next: location.href }, replace: true });
    }
  },
  component: lazyScreen(insideScreens, "Shell"),
});

const home = createRoute({
  getParentRoute: () => inside,
  path: "/",
  staticData: { isWide: true },
  validateSearch: (search): { dashboard?: string; dates?: string } => {
    const [dashboard, dates] = [textOf(search.dashboard), textOf(search.dates)];
    return { ...(dashboard === undefined ? {} : { dashboard }), ...(dates === undefined ? {} : { dates }) };
  },
  component: lazyScreen(insideScreens, "HomeScreen"),
});

const account = createRoute({
  getParentRoute: () => inside,
  path: "/account",
  // `new_key`: the dialog that makes an API key is open.
  validateSearch: (search): { new_key?: 1 } => (search.new_key === undefined ? {} : { new_key: 1 }),
  component: lazyScreen(
    () => withTexts("people", () => import("./screens/account/account-screen.tsx")),
    "AccountScreen",
  ),
});

const administration = createRoute({
  getParentRoute: () => inside,
  path: "/administration",
  // `new_key`: the dialog that makes an API key is open, for the service account `user_id`. `type`: the record type to translate, or to
  // give roles rights on.
  validateSearch: (search): { part?: AdministrationPart; type?: string; new_key?: 1; user_id?: string } => {
    const part = administrationParts.find((name) => name === search.part);
    const type = textOf(search.type);
    if ((part === "translations" || part === "roles") && type !== undefined) return { part, type };
    if (part !== "api_keys" || search.new_key === undefined) return part === undefined ? {} : { part };
    const account = textOf(search.user_id);
    return { part, new_key: 1, ...(account === undefined ? {} : { user_id: account }) };
  },
  component: lazyScreen(
    () => withTexts("people", () => import("./screens/administration/administration-screen.tsx")),
    "AdministrationScreen",
  ),
});

// Keys are made with pickers for what they are limited to, not with the ordinary form.
const newKey = createRoute({
  getParentRoute: () => inside,
  path: "/access_controls/api_keys/add",
  validateSearch: (search): { user_id?: string } => {
    const owner = textOf(search.user_id);
    return owner === undefined ? {} : { user_id: owner };
  },
  beforeLoad: ({ search }) => {
    throw redirect({ ...newKeyPlace(session.get().identity, search.user_id), replace: true });
  },
});

// The wire's own address of the list of record types.
const allTypes = createRoute({
  getParentRoute: () => inside,
  path: "/metadata/record_types/index",
  beforeLoad: () => {
    throw redirect({ to: "/administration", search: { part: "record_types" }, replace: true });
  },
});

const newType = createRoute({
  getParentRoute: () => inside,
  path: "/metadata/record_types/add",
  component: lazyScreen(
    () => withTexts("design", () => withFieldParts(() => import("./screens/design/types/type-designer-screen.tsx"))),
    "NewTypeScreen",
  ),
});

const designedType = createRoute({
  getParentRoute: () => inside,
  path: "/metadata/record_types/view",
  validateSearch: (search): { key?: string } => {
    const key = textOf(search.key);
    return key === undefined ? {} : { key };
  },
  component: lazyScreen(
    () => withTexts("design", () => withFieldParts(() => import("./screens/design/types/type-designer-screen.tsx"))),
    "TypeScreen",
  ),
});

const search = createRoute({
  getParentRoute: () => inside,
  path: "/core/search/index",
  validateSearch: (search): { text?: string } => {
    const text = textOf(search.text);
    return text === undefined ? {} : { text };
  },
  component: lazyScreen(() => import("./screens/search/search-screen.tsx"), "SearchScreen"),
});

const myWork = createRoute({
  getParentRoute: () => inside,
  path: "/core/workflows/my_work",
  validateSearch: (search): { controller?: string } => {
    const controller = textOf(search.controller);
    return controller === undefined ? {} : { controller };
  },
  component: lazyScreen(() => import("./screens/my-work/my-work-screen.tsx"), "MyWorkScreen"),
});

const jobs = createRoute({
  getParentRoute: () => inside,
  path: "/core/jobs/index",
  component: lazyScreen(() => import("./screens/jobs/jobs-screen.tsx"), "JobsScreen"),
});

// The wire's own address of the login, pasted into a browser.
const wireLogin = createRoute({
  getParentRoute: () => root,
  path: "/access_controls/users/login",
  beforeLoad: () => {
    throw redirect({ to: "/login", replace: true });
  },
});

const recordType = createRoute({
  getParentRoute: () => inside,
  path: "/$module/$controller",
  component: lazyScreen(insideScreens, "CanonicalAddress"),
});

const recordTypeBare = createRoute({
  getParentRoute: () => recordType,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/$module/$controller/index", params, replace: true });
  },
});

/** Which part of a calendar is looked at: it changes what is on the screen, not what is listed. */
interface CalendarPlace {
  readonly at?: string | undefined;
  readonly span?: "week" | undefined;
}

const list = createRoute({
  getParentRoute: () => recordType,
  path: "index",
  staticData: { fills: true },
  validateSearch: (search): ListChoice & CalendarPlace => ({
    ...(/^\d{4}-\d{2}-\d{2}$/.test(textOf(search.at) ?? "") ? { at: textOf(search.at) } : {}),
    ...(search.span === "week" ? { span: "week" as const } : {}),
    ...(textOf(search.view) === undefined ? {} : { view: textOf(search.view) }),
    ...(textOf(search.search) === undefined ? {} : { search: textOf(search.search) }),
    ...(textOf(search.sort) === undefined ? {} : { sort: textOf(search.sort) }),
    ...(search.dir === "DESC" && textOf(search.sort) !== undefined ? { dir: "DESC" as const } : {}),
    ...(textOf(search.q) === undefined ? {} : { q: textOf(search.q) }),
  }),
  component: lazyScreen(insideScreens, "ListScreen"),
});

const idSearch = (search: Record<string, unknown>): { id?: string } => {
  const id = textOf(search.id);
  return id === undefined ? {} : { id };
};

const view = createRoute({
  getParentRoute: () => recordType,
  path: "view",
  validateSearch: (search): { id?: string; panel?: string } => {
    const panel = textOf(search.panel);
    return { ...idSearch(search), ...(panel === undefined ? {} : { panel }) };
  },
  component: lazyScreen(() => withFieldParts(() => import("./screens/record/record-screen.tsx")), "ViewScreen"),
});

const edit = createRoute({
  getParentRoute: () => recordType,
  path: "edit",
  validateSearch: idSearch,
  component: lazyScreen(() => withFieldParts(() => import("./screens/record/record-screen.tsx")), "EditScreen"),
});

const add = createRoute({
  getParentRoute: () => recordType,
  path: "add",
  component: lazyScreen(() => withFieldParts(() => import("./screens/record/record-screen.tsx")), "AddScreen"),
});

const importFile = createRoute({
  getParentRoute: () => recordType,
  path: "import",
  component: lazyScreen(() => withTexts("imports", () => import("./screens/import/import-screen.tsx")), "ImportScreen"),
});

const about = createRoute({
  getParentRoute: () => recordType,
  path: "about",
  validateSearch: (search): { tab?: AboutTab } => {
    const tab = aboutTabs.find((name) => name === search.tab);
    return tab === undefined || tab === "fields" ? {} : { tab };
  },
  component: lazyScreen(() => import("./screens/about/about-screen.tsx"), "AboutScreen"),
});

const nothing = createRoute({
  getParentRoute: () => inside,
  path: "/$",
  component: lazyScreen(() => import("./screens/not-found-screen.tsx"), "NotFoundScreen"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    wireLogin,
    ...authRoutes,
    docs,
    inside.addChildren([
      home,
      account,
      search,
      administration,
      newKey,
      allTypes,
      newType,
      designedType,
      myWork,
      jobs,
      recordType.addChildren([recordTypeBare, list, view, edit, add, importFile, about]),
      nothing,
    ]),
  ]),
  defaultPreload: "intent",
  defaultErrorComponent: FailedScreen,
  defaultNotFoundComponent: lazyScreen(() => import("./screens/not-found-screen.tsx"), "NotFoundScreen"),
  scrollRestoration: true,
  // Addresses are those of the wire: plain texts, without quotes around what looks like a number.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== null);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text === "" ? "" : `?${text}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The screen takes all the room beside the navigation, and scrolls inside. */
    fills?: boolean;
    /** The screen goes on growing where others keep a width that reads well. */
    isWide?: boolean;
  }
}

// A session that begins or ends, here or in another tab, takes the screen along.
session.subscribe(() => {
  const { status, end } = session.get();
  const { pathname, href, search } = router.state.location;
  if (status === "in") {
    const next = "next" in search ? search.next : undefined;
    if (pathname === "/login" || pathname === `${authPath}/signup`) {
      void router.navigate({ href: safeDestination(next), replace: true });
    }
    return;
  }
  queryClient.clear();
  if (pathname === "/login" || pathname.startsWith(`${authPath}/reset_`)) return;
  // Who leaves on purpose starts afresh; who is thrown out comes back to the same place.
  const keeps = end === "expired" && href !== "/";
  void router.navigate({
    to: "/login",
    search: { ...(keeps ? { next: href } : {}), ...(end === undefined ? {} : { end }) },
    replace: true,
  });
});
