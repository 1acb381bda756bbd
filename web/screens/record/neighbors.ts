// Which records stand beside one in the list that it was opened from. Takes the pages of the list around it. Pure.
import { type ListPage, PAGE_SIZE } from "../../../client/lists/lists.ts";

export interface Neighbors {
  readonly at: number;
  readonly total: number;
  readonly previous: string | undefined;
  readonly next: string | undefined;
}

/** The pages that hold the row, the one before it and the one after it. */
export const pagesAround = (at: number): readonly number[] => [
  ...new Set([at - 1, at, at + 1].filter((index) => index >= 0).map((index) => Math.floor(index / PAGE_SIZE) + 1)),
];

/** The record may have moved since, or left the list: then those beside its old place are its neighbors. */
export function neighborsOf(
  pages: ReadonlyMap<number, Pick<ListPage, "rows" | "idColumn" | "total"> | undefined>,
  place: number,
  id: string,
): Neighbors | undefined {
  const [some] = [...pages.values()].filter((page) => page !== undefined);
  if (some === undefined) return undefined;
  const idAt = (index: number): string | undefined => {
    const page = pages.get(Math.floor(index / PAGE_SIZE) + 1);
    const found = index < 0 ? undefined : page?.rows[index % PAGE_SIZE]?.[page.idColumn];
    return typeof found === "string" ? found : undefined;
  };
  let at = place;
  let isThere = idAt(place) === id;
  for (const [number, page] of pages) {
    const found = isThere ? -1 : (page?.rows.findIndex((row) => row[page.idColumn] === id) ?? -1);
    if (found < 0) continue;
    at = (number - 1) * PAGE_SIZE + found;
    isThere = true;
  }
  return { at, total: some.total, previous: idAt(at - 1), next: idAt(isThere ? at + 1 : at) };
}
