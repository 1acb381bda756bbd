// Which views of a record type stand as tabs: favorites first, then the most used, then in the service's own order; as
// many as there is room for, and always the one that is shown. Pure.

import type { SavedView } from "../../../../client/lists/saved-views.ts";

export type ListedView = Pick<SavedView, "id" | "name" | "kind" | "category" | "isDefault">;

export interface TabView {
  readonly id: string;
  readonly name: string;
}

export function inTabOrder<View extends TabView>(
  views: readonly View[],
  favorites: readonly string[],
  uses: Readonly<Record<string, number>>,
): readonly View[] {
  const rank = ({ id }: View): number => (favorites.includes(id) ? 0 : 1);
  return views
    .map((view, place) => ({ view, place }))
    .sort(
      (one, other) =>
        rank(one.view) - rank(other.view) ||
        (uses[other.view.id] ?? 0) - (uses[one.view.id] ?? 0) ||
        one.place - other.place,
    )
    .map(({ view }) => view);
}

/** Room around the name: the icon, the padding, the gap. */
const AROUND = 46;
const PER_LETTER = 7.4;
/** Of Chinese, Japanese and Korean, and emoji. */
const PER_WIDE_LETTER = 13.5;
const MOST_NAME = 160;
const MOST_TABS = 7;

const letterWidth = (letter: string): number => (letter >= "\u2e80" ? PER_WIDE_LETTER : PER_LETTER);

const widthOf = ({ name }: TabView): number =>
  AROUND +
  Math.min(
    MOST_NAME,
    [...name].reduce((sum, letter) => sum + letterWidth(letter), 0),
  );

/** By the room that names take, without waiting for them to be drawn. The current view takes the last place where it must. */
export function tabsThatFit<View extends TabView>(
  ordered: readonly View[],
  current: string | undefined,
  room: number,
): readonly View[] {
  const shown = ordered.find(({ id }) => id === current);
  const take = (views: readonly View[], most: number): readonly View[] => {
    let left = most;
    const fitting: View[] = [];
    for (const view of views.slice(0, MOST_TABS)) {
      left -= widthOf(view);
      if (left < 0) break;
      fitting.push(view);
    }
    return fitting;
  };
  const fitting = take(ordered, room);
  if (shown === undefined || fitting.includes(shown)) return fitting;
  const others = take(ordered, room - widthOf(shown)).slice(0, MOST_TABS - 1);
  return [...others, shown];
}
