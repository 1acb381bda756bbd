// One-time tokens: what a link in a message proves. Kept as digests, spent by deleting, and only as long as they last.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { secondsFromNow } from "../lib/instant.ts";
import { digest, newSecret, parseSecret } from "../lib/secrets/tokens.ts";

/**
 * `password`: choose one. `mail`: the address is read by its owner. `join`: the same, and the user may come in. Those that
 * end in `-link` were shown to whoever invites, to be passed on: they prove nothing about an address.
 */
export type TokenKind = "password" | "password-link" | "mail" | "join" | "invitation" | "invitation-link";

export interface TokenSubject {
  readonly organizationId: string;
  /** A user's id, an e-mail address record's, an invitation's. */
  readonly subject: string;
}

export async function newOneTimeToken(
  transaction: Queryable,
  kind: TokenKind,
  { organizationId, subject }: TokenSubject,
  seconds: number,
): Promise<string> {
  const token = newSecret("dt", organizationId, subject);
  await transaction.run(sql`
    delete from access_controls__one_time_tokens
    where organization_id = ${organizationId}::bigint and expires < now() at time zone 'utc'`);
  await transaction.run(sql`
    insert into access_controls__one_time_tokens (organization_id, hash, kind, subject, expires)
    values (${organizationId}::bigint, ${digest(token)}, ${kind}, ${subject}, ${secondsFromNow(seconds)}::timestamp)`);
  return token;
}

/** To which address the link of a user was sent: what following it proves is that this one is read, and no other. */
export async function rememberMailed(
  transaction: Queryable,
  { organizationId, subject }: TokenSubject,
  token: string,
  address: string,
  seconds: number,
): Promise<void> {
  await transaction.run(sql`
    insert into access_controls__one_time_tokens (organization_id, hash, kind, subject, expires)
    values (${organizationId}::bigint, ${mailedHash(token, address)}, 'mailed', ${subject},
      ${secondsFromNow(seconds)}::timestamp)`);
}

const mailedHash = (token: string, address: string): string => digest(`${token} ${address.toLowerCase()}`);

/** The id of the user's address to which the link was sent; undefined where it is the user's no more. */
export async function mailedAddress(
  transaction: Queryable,
  { organizationId, subject }: TokenSubject,
  token: string,
): Promise<string | undefined> {
  const addresses = await transaction.rows(sql`
    select id::text as id, email from core__email_addresses
    where organization_id = ${organizationId}::bigint and related_type = 'access_controls/users' and related_id = ${subject}
      and deleted = 0`);
  const hashes = new Map(addresses.map(({ id, email }) => [mailedHash(token, email ?? ""), id ?? undefined]));
  const row = await transaction.row(sql`
    select hash from access_controls__one_time_tokens
    where organization_id = ${organizationId}::bigint and kind = 'mailed' and subject = ${subject}
      and hash = any(${[...hashes.keys()]}::text[])`);
  return hashes.get(row?.hash ?? "");
}

/** What a token stands for, without spending it. Undefined for one that is spent, over, or was never ours. */
export async function readOneTimeToken(
  db: Queryable,
  kinds: readonly TokenKind[],
  token: string,
): Promise<(TokenSubject & { readonly kind: TokenKind; readonly created: string }) | undefined> {
  const secret = parseSecret(token);
  if (secret?.prefix !== "dt") return undefined;
  const row = await db.row<{ kind: TokenKind; subject: string; created: string }>(sql`
    select kind, subject, created from access_controls__one_time_tokens
    where organization_id = ${secret.organizationId}::bigint and hash = ${digest(token)} and kind = any(${kinds}::text[])
      and expires > now() at time zone 'utc'`);
  return row && { ...row, organizationId: secret.organizationId };
}

/** True for exactly one of those who try at once. */
export async function spendOneTimeToken(
  transaction: Queryable,
  organizationId: string,
  token: string,
): Promise<boolean> {
  const spent = await transaction.run(sql`
    delete from access_controls__one_time_tokens
    where organization_id = ${organizationId}::bigint and hash = ${digest(token)} and expires > now() at time zone 'utc'`);
  return spent.count === 1;
}

export async function dropTokens(
  transaction: Queryable,
  organizationId: string,
  kinds: readonly TokenKind[],
  subject: string,
): Promise<void> {
  await transaction.run(sql`
    delete from access_controls__one_time_tokens
    where organization_id = ${organizationId}::bigint and kind = any(${kinds}::text[]) and subject = ${subject}`);
}
