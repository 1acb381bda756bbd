// development_base/menus app_menu: the caller's navigation as the records of modules and menu entries say it, module by
// module. Of a record type only those see the entry who may list it; a type without an entry follows with its own name.
// `section` and `operations` say what the web app makes of an entry; programs read the rest. With `begun`, also whether there is any record yet.

import type { Caller } from "../../access/caller.ts";
import { mayOperate, operationsOf, sectionOf } from "../../access/matrix.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, join, sql } from "../../database/sql.ts";
import { humanize } from "../../lib/humanize.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { findType, type Snapshot } from "../../metadata/snapshot.ts";
import { isSetup, modulesOf, typesOf } from "../../modules/development_base/menu-data.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { requireCaller } from "../../operations/require-caller.ts";
import { textAt } from "../../request/tree.ts";

/** More types than these need not be looked through to know that somebody has begun. */
const MOST_LOOKED_THROUGH = 6;

interface Entry {
  readonly id: string;
  readonly parentId: string | null;
  readonly key: string;
  readonly label: string;
  readonly url: string;
  readonly module: string;
  readonly icon: string | null;
  readonly isLink: boolean;
  readonly isShown: boolean;
}

export const appMenu: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = requireCaller(context);
    const { database } = context.services;
    const [modules, entries] = await Promise.all([readModules(database, context.snapshot), readEntries(database)]);
    const shown = [...entries, ...withoutEntry(context.snapshot, entries)].flatMap((entry) =>
      entry.isShown ? (shownTo(caller, context.snapshot, entry) ?? []) : [],
    );
    const data: Record<string, unknown> = {};
    let first: readonly RecordType[] | undefined;
    for (const { name, label, icon, isActive } of modules) {
      const own = inOrder(shown.filter(({ entry }) => entry.module === name));
      if (!isActive || own.length === 0) continue;
      first ??= own.flatMap(({ type }) => type ?? []);
      data[name] = {
        label,
        icon,
        children: Object.fromEntries(
          own.map(({ entry, type }) => [
            entry.key,
            {
              label: entry.label,
              url: entry.url,
              icon: entry.icon ?? "file",
              controller: type?.key ?? null,
              ...(type ? usedBy(context, caller, type) : { singular: null, section: "work", operations: [] }),
            },
          ]),
        ),
      };
    }
    if (textAt(context.call.parameters, "begun") !== "1") return { body: { data } };
    return { body: { data, begun: (await hasBegun(database, caller, first ?? [])) ? 1 : 0 } };
  },
};

/** Whether the caller sees any record of the first types. */
async function hasBegun(db: Queryable, caller: Caller, types: readonly RecordType[]): Promise<boolean> {
  const some = types
    .slice(0, MOST_LOOKED_THROUGH)
    .map(
      (type) => sql`exists (select from ${ident(type.table)} r where ${mayRead(caller, type, "r")} and r.deleted = 0)`,
    );
  if (some.length === 0) return false;
  return (await db.row(sql`select (${join(some, " or ")})::integer::text as begun`))?.begun === "1";
}

async function readModules(db: Queryable, snapshot: Snapshot) {
  const rows = await db.rows(sql`
    select name, label, icon, is_active from development_base__modules where deleted = 0 order by sequence nulls last, name`);
  const stored = rows.map((row) => ({
    name: row.name ?? "",
    label: row.label || humanize(row.name ?? ""),
    icon: row.icon ?? "folder",
    isActive: row.is_active !== "0",
  }));
  const known = new Set(stored.map(({ name }) => name));
  const further = modulesOf(snapshot).filter(({ name }) => !known.has(name));
  return [...stored, ...further.map((module) => ({ ...module, isActive: true }))];
}

/** Deleted ones too: they tell that a record type is not to be shown. */
async function readEntries(db: Queryable): Promise<Entry[]> {
  const rows = await db.rows(sql`
    select id::text as id, parent_id::text as parent_id, key, label, url, module, icon, type, is_active, deleted
    from development_base__menus order by sequence nulls last, label, id`);
  return rows.map((row) => ({
    id: row.id ?? "",
    parentId: row.parent_id ?? null,
    key: row.key ?? "",
    label: row.label ?? "",
    url: row.url ?? "",
    module: row.module ?? "",
    icon: row.icon ?? null,
    isLink: row.type === "link",
    isShown: row.deleted === "0" && row.is_active !== "0",
  }));
}

/** Record types that nobody has written an entry for yet: made since the service started. */
function withoutEntry(snapshot: Snapshot, entries: readonly Entry[]): Entry[] {
  const named = new Set(entries.map(({ url }) => typeAt(snapshot, url)?.key));
  return typesOf(snapshot)
    .filter((type) => !named.has(type.key))
    .map((type) => ({
      id: type.key,
      parentId: null,
      key: type.controller,
      label: type.plural,
      url: `${type.key}/index`,
      module: type.module,
      icon: type.icon ?? null,
      isLink: false,
      isShown: true,
    }));
}

/** The record type that an address of ours is about. */
function typeAt(snapshot: Snapshot, url: string): RecordType | undefined {
  const [module = "", controller = ""] = url.split(/[?#]/u, 1)[0]?.split("/").filter(Boolean) ?? [];
  return findType(snapshot, `${module}/${controller}`);
}

function shownTo(caller: Caller, snapshot: Snapshot, entry: Entry) {
  const type = typeAt(snapshot, entry.url);
  if (type) return mayOperate(caller, type, "index") ? { entry, type } : undefined;
  return entry.isLink && isAddress(entry.url) ? { entry, type: undefined } : undefined;
}

function usedBy({ services }: OperationContext, caller: Caller, type: RecordType) {
  const administratorsOnly = services.hooks[type.key]?.administratorsOnly ?? false;
  const keeping = { administratorsOnly, isSetup: isSetup(type) };
  return {
    singular: type.label,
    section: sectionOf(caller, type, keeping),
    operations: operationsOf(caller, type, keeping),
  };
}

/** A page of the web, or a path of ours; never something that a browser would run. */
export const isAddress = (url: string): boolean =>
  /^https?:\/\//iu.test(url) ? URL.canParse(url) : url !== "" && !/^[^/?#]*:|^\/\/|\\/u.test(url);

/** What stands below another entry follows it. */
function inOrder<T extends { readonly entry: Entry }>(entries: readonly T[]): T[] {
  const ids = new Set(entries.map(({ entry }) => entry.id));
  const below = (id: string | null, seen: ReadonlySet<string>): T[] =>
    entries
      .filter(({ entry }) => (entry.parentId !== null && ids.has(entry.parentId) ? entry.parentId : null) === id)
      .flatMap((one) =>
        seen.has(one.entry.id) ? [] : [one, ...below(one.entry.id, new Set([...seen, one.entry.id]))],
      );
  return below(null, new Set());
}
