// Browsers stop at about 33 million pixels of height: a list that is taller is drawn at a scale.

export const ROW_HEIGHT = 36;
export const HEAD_HEIGHT = 34;
/** Of the line above the rows of a section. */
export const SECTION_HEIGHT = 36;

/** Tallest canvas that is asked of a browser. */
export const MOST_PIXELS = 15_000_000;

export interface Scale {
  /** Height of the canvas that the browser scrolls. */
  readonly height: number;
  /** List pixels per scrolled pixel. */
  readonly factor: number;
}

/** Takes how tall all lines are together, and the height of the window onto them. */
export function scaleOf(whole: number, viewport: number): Scale {
  if (whole <= MOST_PIXELS) return { height: whole, factor: 1 };
  return { height: MOST_PIXELS, factor: (whole - viewport) / (MOST_PIXELS - viewport) };
}

/** Where a row stands on the canvas: its place in the list, less what scrolling has skipped. */
export const placeOf = (start: number, offset: number, factor: number): number =>
  factor === 1 ? start : start - offset + offset / factor;
