// Which rows of a list are selected: those that were picked, also across pages, or everything that the list shows. Another
// list (view, filter, search) is another selection; another order is not.
import { useEffect, useRef, useState } from "react";
import type { Picked } from "../../../../client/bulk.ts";
import type { ListChoice } from "../../../../client/lists.ts";

export interface Selection {
  readonly count: number;
  readonly isAll: boolean;
  /** What is sent: which records. */
  readonly picked: Picked;
  has(id: string): boolean;
  /** One row, or with `range` all from the last one that was picked; `idAt` knows the rows that are here. */
  pick(index: number, range: boolean, idAt: (index: number) => string | undefined): void;
  /** All of these, or none of them where all were. */
  pickAll(ids: readonly string[]): void;
  /** Everything that the list shows, also what was never in sight. */
  everything(): void;
  clear(): void;
}

type Held = { readonly ids: ReadonlySet<string>; readonly isAll: boolean };

const nothing: Held = { ids: new Set(), isAll: false };

export function useSelection(choice: ListChoice, total: number): Selection {
  const [held, setHeld] = useState(nothing);
  const anchor = useRef<number>(undefined);
  const list = JSON.stringify([choice.view, choice.search, choice.q]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the other list that ends the selection
  useEffect(() => {
    setHeld(nothing);
    anchor.current = undefined;
  }, [list]);

  const pick: Selection["pick"] = (index, range, idAt) => {
    const from = range ? (anchor.current ?? index) : index;
    const ids = new Set(held.isAll ? [] : held.ids);
    const own = idAt(index);
    if (own === undefined) return;
    const adds = range || !ids.has(own);
    for (let at = Math.min(from, index); at <= Math.max(from, index); at += 1) {
      const id = idAt(at);
      if (id === undefined) continue;
      if (adds) ids.add(id);
      else ids.delete(id);
    }
    anchor.current = index;
    setHeld({ ids, isAll: false });
  };

  return {
    count: held.isAll ? total : held.ids.size,
    isAll: held.isAll,
    picked: held.isAll ? { allOf: choice } : { ids: [...held.ids] },
    has: (id) => held.isAll || held.ids.has(id),
    pick,
    pickAll: (ids) => {
      const all = !held.isAll && ids.every((id) => held.ids.has(id));
      const next = new Set(held.isAll ? [] : held.ids);
      for (const id of ids) {
        if (all || held.isAll) next.delete(id);
        else next.add(id);
      }
      setHeld({ ids: next, isAll: false });
    },
    everything: () => setHeld({ ids: new Set(), isAll: true }),
    clear: () => setHeld(nothing),
  };
}
