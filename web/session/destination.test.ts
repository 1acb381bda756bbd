import { expect, test } from "vitest";
import { safeDestination } from "./destination.ts";

test("keeps paths of this app", () => {
  for (const path of ["/", "/crm/leads/index?page=2", "/account#keys"]) expect(safeDestination(path)).toBe(path);
});

test("refuses other sites and the login itself", () => {
  for (const path of [
    undefined,
    "",
    "https://evil.test",
    "//evil.test",
    "/\\evil.test",
    "/\t/evil.test",
    "/login?next=/a",
  ]) {
    expect(safeDestination(path)).toBe("/");
  }
});
