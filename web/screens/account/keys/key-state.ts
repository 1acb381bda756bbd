// Whether a key still opens anything.
import type { ApiKey } from "../../../../client/people/api-keys.ts";
import { readInstant } from "../../../../client/transport/instant.ts";

export type KeyState = "active" | "revoked" | "expired";

export function keyState(key: Pick<ApiKey, "revoked" | "expires">, now = new Date()): KeyState {
  if (key.revoked !== null && key.revoked !== undefined) return "revoked";
  const end = readInstant(key.expires);
  return end !== undefined && end <= now ? "expired" : "active";
}
