// API keys: made (the secret is shown once) for oneself or, by administrators, for a service account; listed; revoked by whom they
// belong to or by an administrator of the organization.

import { Failure } from "../../../contract/failures.ts";
import { type MessagesByField, say } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import type { Caller } from "../../access/caller.ts";
import { recordChanges } from "../../database/changes.ts";
import type { Queryable } from "../../database/database.ts";
import { notify } from "../../database/processes/notify.ts";
import { sql } from "../../database/sql.ts";
import { instant } from "../../lib/instant.ts";
import { digest, newSecret } from "../../lib/secrets/tokens.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { actor, requireCaller, requirePerson } from "../../operations/require-caller.ts";
import { showRecord } from "../../operations/view.ts";
import { runWrite } from "../../operations/write.ts";
import { type ColumnValues, rowValues } from "../../records/read/row-values.ts";
import { viewRecord } from "../../records/read/view-record.ts";
import { insertRows } from "../../records/save/insert-rows.ts";
import { textAt } from "../../request/tree.ts";
import { KEYS_BY_PEOPLE } from "../account-hooks.ts";
import { setSecret } from "../create-user.ts";
import { keptNetworks, parseLimits } from "../key-limits.ts";
import { sentTexts, sentValues } from "./sent-values.ts";

const listed = sql`id, name, scope, limits, networks, hint, created, expires, last_used, revoked`;

export const mine: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = requireCaller(context);
    const keys = await context.services.database.rows(sql`
      select ${listed} from access_controls__api_keys k
      where organization_id = ${caller.organizationId}::bigint and user_id = ${caller.userId}::bigint and deleted = 0
      order by k.created desc, k.id desc`);
    return { body: { data: { api_keys: keys } } };
  },
};

export const add: Operation = {
  methods: ["GET", "POST"],
  authentication: "required",
  reads: "by GET",
  async run(context) {
    if (context.call.method === "GET") return showRecord(context, "add");
    const { caller } = requirePerson(context, KEYS_BY_PEOPLE);
    const type = requireType(context.snapshot, "access_controls/api_keys");
    const { wire, columns } = checked(context, type, caller);
    const userId = await ownerOf(context, caller, wire);

    let secret: string | undefined;
    const answer = await runWrite(context, async ({ transaction, snapshot }) => {
      const made = await createKey(context, transaction, type, caller, userId, columns);
      secret = made.secret;
      return async (reader) => {
        const { body, written } = await viewRecord(reader, snapshot, type, caller, "view", made.key.id);
        const { api_keys: record } = body.data as Record<string, object>; // as every view has it
        return {
          message: [say("secret_shown_before")],
          body: { ...body, data: { api_keys: { ...record, ...made.key } } },
          written,
        };
      };
    });
    // The answer to a repeated request is the first one, and that was kept without the secret.
    if (secret === undefined) return answer;
    const { api_keys: key } = answer.body.data as Record<string, object>;
    return {
      ...answer,
      message: [say("key_created")],
      body: { ...answer.body, data: { api_keys: { ...key, secret } } },
    };
  },
};

/** Of many made at once, nobody would be told the secrets. */
export const addMany: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requirePerson(context, KEYS_BY_PEOPLE);
    throw new Failure("conflict", { with: { reason: say("keys_one_at_a_time") } });
  },
};

/** The columns of the new key; fails with everything that is wrong with what was sent. */
function checked(context: OperationContext, type: RecordType, caller: Caller) {
  const sent = sentTexts(context.call, "api_keys", "name", "scope", "expires", "networks", "user_id");
  const wire = { ...sent, scope: sent.scope || "read", limits: sentValues(context.call, "api_keys").limits ?? "" };
  const given = { name: wire.name, scope: wire.scope, expires: wire.expires };
  const { columns, errors } = rowValues(type, given, caller);
  if (!columns.name) errors["api_keys.name"] ??= [say("key_needs_name")];
  if (columns.expires && columns.expires <= instant()) {
    errors["api_keys.expires"] ??= [say("key_expired")];
  }
  for (const [name, parsed] of [
    ["limits", parseLimits(context.snapshot, wire.limits)],
    ["networks", keptNetworks(wire.networks)],
  ] as const) {
    if ("fault" in parsed) errors[`api_keys.${name}`] = [parsed.fault];
    else columns[name] = parsed.kept;
  }
  if (Object.keys(errors).length > 0) throw refused(wire, errors);
  return { wire, columns };
}

type Wire = Readonly<Record<string, unknown>> & { readonly user_id: string };

const refused = (wire: Wire, byField: MessagesByField): Failure =>
  new Failure("invalid", { byField, body: { data: { api_keys: wire } } });

/** Whose key it becomes: one's own, or that of a service account, which administrators run. */
async function ownerOf(context: OperationContext, caller: Caller, wire: Wire): Promise<string> {
  if (wire.user_id === "" || wire.user_id === caller.userId) return caller.userId;
  const found =
    caller.isAdministrator &&
    (await context.services.database.row(sql`
      select id from access_controls__users
      where organization_id = ${caller.organizationId}::bigint and id::text = ${wire.user_id} and is_service_account = 1
        and deleted = 0 and is_active = 1`));
  if (!found) throw refused(wire, { "api_keys.user_id": [say("key_of_service_account")] });
  return wire.user_id;
}

async function createKey(
  context: OperationContext,
  transaction: Queryable,
  type: RecordType,
  caller: Caller,
  userId: string,
  columns: ColumnValues,
): Promise<{
  readonly key: Readonly<Record<string, string | null>> & { readonly id: string };
  readonly secret: string;
}> {
  const by = { owned_by: userId, created_by: caller.userId, modified_by: caller.userId };
  const row = { ...columns, user_id: userId, ...by };
  const [id = ""] = await insertRows(transaction, context.snapshot, type, caller.organizationId, [row]);
  const secret = newSecret("dk", caller.organizationId, id);
  await setSecret(transaction, caller.organizationId, "api-key", id, digest(secret));
  const key = await transaction.row(sql`
    update access_controls__api_keys set hint = ${`${secret.slice(0, -38)}…`}
    where organization_id = ${caller.organizationId}::bigint and id = ${id}::bigint returning ${listed}`);
  await audit(transaction, context.snapshot, {
    ...actor(context, caller),
    event: "api_key_created",
    subject: { type: type.key, id, name: columns.name ?? null },
    detail: {
      scope: columns.scope,
      expires: columns.expires ?? null,
      ...(columns.limits == null ? {} : { limits: JSON.parse(columns.limits) }),
      ...(columns.networks == null ? {} : { networks: columns.networks }),
      ...(userId === caller.userId ? {} : { user_id: userId }),
    },
  });
  return { key: { ...key, id }, secret };
}

export const revoke: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    const { caller } = requirePerson(context, KEYS_BY_PEOPLE);
    const id = textAt(context.call.parameters, "id") ?? "";
    const whose = caller.isAdministrator ? sql`true` : sql`user_id = ${caller.userId}::bigint`;
    const revoked = await context.services.database.transaction(async (transaction) => {
      const row = await transaction.row(sql`
        update access_controls__api_keys set revoked = least(revoked, now() at time zone 'utc')
        where organization_id = ${caller.organizationId}::bigint and id::text = ${id} and ${whose} and deleted = 0
        returning acl_id::text as acl_id, ${listed}`);
      await notify(transaction, "dossier_access", caller.organizationId);
      if (row) {
        const change = { aclId: row.acl_id ?? "0", delta: 0, id, operation: "edit" as const };
        await recordChanges(transaction, caller.organizationId, "access_controls/api_keys", [change]);
        await audit(transaction, context.snapshot, {
          ...actor(context, caller),
          event: "api_key_revoked",
          subject: { type: "access_controls/api_keys", id, name: row.name ?? null },
        });
      }
      return row;
    });
    context.services.forget(caller.organizationId);
    if (!revoked) throw new Failure("record_not_found", { with: { type: "access_controls/api_keys" } });
    const { acl_id: _, ...key } = revoked;
    return { message: [say("key_revoked")], body: { data: { api_keys: key } } };
  },
};
