// Keeps the tokens of one session: the access token in memory, the refresh token in a store that all tabs share.
// A refresh token may be presented once, so a refresh is one flight for all tabs. One whose answer never came (the page was
// left, the network failed) is made again under the key that it was made under, and so answered with the same token.
// The store may be behind what other tabs have done; renewals never are.

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds from now. */
  readonly expiresIn: number;
}

/** The refresh token's home, shared by all tabs. */
export interface TokenStore {
  read(): string | null;
  write(refreshToken: string): void;
  clear(): void;
}

/** What became of the refresh tokens of this browser, the same for all tabs at every moment. */
export interface Renewals {
  /** The token to present in place of the one that the store has, and under which key: kept until it is settled. */
  begin(stored: string): Promise<{ readonly token: string; readonly key: string }>;
  settle(spent: string, current: string): Promise<void>;
  /** What has taken the place of a token; itself while nothing has. */
  follow(token: string): Promise<string>;
  /** Somebody has logged in. */
  start(current: string): void;
}

export interface AccessToken {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** The refresh token that was issued along with it: tells tabs of one session from those of another. */
  readonly issuedWith: string;
}

export interface TokenKeeperParts {
  readonly store: TokenStore;
  readonly renewals: Renewals;
  /** Runs one at a time over all tabs. */
  readonly exclusively: <T>(run: () => Promise<T>) => Promise<T>;
  /** Presents a refresh token; undefined when the service says that it is no longer valid. */
  readonly exchange: (refreshToken: string, key: string) => Promise<TokenPair | undefined>;
  /** Tells the other tabs, which pass it to `adopt`. */
  readonly announce?: (token: AccessToken) => void;
  readonly now?: () => number;
}

export interface TokenKeeper {
  /** A token that is good for a while, or undefined when nobody is logged in. */
  current(): Promise<string | undefined>;
  /** A token other than the one that was refused, or undefined when the session is over. */
  replace(refused: string): Promise<string | undefined>;
  keep(pair: TokenPair): void;
  adopt(token: AccessToken): void;
  /** Drops the token in memory, and the shared one as well if asked. */
  forget(everywhere: boolean): void;
  /** The access token in memory while it is good, to be handed to whoever takes over. */
  held(): AccessToken | undefined;
}

/** An access token this close to its end is not sent any more. */
const MARGIN_MS = 20_000;

export function createTokenKeeper({
  store,
  renewals,
  exclusively,
  exchange,
  announce,
  now = Date.now,
}: TokenKeeperParts): TokenKeeper {
  let held: AccessToken | undefined;
  let flight: Promise<string | undefined> | undefined;

  const usable = (refused?: string): string | undefined =>
    held !== undefined && held.text !== refused && held.expires - now() > MARGIN_MS ? held.text : undefined;

  function hold(pair: TokenPair): void {
    store.write(pair.refreshToken);
    held = { text: pair.accessToken, expires: now() + pair.expiresIn * 1000, issuedWith: pair.refreshToken };
    announce?.(held);
  }

  function refresh(refused?: string): Promise<string | undefined> {
    flight ??= exclusively(async () => {
      // Another tab may have refreshed while this one waited for its turn.
      const already = usable(refused);
      if (already !== undefined) return already;
      const stored = store.read();
      if (stored === null) return undefined;
      const { token, key } = await renewals.begin(stored);
      const pair = await exchange(token, key);
      const now = store.read();
      // Somebody logged in or out meanwhile: what they did stands.
      if (now === null || (await renewals.follow(now)) !== token) return usable(refused);
      if (pair === undefined) {
        held = undefined;
        store.clear();
        return undefined;
      }
      await renewals.settle(token, pair.refreshToken);
      hold(pair);
      return pair.accessToken;
    }).finally(() => {
      flight = undefined;
    });
    return flight;
  }

  return {
    current: async () => usable() ?? (store.read() === null ? undefined : refresh()),
    replace: async (refused) => usable(refused) ?? refresh(refused),
    keep: (pair) => {
      renewals.start(pair.refreshToken);
      hold(pair);
    },
    adopt: (token) => {
      if (store.read() === token.issuedWith) held = token;
    },
    forget: (everywhere) => {
      held = undefined;
      if (everywhere) store.clear();
    },
    held: () => (usable() === undefined ? undefined : held),
  };
}
