// Where a signup leads: into the organization that invited, into one that lets people of a mail domain join, or into a
// new one. Says no in the same words whether an organization is not there or does not want.
import { type Message, say } from "../../../contract/messages.ts";
import type { Config } from "../../config.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { domainsOf, isOfDomain } from "../mail-domains.ts";
import { readOneTimeToken } from "../one-time-tokens.ts";
import { operatorId } from "../operator.ts";
import { sanitizeName } from "../sanitize-name.ts";
import type { SentSignup } from "./read-signup.ts";

export interface OfferedRole {
  readonly id: string;
  readonly code: string;
  readonly name: string;
}

export type Target =
  | { readonly kind: "invited"; readonly organizationId: string; readonly invitation: Invitation }
  | { readonly kind: "domain"; readonly organizationId: string; readonly roleId: string }
  | { readonly kind: "found"; readonly name: string; readonly currencyId: string; readonly roleCode: string };

export interface Invitation {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly email: string;
  readonly roleId: string;
  /** Its link was mailed to the address, not passed on by whoever invites. */
  readonly isMailed: boolean;
}

export async function readInvitation(db: Queryable, token: string): Promise<Invitation | undefined> {
  const about = await readOneTimeToken(db, ["invitation", "invitation-link"], token);
  if (!about) return undefined;
  const row = await db.row(sql`
    select i.id, i.email, i.role_id, o.name from access_controls__invitations i
    join access_controls__organizations o on o.organization_id = i.organization_id and o.id = i.organization_id and o.deleted = 0
    join access_controls__roles r on r.organization_id = i.organization_id and r.id = i.role_id and r.deleted = 0
    where i.organization_id = ${about.organizationId}::bigint and i.id = ${about.subject}::uuid and i.status = 'open'
      and i.deleted = 0 and i.expires > now() at time zone 'utc'`);
  if (!row?.id) return undefined;
  return {
    id: row.id,
    organizationId: about.organizationId,
    organizationName: row.name ?? "",
    email: row.email ?? "",
    roleId: row.role_id ?? "",
    isMailed: about.kind === "invitation",
  };
}

/** The roles that people may choose when they sign up: an organization's own, else the operator's. Never an administrator. */
export const offeredRoles = (db: Queryable, organizationId: string): Promise<OfferedRole[]> =>
  db.rows<{ id: string; code: string; name: string }>(sql`
    select id, code, name from access_controls__roles
    where organization_id = ${organizationId}::bigint and is_signup_role = 1 and is_administrator = 0 and deleted = 0
    order by name`);

export interface FoundTarget {
  /** Undefined when there are faults. */
  readonly target: Target | undefined;
  readonly faults: Readonly<Record<string, readonly Message[]>>;
}

export async function findTarget(
  db: Queryable,
  config: Pick<Config, "multiTenant">,
  sent: SentSignup,
  emails: readonly string[],
): Promise<FoundTarget> {
  if (sent.invitation !== "") {
    const invitation = await readInvitation(db, sent.invitation);
    if (invitation) {
      return { target: { kind: "invited", organizationId: invitation.organizationId, invitation }, faults: {} };
    }
    return {
      target: undefined,
      faults: { "users.invitation": [say("invitation_invalid")] },
    };
  }
  return sent.organizationId === "" ? founding(db, config, sent) : joining(db, sent, emails);
}

const noRole = say("choose_role");

async function joining(db: Queryable, sent: SentSignup, emails: readonly string[]): Promise<FoundTarget> {
  const faults: Record<string, Message[]> = {};
  const row = /^\d{1,18}$/.test(sent.organizationId)
    ? await db.row(sql`
        select id, allowed_domains from access_controls__organizations
        where organization_id = ${sent.organizationId}::bigint and id = ${sent.organizationId}::bigint and deleted = 0`)
    : undefined;
  const domains = domainsOf(row?.allowed_domains);
  // The first address is the one that has to be confirmed.
  const consents = row?.id != null && isOfDomain(emails[0] ?? "", domains);
  if (!consents) {
    faults["users.organization_id"] = [say("join_by_invitation")];
  }
  const roles = consents ? await offeredRoles(db, sent.organizationId) : [];
  const known = await offeredRoles(db, await operatorId(db));
  // Who read the form without naming the organization has the operator's role; the organization's own of that kind is meant.
  const code = known.find((role) => role.id === sent.roleId.text)?.code;
  const role = roles.find((one) => one.id === sent.roleId.text) ?? roles.find((one) => one.code === code);
  if (sent.roleId.text === "" || (consents && !role)) faults[sent.roleId.at] = [noRole];
  return role && consents
    ? { target: { kind: "domain", organizationId: sent.organizationId, roleId: role.id }, faults }
    : { target: undefined, faults };
}

async function founding(db: Queryable, config: Pick<Config, "multiTenant">, sent: SentSignup): Promise<FoundTarget> {
  const faults: Record<string, Message[]> = {};
  const name = sanitizeName(sent.organization.name);
  if (name === "") {
    faults["users.organization_id"] = [say("name_organization")];
  } else if (!config.multiTenant) {
    faults["users.organization_id"] = [say("no_new_organizations")];
  }
  const { currencyId } = sent.organization;
  const currency =
    currencyId === ""
      ? undefined
      : await db.row(sql`select 1 as found from masters__currencies where id::text = ${currencyId} and deleted = 0`);
  if (!currency) {
    faults["users.currency_id"] = [
      currencyId === "" ? say("required", { field: say("currency") }) : say("unknown_currency"),
    ];
  }
  const role = (await offeredRoles(db, await operatorId(db))).find((one) => one.id === sent.roleId.text);
  if (!role) faults[sent.roleId.at] = [noRole];
  if (Object.keys(faults).length > 0 || !role) return { target: undefined, faults };
  return { target: { kind: "found", name, currencyId, roleCode: role.code }, faults };
}
