import fc from "fast-check";
import { expect, test } from "vitest";
import { newTotpSecret, stepAt, stepOfCode, totpAddress, totpCode } from "./totp.ts";

test("gives the codes of RFC 6238, of which ours are the last six digits", () => {
  const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
  for (const [seconds, code] of [
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ] as const) {
    expect(totpCode(secret, stepAt(seconds * 1000))).toBe(code);
  }
});

test("takes a code of this step, the one before and the one after, and no other", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 2 ** 33 }), fc.integer({ min: -5, max: 5 }), (seconds, away) => {
      const secret = newTotpSecret();
      const now = seconds * 1000;
      const step = stepAt(now) + away;
      const found = stepOfCode(secret, totpCode(secret, step), now);
      // Two steps may have the same code: once in a million.
      if (Math.abs(away) <= 1)
        expect(found === step || totpCode(secret, found ?? 0) === totpCode(secret, step)).toBe(true);
      else if (found !== undefined) expect(totpCode(secret, found)).toBe(totpCode(secret, step));
    }),
  );
  expect(stepOfCode(newTotpSecret(), "12345", 0)).toBeUndefined();
  expect(stepOfCode(newTotpSecret(), "", 0)).toBeUndefined();
});

test("spaces within a code do not count, and names are safe in an address", () => {
  const secret = newTotpSecret();
  const code = totpCode(secret, 1000);
  expect(stepOfCode(secret, ` ${code.slice(0, 3)} ${code.slice(3)}`, 30_000_000)).toBe(1000);
  const address = totpAddress(secret, "Müller & Co", "ada@x.example");
  expect(address).toContain("otpauth://totp/M%C3%BCller%20%26%20Co:ada%40x.example?");
  expect(new URL(address).searchParams.get("secret")).toBe(secret);
});
