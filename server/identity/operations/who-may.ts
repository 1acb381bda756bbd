// access_controls/roles who_may: for a record type, what the caller may do, what each role may, and the policy in
// words; with an id, who holds which right on that record.
import { Failure } from "../../../contract/failures.ts";
import { type MatrixOperation, type RecordRight, recordRights } from "../../../contract/permissions.ts";
import type { Caller } from "../../access/caller.ts";
import { authorize, matrixOf } from "../../access/matrix.ts";
import { readPolicies } from "../../access/principal-lookup.ts";
import { readPrincipalNames } from "../../access/principal-names.ts";
import { principalsWhoHold } from "../../access/readers.ts";
import { may, mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, sql } from "../../database/sql.ts";
import { recordIdOf } from "../../fields/record-id.ts";
import { grantOf } from "../../metadata/policies/policy.ts";
import type { Grantee, PolicyEntry, RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { Operation } from "../../operations/operation.ts";
import { requireCaller } from "../../operations/require-caller.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { textAt } from "../../request/tree.ts";

const granteeLabels: Readonly<Record<Exclude<Grantee, `role:${string}` | `field:${string}`>, string>> = {
  owner: "The owner",
  owner_groups: "People in a group of the owner",
  primary_group: "People in the record's group",
  organization: "Everyone in the organization",
  everyone: "Everyone",
};

export const whoMay: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = requireCaller(context);
    const { database } = context.services;
    const type = requireType(context.snapshot, textAt(context.call.parameters, "controller") ?? "");
    authorize(caller, type, "view");
    const roles = await database.rows(sql`
      select r.id, r.code, r.name, r.is_administrator, array_to_string(o.operations, ' ') as operations
      from access_controls__roles r
      left join lateral (
        select operations from access_controls__role_operations o
        where o.organization_id = ${caller.organizationId}::bigint and o.role_id = r.id and o.deleted = 0
          and o.record_type in (${type.key}, '*')
        order by o.record_type = '*' limit 1) o on true
      where r.organization_id = ${caller.organizationId}::bigint and r.deleted = 0
      order by r.is_administrator desc, r.name`);
    const roleName = (code: string) => roles.find((role) => role.code === code)?.name ?? code;
    const policy = (await readPolicies(database, caller.organizationId))(type);
    const labelled = (entry: PolicyEntry) => {
      const { to, when } = grantOf(entry);
      return { grantee: to, label: labelOf(to, type, roleName), ...(when === undefined ? {} : { when }) };
    };
    const id = textAt(context.call.parameters, "id");
    return {
      body: {
        data: {
          mine: matrixOf(caller, type),
          policy: Object.fromEntries(recordRights.map((right) => [right, policy[right].map(labelled)])),
          roles: roles.map((role) => ({
            id: role.id,
            code: role.code,
            name: role.name,
            is_administrator: role.is_administrator,
            operations: operationsOf(role, caller, type),
          })),
          ...(id === undefined ? {} : { record: await whoMayWith(database, caller, type, id) }),
        },
      },
    };
  },
};

/** A field is called what the type calls it, whoever asks: the policy is for all to read. */
function labelOf(grantee: Grantee, type: RecordType, roleName: (code: string) => string): string {
  if (grantee.startsWith("role:")) return `Role ${roleName(grantee.slice("role:".length))}`;
  if (grantee.startsWith("field:")) {
    const name = grantee.slice("field:".length);
    return type.field.get(name)?.label ?? name;
  }
  return granteeLabels[grantee as keyof typeof granteeLabels]; // every other grantee has its words
}

/** What somebody may who has this role alone. */
function operationsOf(
  { id, code, is_administrator, operations }: Readonly<Record<string, string | null | undefined>>,
  { isOperator }: Caller,
  type: RecordType,
) {
  const isAdministrator = is_administrator === "1";
  // The choice field admits the matrix operations only.
  const allowed = new Set((operations ?? "").split(" ").filter(Boolean) as MatrixOperation[]);
  const role = {
    id: id ?? "",
    code: code ?? "",
    isAdministrator,
    operations: new Map([[type.key, allowed]]),
    fields: new Map(),
  };
  return matrixOf({ isAdministrator, isOperator, roles: [role] }, type);
}

/** Only for somebody who may read the record: to others it does not exist. */
async function whoMayWith(db: Queryable, caller: Caller, type: RecordType, id: string) {
  const missing = new Failure("record_not_found", { with: { type: type.key } });
  const recordId = recordIdOf(id, type.idKind);
  if (type.scope === "shared" || recordId === undefined) throw missing;
  const record = await db.row(sql`
    select r.acl_id, ${may("edit", caller, type, "r", "few")}::integer as is_edit,
      ${may("delete", caller, type, "r", "few")}::integer as is_delete, ${may("comment", caller, type, "r", "few")}::integer as is_comment
    from ${ident(type.table)} r where ${mayRead(caller, type, "r", "few")} and r.id = ${recordId}::${idTypeOf(type)}
      and (r.deleted = 0 or ${may("delete", caller, type, "r", "few")})`);
  if (!record) throw missing;
  const held = await db.rows(principalsWhoHold(caller.organizationId, type, record.acl_id ?? "0"));
  const names = await readPrincipalNames(
    db,
    caller.organizationId,
    held.map(({ principal }) => Number(principal)),
  );
  const holders = (right: RecordRight) =>
    held
      .flatMap((row) => {
        const named = names.get(Number(row.principal));
        if (row.right !== right || !named) return [];
        return [{ right, kind: named.kind, name: named.name, principal_id: String(row.principal) }];
      })
      .sort((a, b) => a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name));
  return {
    is_edit: record.is_edit === "1",
    is_delete: record.is_delete === "1",
    is_comment: record.is_comment === "1",
    holders: Object.fromEntries(recordRights.map((right) => [right, holders(right)])),
  };
}
