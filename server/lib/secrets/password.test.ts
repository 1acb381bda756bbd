import { createRequire } from "node:module";
import { expect, test, vi } from "vitest";
import { hashPassword, verifyPassword } from "./password.ts";

// The real one: elsewhere in the suite passwords are hashed at the least cost.
vi.hoisted(() => vi.resetModules());
vi.mock("@node-rs/argon2", () => createRequire(import.meta.url)("@node-rs/argon2"));

test("a password is kept as argon2id with 19 MiB and two passes, and is known again", async () => {
  const kept = await hashPassword("a long enough secret");
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(kept, "a long enough secret")).toBe(true);
  expect(await verifyPassword(kept, "another long secret")).toBe(false);
  expect(await verifyPassword(undefined, "a long enough secret")).toBe(false);
});
