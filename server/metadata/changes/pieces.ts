// How many records of a large table are looked at in one transaction, so that those that it writes are locked for a moment only. How long it takes
// to write one is not known before: where pages are cold it is a hundred times as long as where people work. Pure.

/** Looking alone is quick. */
const FIRST = 1_000;
const LARGEST = 8_000;
/** Whoever edits a record that is being written waits for it: so long, more or less. */
const WRITING_MS = 250;
const FEWEST_WRITTEN = 20;
const FIRST_WRITTEN = 50;
const MOST_WRITTEN = 1_000;

export interface Pieces {
  /** Records to look at next. */
  readonly size: number;
  /** Whether so many of them may be written at once; if not, the next piece has fewer. */
  allows(differing: number): boolean;
  /** What became of the piece: how many records were to be written, how many were, and how long that took. */
  done(differing: number, written: number, ms: number): void;
}

const between = (least: number, value: number, most: number): number =>
  Math.max(least, Math.min(most, Math.round(value)));

export function createPieces(): Pieces {
  let size = FIRST;
  let mostWritten = FIRST_WRITTEN;
  /** As many as hold what may be written, if they are as dense as these. */
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
      // A few that were quick say nothing of many: twice as many at most.
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
