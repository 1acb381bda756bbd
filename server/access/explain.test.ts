import fc from "fast-check";
import { expect, test } from "vitest";
import { recordRights } from "../../contract/permissions.ts";
import type { Grantee } from "../metadata/record-type.ts";
import { aclSets, type PrincipalLookup, type Recipe } from "./acl.ts";
import { explainAccess } from "./explain.ts";

const facts: PrincipalLookup = {
  organization: 1,
  user: (id) => 10 + Number(id),
  groupsOf: (id) => [30 + Number(id), 40],
  group: (id) => 50 + Number(id),
  managerOf: () => undefined,
  role: (code) => (code === "manager" ? 70 : undefined),
};
const grantees: readonly Grantee[] = [
  "owner",
  "owner_groups",
  "primary_group",
  "organization",
  "everyone",
  "role:manager",
  "role:nobody",
];
const some = fc.subarray([...grantees]);
const rights = fc.subarray([...recordRights]);
const now = "2026-06-01 00:00:00";
const who = fc.option(fc.constantFrom("1", "2"), { nil: null });
const principals = fc.array(fc.integer({ min: 80, max: 84 }), { maxLength: 2 });

test("gives every right that the sets hold a reason, and no other", () => {
  fc.assert(
    fc.property(
      fc.record({ read: some, edit: some, delete: some, comment: some }),
      fc.record({
        owner: who,
        group: who,
        shares: fc.array(
          fc.record({
            principal: fc.integer({ min: 60, max: 63 }),
            rights,
            until: fc.constantFrom(null, "2026-01-01 00:00:00", "2026-12-31 00:00:00"),
          }),
          { maxLength: 3 },
        ),
        grants: fc.record({ read: principals, edit: principals, delete: principals }),
      }),
      (policy, parts) => {
        const recipe: Recipe = { type: "crm/leads", ...parts };
        const sets = aclSets(policy, recipe, facts, now);
        const held = explainAccess(policy, recipe, facts, now);
        const tmp = { read: sets.tmpRead, edit: sets.tmpEdit, delete: sets.tmpDelete, comment: [] as number[] };
        for (const right of recordRights) {
          const explained = new Set(held.filter((one) => one.right === right).map(({ principal }) => principal));
          expect([...explained].sort()).toEqual([...new Set([...sets[right], ...tmp[right]])].sort());
        }
      },
    ),
  );
});
