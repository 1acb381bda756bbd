// Takes how long the screen took to change by itself; gives how long it then stays as it is. Pure.

/** A change that is quick to show usually shows within a second, whenever it comes. */
const PAUSE_MS = 700;
const QUICK_MS = 300;
/** Where showing takes longer, the screen rests longer. */
const PAUSES_PER_WORK = 4;
/** However long it took, what happens meanwhile is not kept back for longer. */
const MOST_PAUSE_MS = 5_000;
/** Whoever is at a record and asks again within four seconds was there all the time. */
const MOST_AWAY_MS = 3_000;

export const pauseAfter = (work: number, isAtRecord: boolean): number =>
  Math.max(
    PAUSE_MS,
    Math.min(PAUSE_MS + (work - QUICK_MS) * PAUSES_PER_WORK, isAtRecord ? MOST_AWAY_MS - work : MOST_PAUSE_MS),
  );
