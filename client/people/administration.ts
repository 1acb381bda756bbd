// What administrators do: users, invitations, roles with their operations, the organization, its license, sessions.
import type { MatrixOperation } from "../../contract/permissions.ts";
import { reader, readRows } from "../lists/read-all-rows.ts";
import { type FormElement, readRecord, type WireValue } from "../records/records.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Answer, Call } from "../transport/transport.ts";

export interface ListedUser {
  readonly id: string;
  readonly name: string;
  readonly userName: string;
  readonly title: string;
  readonly isActive: boolean;
  readonly lastLogin: string;
  /** What its roles are called. */
  readonly roles: readonly string[];
}

export async function listUsers(call: Call, signal?: AbortSignal): Promise<readonly ListedUser[]> {
  const fields = ["id", "name", "user_name", "title", "is_active", "last_login"];
  const [rows, held] = await Promise.all([
    readRows(call, "access_controls/users", fields, { order: ["users.name ASC"] }, signal),
    readRows(call, "access_controls/roles_users", ["user_id", "role.name as role_name"], {}, signal),
  ]);
  return rows.map((row) => {
    const at = reader("users", row);
    return {
      id: at("id"),
      name: at("name"),
      userName: at("user_name"),
      title: at("title"),
      isActive: at("is_active") === "1",
      lastLogin: at("last_login"),
      roles: held.flatMap((one) => (one["roles_users.user_id"] === at("id") ? (one.role_name ?? []) : [])).sort(),
    };
  });
}

export const deactivateUser = (call: Call, id: string, newOwner: string | undefined): Promise<Answer<unknown>> =>
  call("access_controls/users/deactivate", { query: { id, hand_over_to: newOwner }, method: "POST" });

export const activateUser = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("access_controls/users/activate", { query: { id }, method: "POST" });

export interface ListedInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly status: string;
  readonly lastSent: string;
  readonly expires: string;
}

export async function listInvitations(call: Call, signal?: AbortSignal): Promise<readonly ListedInvitation[]> {
  const fields = ["id", "email", "status", "last_sent", "expires", "role.name as role_name"];
  const rows = await readRows(
    call,
    "access_controls/invitations",
    fields,
    { order: ["invitations.last_sent DESC"] },
    signal,
  );
  return rows.map((row) => {
    const at = reader("invitations", row);
    return {
      id: at("id"),
      email: at("email"),
      role: row.role_name ?? "",
      status: at("status"),
      lastSent: at("last_sent"),
      expires: at("expires"),
    };
  });
}

const save = { save_progress: "Save" };

export const invite = (call: Call, email: string, roleId: string): Promise<Answer<unknown>> =>
  call("access_controls/invitations/add", {
    body: { data: { invitations: { email, role_id: roleId }, action: save } },
  });

export const onInvitation = (call: Call, what: "resend" | "revoke", id: string): Promise<Answer<unknown>> =>
  call(`access_controls/invitations/${what}`, { query: { id }, method: "POST" });

export interface ListedRole {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly isAdministrator: boolean;
  readonly isSignupRole: boolean;
}

export async function listRoles(call: Call, signal?: AbortSignal): Promise<readonly ListedRole[]> {
  const fields = ["id", "code", "name", "description", "is_administrator", "is_signup_role"];
  const rows = await readRows(call, "access_controls/roles", fields, { order: ["roles.name ASC"] }, signal);
  return rows.map((row) => {
    const at = reader("roles", row);
    return {
      id: at("id"),
      code: at("code"),
      name: at("name"),
      description: at("description"),
      isAdministrator: at("is_administrator") === "1",
      isSignupRole: at("is_signup_role") === "1",
    };
  });
}

/** A row of the operation matrix; `*` stands for every record type without a row of its own. */
export interface MatrixRow {
  readonly id: string | undefined;
  readonly recordType: RecordTypeKey | "*";
  readonly operations: readonly MatrixOperation[];
}

export async function readMatrix(call: Call, roleId: string, signal?: AbortSignal): Promise<readonly MatrixRow[]> {
  const where = { "role_operations.role_id": roleId };
  const rows = await readRows(
    call,
    "access_controls/role_operations",
    ["id", "record_type", "operations"],
    { where },
    signal,
  );
  return rows.map((row) => {
    const at = reader("role_operations", row);
    // The field admits the operations of the matrix only.
    const operations = at("operations").split(";").filter(Boolean) as MatrixOperation[];
    return { id: at("id"), recordType: at("record_type"), operations };
  });
}

export const markSignupRole = (call: Call, roleId: string, offered: boolean): Promise<Answer<unknown>> =>
  call("access_controls/roles/edit", {
    body: { data: { roles: { id: roleId, is_signup_role: offered ? "1" : "0" }, action: save } },
  });

export interface OrganizationInfo {
  readonly id: string;
  readonly name: string;
  readonly currency_id: string | null;
  readonly currency: string | null;
  readonly time_zone: string | null;
  readonly locale: string | null;
  readonly created: string;
  readonly user_count: string;
  readonly active_user_count: string;
  readonly record_count: string;
  readonly license_agreement_version: string | null;
  /** "1" where it runs the service. */
  readonly is_operator: string | null;
}

export interface OrganizationSettings extends OrganizationInfo {
  readonly allowed_domains: string | null;
  readonly revision: string;
  readonly logo: WireValue;
  /** How its logo is put in, as its form says. */
  readonly logoElement: FormElement | undefined;
}

export async function readOrganization(call: Call, signal?: AbortSignal): Promise<OrganizationSettings> {
  const info = await call<{ data: { organizations: OrganizationInfo } }>("access_controls/organizations/info", {
    signal,
  });
  const { id } = info.data.organizations;
  const { data, form } = await readRecord(call, "access_controls/organizations", "edit", id, signal);
  const record = data.organizations ?? {};
  const text = (name: string): string | null => (typeof record[name] === "string" ? record[name] : null);
  const { logo = null } = record;
  return {
    ...info.data.organizations,
    allowed_domains: text("allowed_domains"),
    revision: text("revision") ?? "",
    // A field holds no rows.
    logo: Array.isArray(logo) ? null : (logo as WireValue),
    logoElement: findElement(form, "organizations.logo"),
  };
}

function findElement({ children = [] }: Pick<FormElement, "children">, name: string): FormElement | undefined {
  for (const child of children) {
    const found = child.__name === name ? child : findElement(child, name);
    if (found) return found;
  }
  return undefined;
}

export const saveOrganization = (
  call: Call,
  id: string,
  values: Readonly<Record<string, WireValue | File>>,
): Promise<Answer<unknown>> =>
  call("access_controls/organizations/edit", { body: { data: { organizations: { id, ...values }, action: save } } });

export interface LicenseVersion {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly created: string;
  readonly isRequiredAgain: boolean;
}

export async function listLicenses(call: Call, signal?: AbortSignal): Promise<readonly LicenseVersion[]> {
  const fields = ["id", "title", "version", "created", "is_required_again"];
  const order = { order: ["license_agreements.version DESC"] };
  const rows = await readRows(call, "access_controls/license_agreements", fields, order, signal);
  return rows.map((row) => {
    const at = reader("license_agreements", row);
    return {
      id: at("id"),
      title: at("title"),
      version: at("version"),
      created: at("created"),
      isRequiredAgain: at("is_required_again") === "1",
    };
  });
}

export const publishLicense = (
  call: Call,
  license: { readonly title: string; readonly text: string; readonly is_required_again: "0" | "1" },
): Promise<Answer<unknown>> =>
  call("access_controls/license_agreements/add", { body: { data: { license_agreements: license, action: save } } });

export interface ListedSession {
  readonly id: string;
  readonly user: string;
  readonly address: string;
  readonly program: string;
  readonly lastUsed: string;
}

export async function listSessions(call: Call, signal?: AbortSignal): Promise<readonly ListedSession[]> {
  const fields = ["id", "address", "user_agent", "last_used", "user.name as person"];
  const where = { "sessions.ended": null, "sessions.expires": { op: ">", value: "{{NOW}}" } };
  const order = ["sessions.last_used DESC"];
  const rows = await readRows(call, "access_controls/sessions", fields, { where, order }, signal);
  return rows.map((row) => {
    const at = reader("sessions", row);
    return {
      id: at("id"),
      user: row.person ?? "",
      address: at("address"),
      program: at("user_agent"),
      lastUsed: at("last_used"),
    };
  });
}

export interface OwnSession {
  readonly id: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly last_used: string | null;
  readonly is_current: "0" | "1";
}

export async function listOwnSessions(call: Call, signal?: AbortSignal): Promise<readonly OwnSession[]> {
  const answer = await call<{ data: { sessions: OwnSession[] } }>("access_controls/sessions/mine", { signal });
  return answer.data.sessions;
}

export const endSession = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("access_controls/sessions/end", { query: { id }, method: "POST" });
