import { expect, test } from "vitest";
import type { AccessPolicy } from "../../metadata/record-type.ts";
import { allowsAll } from "./compare.ts";

const plain: AccessPolicy = { read: ["owner", "role:sales"], edit: ["owner"], delete: ["owner"], comment: [] };
const published = { to: "organization", when: 'status = "published"' } as const;

test("nobody loses anything by a policy that only has more entries, and gains nothing by one that has fewer", () => {
  const wider: AccessPolicy = { ...plain, read: [published, "role:sales", "owner"] };
  expect([allowsAll(wider, plain), allowsAll(plain, wider), allowsAll(plain, plain)]).toEqual([true, false, true]);
  const other: AccessPolicy = { ...wider, read: ["owner", { ...published, when: "is_urgent" }] };
  expect([allowsAll(other, wider), allowsAll(wider, other)]).toEqual([false, false]);
  expect(allowsAll({ ...wider, edit: [] }, plain)).toBe(false);
});
