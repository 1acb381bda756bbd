// Takes a key, or a user name and password; gives the bearer token of each call. A session is begun with the first call and
// renewed as long as it is used; one that has ended is begun anew.
import { logIn, refreshSession, tokenPair } from "../people/users.ts";
import { newKey } from "../transport/pending-writes.ts";
import { createTokenKeeper, type Renewals, type TokenStore } from "../transport/token-keeper.ts";
import type { Call } from "../transport/transport.ts";
import { WireFailure } from "../transport/wire-failure.ts";

export type Credentials =
  /** An API key. */
  | { readonly key: string }
  | { readonly userName: string; readonly password: string; readonly otp?: string }
  /** For programs that come by their tokens in another way; `refused` is one that the service did not take. */
  | { readonly token: (refused?: string) => Promise<string | undefined> };

export type TokenSource = (refused?: string) => Promise<string | undefined>;

/** `anonymous`: carries calls without a token. */
export function tokenSource(credentials: Credentials, anonymous: Call): TokenSource {
  if ("token" in credentials) return credentials.token;
  if ("key" in credentials) return async (refused) => (refused === undefined ? credentials.key : undefined);
  const { userName, password, otp } = credentials;
  const keeper = createTokenKeeper({
    store: memoryStore(),
    renewals: memoryRenewals(),
    exclusively: (run) => run(),
    exchange: async (refreshToken, key) => {
      try {
        return tokenPair(await refreshSession(anonymous, refreshToken, key));
      } catch (error) {
        if (error instanceof WireFailure && (error.status === 401 || error.status === 400)) return undefined;
        throw error;
      }
    },
  });
  let flight: Promise<string> | undefined;
  const begin = (): Promise<string> => {
    flight ??= logIn(anonymous, userName, password, otp)
      .then((body) => {
        keeper.keep(tokenPair(body));
        return body.access_token;
      })
      .finally(() => {
        flight = undefined;
      });
    return flight;
  };
  return async (refused) =>
    (await (refused === undefined ? keeper.current() : keeper.replace(refused))) ?? (await begin());
}

function memoryStore(): TokenStore {
  let kept: string | null = null;
  return {
    read: () => kept,
    write: (token) => {
      kept = token;
    },
    clear: () => {
      kept = null;
    },
  };
}

/** Of one program, which needs to remember no more than the renewal that is under way. */
function memoryRenewals(): Renewals {
  let open: { readonly token: string; readonly key: string } | undefined;
  return {
    begin: async (token) => {
      if (open?.token !== token) open = { token, key: newKey() };
      return open;
    },
    settle: async () => {
      open = undefined;
    },
    follow: async (token) => token,
    start: () => {
      open = undefined;
    },
  };
}
