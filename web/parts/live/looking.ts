// The record on this screen, and whether it is being edited, for colleagues who look at it too; and who they are. What is said and
// learned here goes with the feed of changes (follow-changes.ts).
import { useEffect, useSyncExternalStore } from "react";
import type { Looking, PresentPerson } from "../../../client/records/changes.ts";

const TAB = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, "0")).join(
  "",
);

type Place = Pick<Looking, "record" | "doing">;

const places = new Set<Place>();
const listeners = new Set<() => void>();
const nobody: readonly PresentPerson[] = [];
let told: { readonly record: string; readonly token: string; readonly people: readonly PresentPerson[] } | undefined;
/** Of which the service wants to hear nothing: it may be gone. */
let refused: string | undefined;

function current(): Place | undefined {
  const all = [...places];
  const shown = all.at(-1);
  return all.find(({ record, doing }) => record === shown?.record && doing === "edit") ?? shown;
}

export const looking = {
  /** What to say with the next question. */
  now(): Looking {
    const place = current();
    if (place === undefined || place.record === refused) return { tab: TAB };
    return { tab: TAB, ...place, present: told && told.record === place.record ? told.token : undefined };
  },
  learn({ record }: Looking, people: readonly PresentPerson[], token: string | undefined): void {
    const isSame = told?.record === record && told?.token === token;
    if (isSame) return;
    told = record === undefined || token === undefined ? undefined : { record, token, people };
    for (const listener of listeners) listener();
  },
  refuse({ record }: Looking): void {
    refused = record;
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Says that the screen shows this record, while the component is there. Undefined: that it does not, or is nothing new. */
export function useLooking(recordTypeKey: string, id: string | null, doing: Place["doing"] | undefined): void {
  useEffect(() => {
    if (id === null || id === "" || doing === undefined) return;
    const place = { record: `${recordTypeKey}/${id}`, doing };
    places.add(place);
    for (const listener of listeners) listener();
    return () => {
      places.delete(place);
      for (const listener of listeners) listener();
    };
  }, [recordTypeKey, id, doing]);
}

export const usePresent = (recordTypeKey: string, id: string | null): readonly PresentPerson[] =>
  useSyncExternalStore(looking.subscribe, () =>
    told !== undefined && told.record === `${recordTypeKey}/${id}` ? told.people : nobody,
  );
