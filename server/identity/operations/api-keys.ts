// Personal API keys: made (the secret is shown once), listed, revoked by the person they belong to.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
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
import { sentTexts } from "./sent-values.ts";

const listed = sql`id, name, scope, hint, created, expires, last_used, revoked`;

export const mine: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = requireCaller(context);
    const keys = await context.services.database.rows(sql`
      select ${listed} from access_controls__api_keys
      where organization_id = ${caller.organizationId}::bigint and user_id = ${caller.userId}::bigint and deleted = 0
      order by created desc, id desc`);
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
    const sent = sentTexts(context.call, "api_keys", "name", "scope", "expires");
    const wire = { name: sent.name, scope: sent.scope || "read", expires: sent.expires };
    const { columns, errors } = rowValues(type, wire, caller);
    if (!columns.name) errors["api_keys.name"] ??= [say("key_needs_name")];
    if (columns.expires && columns.expires <= instant()) {
      errors["api_keys.expires"] ??= [say("key_expired")];
    }
    if (Object.keys(errors).length > 0)
      throw new Failure("invalid", { byField: errors, body: { data: { api_keys: wire } } });

    let secret: string | undefined;
    const answer = await runWrite(context, async ({ transaction, snapshot }) => {
      const made = await createKey(context, transaction, type, caller, columns);
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

async function createKey(
  context: OperationContext,
  transaction: Queryable,
  type: RecordType,
  caller: Caller,
  columns: ColumnValues,
): Promise<{
  readonly key: Readonly<Record<string, string | null>> & { readonly id: string };
  readonly secret: string;
}> {
  const by = { owned_by: caller.userId, created_by: caller.userId, modified_by: caller.userId };
  const row = { ...columns, user_id: caller.userId, ...by };
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
    detail: { scope: columns.scope, expires: columns.expires ?? null },
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
    const revoked = await context.services.database.transaction(async (transaction) => {
      const row = await transaction.row(sql`
        update access_controls__api_keys set revoked = least(revoked, now() at time zone 'utc')
        where organization_id = ${caller.organizationId}::bigint and id::text = ${id} and user_id = ${caller.userId}::bigint
          and deleted = 0
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
    return { message: [say("key_revoked")], body: { data: { api_keys: revoked } } };
  },
};
