// One's own API keys: list, make, revoke. A key's secret is in the answer that makes it and nowhere else.
import type { Answer, Call } from "../transport/transport.ts";

export type ApiKeyScope = "read" | "write";

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scope: ApiKeyScope;
  /** How the secret starts. */
  readonly hint: string | null;
  readonly created: string | null;
  readonly expires: string | null;
  readonly last_used: string | null;
  readonly revoked: string | null;
}

export interface NewApiKey {
  readonly name: string;
  readonly scope: ApiKeyScope;
  readonly expires?: string;
}

export async function listApiKeys(call: Call, signal?: AbortSignal): Promise<readonly ApiKey[]> {
  const answer = await call<{ data: { api_keys: ApiKey[] } }>("access_controls/api_keys/mine", { signal });
  return answer.data.api_keys;
}

export async function addApiKey(call: Call, key: NewApiKey): Promise<ApiKey & { readonly secret: string }> {
  const answer = await call<{ data: { api_keys: ApiKey & { secret: string } } }>("access_controls/api_keys/add", {
    body: { data: { api_keys: key } },
  });
  return answer.data.api_keys;
}

export const revokeApiKey = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("access_controls/api_keys/revoke", { query: { id }, method: "POST" });
