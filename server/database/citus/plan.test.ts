import pg from "pg";
import { expect, test } from "vitest";
import { isConstraint } from "../errors.ts";
import { againAfterMove } from "./after-move.ts";
import { planDistribution } from "./plan.ts";

const table = (name: string, hasOrganization: boolean) => ({ name, hasOrganization, isPlaced: false });

test("tables go by their organization, shared ones everywhere, the listed ones nowhere, and the rest is told", () => {
  const plan = planDistribution(
    [
      table("access_controls__user_names", true),
      table("core__acl_sets", true),
      table("core__changes", true),
      table("core__shared_versions", false),
      table("lab__loose", false),
      table("masters__countries", false),
    ],
    new Set(["masters__countries"]),
  );
  expect(plan).toEqual({
    distributed: ["core__changes", "core__acl_sets"],
    reference: ["core__shared_versions", "masters__countries"],
    local: ["access_controls__user_names"],
    unknown: ["lab__loose"],
  });
});

test.each([
  ["crm__leads__name__unique", "crm__leads__name__unique", true],
  ["crm__leads__name__unique_102034", "crm__leads__name__unique", true],
  ["crm__leads__email__unique_102034", "crm__leads__name__unique", false],
  // A name that ends like the number of a part.
  ["crm__leads__code_100200_102034", "crm__leads__code_100200", true],
  [
    "a_module_with_a_long_name__a_controller_with_9f8e7d6c_102034",
    "a_module_with_a_long_name__a_controller_with_a_name__abcdef012",
    true,
  ],
  [
    "a_module_with_a_long_name__another_controller_9f8e7d6c_102034",
    "a_module_with_a_long_name__a_controller_with_a_name__abcdef012",
    false,
  ],
  ["short_9f8e7d6c_102034", "short_and_longer", false],
])("the constraint %s of a part is %s of the table: %s", (found, name, is) => {
  expect(isConstraint(found, name)).toBe(is);
});

test("what failed for another reason is not tried again", async () => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    throw new Error("could not find valid entry for shard 102034");
  };
  await expect(againAfterMove(work)).rejects.toThrow("valid entry");
  expect(tries).toBe(1);
});

test.each([
  ["XX000", "could not find valid entry for shard 102034", 2],
  ["40001", "shard for the given value does not exist", 2],
  ["40001", "could not serialize access due to concurrent update", 1],
  ["XX000", "cache lookup failed for relation 102034", 1],
])("after a move, %s %s is tried %d times", async (code, message, times) => {
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries === 1) throw Object.assign(new pg.DatabaseError(message, 0, "error"), { code });
  };
  await againAfterMove(work).catch(() => undefined);
  expect(tries).toBe(times);
});
