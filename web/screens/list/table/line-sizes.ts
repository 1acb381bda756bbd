// How tall the lines of a table are and where each begins: rows of one height, and the heads of sections of another. Pure.
import type { Lines, Part } from "../sections/lines.ts";

export interface LineSizes {
  readonly count: number;
  /** Of all lines together. */
  readonly whole: number;
  readonly rowHeight: number;
  heightOf(index: number): number;
  offsetOf(index: number): number;
}

export function sizesOf<P extends Part>(lines: Lines<P>, rowHeight: number, headHeight: number): LineSizes {
  const offsetOf = (index: number): number => {
    const heads = lines.headsBefore(index);
    return heads * headHeight + (index - heads) * rowHeight;
  };
  return {
    count: lines.count,
    whole: offsetOf(lines.count),
    rowHeight,
    heightOf: (index) => (lines.hasHeads && lines.at(index)?.kind === "head" ? headHeight : rowHeight),
    offsetOf,
  };
}
