// Which lanes of a board are folded: those of final stages until somebody opens them, and what somebody folds. Remembered in
// this browser, by view.
import { useState } from "react";
import { ownKey } from "../../session/own-key.ts";
import type { Lane } from "./lanes.ts";

/** Lanes that are not as they start. */
const read = (key: string): readonly string[] => (localStorage.getItem(key) ?? "").split("\n").filter(Boolean);

const nameOf = ({ value }: Lane): string => `=${value ?? ""}`;

export function useFoldedLanes(viewId: string, isFinal: (lane: Lane) => boolean) {
  const key = ownKey("lanes", viewId);
  const [turned, setTurned] = useState(() => read(key));
  return {
    isFolded: (lane: Lane): boolean => isFinal(lane) !== turned.includes(nameOf(lane)),
    turn: (lane: Lane): void => {
      const name = nameOf(lane);
      const next = turned.includes(name) ? turned.filter((one) => one !== name) : [...turned, name];
      setTurned(next);
      if (next.length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, next.join("\n"));
    },
  };
}
