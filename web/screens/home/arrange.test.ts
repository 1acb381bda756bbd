import fc from "fast-check";
import { expect, test } from "vitest";
import { type Pin, tileSizes } from "../../../client/lists/dashboard.ts";
import { figureRows, moved, packed, shifted, tilesAfter } from "./arrange.ts";

const items = ["a", "b", "c"].map((id) => ({ id }));
const order = (id: string, place: number) =>
  moved(items, id, place)
    .map((item) => item.id)
    .join("");

test("a tile is put among the others, never outside of them", () => {
  expect(order("a", 1)).toBe("bac");
  expect(order("a", 9)).toBe("bca");
  expect(order("c", -1)).toBe("cab");
  expect(order("b", 1)).toBe("abc");
  expect(order("x", 1)).toBe("abc");
});

test("a tile goes past the one that is seen beside it, and leaves those of the other group where they are", () => {
  const order = (pins: string, seen: string, id: string, step: -1 | 1) =>
    shifted(
      [...pins].map((one) => ({ id: one })),
      [...seen],
      id,
      step,
    )
      .map((item) => item.id)
      .join("");
  expect(order("aXbY", "ab", "b", -1)).toBe("bXaY");
  expect(order("aXbY", "XY", "X", 1)).toBe("aYbX");
  expect(order("abc", "acb", "c", 1)).toBe("abc");
  expect(order("abc", "acb", "c", -1)).toBe("cab");
  expect(order("abc", "abc", "a", -1)).toBe("abc");
});

test("rows have no holes, whatever the order and the sizes", () => {
  const sizes = fc.array(fc.constantFrom(...tileSizes), { maxLength: 12 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 4 }), (given, columns) => {
      const tiles = given.map((size, index) => ({ id: String(index), size }));
      const rows = packed(tiles, columns);
      expect(rows.map(({ id }) => id).sort()).toEqual(tiles.map(({ id }) => id).sort());
      let filled = 0;
      for (const { span } of rows) {
        filled += span;
        expect(filled % columns === 0 || (filled % columns) - span >= 0).toBe(true);
      }
      expect(filled % columns).toBe(0);
      expect(rows[0]?.id).toBe(tiles[0]?.id);
    }),
  );
});

test("a tile goes first where the one before it does not fit; else the last one of a row grows", () => {
  const ids = (tiles: Parameters<typeof packed>[0]) => packed(tiles, 3).map(({ id, span }) => `${id}${span}`);
  const [wide, small] = ["wide", "small"] as const;
  expect(
    ids([
      { id: "a", size: wide },
      { id: "b", size: wide },
      { id: "c", size: small },
    ]),
  ).toEqual(["a2", "c1", "b3"]);
});

test("who arranges a shared dashboard does not take off what they cannot see", () => {
  const pin = (id: string) => ({ id, size: undefined }) as unknown as Pin;
  const all = [{ id: "a" }, { id: "hidden", size: "wide" as const }, { id: "b" }];
  expect(tilesAfter(all, [pin("a"), pin("b")], [pin("b")])).toEqual([
    { id: "b", size: null },
    { id: "hidden", size: "wide" },
  ]);
});

test("figures stand in even rows, without holes", () => {
  const spans = (count: number, most: number) => {
    const { columns, figures } = figureRows(
      Array.from({ length: count }, (_, index) => String(index)),
      most,
    );
    return [columns, figures.map(({ span }) => span).join("")];
  };
  expect(spans(4, 5)).toEqual([4, "1111"]);
  expect(spans(4, 3)).toEqual([2, "1111"]);
  expect(spans(5, 3)).toEqual([3, "11112"]);
  expect(spans(1, 5)).toEqual([1, "1"]);
});
