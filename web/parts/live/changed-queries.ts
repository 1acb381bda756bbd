// Takes what others changed; tells which of what is kept is to be asked for again. What is being typed into is never among it. Pure.
import type { FollowedChange } from "../../../client/records/changes.ts";

/** Attached to records; shown in their timelines. */
const attached: ReadonlySet<string> = new Set(["core/comments", "core/attachments"]);
const NOTIFICATIONS = "core/notifications";
const VIEWS = "core/listviews";

/** What of a record is shown; the forms to change it by are asked for when they are opened. */
const shownModes: ReadonlySet<unknown> = new Set(["view", "timeline", "stages", "access"]);

export interface Changed {
  /** By record type: the records, or all of them. */
  readonly records: ReadonlyMap<string, ReadonlySet<string> | "all">;
  /** Of every type. */
  readonly everything: boolean;
  /** Something may wait for somebody else now. */
  readonly movesWork: boolean;
}

const workMoves: ReadonlySet<string> = new Set([
  "add",
  "transition",
  "visible",
  "invisible",
  "delete",
  "restore",
  "reset",
]);

export function changedBy(changes: readonly FollowedChange[]): Changed {
  const records = new Map<string, Set<string> | "all">();
  for (const { operation, controller, id } of changes) {
    if (controller === null) return { records: new Map(), everything: true, movesWork: true };
    const known = records.get(controller);
    if (known === "all") continue;
    if (operation === "reset" || id === null) records.set(controller, "all");
    else if (known) known.add(id);
    else records.set(controller, new Set([id]));
  }
  return { records, everything: false, movesWork: changes.some(({ operation }) => workMoves.has(operation)) };
}

export function isConcerned(
  { records, everything, movesWork }: Changed,
  [what, key, id, mode]: readonly unknown[],
): boolean {
  const has = (type: unknown): boolean => everything || records.has(String(type));
  switch (what) {
    case "list":
    case "related":
    case "find":
    case "names":
      return has(key);
    case "record": {
      if (!shownModes.has(mode)) return false;
      if (mode === "timeline" && [...attached].some(has)) return true;
      const changed = everything ? "all" : records.get(String(key));
      return changed === "all" || (changed?.has(String(id)) ?? false);
    }
    case "views":
      return has(VIEWS);
    case "favorites":
    case "dashboard":
      return has(VIEWS) || has("core/team_dashboards");
    case "unread":
    case "notifications":
      return has(NOTIFICATIONS);
    case "my-work":
      return movesWork;
    default:
      return everything && what === "navigation";
  }
}
