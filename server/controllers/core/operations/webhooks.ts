// Webhooks: made with a secret that is shown once; a new secret, a test, and a delivery sent again.
import { Failure } from "../../../../contract/failures.ts";
import { type Message, say } from "../../../../contract/messages.ts";
import { audit } from "../../../access/audit.ts";
import { may, mayRead } from "../../../access/visibility.ts";
import { sql } from "../../../database/sql.ts";
import { requireType } from "../../../metadata/snapshot.ts";
import { addressed, requireId } from "../../../operations/addressed.ts";
import { answerView } from "../../../operations/answer-view.ts";
import type { JsonResult, Operation, OperationContext } from "../../../operations/operation.ts";
import { actor, requirePerson } from "../../../operations/require-caller.ts";
import { add as saveNew } from "../../../operations/save.ts";
import { runWrite } from "../../../operations/write.ts";
import { noSuchRecord, requireRecordId } from "../../../plan/plan-read.ts";
import type { Work } from "../../../records/hooks.ts";
import { appendRows } from "../../../records/save/insert-rows.ts";
import { deliveryOf } from "../../../webhooks/queue-changes.ts";
import { makeSecret } from "../../../webhooks/secrets.ts";
import { DELIVERIES, ensureState, mayActAs, readWebhook, WEBHOOKS, type Webhook } from "../../../webhooks/webhook.ts";

export const add: Operation = {
  ...saveNew,
  run: async (context) => {
    const isNew = context.call.method === "POST";
    const result = await saveNew.run(context);
    return isNew && "body" in result ? withSecret(context, result) : result;
  },
};

/** Whoever asks again under the same Idempotency-Key finds one made already, and is not told. */
async function withSecret(context: OperationContext, result: JsonResult): Promise<JsonResult> {
  const { caller } = addressed(context);
  const { id } = result.body;
  if (typeof id !== "string") return result;
  const webhook = { organizationId: caller.organizationId, id };
  const secret = await makeSecret(context.services.database, context.services.seal, webhook, "if none");
  return secret === undefined ? result : shown(result, secret, say("webhook_created"));
}

const shown = (result: JsonResult, secret: string, message: Message): JsonResult => ({
  ...result,
  message: [message],
  body: { ...result.body, webhook_secret: secret },
});

/** One that the caller may edit, and that acts as nobody else, unless an administrator asks. Locked. */
async function lockWebhook({ transaction, snapshot, caller }: Work, sentId: string): Promise<Webhook> {
  const type = requireType(snapshot, WEBHOOKS);
  const id = requireRecordId(type, sentId);
  const row = await transaction.row(sql`
    select ${may("edit", caller, type, "r", "few")}::integer::text as editable from core__webhooks r
    where ${mayRead(caller, type, "r", "few")} and r.id = ${id}::bigint and r.deleted = 0 for no key update of r`);
  const webhook = row && (await readWebhook(transaction, caller.organizationId, id));
  if (!webhook) throw noSuchRecord(type);
  if (row.editable !== "1" || !mayActAs(caller, webhook.userId))
    throw new Failure("conflict", { with: { reason: say("webhook_not_yours") } });
  return webhook;
}

const conflict = (reason: Message): Failure => new Failure("conflict", { with: { reason } });

export const rotateSecret: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "edit",
  async run(context) {
    requirePerson(context, say("webhooks_by_people"));
    let secret: string | undefined;
    let isFirst = false;
    const answer = await runWrite(context, async (work) => {
      const webhook = await lockWebhook(work, requireId(context));
      isFirst = webhook.secrets.length === 0;
      await ensureState(work.transaction, work.caller, webhook.id);
      secret = await makeSecret(work.transaction, context.services.seal, webhook, "always");
      await audit(work.transaction, work.snapshot, {
        ...actor(context, work.caller),
        event: "webhook_changed",
        subject: { type: WEBHOOKS, id: webhook.id, name: webhook.name },
        detail: { operation: "rotate_secret" },
      });
      return answerView(context, webhook.id, say("secret_shown_before"));
    });
    if (secret === undefined) return answer;
    return shown(answer, secret, say(isFirst ? "webhook_secret_created" : "webhook_secret_rotated"));
  },
};

export const test: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "edit",
  run: (context) => {
    requirePerson(context, say("webhooks_by_people"));
    return runWrite(context, async (work) => {
      const webhook = await lockWebhook(work, requireId(context));
      requireOn(webhook);
      const { transaction, snapshot, caller } = work;
      const rows = [deliveryOf(webhook, "test")];
      await appendRows(transaction, snapshot, requireType(snapshot, DELIVERIES), caller.organizationId, rows);
      await tryAtOnce(work, webhook);
      return answerView(context, webhook.id, say("webhook_test_queued"));
    });
  },
};

function requireOn(webhook: Webhook): void {
  if (!webhook.isActive) throw conflict(say("webhook_off"));
  if (webhook.secrets.length === 0) throw conflict(say("webhook_no_secret"));
}

/** Somebody looks on: what is sent by hand does not wait for the next pause to end. */
async function tryAtOnce({ transaction }: Work, { organizationId, id }: Webhook): Promise<void> {
  await transaction.run(sql`
    update core__webhook_state set retry_at = null
    where organization_id = ${organizationId}::bigint and webhook_id = ${id}::bigint`);
}

/** On a delivery. */
export const sendAgain: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  matrix: "view",
  run: (context) => {
    requirePerson(context, say("webhooks_by_people"));
    const { type } = addressed(context);
    return runWrite(context, async (work) => {
      const id = requireRecordId(type, requireId(context));
      const { transaction, caller } = work;
      const row = await transaction.row(sql`
        select r.related_id, r.status, r.operation, r.position::text as position, r.record_type from core__webhook_deliveries r
        where ${mayRead(caller, type, "r", "few")} and r.id = ${id}::uuid and r.deleted = 0 for no key update of r`);
      if (!row) throw noSuchRecord(type);
      const webhook = await lockWebhook(work, row.related_id ?? "");
      requireOn(webhook);
      if (row.status === "waiting") throw conflict(say("webhook_waiting_already"));
      if (row.record_type != null && !(await isRemembered(work, row.position ?? "0"))) {
        throw conflict(say("webhook_event_gone"));
      }
      await transaction.run(sql`
        update core__webhook_deliveries set status = 'waiting', attempts = 0, next_attempt = now() at time zone 'utc', problem = null
        where organization_id = ${caller.organizationId}::bigint and id = ${id}::uuid`);
      await tryAtOnce(work, webhook);
      return answerView(context, id, say("webhook_again_queued"));
    });
  },
};

const isRemembered = async ({ transaction, caller }: Work, position: string): Promise<boolean> =>
  (await transaction.row(sql`
    select 1 as found from core__events
    where organization_id = ${caller.organizationId}::bigint and position = ${position}::bigint`)) !== undefined;
