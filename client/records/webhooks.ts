// Webhooks beyond their records: what was sent lately, a test, a delivery once more, another secret.
import type { Answer, Call } from "../transport/transport.ts";

export interface WebhookDelivery {
  readonly id: string;
  readonly status: "waiting" | "delivered" | "failed" | "dropped";
  readonly operation: string;
  readonly record_type: string | null;
  readonly record_id: string | null;
  readonly created: string | null;
  readonly attempts: string | null;
  readonly next_attempt: string | null;
  readonly answer_status: string | null;
  readonly milliseconds: string | null;
  readonly problem: string | null;
}

const TYPE = "core/webhook_deliveries";
const ALIAS = "webhook_deliveries";
const fields: readonly (keyof WebhookDelivery)[] = [
  "id",
  "status",
  "operation",
  "record_type",
  "record_id",
  "created",
  "attempts",
  "next_attempt",
  "answer_status",
  "milliseconds",
  "problem",
];

/** The newest first. */
export async function readDeliveries(
  call: Call,
  webhookId: string,
  limit: number,
  signal?: AbortSignal,
): Promise<readonly WebhookDelivery[]> {
  const q = {
    fields: fields.map((name) => `${ALIAS}.${name}`),
    where: { [`${ALIAS}.related_type`]: "core/webhooks", [`${ALIAS}.related_id`]: webhookId },
    order: [`${ALIAS}.created desc`],
    limit,
  };
  const { paginate } = await call<{ paginate: { data: readonly Readonly<Record<string, string | null>>[] } }>(
    `${TYPE}/index`,
    { query: { q: JSON.stringify(q) }, signal },
  );
  return paginate.data.map(
    // The list has exactly the columns that were asked for.
    (row) =>
      Object.fromEntries(fields.map((name) => [name, row[`${ALIAS}.${name}`] ?? null])) as unknown as WebhookDelivery,
  );
}

export const sendDeliveryAgain = (call: Call, id: string): Promise<Answer<unknown>> =>
  call(`${TYPE}/send_again`, { query: { id }, method: "POST" });

export const testWebhook = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("core/webhooks/test", { query: { id }, method: "POST" });

/** The answer has the secret, once. */
export const rotateWebhookSecret = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("core/webhooks/rotate_secret", { query: { id }, method: "POST" });
