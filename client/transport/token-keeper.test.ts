import { expect, test } from "vitest";
import { createTokenKeeper, type Renewals, type TokenKeeper, type TokenPair, type TokenStore } from "./token-keeper.ts";

/** A service whose refresh tokens are good once, and any number of tabs over one store and one lock. */
function browser(options: { expiresIn?: number; announces?: boolean } = {}) {
  let stored: string | null = null;
  let count = 0;
  let time = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const spent = new Set<string>();
  const presented: string[] = [];
  const tabs: TokenKeeper[] = [];
  const store: TokenStore = {
    read: () => stored,
    write: (token) => {
      stored = token;
    },
    clear: () => {
      stored = null;
    },
  };
  const successors = new Map<string, string>();
  const follow = (token: string): string => {
    const next = successors.get(token);
    return next === undefined ? token : follow(next);
  };
  const renewals: Renewals = {
    begin: async (known) => ({ token: follow(known), key: `key of ${follow(known)}` }),
    settle: async (old, next) => void successors.set(old, next),
    follow: async (token) => follow(token),
    start: () => undefined,
  };
  const issue = (): TokenPair => {
    count += 1;
    return { accessToken: `access ${count}`, refreshToken: `refresh ${count}`, expiresIn: options.expiresIn ?? 3600 };
  };
  /** `behind`: what a tab goes on reading, however often the token has changed since. */
  const openTab = (behind?: string) => {
    const tab = createTokenKeeper({
      store: behind ? { ...store, read: () => behind } : store,
      renewals,
      now: () => time,
      exclusively: (run) => {
        const next = turn.then(run);
        turn = next.catch(() => undefined);
        return next;
      },
      exchange: async (token) => {
        presented.push(token);
        await new Promise((done) => setTimeout(done, 2));
        if (spent.has(token)) return undefined;
        spent.add(token);
        return issue();
      },
      announce: (token) => {
        if (options.announces) for (const other of tabs) if (other !== tab) other.adopt(token);
      },
    });
    tabs.push(tab);
    return tab;
  };
  return {
    openTab,
    issue,
    presented,
    spent,
    store,
    renewals,
    pass: (ms: number) => {
      time += ms;
    },
  };
}

test("gives the token it holds without asking", async () => {
  const { openTab, issue, presented } = browser();
  const tab = openTab();
  tab.keep(issue());
  expect(await tab.current()).toBe("access 1");
  expect(presented).toEqual([]);
});

test("has no token and asks nobody when nobody is logged in", async () => {
  const { openTab, presented } = browser();
  expect(await openTab().current()).toBeUndefined();
  expect(presented).toEqual([]);
});

test("refreshes once for many waiting calls, shortly before the end", async () => {
  const { openTab, issue, presented, pass } = browser();
  const tab = openTab();
  tab.keep(issue());
  pass(3590_000);
  expect(await Promise.all([tab.current(), tab.current(), tab.replace("access 1")])).toEqual(Array(3).fill("access 2"));
  expect(presented).toEqual(["refresh 1"]);
});

test("never presents one refresh token twice, whichever tab asks", async () => {
  const { openTab, issue, presented, store } = browser();
  store.write(issue().refreshToken);
  const tabs = [openTab(), openTab(), openTab()];
  const tokens = await Promise.all(tabs.map((tab) => tab.current()));
  expect(new Set(tokens).size).toBe(3);
  expect(presented).toEqual(["refresh 1", "refresh 2", "refresh 3"]);
});

test("presents no spent token where a tab still reads the old one", async () => {
  const { openTab, issue, presented, store } = browser();
  const { refreshToken } = issue();
  store.write(refreshToken);
  const tabs = [openTab(), openTab(refreshToken), openTab(refreshToken)];
  const tokens: (string | undefined)[] = [];
  for (const tab of tabs) tokens.push(await tab.current());
  expect(tokens).toEqual(["access 2", "access 3", "access 4"]);
  expect(presented).toEqual(["refresh 1", "refresh 2", "refresh 3"]);
});

test("takes the token that another tab has just fetched", async () => {
  const { openTab, issue, presented, store } = browser({ announces: true });
  store.write(issue().refreshToken);
  const tabs = [openTab(), openTab(), openTab()];
  expect(await Promise.all(tabs.map((tab) => tab.current()))).toEqual(Array(3).fill("access 2"));
  expect(presented).toEqual(["refresh 1"]);
});

test("forgets the session when the service refuses the refresh token", async () => {
  const { openTab, issue, spent, store } = browser();
  const tab = openTab();
  tab.keep(issue());
  spent.add("refresh 1");
  expect(await tab.replace("access 1")).toBeUndefined();
  expect(store.read()).toBeNull();
  expect(tab.held()).toBeUndefined();
});

test("does not bring a session back that was ended while it refreshed", async () => {
  const { openTab, issue, store } = browser();
  const tab = openTab();
  tab.keep(issue());
  const refreshing = tab.replace("access 1");
  await new Promise((done) => setTimeout(done, 0));
  tab.forget(true);
  expect(await refreshing).toBeUndefined();
  expect(store.read()).toBeNull();
});

test("hands its token over to its successor, which then asks nobody", async () => {
  const { openTab, issue, presented, pass } = browser();
  const before = openTab();
  before.keep(issue());
  const token = before.held();
  const after = openTab();
  if (token) after.adopt(token);
  expect(await after.current()).toBe("access 1");
  expect(presented).toEqual([]);
  pass(3600_000);
  expect(after.held()).toBeUndefined();
});

test("does not adopt the token of another session", async () => {
  const { openTab, issue } = browser();
  const tab = openTab();
  tab.keep(issue());
  tab.adopt({ text: "foreign", expires: 1e12, issuedWith: "other" });
  expect(await tab.current()).toBe("access 1");
});

test("keeps the session when the service cannot be reached, and tries again under the same key", async () => {
  const { issue, store, renewals } = browser();
  const keys: string[] = [];
  const open = (exchange: (token: string) => Promise<TokenPair>) =>
    createTokenKeeper({
      store,
      renewals,
      exclusively: (run) => run(),
      exchange: (token, key) => {
        keys.push(key);
        return exchange(token);
      },
    });
  store.write(issue().refreshToken);
  await expect(open(() => Promise.reject(new Error("offline"))).current()).rejects.toThrow("offline");
  expect(store.read()).toBe("refresh 1");
  // As the page that comes after this one does.
  expect(await open(async () => issue()).current()).toBe("access 2");
  expect(keys).toEqual(["key of refresh 1", "key of refresh 1"]);
});
