// A role as administrators make and change it: a new one, and what it may see of single fields.
import { reader, readRows } from "../lists/read-all-rows.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Answer, Call } from "../transport/transport.ts";
import type { MatrixRow } from "./administration.ts";

const action = { save_progress: "Save" };

/** 1 hides a field, 4 shows it, 2 lets it be written. */
export const fieldPermissions = ["1", "4", "2"] as const;
export type FieldPermission = (typeof fieldPermissions)[number];

export interface FieldRule {
  readonly id: string | undefined;
  readonly recordType: RecordTypeKey;
  readonly field: string;
  readonly permission: FieldPermission;
}

export async function readFieldRules(call: Call, roleId: string, signal?: AbortSignal): Promise<readonly FieldRule[]> {
  const where = { "role_fields.role_id": roleId };
  const fields = ["id", "record_type", "field", "permission"];
  const rows = await readRows(call, "access_controls/role_fields", fields, { where }, signal);
  return rows.map((row) => {
    const at = reader("role_fields", row);
    const permission = fieldPermissions.find((one) => one === at("permission")) ?? "2";
    return { id: at("id"), recordType: at("record_type"), field: at("field"), permission };
  });
}

export interface RoleChanges {
  readonly rows: readonly MatrixRow[];
  /** Rows that go back to what `*` says. */
  readonly givenUp: readonly string[];
  readonly fields: readonly FieldRule[];
  readonly fieldsGivenUp: readonly string[];
}

const known = (id: string | undefined) => (id === undefined ? {} : { id });
const gone = (id: string) => ({ id, deleted: "1" });

export const saveRole = (call: Call, roleId: string, changes: RoleChanges): Promise<Answer<unknown>> => {
  const operations = [
    ...changes.rows.map(({ id, recordType, operations: allowed }) => ({
      ...known(id),
      record_type: recordType,
      operations: allowed,
    })),
    ...changes.givenUp.map(gone),
  ];
  const fields = [
    ...changes.fields.map(({ id, recordType, field, permission }) => ({
      ...known(id),
      record_type: recordType,
      field,
      permission,
    })),
    ...changes.fieldsGivenUp.map(gone),
  ];
  const roles = {
    id: roleId,
    ...(operations.length > 0 ? { operations } : {}),
    ...(fields.length > 0 ? { fields } : {}),
  };
  return call("access_controls/roles/edit", { body: { data: { roles, action } } });
};

/** Gives the id of the new role. */
export async function addRole(
  call: Call,
  role: { readonly name: string; readonly code: string; readonly description: string },
): Promise<string> {
  const answer = await call<{ id: string }>("access_controls/roles/add", { body: { data: { roles: role, action } } });
  return answer.id;
}
