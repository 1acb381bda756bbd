// The session of this browser: who is logged in, the way to call the service, and the news between tabs.
// The refresh token lives in localStorage, the access token in memory; neither is ever in a cookie.

import { createClient } from "../../client/client.ts";
import { type SessionBody, tokenPair, type UserRecord } from "../../client/people/users.ts";
import { createPendingWrites } from "../../client/transport/pending-writes.ts";
import { type AccessToken, createTokenKeeper } from "../../client/transport/token-keeper.ts";
import { createTransport } from "../../client/transport/transport.ts";
import { WireFailure } from "../../client/transport/wire-failure.ts";
import type { Envelope } from "../../contract/envelope.ts";
import { exclusively } from "./exclusively.ts";
import { handOverAtTheEnd, takeOver } from "./handover.ts";
import { isPlaceHeld } from "./held-place.ts";
import { clearIdentity, type Identity, mergeIdentity, ownUserIn, readIdentity, writeIdentity } from "./identity.ts";
import { createOwnWrites } from "./own-writes.ts";
import { renewals } from "./renewals.ts";

const TOKEN_KEY = "dossier.refresh";

export type SessionEnd = "expired" | "left";

export interface SessionState {
  readonly status: "in" | "out";
  readonly identity: Identity | undefined;
  /** Why it is over, where it has been. */
  readonly end?: SessionEnd;
  /** It has ended while something was typed: it can be taken up again on the spot. */
  readonly asleep?: boolean;
  /** A new version of the license agreement waits to be accepted. */
  readonly licenseRequired?: boolean;
}

type News = { kind: "token"; token: AccessToken } | { kind: "in" } | { kind: "out"; end: SessionEnd };

const channel = new BroadcastChannel("dossier.session");
const listeners = new Set<() => void>();

let state: SessionState =
  localStorage.getItem(TOKEN_KEY) === null
    ? { status: "out", identity: undefined }
    : { status: "in", identity: readIdentity() };

const post = (news: News): void => channel.postMessage(news);

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Calls that wait for somebody to log in again. */
let waiting: ((again: boolean) => void)[] = [];

function wake(again: boolean): void {
  const calls = waiting;
  waiting = [];
  for (const call of calls) call(again);
}

/** Names and values of records do not lie about where somebody has logged out. */
function forgetNames(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith("dossier.recent.") || key.startsWith("dossier.folded.")) localStorage.removeItem(key);
  }
}

function ended(end: SessionEnd): void {
  keeper.forget(false);
  if (state.status !== "in") return;
  if (end === "expired" && isPlaceHeld()) become({ ...state, asleep: true });
  else {
    become({ status: "out", identity: undefined, end });
    wake(false);
  }
}

/** The app's, as it was chosen. */
const language = (): string => document.documentElement.lang;

/** For calls that need no login. */
export const anonymous = createClient(createTransport({ language }));

const keeper = createTokenKeeper({
  store: {
    read: () => localStorage.getItem(TOKEN_KEY),
    write: (token) => localStorage.setItem(TOKEN_KEY, token),
    clear: () => {
      localStorage.removeItem(TOKEN_KEY);
      clearIdentity();
    },
  },
  renewals,
  exclusively,
  announce: (token) => post({ kind: "token", token }),
  exchange: async (refreshToken, key) => {
    try {
      const begun = performance.now();
      const body = await anonymous.account.refreshSession(refreshToken, key);
      learn(body, begun, body);
      return tokenPair(body);
    } catch (error) {
      if (error instanceof WireFailure && (error.status === 401 || error.status === 400)) return undefined;
      throw error;
    }
  },
});

takeOver(keeper);
handOverAtTheEnd(keeper);

const pendingWritesKey = (): string => `dossier.pendingWrites.${state.identity?.userId ?? ""}`;

const pendingWrites = createPendingWrites({
  read: () => sessionStorage.getItem(pendingWritesKey()),
  write: (text) => {
    if (text === null) sessionStorage.removeItem(pendingWritesKey());
    else sessionStorage.setItem(pendingWritesKey(), text);
  },
});

export const ownWrites = createOwnWrites();

/** For calls in the name of whoever is signed in. */
export const client = createClient(
  createTransport({
    token: (refused) => (refused === undefined ? keeper.current() : keeper.replace(refused)),
    onLoginRequired: async () => {
      if (!state.asleep) {
        keeper.forget(true);
        post({ kind: "out", end: "expired" });
        ended("expired");
      }
      return state.asleep ? new Promise<boolean>((resolve) => waiting.push(resolve)) : false;
    },
    onAnswer: learn,
    language,
    onWrite: ownWrites.begin,
    pendingWrites,
  }),
);

/** When the user's own save was answered last, of performance.now(). */
let toldAt = 0;

function learn(envelope: Envelope, begun: number, session?: SessionBody): void {
  // What was asked for before the user changed it tells what it was.
  const user = begun < toldAt ? undefined : (session?.data?.users ?? ownUserIn(state.identity, envelope));
  const next = mergeIdentity(state.identity, envelope, user);
  const { is_license_agreement_required: told = state.licenseRequired ? 1 : 0 } = envelope;
  const licenseRequired = told === 1;
  if (next === state.identity && licenseRequired === (state.licenseRequired ?? false)) return;
  writeIdentity(next);
  if (state.status === "in") become({ ...state, identity: next, licenseRequired });
}

channel.addEventListener("message", ({ data }: MessageEvent<News>) => {
  if (data.kind === "token") keeper.adopt(data.token);
  else if (data.kind === "out") ended(data.end);
  else begun();
});

/** Another tab has logged in. */
function begun(): void {
  const identity = readIdentity();
  if (state.asleep) {
    // Somebody else sits here now: what is on the screen is not theirs.
    if (identity?.userId !== state.identity?.userId) window.location.reload();
    else {
      become({ status: "in", identity });
      wake(true);
    }
  } else if (state.status === "out") become({ status: "in", identity });
}

// A tab that slept through the news, and another window that cleared the site's data.
window.addEventListener("storage", (event) => {
  if (event.key !== TOKEN_KEY && event.key !== null) return;
  const present = localStorage.getItem(TOKEN_KEY) !== null;
  if (present) begun();
  // A session that was ended by the service says so by itself; what is left is somebody who cleared the site's data.
  else if (!state.asleep) ended(isPlaceHeld() ? "expired" : "left");
});

export const session = {
  get: (): SessionState => state,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  async enter(userName: string, password: string, otp?: string): Promise<void> {
    session.begin(await anonymous.account.logIn(userName, password, otp));
  },
  /** With the tokens of a login, or of a signup that was one. */
  begin(body: SessionBody & Envelope): void {
    keeper.keep(tokenPair(body));
    const identity = mergeIdentity(undefined, body, body.data?.users);
    writeIdentity(identity);
    become({ status: "in", identity, licenseRequired: body.is_license_agreement_required === 1 });
    post({ kind: "in" });
    wake(true);
  },
  /** Leaves a session that has ended, without taking it up again. */
  giveUp(): void {
    if (!state.asleep) return;
    become({ status: "out", identity: undefined, end: "expired" });
    wake(false);
  },
  /** What is known of the user changed: the screen shows it at once. */
  tell(user: UserRecord): void {
    const known = state.identity;
    if (known === undefined) return;
    toldAt = performance.now();
    const identity = { ...known, fullName: user.name ?? known.fullName, user: { ...known.user, ...user } };
    writeIdentity(identity);
    become({ ...state, identity });
  },
  /** Ends here at once, whether or not the service can be told. */
  async leave(): Promise<void> {
    const told = client.account.logOut().catch(() => undefined);
    await Promise.race([told, new Promise((done) => setTimeout(done, 2000))]);
    forgetNames();
    keeper.forget(true);
    post({ kind: "out", end: "left" });
    ended("left");
  },
};
