import fc from "fast-check";
import { expect, test } from "vitest";
import { createSeal } from "./seal.ts";

test("what is sealed is read again at its own place under its own secret, and nowhere else", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, place) => {
      const seal = createSeal("a secret of the service");
      const sealed = seal.close(text, place);
      expect(seal.open(sealed, place)).toBe(text);
      expect(seal.open(sealed, `${place}x`)).toBeUndefined();
      expect(createSeal("another secret").open(sealed, place)).toBeUndefined();
      const bytes = Buffer.from(sealed, "base64");
      bytes[13] = (bytes[13] ?? 0) ^ 1;
      expect(seal.open(bytes.toString("base64"), place)).toBeUndefined();
      expect(seal.close(text, place)).not.toBe(sealed);
    }),
    { numRuns: 50 },
  );
  expect(createSeal("x").open("nonsense", "")).toBeUndefined();
});
