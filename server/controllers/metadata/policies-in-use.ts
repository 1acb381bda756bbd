// Takes a record type as it is and as it would be; refuses a design that takes away, or gives another type to, a field that an access
// policy speaks of: who may read a record would change without anybody deciding it. Checks every organization, since they share the type.
import { say } from "../../../contract/messages.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { storedJson } from "../../database/stored-json.ts";
import { renamedFields } from "../../metadata/changes/rename-fields.ts";
import { definitionRefused } from "../../metadata/definition-refusal.ts";
import { accessPolicySchema } from "../../metadata/definition-schema.ts";
import { policyFaults, policyFields } from "../../metadata/policies/policy.ts";
import { missingFields, retypedFields } from "../../metadata/preview-changes.ts";
import type { RecordType } from "../../metadata/record-type.ts";

export async function requirePolicyFields(
  db: Queryable,
  organizationId: string,
  before: RecordType,
  after: RecordType,
): Promise<void> {
  const rows = await db.rows(sql`
    select organization_id::text as organization, policy from access_controls__policies
    where record_type = ${before.key} and deleted = 0 order by organization_id`);
  const policies = [
    { policy: before.access, whose: say("the_policy", { types: before.plural }) },
    ...rows.map(({ organization, policy }) => ({
      policy: storedJson(accessPolicySchema, policy ?? "", "access_controls__policies.policy"),
      whose: organization === organizationId ? say("the_policy", { types: before.plural }) : say("foreign_policy"),
    })),
  ];
  const changing = new Set([...missingFields(before, after), ...droppedOrRetyped(before, after)]);
  const renames = renamedFields(before, after);
  const faults = policies.flatMap(({ policy, whose }) => {
    const used = [...policyFields(before, policy)].filter((name) => changing.has(name));
    return used.map((name) => {
      const wrong = say("policy_uses_field", { field: before.field.get(name)?.label ?? name, policy: whose });
      return { at: `fields.${renames.get(name) ?? name}.type`, wrong };
    });
  });
  // What would no longer be understood for another reason.
  const broken = policies
    .slice(1)
    .filter(({ policy }) => policyFaults(before, policy).length === 0)
    .flatMap(({ policy }) => policyFaults(after, policy))
    .map(({ wrong }) => ({ at: "fields", wrong: say("policy_fault", { path: "policy", reason: wrong }) }));
  const distinct = new Map((faults.length > 0 ? faults : broken).map((one) => [JSON.stringify(one), one]));
  if (distinct.size > 0) throw definitionRefused([...distinct.values()]);
}

/** A computed field that goes has no values of people's own, but a policy may ask for it all the same. */
const droppedOrRetyped = (before: RecordType, after: RecordType): readonly string[] => [
  ...[...before.computed.keys()].filter((name) => !after.field.has(name)),
  ...retypedFields(before, after),
];
