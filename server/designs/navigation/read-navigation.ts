// Takes the records of modules and menu entries; gives the navigation as they say it, in its order, whatever a caller may see of it.
// A record type without an entry follows with its own name.

import { humanize } from "../../../contract/labels.ts";
import type { Caller } from "../../access/caller.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { findType, type Snapshot } from "../../metadata/snapshot.ts";
import { modulesOf, typesOf } from "../../modules/development_base/menu-data.ts";

/** What people decided about a module or an entry. */
interface Shown {
  readonly isActive: boolean;
  /** Codes of roles; who has no other is not shown it. */
  readonly hiddenFor: readonly string[];
}

export interface StoredModule extends Shown {
  /** Undefined where there is no record of it yet. */
  readonly id: string | undefined;
  readonly name: string;
  readonly label: string;
  readonly icon: string;
  readonly sequence: string | null;
}

export interface StoredEntry extends Shown {
  readonly id: string | undefined;
  readonly parentId: string | null;
  readonly key: string;
  readonly label: string;
  readonly url: string;
  readonly module: string;
  readonly icon: string | null;
  readonly sequence: string | null;
  readonly isLink: boolean;
  /** Deleted ones tell that a record type is not to be shown. */
  readonly isDeleted: boolean;
  /** The record type that it lists. */
  readonly type: RecordType | undefined;
}

export interface Navigation {
  readonly modules: readonly StoredModule[];
  readonly entries: readonly StoredEntry[];
}

export async function readNavigation(db: Queryable, snapshot: Snapshot): Promise<Navigation> {
  const [modules, stored] = await Promise.all([readModules(db, snapshot), readEntries(db, snapshot)]);
  return { modules, entries: inOrder([...stored, ...withoutEntry(snapshot, stored)]) };
}

/** Codes of roles as they are kept: one text. */
export const roleCodes = (text: string | null | undefined): readonly string[] => text?.match(/[a-z0-9_]+/g) ?? [];

/** Whether none of the caller's roles is shown it. Decides nothing about access. */
export const isHiddenFrom = ({ roles }: Caller, { isActive, hiddenFor }: Shown): boolean =>
  !isActive || (roles.length > 0 && roles.every(({ code }) => hiddenFor.includes(code)));

async function readModules(db: Queryable, snapshot: Snapshot): Promise<StoredModule[]> {
  const rows = await db.rows(sql`
    select id::text as id, name, label, icon, is_active, hidden_for, sequence::text as sequence
    from development_base__modules where deleted = 0 order by development_base__modules.sequence nulls last, name`);
  const stored = rows.map((row) => ({
    id: row.id ?? "",
    name: row.name ?? "",
    label: row.label || humanize(row.name ?? ""),
    icon: row.icon ?? "folder",
    isActive: row.is_active !== "0",
    hiddenFor: roleCodes(row.hidden_for),
    sequence: row.sequence ?? null,
  }));
  const known = new Set(stored.map(({ name }) => name));
  const further = modulesOf(snapshot).filter(({ name }) => !known.has(name));
  return [
    ...stored,
    ...further.map((one) => ({ ...one, id: undefined, isActive: true, hiddenFor: [], sequence: null })),
  ];
}

async function readEntries(db: Queryable, snapshot: Snapshot): Promise<StoredEntry[]> {
  const rows = await db.rows(sql`
    select id::text as id, parent_id::text as parent_id, key, label, url, module, icon, type, is_active, hidden_for, deleted,
      sequence::text as sequence
    from development_base__menus order by development_base__menus.sequence nulls last, label, development_base__menus.id`);
  return rows.map((row) => ({
    id: row.id ?? "",
    parentId: row.parent_id ?? null,
    key: row.key ?? "",
    label: row.label ?? "",
    url: row.url ?? "",
    module: row.module ?? "",
    icon: row.icon ?? null,
    sequence: row.sequence ?? null,
    isLink: row.type === "link",
    isActive: row.is_active !== "0",
    isDeleted: row.deleted !== "0",
    hiddenFor: roleCodes(row.hidden_for),
    type: typeAt(snapshot, row.url ?? ""),
  }));
}

/** Record types that nobody has written an entry for yet: made since the service started. */
function withoutEntry(snapshot: Snapshot, entries: readonly StoredEntry[]): StoredEntry[] {
  const named = new Set(entries.map(({ type }) => type?.key));
  return typesOf(snapshot)
    .filter((type) => !named.has(type.key))
    .map((type) => ({
      id: undefined,
      parentId: null,
      key: type.controller,
      label: type.plural,
      url: `${type.key}/index`,
      module: type.module,
      icon: type.icon ?? null,
      sequence: null,
      isLink: false,
      isActive: true,
      isDeleted: false,
      hiddenFor: [],
      type,
    }));
}

/** The record type that an address of ours is about. */
export function typeAt(snapshot: Snapshot, url: string): RecordType | undefined {
  const [module = "", controller = ""] = url.split(/[?#]/u, 1)[0]?.split("/").filter(Boolean) ?? [];
  return findType(snapshot, `${module}/${controller}`);
}

/** What stands below another entry of its module follows it. */
function inOrder(entries: readonly StoredEntry[]): StoredEntry[] {
  const placeOf = ({ module, id }: StoredEntry) => `${module} ${id ?? ""}`;
  const ids = new Set(entries.flatMap((entry) => (entry.id === undefined ? [] : [placeOf(entry)])));
  const parentOf = ({ module, parentId }: StoredEntry) =>
    parentId !== null && ids.has(`${module} ${parentId}`) ? `${module} ${parentId}` : undefined;
  const below = (place: string | undefined, seen: ReadonlySet<string>): StoredEntry[] =>
    entries
      .filter((entry) => parentOf(entry) === place)
      .flatMap((entry) =>
        entry.id === undefined
          ? [entry]
          : seen.has(placeOf(entry))
            ? []
            : [entry, ...below(placeOf(entry), new Set([...seen, placeOf(entry)]))],
      );
  return below(undefined, new Set());
}
