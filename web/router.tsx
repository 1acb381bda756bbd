// The routes: the same paths as the wire. Screens are fetched when first needed; everything but the login needs a session.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { FailedScreen } from "./parts/failure-state.tsx";
import { queryClient } from "./queries.ts";
import { type AboutTab, aboutTabs } from "./screens/about/about-tabs.ts";
import { safeDestination } from "./session/destination.ts";
import { type SessionEnd, session } from "./session/session.ts";

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
  component: lazyRouteComponent(() => import("./screens/login/login-screen.tsx"), "LoginScreen"),
});

const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: ({ location }) => {
    if (session.get().status === "out") {
      throw redirect({ to: "/login", search: location.href === "/" ? {} : { next: location.href }, replace: true });
    }
  },
  component: lazyRouteComponent(() => import("./parts/shell/shell.tsx"), "Shell"),
});

const home = createRoute({
  getParentRoute: () => inside,
  path: "/",
  component: lazyRouteComponent(() => import("./screens/home/home-screen.tsx"), "HomeScreen"),
});

const account = createRoute({
  getParentRoute: () => inside,
  path: "/account",
  component: lazyRouteComponent(() => import("./screens/account/account-screen.tsx"), "AccountScreen"),
});

// The wire's own address of the login, pasted into a browser.
const wireLogin = createRoute({
  getParentRoute: () => root,
  path: "/access_controls/users/login",
  beforeLoad: () => {
    throw redirect({ to: "/login", replace: true });
  },
});

const recordType = createRoute({ getParentRoute: () => inside, path: "/$module/$controller" });

const recordTypeBare = createRoute({
  getParentRoute: () => recordType,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/$module/$controller/index", params, replace: true });
  },
});

// The list will stand here; until then the type's own page does.
const list = createRoute({
  getParentRoute: () => recordType,
  path: "index",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/$module/$controller/about", params, replace: true });
  },
});

const about = createRoute({
  getParentRoute: () => recordType,
  path: "about",
  validateSearch: (search): { tab?: AboutTab } => {
    const tab = aboutTabs.find((name) => name === search.tab);
    return tab === undefined || tab === "fields" ? {} : { tab };
  },
  component: lazyRouteComponent(() => import("./screens/about/about-screen.tsx"), "AboutScreen"),
});

const nothing = createRoute({
  getParentRoute: () => inside,
  path: "/$",
  component: lazyRouteComponent(() => import("./screens/not-found-screen.tsx"), "NotFoundScreen"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    wireLogin,
    inside.addChildren([home, account, recordType.addChildren([recordTypeBare, list, about]), nothing]),
  ]),
  defaultPreload: "intent",
  defaultErrorComponent: FailedScreen,
  defaultNotFoundComponent: lazyRouteComponent(() => import("./screens/not-found-screen.tsx"), "NotFoundScreen"),
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

// A session that begins or ends, here or in another tab, takes the screen along.
session.subscribe(() => {
  const { status, end } = session.get();
  const { pathname, href, search } = router.state.location;
  if (status === "in") {
    if (pathname === "/login") void router.navigate({ href: safeDestination(search.next), replace: true });
    return;
  }
  queryClient.clear();
  if (pathname === "/login") return;
  // Who leaves on purpose starts afresh; who is thrown out comes back to the same place.
  const keeps = end === "expired" && href !== "/";
  void router.navigate({
    to: "/login",
    search: { ...(keeps ? { next: href } : {}), ...(end === undefined ? {} : { end }) },
    replace: true,
  });
});
