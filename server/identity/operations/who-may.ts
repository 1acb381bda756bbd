// access_controls/roles who_may: for a record type, what the caller may do, what each role may, and the policy in
// words; with an id, who holds which right on that record.
import { Failure } from "../../../contract/failures.ts";
import { type RecordRight, recordRights } from "../../../contract/permissions.ts";
import type { Caller } from "../../access/caller.ts";
import { EVERYONE } from "../../access/caller.ts";
import { authorize, matrixOf } from "../../access/matrix.ts";
import { readPolicies } from "../../access/principal-lookup.ts";
import { may, mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, sql } from "../../database/sql.ts";
import type { Grantee, RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { Operation } from "../../operations/operation.ts";
import { requireCaller } from "../../operations/require-caller.ts";
import { textAt } from "../../request/tree.ts";

const granteeLabels: Readonly<Record<Exclude<Grantee, `role:${string}`>, string>> = {
  owner: "The owner",
  owner_groups: "People in a group of the owner",
  primary_group: "People in the record's group",
  organization: "Everybody in the organisation",
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
    const labelled = (grantee: Grantee) => ({
      grantee,
      label: grantee.startsWith("role:")
        ? `Role ${roleName(grantee.slice(5))}`
        : granteeLabels[grantee as keyof typeof granteeLabels], // every other grantee has its words
    });
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
            operations: operationsOf(role.is_administrator === "1", role.operations, caller, type),
          })),
          ...(id === undefined ? {} : { record: await whoMayWith(database, caller, type, id) }),
        },
      },
    };
  },
};

function operationsOf(administrator: boolean, granted: string | null | undefined, caller: Caller, type: RecordType) {
  const names = Object.keys(matrixOf(caller, type));
  const allowed = new Set((granted ?? "").split(" "));
  return Object.fromEntries(names.map((name) => [name, administrator || allowed.has(name) ? 1 : 0]));
}

/** Only for somebody who may read the record: to others it does not exist. */
async function whoMayWith(db: Queryable, caller: Caller, type: RecordType, id: string) {
  const missing = new Failure("record_not_found", { with: { type: type.key } });
  if (type.scope === "shared") throw missing;
  const record = await db.row(sql`
    select r.acl_id, ${may("edit", caller, type, "r")}::integer as is_edit,
      ${may("delete", caller, type, "r")}::integer as is_delete, ${may("comment", caller, type, "r")}::integer as is_comment
    from ${ident(type.table)} r where ${mayRead(caller, type, "r")} and r.id::text = ${id}`);
  if (!record) throw missing;
  const principals = await db.rows(sql`
    with sets as (
      select _acl || _acl_tmp as read, _acl_edit || _acl_tmp_edit as edit, _acl_delete || _acl_tmp_delete as delete, _acl_comment as comment
      from core__acl_sets where organization_id = ${caller.organizationId}::bigint and id = ${record.acl_id ?? null}::integer
    ), held(principal, "right") as (
      select unnest(read), 'read' from sets union all select unnest(edit), 'edit' from sets
      union all select unnest(delete), 'delete' from sets union all select unnest(comment), 'comment' from sets
    ), named(id, kind, name) as (
      select ${EVERYONE}::integer, 'everyone', 'Everyone'
      union all select principal_id, 'organization', name from access_controls__organizations where organization_id = ${caller.organizationId}::bigint
      union all select principal_id, 'user', name from access_controls__users where organization_id = ${caller.organizationId}::bigint
      union all select principal_id, 'group', name from access_controls__groups where organization_id = ${caller.organizationId}::bigint
      union all select principal_id, 'role', name from access_controls__roles where organization_id = ${caller.organizationId}::bigint
    )
    select held."right", named.kind, named.name, named.id::text as principal_id
    from held join named on named.id = held.principal group by 1, 2, 3, 4 order by 1, 2, 3`);
  const holders = (right: RecordRight) => principals.filter((row) => row.right === right);
  return {
    is_edit: record.is_edit === "1",
    is_delete: record.is_delete === "1",
    is_comment: record.is_comment === "1",
    holders: Object.fromEntries(recordRights.map((right) => [right, holders(right)])),
  };
}
