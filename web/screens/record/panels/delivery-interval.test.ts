import { expect, test } from "vitest";
import type { WebhookDelivery } from "../../../../client/records/webhooks.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { deliveryInterval } from "./delivery-interval.ts";

const now = Date.parse("2026-03-04T12:00:00Z");
const delivery = (status: WebhookDelivery["status"], next_attempt: string | null): WebhookDelivery => ({
  id: "1",
  status,
  operation: "add",
  record_type: null,
  record_id: null,
  created: null,
  attempts: null,
  next_attempt,
  answer_status: null,
  milliseconds: null,
  problem: null,
});

test.each([
  ["one waits for its first attempt", [delivery("waiting", null)], 2_000],
  ["the next attempt is near", [delivery("delivered", null), delivery("waiting", "2026-03-04 12:00:30")], 2_000],
  ["the next attempt is due", [delivery("waiting", "2026-03-04 11:59:00")], 2_000],
  ["the next attempt is far", [delivery("waiting", "2026-03-04 12:00:31")], 4_000],
  ["none waits", [delivery("failed", null)], 4_000],
])("deliveries are read again where %s", (_, data, ms) => {
  expect(deliveryInterval({ data, error: null }, now)).toBe(ms);
});

test("they are read less often after a failure, and not again where the webhook is gone or forbidden", () => {
  const data = [delivery("waiting", null)];
  const failed = (status: number) => deliveryInterval({ data, error: new WireFailure(status, {}, new Headers()) }, now);
  expect([403, 404].map(failed)).toEqual([false, false]);
  expect([500, 503].map(failed)).toEqual([30_000, 30_000]);
  expect(deliveryInterval({ data, error: new Error("away") }, now)).toBe(30_000);
});
