// Which sections of which lists somebody has folded, the list that was last touched at the end; the oldest go where there are too
// many. Pure.

export type Folded = readonly (readonly [list: string, sections: readonly string[]])[];

/** Of all lists together. */
const MOST_FOLDED = 1000;

const none: readonly string[] = [];

export const foldedIn = (kept: Folded, list: string): readonly string[] =>
  kept.find(([one]) => one === list)?.[1] ?? none;

export function withFolded(kept: Folded, list: string, sections: readonly string[]): Folded {
  const others = kept.filter(([one]) => one !== list);
  const all: Folded = sections.length === 0 ? others : [...others, [list, sections.slice(-MOST_FOLDED)]];
  let room = MOST_FOLDED;
  // From the newest on, as far as there is room.
  const stays = all.toReversed().map(([, { length }]) => {
    room -= length;
    return room >= 0;
  });
  return all.filter((_, index) => stays[all.length - 1 - index]);
}
