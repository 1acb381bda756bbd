// Remembers where the pages that a person has just seen begin and end, so that the next and the previous one continue
// from there: no row is repeated or skipped because others came or went, and no row is counted again.
import { Recent } from "../../lib/memory/recent.ts";
import type { Boundary } from "../../query/compile-list.ts";

interface Ends {
  readonly first: readonly (string | null)[];
  readonly last: readonly (string | null)[];
}

export interface PageMemory {
  /** Where `page` can continue from; undefined when neither neighbor is known. */
  boundary(key: string, page: number): Boundary | undefined;
  keep(key: string, page: number, ends: Ends): void;
}

const MAX_LISTS = 5_000;
const MAX_PAGES = 50;

export function createPageMemory(): PageMemory {
  const lists = new Recent<string, Map<number, Ends>>(MAX_LISTS);
  return {
    boundary: (key, page) => {
      const pages = lists.get(key);
      const before = pages?.get(page - 1);
      if (before) return { values: before.last, side: "after" };
      const after = pages?.get(page + 1);
      return after ? { values: after.first, side: "before" } : undefined;
    },
    keep: (key, page, ends) => {
      let pages = lists.get(key);
      // Whoever opens the first page looks at the list anew.
      if (!pages || page === 1 || pages.size >= MAX_PAGES) {
        pages = new Map();
        lists.set(key, pages);
      }
      pages.set(page, ends);
    },
  };
}
