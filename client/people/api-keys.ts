// API keys: list, make, revoke; those of others and service accounts for administrators. A key's secret is in the answer that makes it
// and nowhere else.
import type { MatrixOperation } from "../../contract/permissions.ts";
import { reader, readRows } from "../lists/read-all-rows.ts";
import type { Answer, Call } from "../transport/transport.ts";

export type ApiKeyScope = "read" | "write";

/** By record type, the operations that a key is for. */
export type ApiKeyLimits = Readonly<Record<string, readonly MatrixOperation[]>>;

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scope: ApiKeyScope;
  /** JSON text of its limits; null: it is for everything that its user can do. */
  readonly limits: string | null;
  /** With a space between them; null: it works from everywhere. */
  readonly networks: string | null;
  /** How the secret starts. */
  readonly hint: string | null;
  readonly created: string | null;
  readonly expires: string | null;
  readonly last_used: string | null;
  readonly revoked: string | null;
}

/** A key of anybody in the organization. */
export interface OrganizationKey extends ApiKey {
  readonly userId: string;
  readonly user: string;
}

export interface NewApiKey {
  readonly name: string;
  readonly scope: ApiKeyScope;
  readonly expires?: string;
  readonly limits?: ApiKeyLimits;
  readonly networks?: string;
  /** The service account that it is for; oneself without. */
  readonly user_id?: string;
}

export async function listApiKeys(call: Call, signal?: AbortSignal): Promise<readonly ApiKey[]> {
  const answer = await call<{ data: { api_keys: ApiKey[] } }>("access_controls/api_keys/mine", { signal });
  return answer.data.api_keys;
}

export async function listOrganizationKeys(call: Call, signal?: AbortSignal): Promise<readonly OrganizationKey[]> {
  const own = ["id", "name", "scope", "limits", "networks", "hint", "created", "expires", "last_used", "revoked"];
  const fields = [...own, "user_id", "user_id.name as person"];
  const order = ["api_keys.created DESC"];
  const rows = await readRows(call, "access_controls/api_keys", fields, { order }, signal);
  return rows.map((row) => {
    const at = reader("api_keys", row);
    const orNull = (field: string) => row[`api_keys.${field}`] ?? null;
    return {
      id: at("id"),
      name: at("name"),
      scope: at("scope") === "write" ? "write" : "read",
      limits: orNull("limits"),
      networks: orNull("networks"),
      hint: orNull("hint"),
      created: orNull("created"),
      expires: orNull("expires"),
      last_used: orNull("last_used"),
      revoked: orNull("revoked"),
      userId: at("user_id"),
      user: row.person ?? "",
    };
  });
}

export async function addApiKey(call: Call, key: NewApiKey): Promise<ApiKey & { readonly secret: string }> {
  const answer = await call<{ data: { api_keys: ApiKey & { secret: string } } }>("access_controls/api_keys/add", {
    body: { data: { api_keys: key } },
  });
  return answer.data.api_keys;
}

export const revokeApiKey = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("access_controls/api_keys/revoke", { query: { id }, method: "POST" });

/** A user that programs come in as: nobody signs in to it. */
export interface ServiceAccount {
  readonly id: string;
  readonly name: string;
}

export async function listServiceAccounts(call: Call, signal?: AbortSignal): Promise<readonly ServiceAccount[]> {
  const where = { "users.is_service_account": "1", "users.is_active": "1" };
  const order = ["users.name ASC"];
  const rows = await readRows(call, "access_controls/users", ["id", "name", "user_name"], { where, order }, signal);
  return rows.map((row) => {
    const at = reader("users", row);
    return { id: at("id"), name: at("name") || at("user_name") };
  });
}

export interface NewServiceAccount {
  readonly name: string;
  readonly userName: string;
  readonly roleId: string;
}

export async function addServiceAccount(call: Call, account: NewServiceAccount): Promise<ServiceAccount> {
  const users = {
    user_name: account.userName,
    last_name: account.name,
    is_service_account: "1",
    roles_users: [{ role_id: account.roleId }],
  };
  const { id } = await call<{ id: string }>("access_controls/users/add", {
    body: { data: { users, action: { save_progress: "Save" } } },
  });
  return { id, name: account.name };
}
