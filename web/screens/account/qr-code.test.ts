// Reads the codes back by a second way: patterns from the standard's tables, powers instead of products.
import fc from "fast-check";
import { expect, test } from "vitest";
import { qrCode } from "./qr-code.ts";

const alignments: Record<number, number[]> = {
  1: [],
  2: [6, 18],
  3: [6, 22],
  4: [6, 26],
  5: [6, 30],
  6: [6, 34],
  7: [6, 22, 38],
  8: [6, 24, 42],
  9: [6, 26, 46],
  10: [6, 28, 50],
  11: [6, 30, 54],
  12: [6, 32, 58],
  13: [6, 34, 62],
  14: [6, 26, 46, 66],
  15: [6, 26, 48, 70],
};
/** Per version: data codewords of each block, and codewords of correction in each. */
const layouts: Record<number, [data: number[], correction: number]> = {
  1: [[19], 7],
  2: [[34], 10],
  3: [[55], 15],
  4: [[80], 20],
  5: [[108], 26],
  6: [[68, 68], 18],
  7: [[78, 78], 20],
  8: [[97, 97], 24],
  9: [[116, 116], 30],
  10: [[68, 68, 69, 69], 18],
  11: [[81, 81, 81, 81], 20],
  12: [[92, 92, 93, 93], 24],
  13: [[107, 107, 107, 107], 26],
  14: [[115, 115, 115, 116], 30],
  15: [[87, 87, 87, 87, 87, 88], 22],
};

const power: number[] = [1];
for (let index = 1; index < 255; index += 1) {
  const next = (power[index - 1] ?? 0) * 2;
  power.push(next > 255 ? next ^ 0x11d : next);
}
const times = (a: number, b: number) => (a && b ? (power[(power.indexOf(a) + power.indexOf(b)) % 255] ?? 0) : 0);

function read(dark: readonly (readonly boolean[])[]): string {
  const size = dark.length;
  const version = (size - 17) / 4;
  const at = (x: number, y: number) => dark[y]?.[x] ?? false;
  const places = alignments[version] ?? [];
  const isPattern = (x: number, y: number): boolean => {
    if ((x < 9 && y < 9) || (x >= size - 8 && y < 9) || (x < 9 && y >= size - 8) || x === 6 || y === 6) return true;
    if (version >= 7 && ((x < 6 && y >= size - 11) || (y < 6 && x >= size - 11))) return true;
    return places.some((cx) =>
      places.some((cy) => {
        const inCorner = (cx < 9 && cy < 9) || (cx < 9 && cy >= size - 8) || (cx >= size - 8 && cy < 9);
        return !inCorner && Math.abs(cx - x) <= 2 && Math.abs(cy - y) <= 2;
      }),
    );
  };
  // The three bits of the mask are the tenth to twelfth of the information, under the fixed pattern.
  const bits = [at(4, 8), at(3, 8), at(2, 8)].map(Number);
  const mask = ((bits[0] ?? 0) | ((bits[1] ?? 0) << 1) | ((bits[2] ?? 0) << 2)) ^ 0b101;
  const isMasked = (i: number, j: number): boolean =>
    [
      (i + j) % 2,
      i % 2,
      j % 3,
      (i + j) % 3,
      (Math.floor(i / 2) + Math.floor(j / 3)) % 2,
      ((i * j) % 2) + ((i * j) % 3),
      (((i * j) % 2) + ((i * j) % 3)) % 2,
      (((i + j) % 2) + ((i * j) % 3)) % 2,
    ][mask] === 0;
  const stream: number[] = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= right === 8 ? 3 : 2) {
    for (let step = 0; step < size; step += 1) {
      const y = up ? size - 1 - step : step;
      for (const x of [right, right - 1]) if (!isPattern(x, y)) stream.push(Number(at(x, y) !== isMasked(y, x)));
    }
    up = !up;
  }
  const words = Array.from({ length: Math.floor(stream.length / 8) }, (_, index) =>
    Number.parseInt(stream.slice(index * 8, index * 8 + 8).join(""), 2),
  );
  const [lengths, correction] = layouts[version] ?? [[], 0];
  const parts: number[][] = lengths.map(() => []);
  const longest = Math.max(...lengths);
  for (let index = 0; index < longest; index += 1) {
    for (const [part, length] of lengths.entries()) if (index < length) parts[part]?.push(words.shift() ?? 0);
  }
  const data = parts.flat();
  for (let index = 0; index < correction; index += 1) for (const part of parts) part.push(words.shift() ?? 0);
  // Of a whole block, every syndrome is nought.
  for (const part of parts) {
    for (let root = 0; root < correction; root += 1) {
      expect(part.reduce((sum, word) => times(sum, power[root] ?? 0) ^ word, 0)).toBe(0);
    }
  }
  const text = data.map((word) => word.toString(2).padStart(8, "0")).join("");
  expect(text.slice(0, 4)).toBe("0100");
  const head = version < 10 ? 12 : 20;
  const length = Number.parseInt(text.slice(4, head), 2);
  const bytes = Array.from({ length }, (_, index) =>
    Number.parseInt(text.slice(head + index * 8, head + index * 8 + 8), 2),
  );
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

test("what is drawn can be read again, byte by byte and without an error", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500, unit: "binary-ascii" }), (text) => {
      const drawn = qrCode(text);
      expect(drawn && read(drawn)).toBe(text);
    }),
    { numRuns: 40 },
  );
  expect(read(qrCode("otpauth://totp/Müller%20&%20Co?secret=GEZDGNBVGY3TQOJQ") ?? [])).toContain("Müller");
});

test("what does not fit is not drawn", () => {
  expect(qrCode("x".repeat(858))).toHaveLength(97);
  expect(qrCode("x".repeat(859))).toBeUndefined();
});
