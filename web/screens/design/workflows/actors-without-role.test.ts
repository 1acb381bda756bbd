// Actors of a workflow against the roles: whoever takes a transition edits the record.
import { expect, test } from "vitest";
import type { OperationFlags, RoleRights } from "../../../../client/design/record-types.ts";
import { actorsWithoutRole } from "./actors-without-role.ts";

const role = (code: string, edit: boolean, administrator = false): RoleRights => ({
  ...{ id: code, code, name: code.toUpperCase(), is_administrator: administrator ? 1 : 0 },
  operations: { view: 1, edit: edit ? 1 : 0 } as unknown as OperationFlags,
});
const admin = role("admin", true, true);

test("without actors, and for administrators, nothing is missing", () => {
  expect(actorsWithoutRole([], [admin])).toEqual([]);
  expect(actorsWithoutRole(["role:admin"], [admin, role("clerk", false)])).toEqual([]);
});

test("where only administrators can edit, everybody else waits in vain", () => {
  expect(actorsWithoutRole(["owner"], [admin, role("clerk", false)])).toBe("nobody");
  expect(actorsWithoutRole(["role:admin", "user:5"], [admin])).toBe("nobody");
});

test("roles among the actors that can't edit are named, people are not guessed about", () => {
  const roles = [admin, role("clerk", true), role("looker", false)];
  expect(actorsWithoutRole(["owner", "role:clerk", "role:looker"], roles)).toEqual(["LOOKER"]);
  expect(actorsWithoutRole(["user:5", "role:clerk"], roles)).toEqual([]);
});
