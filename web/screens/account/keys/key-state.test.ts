import { expect, test } from "vitest";
import { keyState } from "./key-state.ts";

test("tells active, expired and revoked keys apart", () => {
  const now = new Date("2026-06-01T00:00:00Z");
  expect(keyState({ revoked: null, expires: null }, now)).toBe("active");
  expect(keyState({ revoked: null, expires: "2026-06-01 00:00:01" }, now)).toBe("active");
  expect(keyState({ revoked: null, expires: "2026-05-31 23:59:59" }, now)).toBe("expired");
  expect(keyState({ revoked: "2026-05-01 00:00:00", expires: "2026-04-01 00:00:00" }, now)).toBe("revoked");
});
