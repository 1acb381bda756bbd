// Keeps an organization's list views of a record type in memory, by version, and remembers which one a person used last.
// Which view opens: the one asked for, the last used, the default, or one generated from the record type.

import { isGeneratedView } from "../../../contract/generated-view.ts";
import { type Message, say } from "../../../contract/messages.ts";
import type { AclDirectory } from "../../access/acl-directory.ts";
import type { Caller } from "../../access/caller.ts";
import type { Database } from "../../database/database.ts";
import { apartFromClient, patiently } from "../../database/scope.ts";
import { sql } from "../../database/sql.ts";
import { readVersions } from "../../database/versions.ts";
import { Recent } from "../../lib/memory/recent.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { type ListView, namedView, parseViewQuery } from "../../plan/list-view.ts";
import { mentions } from "../../plan/plan-rows.ts";

/** The tables that views come from. */
export const VIEW_TABLES = ["core/listviews", "core/categories"] as const;

export interface ChosenView {
  readonly view: ListView;
  /** Of the tables that views come from, when this one was read. */
  readonly version: string;
  /** Said to the person when the view that was asked for is gone. */
  readonly message: readonly Message[];
}

export interface ListViews {
  /** `remembered`: without one that is wanted, the last used comes before the default. */
  choose(
    snapshot: Snapshot,
    caller: Caller,
    type: RecordType,
    wanted: string | undefined,
    remembered?: boolean,
  ): Promise<ChosenView>;
  /** Remembers the view; asks nothing while it stays the same within a moment, and writes nothing while it stays the same. */
  remember(caller: Caller, type: RecordType, viewId: string): Promise<void>;
  forget(organizationId: string): void;
}

interface Stored {
  readonly view: ListView;
  readonly aclId: string;
  /** Whose own it is; undefined for a view that is not personal. */
  readonly personalTo: string | undefined;
}

interface Loaded {
  readonly version: string;
  readonly stored: readonly Stored[];
}

/** Who turns pages is not looked up with each; who comes back from another process is. */
const REMEMBERED_MS = 1_000;
const MOST_REMEMBERED = 5_000;

export function createListViews(db: Database, directory: AclDirectory): ListViews {
  const loaded = new Map<string, Promise<Loaded>>();
  const used = new Recent<string, { readonly viewId: string; readonly at: number }>(MOST_REMEMBERED);

  const load = async (organizationId: string, type: RecordType): Promise<Loaded> => {
    // The version first: a change between the two statements then makes it look old, never new.
    const version = await readVersions(
      db,
      VIEW_TABLES.map((recordType) => ({ organizationId, recordType })),
    );
    const rows = await db.rows(sql`
      select v.id, v.name, v.is_default, v.sequence, v.category_id, c.name as category_name, v.ui_helper, v.query, v.acl_id,
        v.revision, v.is_personal, v.owned_by
      from core__listviews v
      left join core__categories c on c.organization_id = v.organization_id and c.id = v.category_id and c.deleted = 0
      where v.organization_id = ${organizationId}::bigint and v.controller = ${type.key} and v.deleted = 0
      order by c.sequence nulls last, v.sequence nulls last, v.name, v.id`);
    const stored = rows.map((row): Stored => {
      const { query, columns, uiHelper } = parseViewQuery(row.query ?? null);
      return {
        aclId: row.acl_id ?? "0",
        personalTo: row.is_personal === "1" ? (row.owned_by ?? "") : undefined,
        view: {
          id: row.id ?? "",
          name: row.name ?? "",
          isDefault: row.is_default === "1",
          sequence: Number(row.sequence ?? 0),
          categoryId: row.category_id ?? null,
          categoryName: row.category_name ?? null,
          uiHelper: uiHelper ?? row.ui_helper ?? "table",
          query,
          columns,
          revision: row.revision ?? "1",
        },
      };
    });
    return { version, stored };
  };

  const visible = async (snapshot: Snapshot, caller: Caller, type: RecordType) => {
    const key = `${caller.organizationId} ${type.key}`;
    let pending = loaded.get(key);
    if (!pending) {
      pending = apartFromClient(() => load(caller.organizationId, type));
      loaded.set(key, pending);
      pending.catch(() => loaded.delete(key));
    }
    const { readable } = await directory.view(caller, requireType(snapshot, "core/listviews"));
    const { version, stored } = await patiently(pending);
    const views = stored.filter(({ aclId }) => readable === undefined || readable.has(aclId));
    // A person's own default comes before everybody's; what opens by itself is never somebody else's own.
    const opening = (owner: string | undefined) =>
      views.find(({ view, personalTo }) => view.isDefault && personalTo === owner)?.view;
    return { version, views: views.map(({ view }) => view), first: opening(caller.userId) ?? opening(undefined) };
  };

  const lastUsed = async (caller: Caller, type: RecordType): Promise<string | undefined> => {
    const [row] = await db.prepared(sql`
      select listview_id::text from core__listview_uses
      where organization_id = ${caller.organizationId}::bigint and user_id = ${caller.userId}::bigint and controller = ${type.key}`);
    return row?.[0] ?? undefined;
  };

  const write = (caller: Caller, type: RecordType, viewId: string) =>
    db.run(sql`
      insert into core__listview_uses (organization_id, user_id, controller, listview_id)
      values (${caller.organizationId}::bigint, ${caller.userId}::bigint, ${type.key}, ${viewId}::uuid)
      on conflict (organization_id, user_id, controller) do update set listview_id = excluded.listview_id`);

  return {
    choose: async (snapshot, caller, type, wanted, remembered = true) => {
      const { version, views, first } = await visible(snapshot, caller, type);
      const byId = (id: string | undefined) => views.find((view) => view.id === id);
      const generated = () => namedView(type, caller.language);
      const fallback = () => first ?? generated();
      if (wanted !== undefined) {
        const view = isGeneratedView(wanted) ? generated() : byId(wanted);
        if (view) return { view, version, message: [] };
        const open = fallback();
        return {
          view: open,
          version,
          message: [say("view_replaced", { other: open.name })],
        };
      }
      const last = remembered ? byId(await lastUsed(caller, type)) : undefined;
      const isBin = last?.query.where !== undefined && mentions(last.query.where, "deleted", type);
      // Who looked into the recycle bin comes back to the records.
      return { view: isBin || !last ? fallback() : last, version, message: [] };
    },
    remember: async (caller, type, viewId) => {
      const key = `${caller.organizationId} ${caller.userId} ${type.key}`;
      const now = Date.now();
      const known = used.get(key);
      if (known?.viewId === viewId && now - known.at < REMEMBERED_MS) return;
      used.set(key, { viewId, at: now });
      try {
        // An upsert that changes nothing still locks its row, and waits for the disk. Who goes to and fro is not looked up: what is
        // stored may be about to change.
        const isAnother = known !== undefined && known.viewId !== viewId;
        if (isAnother || (await lastUsed(caller, type)) !== viewId) await write(caller, type, viewId);
      } catch {
        // Nothing depends on it: at worst the default opens next time.
        used.delete(key);
      }
    },
    forget: (organizationId) => {
      for (const key of loaded.keys()) if (key.startsWith(`${organizationId} `)) loaded.delete(key);
    },
  };
}
