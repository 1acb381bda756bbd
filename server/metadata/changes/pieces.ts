// How many records of a large table one transaction looks at, so that the records it writes are locked only for a moment. How long a record takes
// is not known in advance: a hundred times as long where its pages are cold. Pure.

/** Looking alone is quick. */
const FIRST = 1_000;
const LARGEST = 8_000;
/** How long somebody who edits one of the records may have to wait, roughly. */
const WRITING_MS = 250;
const FEWEST_WRITTEN = 20;
const FIRST_WRITTEN = 50;
const MOST_WRITTEN = 1_000;

export interface Pieces {
  /** Records to look at next. */
  readonly size: number;
  /** Whether that many of them may be written at once; if not, `size` is smaller from now on. */
  allows(differing: number): boolean;
  /** How many records of the piece had to be written, how many were, and how long that took. */
  done(differing: number, written: number, ms: number): void;
}

const between = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(most, Math.round(value)));

export function createPieces(): Pieces {
  let size = FIRST;
  let mostWritten = FIRST_WRITTEN;
  /** So that, at the density of this piece, the next one has as many to write as allowed. */
  const shrink = (differing: number): void => {
    size = between(FEWEST_WRITTEN, (size * mostWritten) / differing, Math.min(2 * size, LARGEST));
  };
  return {
    get size() {
      return size;
    },
    allows: (differing) => {
      if (differing <= mostWritten || size <= mostWritten) return true;
      shrink(differing);
      return false;
    },
    done: (differing, written, ms) => {
      // A few quick ones say little about many, so it at most doubles.
      if (written > 0)
        mostWritten = between(
          FEWEST_WRITTEN,
          (written / ms) * WRITING_MS,
          Math.min(2 * mostWritten, 2 * written, MOST_WRITTEN),
        );
      if (differing === 0) size = Math.min(2 * size, LARGEST);
      else shrink(differing);
    },
  };
}
