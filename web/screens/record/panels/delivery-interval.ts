// How long to wait before the deliveries of a webhook are read again. Deliveries are no changes that can be followed: they are
// asked for while somebody looks on. Pure.
import type { WebhookDelivery } from "../../../../client/records/webhooks.ts";
import { readInstant } from "../../../../client/transport/instant.ts";
import { isGone } from "../../../query-client.ts";

const SOON_MS = 2_000;
const USUAL_MS = 4_000;
const AFTER_FAILURE_MS = 30_000;
/** An attempt that is this near is worth a closer look. */
const NEAR_MS = 30_000;

interface Known {
  readonly data?: readonly WebhookDelivery[] | undefined;
  readonly error: Error | null;
}

/** In milliseconds; false: not again. */
export function deliveryInterval({ data = [], error }: Known, now: number): number | false {
  if (isGone(error)) return false;
  if (error !== null) return AFTER_FAILURE_MS;
  const isNear = ({ status, next_attempt: next }: WebhookDelivery) =>
    status === "waiting" && (readInstant(next)?.getTime() ?? now) - now <= NEAR_MS;
  return data.some(isNear) ? SOON_MS : USUAL_MS;
}
