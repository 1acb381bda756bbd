import { expect, test } from "vitest";
import { passwordRules } from "./password-rules.ts";

const broken = (old_password: string, user_password: string, confirm_password: string) =>
  passwordRules
    .filter(({ holds }) => !holds({ old_password, user_password, confirm_password }))
    .map(({ rule }) => rule);

test("asks for ten characters, something new, and the same twice", () => {
  expect(broken("", "", "")).toEqual(["length", "different", "same"]);
  expect(broken("old password", "short", "short")).toEqual(["length"]);
  expect(broken("old password", "old password", "old password")).toEqual(["different"]);
  expect(broken("old password", "new password", "new passwor")).toEqual(["same"]);
  expect(broken("old password", "new password", "new password")).toEqual([]);
});

test("counts characters as people do", () => {
  expect(broken("x", "🐘🐘🐘🐘🐘", "🐘🐘🐘🐘🐘")).toEqual(["length"]);
});
