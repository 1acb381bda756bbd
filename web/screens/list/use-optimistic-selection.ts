// What of a list is chosen, before the address has followed: ticks show at once, and what is chosen next builds on it.
import { useEffect, useRef, useState } from "react";
import type { ListChoice } from "../../../client/lists/lists.ts";
import { useSteady } from "../../parts/use-steady.ts";

const spelled = ({ view, search, sort, dir, q }: ListChoice): string => JSON.stringify([view, search, sort, dir, q]);

/** Takes what the address says and the way to change it; gives what is wanted, and the way to want something else. */
export function useOptimisticSelection(
  choice: ListChoice,
  go: (next: ListChoice, replace: boolean) => void,
): readonly [ListChoice, (next: ListChoice, replace?: boolean) => void] {
  const [wanted, setWanted] = useState<ListChoice>();
  /** Where the address comes by on its way. */
  const way = useRef<readonly string[]>([]);
  const here = spelled(choice);
  const isOnItsWay = wanted !== undefined && spelled(wanted) !== here && way.current.includes(here);
  useEffect(() => {
    if (wanted !== undefined && !isOnItsWay) setWanted(undefined);
  }, [wanted, isOnItsWay]);
  // The same object for the same choice: what is drawn from it is not drawn again when the address has followed.
  const last = useRef(choice);
  const now = isOnItsWay ? wanted : choice;
  if (spelled(last.current) !== spelled(now)) last.current = now;
  const choose = useSteady((next: ListChoice, replace: boolean = false): void => {
    way.current = isOnItsWay ? [...way.current, spelled(now)] : [here];
    setWanted(next);
    go(next, replace);
  });
  return [last.current, choose];
}
