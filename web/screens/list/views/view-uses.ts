// How often this person has opened each view of a record type in this browser, so that the usual ones stand first.
import { ownKey } from "../../../session/own-key.ts";

const MOST_USES = 50;

export type ViewUses = Readonly<Record<string, number>>;

export function readUses(recordTypeKey: string): ViewUses {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(ownKey("view-uses", recordTypeKey)) ?? "{}");
    // Written below alone.
    return typeof found === "object" && found !== null ? (found as ViewUses) : {};
  } catch {
    return {};
  }
}

/** Where one view has been opened very often, all are halved: what was usual long ago gives way. */
export function noteUse(recordTypeKey: string, viewId: string): void {
  const uses = readUses(recordTypeKey);
  const next = { ...uses, [viewId]: (uses[viewId] ?? 0) + 1 };
  const isFull = (next[viewId] ?? 0) > MOST_USES;
  const kept = isFull
    ? Object.fromEntries(Object.entries(next).map(([id, count]) => [id, Math.floor(count / 2)]))
    : next;
  localStorage.setItem(ownKey("view-uses", recordTypeKey), JSON.stringify(kept));
}
