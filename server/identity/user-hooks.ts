// Users: a name that is unique over the whole service, a principal of their own, and somebody always left in charge.

import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { recordChanges } from "../database/changes.ts";
import { ADMINISTRATORS_LOCK } from "../database/locks.ts";
import { ident, sql } from "../database/sql.ts";
import type { RecordChange, RecordHooks, Work } from "../records/hooks.ts";
import { nextPrincipals, USER_NAME } from "./create-user.ts";
import { isOthersAddress } from "./login-names.ts";
import { dropTokens } from "./one-time-tokens.ts";
import { fullName } from "./person-name.ts";
import { preferenceFaults } from "./preferences.ts";
import { dropSecondFactor } from "./second-factor.ts";
import { inviteUser } from "./send-invitation.ts";
import { endSessions } from "./session-tokens.ts";

export const userHooks: RecordHooks = {
  ...fullName,
  changesAccess: "callers",
  // The manager acts for an owner in workflows, and actors are shown by their names.
  setsFields: ["manager_id", "name", "first_name", "last_name", "deleted"],
  prepare: async ({ transaction }) => {
    const next = await transaction.row(
      sql`select nextval(pg_get_serial_sequence('access_controls__users', 'id'))::text as id`,
    );
    const [principal = ""] = await nextPrincipals(transaction, 1);
    // A user owns its own record.
    return { id: next?.id ?? "", owned_by: next?.id ?? "", principal_id: principal };
  },
  check: async (work, change) => {
    if (change.operation === "delete" && change.id === work.caller.userId) {
      return { id: [say("own_user_delete")] };
    }
    const { before, after } = change;
    const faults: Record<string, Message[]> = {};
    if (before && after && before.is_active !== after.is_active) {
      if (!work.caller.isAdministrator) faults.is_active = [say("only_administrators_activate")];
      else if (change.id === work.caller.userId) {
        throw new Failure("conflict", { with: { reason: say("own_user_deactivate") } });
      }
    }
    Object.assign(faults, serviceFaults(work, change));
    if (!work.caller.isAdministrator && before) Object.assign(faults, selfServed(work.caller.userId, change));
    const chosen = Object.fromEntries(
      preferenceNames.flatMap((field) =>
        after?.[field] != null && after[field] !== before?.[field] ? [[field, after[field]]] : [],
      ),
    );
    Object.assign(faults, await preferenceFaults(work.transaction, chosen));
    return { ...faults, ...(await nameFaults(work, change)) };
  },
  follow: async (work, change) => {
    await keepAccount(work, change);
    await requireAdministrator(work, change);
    if (change.operation === "add") await sayHowToSignIn(work, change);
    if (change.operation === "delete" || (change.before?.is_active === "1" && change.after?.is_active === "0")) {
      await shutOut(work, change.id);
    }
  },
};

/** Nobody signs in to a service account: what was one person's must not become a program's, nor the other way round. */
function serviceFaults({ caller }: Work, { before, after }: RecordChange): Record<string, Message[]> {
  const isService = after?.is_service_account === "1";
  if (!after || (before?.is_service_account === "1") === isService) return {};
  if (before) return { is_service_account: [say("service_account_fixed")] };
  return caller.isAdministrator ? {} : { is_service_account: [say("service_account_by_administrator")] };
}

/** The manager approves for an owner: nobody chooses their own. */
function selfServed(userId: string, { id, before, after }: RecordChange): Record<string, Message[]> {
  return id === userId && (before?.manager_id ?? null) !== (after?.manager_id ?? null)
    ? { manager_id: [say("own_manager")] }
    : {};
}

/** Who adds a user is told how that user comes in: by the message that was sent, or by a link to pass on. */
async function sayHowToSignIn(
  { transaction, caller, said }: Work,
  { id: userId, after }: RecordChange & { readonly id: string },
): Promise<void> {
  if (after?.is_service_account === "1") {
    said?.messages.add(say("service_account_added"));
    return;
  }
  const { address, link } = await inviteUser(transaction, caller, userId);
  if (!said) return;
  said.invitationLinks[userId] = link;
  said.messages.add(address === undefined ? say("user_without_email") : say("password_email_sent", { email: address }));
}

const preferenceNames = ["time_zone", "locale", "hour_format", "theme"] as const;

/** Sessions end with the commit, and no link that was sent before lets anybody in. */
async function shutOut({ transaction, caller }: Work, userId: string): Promise<void> {
  await endSessions(transaction, caller.organizationId, sql`user_id = ${userId}::bigint`);
  await dropTokens(transaction, caller.organizationId, ["password", "password-link", "join"], userId);
}

async function nameFaults(work: Work, change: RecordChange): Promise<Record<string, Message[]>> {
  const { before, after } = change;
  const name = after?.user_name;
  if (name == null || name === before?.user_name) return {};
  if (!USER_NAME.test(name)) {
    return { user_name: [say("bad_user_name")] };
  }
  const taken = await work.transaction.row(sql`
      select 1 as found from access_controls__user_names
      where user_name = ${name.toLowerCase()}
        and not (organization_id = ${work.caller.organizationId}::bigint and user_id = ${change.id ?? "0"}::bigint)`);
  const own = { organizationId: work.caller.organizationId, userId: change.id ?? "0" };
  return taken || (await isOthersAddress(work.transaction, name, own))
    ? { user_name: [say("taken", { field: say("user_name") })] }
    : {};
}

async function keepAccount(
  { transaction, caller }: Work,
  { id, operation, before, after }: RecordChange & { readonly id: string },
): Promise<void> {
  const [organization, user] = [sql`${caller.organizationId}::bigint`, sql`${id}::bigint`];
  if (operation === "purge") {
    await transaction.run(sql`
      delete from access_controls__user_names where organization_id = ${organization} and user_id = ${user}`);
    await transaction.run(sql`
      delete from access_controls__secrets
      where organization_id = ${organization} and kind = 'password' and subject = ${id}`);
    await transaction.run(sql`
      delete from access_controls__login_emails where organization_id = ${organization} and user_id = ${user}`);
    await dropSecondFactor(transaction, { organizationId: caller.organizationId, userId: id });
    await transaction.run(sql`
      delete from access_controls__refresh_tokens where organization_id = ${organization} and session_id in
        (select id from access_controls__sessions where organization_id = ${organization} and user_id = ${user})`);
    for (const type of ["access_controls/sessions", "access_controls/api_keys", "core/notifications"]) {
      const gone = await transaction.run(sql`
        delete from ${ident(type.replace("/", "__"))} where organization_id = ${organization} and owned_by = ${user}
        returning acl_id::text, deleted::text, id::text`);
      const changes = gone.rows.map(([aclId, deleted, one]) => ({
        aclId: aclId ?? "0",
        delta: deleted === "0" ? -1 : 0,
        id: one ?? undefined,
        operation: "purge" as const,
      }));
      await recordChanges(transaction, caller.organizationId, type, changes);
    }
    return;
  }
  const name = after?.user_name?.toLowerCase();
  if (name === undefined || name === before?.user_name?.toLowerCase()) return;
  const kept = await transaction.run(sql`
    with gone as (
      delete from access_controls__user_names where organization_id = ${organization} and user_id = ${user}
    )
    insert into access_controls__user_names (user_name, organization_id, user_id)
    values (${name}, ${organization}, ${user}) on conflict do nothing`);
  if (kept.count === 0) {
    const reason = say("taken", { field: say("user_name") });
    throw new Failure("conflict", { with: { reason }, byField: { "users.user_name": [reason] } });
  }
}

/** Of users, roles, and who has which: what makes somebody an administrator who can come in. */
const decisive = ["deleted", "is_active", "is_service_account", "is_administrator", "role_id", "user_id"];

/** After whatever could take the last one away: an organization that nobody can run cannot be helped from within. */
export async function requireAdministrator(
  { transaction, caller }: Work,
  { operation, before, after }: RecordChange,
): Promise<void> {
  if (operation === "add" || operation === "restore" || operation === "purge") return;
  const isDecisive = decisive.some((name) => (before?.[name] ?? null) !== (after?.[name] ?? null));
  if (operation !== "delete" && !isDecisive) return;
  const organization = sql`${caller.organizationId}::bigint`;
  // Of two who take each other away at the same time, the second sees the first.
  await transaction.run(
    sql`select pg_advisory_xact_lock(${ADMINISTRATORS_LOCK}::integer, hashtext(${caller.organizationId}))`,
  );
  const left = await transaction.row(sql`
    select 1 as found from access_controls__roles_users m
    join access_controls__roles r on r.organization_id = ${organization} and r.id = m.role_id and r.deleted = 0
      and r.is_administrator = 1
    join access_controls__users u on u.organization_id = ${organization} and u.id = m.user_id and u.deleted = 0
      and u.is_active = 1 and u.is_service_account is distinct from 1
    where m.organization_id = ${organization} and m.deleted = 0 limit 1`);
  if (!left) {
    throw new Failure("conflict", { with: { reason: say("last_administrator") } });
  }
}
