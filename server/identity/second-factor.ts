// The second step of a login: an authenticator's secret, kept sealed, and recovery codes, kept as digests. Gives out either
// only at the moment it is made. A code is taken once, and so is a recovery code.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Seal } from "../lib/secrets/seal.ts";
import { digest } from "../lib/secrets/tokens.ts";
import { newTotpSecret, randomBase32, stepOfCode } from "../lib/secrets/totp.ts";

const RECOVERY_CODES = 10;
/** 80 bits: nobody guesses one, not even from its digest. */
const RECOVERY_BYTES = 10;

export interface Owner {
  readonly organizationId: string;
  readonly userId: string;
}

/** What a secret is bound to: a row that was copied to another user opens nothing. */
const placeOf = ({ organizationId, userId }: Owner): string => `second factor of ${organizationId}/${userId}`;

const ownedBy = ({ organizationId, userId }: Owner) =>
  sql`organization_id = ${organizationId}::bigint and user_id = ${userId}::bigint`;

export interface SecondFactorState {
  /** When it was turned on; undefined while it is not. */
  readonly since: string | undefined;
  readonly recoveryCodesLeft: number;
}

export async function readSecondFactor(db: Queryable, owner: Owner): Promise<SecondFactorState> {
  const row = await db.row(sql`
    select confirmed, (select count(*) from access_controls__recovery_codes where ${ownedBy(owner)})::text as codes
    from access_controls__second_factors where ${ownedBy(owner)}`);
  return { since: row?.confirmed ?? undefined, recoveryCodesLeft: row?.confirmed ? Number(row.codes) : 0 };
}

/** A new secret to be confirmed, in place of one that never was. Undefined where it is on already. */
export async function beginSecondFactor(db: Queryable, seal: Seal, owner: Owner): Promise<string | undefined> {
  const secret = newTotpSecret();
  const begun = await db.run(sql`
    insert into access_controls__second_factors as f (organization_id, user_id, secret, created)
    values (${owner.organizationId}::bigint, ${owner.userId}::bigint, ${seal.close(secret, placeOf(owner))}, now() at time zone 'utc')
    on conflict (organization_id, user_id) do update
      set secret = excluded.secret, last_step = 0, created = excluded.created
      where f.confirmed is null`);
  return begun.count === 1 ? secret : undefined;
}

/** Takes the first code; then logins ask for one. False where it is wrong. Call within a transaction. */
export async function confirmSecondFactor(
  transaction: Queryable,
  seal: Seal,
  owner: Owner,
  code: string,
): Promise<boolean> {
  if (!(await spendTotp(transaction, seal, owner, code, false))) return false;
  await transaction.run(sql`
    update access_controls__second_factors set confirmed = now() at time zone 'utc' where ${ownedBy(owner)}`);
  return true;
}

/** Spends a code of the authenticator, or a recovery code. Undefined when it is neither. Call within a transaction. */
export async function spendSecondFactor(
  transaction: Queryable,
  seal: Seal,
  owner: Owner,
  code: string,
): Promise<"code" | "recovery" | undefined> {
  if (await spendTotp(transaction, seal, owner, code, true)) return "code";
  const spent = await transaction.run(sql`
    delete from access_controls__recovery_codes where ${ownedBy(owner)} and hash = ${digestOf(code)}`);
  return spent.count === 1 ? "recovery" : undefined;
}

async function spendTotp(
  transaction: Queryable,
  seal: Seal,
  owner: Owner,
  code: string,
  isOn: boolean,
): Promise<boolean> {
  const row = await transaction.row(sql`
    select secret from access_controls__second_factors
    where ${ownedBy(owner)} and (confirmed is not null) = ${isOn}::boolean`);
  const secret = row?.secret ? seal.open(row.secret, placeOf(owner)) : undefined;
  const step = secret === undefined ? undefined : stepOfCode(secret, code, Date.now());
  if (step === undefined) return false;
  // Of two who bring the same code at once, the second finds it taken.
  const taken = await transaction.run(sql`
    update access_controls__second_factors set last_step = ${step}::bigint
    where ${ownedBy(owner)} and last_step < ${step}::bigint`);
  return taken.count === 1;
}

const digestOf = (code: string): string => digest(code.toUpperCase().replace(/[^A-Z0-9]/g, ""));

/** New ones in place of all earlier ones: to be shown now, and never again. */
export async function newRecoveryCodes(transaction: Queryable, owner: Owner): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    randomBase32(RECOVERY_BYTES).replace(/(.{4})(?=.)/g, "$1-"),
  );
  await transaction.run(sql`delete from access_controls__recovery_codes where ${ownedBy(owner)}`);
  await transaction.run(sql`
    insert into access_controls__recovery_codes (organization_id, user_id, hash)
    select ${owner.organizationId}::bigint, ${owner.userId}::bigint, * from unnest(${codes.map(digestOf)}::text[])`);
  return codes;
}

/** Logins ask for the password alone again. False where they did so before. */
export async function dropSecondFactor(transaction: Queryable, owner: Owner): Promise<boolean> {
  await transaction.run(sql`delete from access_controls__recovery_codes where ${ownedBy(owner)}`);
  const gone = await transaction.row(sql`
    delete from access_controls__second_factors where ${ownedBy(owner)} returning confirmed`);
  return gone?.confirmed != null;
}
