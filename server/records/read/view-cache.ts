// Keeps views that a caller has requested more than once, until anything of the organization changes. A repeated view costs
// one small statement that compares its version. Nothing is trusted without it.
import type { Caller } from "../../access/caller.ts";
import type { Database } from "../../database/database.ts";
import { apartFromClient, patiently } from "../../database/scope.ts";
import { organizationVersion } from "../../database/versions.ts";
import type { FormMode } from "../../forms/actions.ts";
import { cacheUse } from "../../lib/cache-use.ts";
import { coalesceRequests } from "../../lib/coalesce-requests.ts";
import { Recent } from "../../lib/memory/recent.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import type { PresentedView } from "./present-view.ts";

export interface ViewKey {
  /** A caller is read anew when anything about its access changes: then it is another object. */
  readonly caller: Caller;
  readonly snapshot: Snapshot;
  readonly type: RecordType;
  readonly mode: FormMode;
  readonly id: string;
}

export interface ViewCache {
  /** The view as it is now; `read` reads it where nothing kept holds. */
  view(key: ViewKey, read: () => Promise<PresentedView>): Promise<PresentedView>;
}

interface Entry {
  readonly caller: Caller;
  /** Weakly: what nobody asks for again must not keep a design that was replaced. */
  readonly snapshot: WeakRef<Snapshot>;
  /** Undefined for a view that was asked for once: few are asked for again, and only those are worth it. */
  readonly kept: { readonly version: string; readonly view: PresentedView } | undefined;
}

/** Some twenty kilobytes each: what is the same for many, such as their form, is shared. */
const MOST_KEPT = 500;

export function createViewCache(database: Database): ViewCache {
  const entries = new Recent<string, Entry>(MOST_KEPT);
  const used = cacheUse("record_views");
  const versionOf = coalesceRequests(async (organizationId) => {
    const [row] = await apartFromClient(() => database.prepared(organizationVersion(organizationId)));
    return row?.[0] ?? "";
  });

  return {
    view: async ({ caller, snapshot, type, mode, id }, read) => {
      if (type.movesUnlogged) return read();
      const name = [caller.userId, ...Object.values(caller.credential), type.key, type.alias, mode, id].join(" ");
      const entry = entries.get(name);
      if (!entry) {
        used(false);
        const view = await read();
        entries.set(name, { caller, snapshot: new WeakRef(snapshot), kept: undefined });
        return view;
      }
      // Before the record: what changes in between is then in the record and not in the version, and is read again.
      const version = await patiently(versionOf(caller.organizationId));
      const { kept } = entry;
      if (kept && kept.version === version && entry.caller === caller && entry.snapshot.deref() === snapshot) {
        used(true);
        return kept.view;
      }
      used(false);
      const view: PresentedView = { ...(await read()), lasting: true };
      entries.set(name, { caller, snapshot: new WeakRef(snapshot), kept: { version, view } });
      return view;
    },
  };
}
