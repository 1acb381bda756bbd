import { expect, test } from "vitest";
import { MOST_PIXELS, placeOf, ROW_HEIGHT, scaleOf } from "./scale.ts";

test("a list that fits is drawn as it is", () => {
  expect(scaleOf(5000 * ROW_HEIGHT, 600)).toEqual({ height: 180_000, factor: 1 });
  expect(placeOf(3600, 900, 1)).toBe(3600);
});

test("the end of a list of millions is at the end of the canvas", () => {
  const viewport = 700;
  for (const count of [500_000, 1_000_000, 20_000_000]) {
    const { height, factor } = scaleOf(count * ROW_HEIGHT, viewport);
    expect(height).toBe(MOST_PIXELS);
    const offset = (height - viewport) * factor;
    const lastRow = placeOf((count - 1) * ROW_HEIGHT, offset, factor);
    expect(lastRow + ROW_HEIGHT).toBeCloseTo(height, 3);
  }
});
