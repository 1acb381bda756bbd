import { expect, test } from "vitest";
import { rightsWithoutRole } from "./policy-entries.ts";

test("what a policy gives to people whose roles all refuse it is told; what it leaves to administrators is not", () => {
  const role = (code: string, is_administrator: number, edit: number) => ({
    ...{ id: code, code, name: code, is_administrator },
    operations: { view: 1, edit, delete: is_administrator, comment: is_administrator },
  });
  const policy = {
    read: ["organization"],
    edit: ["role:boss", "field:technician"],
    delete: ["role:boss"],
    comment: [{ to: "organization", when: "size > 1" }],
  } as const;
  const boss = role("boss", 1, 1);
  expect(rightsWithoutRole(policy, [boss, role("rep", 0, 0)])).toEqual(["edit", "comment"]);
  expect(rightsWithoutRole(policy, [boss, role("rep", 0, 1)])).toEqual(["comment"]);
});
