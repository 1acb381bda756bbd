// Takes a bearer token (access token or API key); returns the Caller, or throws login_required. The result is kept in memory
// until anything about the organization's access changes, and is not trusted while such a change could be missed. Messages
// take time to arrive, so every request asks the database whether its session or key has ended.
import { Failure } from "../../contract/failures.ts";
import type { Database } from "../database/database.ts";
import { apartFromClient } from "../database/scope.ts";
import { sql } from "../database/sql.ts";
import { askedInBatches } from "../lib/asked-in-batches.ts";
import { cacheUse } from "../lib/cache-use.ts";
import { Recent } from "../lib/memory/recent.ts";
import { digest, parseSecret, sameDigest, type TokenSigner } from "../lib/secrets/tokens.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { settleShares } from "./acl-sets.ts";
import type { Caller } from "./caller.ts";
import { readLimits, readNetworks } from "./keys/read-key.ts";
import { readAlive } from "./read-alive.ts";
import { readPerson } from "./read-caller.ts";

export interface Recognized {
  readonly caller: Caller;
  /** Rejects with login_required where the session or key has ended meanwhile. To be awaited before anything is written or told. */
  readonly confirmed: Promise<void>;
}

export interface Authenticator {
  authenticate(token: string): Promise<Recognized>;
  /** Forgets what is known of an organization; without one, everything. */
  forget(organizationId?: string): void;
}

interface Known {
  readonly caller: Caller;
  /** Milliseconds since 1970: the token's end, or the moment a share of the organization runs out. */
  readonly until: number;
}

/** A token lives for an hour, and much is kept in memory with its caller. */
const MOST_KNOWN = 2_000;
/** A key's `last_used` is for people: a minute's precision is plenty. */
const LAST_USED_EVERY = 60_000;

export function createAuthenticator(
  db: Database,
  signer: TokenSigner,
  snapshot: () => Snapshot,
  messagesArrive: () => boolean,
): Authenticator {
  const known = new Recent<string, Known>(MOST_KNOWN);
  const used = cacheUse("callers");
  let generation = 0;

  const shareEnd = (organizationId: string): Promise<number> => settleShares(db, snapshot(), organizationId);

  const fromAccessToken = async (token: string): Promise<Known | undefined> => {
    const claims = await signer.verify(token);
    if (!claims) return undefined;
    const session = await db.row(sql`
      select id from access_controls__sessions
      where organization_id = ${claims.organizationId}::bigint and id = ${claims.sessionId}::uuid
        and user_id = ${claims.userId}::bigint and ended is null and deleted = 0 and expires > now() at time zone 'utc'`);
    const person = session && (await readPerson(db, claims.organizationId, claims.userId));
    if (!person) return undefined;
    const caller: Caller = { ...person, credential: { kind: "session", sessionId: claims.sessionId } };
    return { caller, until: Math.min(claims.expires * 1000, await shareEnd(claims.organizationId)) };
  };

  /** Beside the request, which does not wait for it; several processes write it once. */
  const noteUse = (organizationId: string, keyId: string): void => {
    const noted = apartFromClient(() =>
      db.run(sql`
        update access_controls__api_keys set last_used = now() at time zone 'utc'
        where organization_id = ${organizationId}::bigint and id = ${keyId}::bigint
          and (last_used is null or last_used < now() at time zone 'utc' - make_interval(secs => ${LAST_USED_EVERY / 2000}::integer))`),
    );
    // It is for people to look at: what was missed now is noted the next time.
    noted.catch(() => undefined);
  };

  const fromApiKey = async (token: string): Promise<Known | undefined> => {
    const secret = parseSecret(token);
    if (secret?.prefix !== "dk" || !/^\d{1,18}$/.test(secret.subject)) return undefined;
    const key = await db.row(sql`
      select k.id, k.user_id, k.scope, k.limits, k.networks, s.hash, (extract(epoch from k.expires) * 1000)::bigint::text as expires
      from access_controls__api_keys k
      join access_controls__secrets s on s.organization_id = ${secret.organizationId}::bigint and s.kind = 'api-key'
        and s.subject = k.id::text
      where k.organization_id = ${secret.organizationId}::bigint and k.id = ${secret.subject}::bigint
        and k.revoked is null and k.deleted = 0 and (k.expires is null or k.expires > now() at time zone 'utc')`);
    if (!key?.hash || !sameDigest(key.hash, digest(token))) return undefined;
    const person = await readPerson(db, secret.organizationId, key.user_id ?? "");
    if (!person) return undefined;
    noteUse(secret.organizationId, secret.subject);
    const scope = key.scope === "write" ? "write" : "read";
    const networks = readNetworks(key.networks);
    const credential = { kind: "api-key", keyId: secret.subject, scope, networks } as const;
    const caller: Caller = { ...person, limits: readLimits(key.limits), credential };
    const ends = key.expires ? Number(key.expires) : Number.POSITIVE_INFINITY;
    return { caller, until: Math.min(ends, Date.now() + LAST_USED_EVERY, await shareEnd(secret.organizationId)) };
  };

  const isAlive = askedInBatches(
    ({ organizationId }: Caller) => organizationId,
    (organizationId, callers) => readAlive(db, organizationId, callers),
  );
  const confirm = async (token: string, caller: Caller): Promise<void> => {
    if (await isAlive(caller)) return;
    known.delete(token);
    throw new Failure("login_required");
  };

  return {
    authenticate: async (token) => {
      const hit = known.get(token);
      if (hit && hit.until > Date.now() && messagesArrive()) {
        used(true);
        return { caller: hit.caller, confirmed: confirm(token, hit.caller) };
      }
      used(false);
      known.delete(token);
      const before = generation;
      const found = await (token.startsWith("dk_") ? fromApiKey(token) : fromAccessToken(token));
      if (!found) throw new Failure("login_required");
      // A change that arrived while we were reading may have made this stale: use it once, do not keep it.
      if (before === generation) known.set(token, found);
      return { caller: found.caller, confirmed: Promise.resolve() };
    },
    forget: (organizationId) => {
      generation += 1;
      if (organizationId === undefined) known.clear();
      else for (const [token, entry] of known) if (entry.caller.organizationId === organizationId) known.delete(token);
    },
  };
}
