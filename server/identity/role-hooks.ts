// Groups, roles and what they allow: written by administrators alone, in force with the commit that writes them.

import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { recordRights } from "../../contract/permissions.ts";
import { sql } from "../database/sql.ts";
import { issueMessage } from "../lib/issue-message.ts";
import { accessPolicySchema } from "../metadata/definition-schema.ts";
import { grantOf, policyFaults } from "../metadata/policies/policy.ts";
import type { AccessPolicy, RecordType } from "../metadata/record-type.ts";
import { policyOptionFaults } from "../metadata/rules/known-options.ts";
import type { HookTable, RecordHooks, Work } from "../records/hooks.ts";
import { nextPrincipals } from "./create-user.ts";
import { requireAdministrator } from "./user-hooks.ts";

const unknownType = { record_type: [say("unknown_type")] };

const withPrincipal: Pick<RecordHooks, "prepare"> = {
  prepare: async ({ transaction }) => {
    const [principal = ""] = await nextPrincipals(transaction, 1);
    return { principal_id: principal };
  },
};

/** Whether a group is another, or has it within, by way of others too. */
async function holds({ transaction, caller }: Work, outer: string, inner: string | null | undefined): Promise<boolean> {
  const organization = sql`${caller.organizationId}::bigint`;
  const found = await transaction.row(sql`
    with recursive within(id) as (
      select ${outer}::bigint
      union
      select m.member_group_id from within
      join access_controls__group_members m on m.organization_id = ${organization} and m.group_id = within.id
        and m.deleted = 0 and m.member_group_id is not null
    )
    select 1 as found from within where id = ${inner ?? null}::bigint`);
  return found !== undefined;
}

async function unknownRoles({ transaction, caller }: Work, policy: AccessPolicy): Promise<Record<string, Message[]>> {
  const rows = await transaction.rows(sql`
    select code from access_controls__roles where organization_id = ${caller.organizationId}::bigint and deleted = 0`);
  const known = new Set(rows.map(({ code }) => `role:${code}`));
  const faults = recordRights.flatMap((right) =>
    policy[right]
      .map((entry) => grantOf(entry).to)
      .filter((grantee) => grantee.startsWith("role:") && !known.has(grantee))
      .map((role) => say("policy_role", { right, role: role.slice("role:".length) })),
  );
  return faults.length === 0 ? {} : { policy: faults };
}

/** What the record type has no fields for. */
function senseless(
  type: RecordType | undefined,
  policy: AccessPolicy,
  stored: AccessPolicy | undefined,
): Record<string, Message[]> {
  const faults = type ? [...policyFaults(type, policy), ...policyOptionFaults(type, policy, stored)] : [];
  const said = faults.map(({ right, wrong }) => say("policy_fault", { path: right, reason: wrong }));
  return said.length === 0 ? {} : { policy: said };
}

export const roleHooks: HookTable = {
  "access_controls/groups": { ...withPrincipal, administratorsOnly: true, changesAccess: "sets" },
  "access_controls/group_members": {
    administratorsOnly: true,
    changesAccess: "sets",
    check: async (_, { operation, after }) => {
      if (operation === "delete" || (after?.user_id == null) !== (after?.member_group_id == null)) return {};
      return { user_id: [say("bad_member")] };
    },
    // Once it is written: a row that comes with its group knows only then which one that is.
    follow: async (work, { after }) => {
      if (after?.member_group_id == null || after.deleted === "1") return;
      if (await holds(work, after.member_group_id, after.group_id)) {
        throw new Failure("conflict", { with: { reason: say("group_in_itself") } });
      }
    },
  },
  "access_controls/roles": {
    ...withPrincipal,
    administratorsOnly: true,
    changesAccess: "sets",
    check: async (_, { before, after }) => {
      if (before && after && before.code !== after.code) return { code: [say("code_fixed")] };
      const both = after?.is_administrator === "1" && after.is_signup_role === "1";
      return both ? { is_signup_role: [say("no_administrator_signup")] } : {};
    },
    follow: requireAdministrator,
  },
  "access_controls/roles_users": { administratorsOnly: true, changesAccess: "callers", follow: requireAdministrator },
  "access_controls/role_operations": {
    administratorsOnly: true,
    changesAccess: "callers",
    check: async ({ snapshot }, { after }) => {
      const type = after?.record_type;
      return type == null || type === "*" || snapshot.types.has(type) ? {} : unknownType;
    },
  },
  "access_controls/role_fields": {
    administratorsOnly: true,
    changesAccess: "callers",
    check: async ({ snapshot }, { after }) => {
      if (after?.record_type == null || after.field == null) return {};
      const type = snapshot.types.get(after.record_type);
      if (!type) return unknownType;
      if (!type.field.has(after.field)) return { field: [say("no_such_field", { type: type.key })] };
      const known = ["0", "1", "2", "4"].includes(after.permission ?? "");
      return known ? {} : { permission: [say("bad_permission")] };
    },
  },
  "access_controls/policies": {
    administratorsOnly: true,
    changesAccess: "sets",
    taken: async ({ transaction, caller, snapshot }, { after }) => {
      const key = after?.record_type ?? "";
      const other = await transaction.row(sql`
        select id::text as id from access_controls__policies
        where organization_id = ${caller.organizationId}::bigint and record_type = ${key} and deleted = 0`);
      const types = snapshot.types.get(key)?.plural ?? key;
      return other?.id ? { record_type: [say("policy_exists", { types, id: other.id })] } : {};
    },
    check: async (work, { operation, before, after }) => {
      if (after?.record_type != null && !work.snapshot.types.has(after.record_type)) return unknownType;
      const type = work.snapshot.types.get(after?.record_type ?? "");
      if (type?.confidential && type.refuses.add !== undefined && operation !== "delete") {
        return { record_type: [say("no_policy_for", { types: type.plural })] };
      }
      if (after?.policy == null) return {};
      const sent: unknown = JSON.parse(after.policy);
      const parsed = accessPolicySchema.safeParse(sent);
      // A role that went since does not stand in the way of deleting the policy that names it.
      if (parsed.success && after.policy === before?.policy && after.record_type === before?.record_type) return {};
      if (parsed.success) {
        const stored = accessPolicySchema.safeParse(JSON.parse(before?.policy ?? "null")).data;
        const isSameType = after.record_type === before?.record_type;
        const faults = senseless(type, parsed.data, work.comesBack ? parsed.data : isSameType ? stored : undefined);
        return { ...(await unknownRoles(work, parsed.data)), ...faults };
      }
      return {
        policy: parsed.error.issues.map((issue) => {
          const reason = issueMessage(issue, sent);
          const path = issue.path.join(".");
          return path === "" ? say("policy_wrong", { reason }) : say("policy_fault", { path, reason });
        }),
      };
    },
  },
};
