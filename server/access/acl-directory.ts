// Keeps an organization's access sets of a record type in memory, with their version. Returns which of them a caller may read
// and, per set, the access values of every row with it. Statements compare the version, so nothing stale is used.
import type { RecordRight } from "../../contract/permissions.ts";
import type { Database } from "../database/database.ts";
import { apartFromClient, patiently } from "../database/scope.ts";
import { ident, join, sql } from "../database/sql.ts";
import { Recent } from "../lib/memory/recent.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { ACL_SETS } from "./acl-sets.ts";
import type { Caller } from "./caller.ts";
import { mayKnowNames, printOf, reachOf } from "./keys/limits.ts";
import { type NamedPrincipal, readPrincipalNames } from "./principal-names.ts";
import { type AclColumn, holds, isAmong, isPermitted, looks, ruleOf, type SetFacts } from "./rule.ts";

interface AclSet extends SetFacts {
  readonly id: string;
  /** Wire texts of its columns: ids separated by spaces, or null. */
  readonly texts: Readonly<Record<ShownColumn, string | null>>;
  /** Those whose turn it is. */
  readonly actors: readonly NamedPrincipal[];
}

/** What a caller can do with the rows of one record type. */
export interface AclView {
  readonly version: string;
  /** Undefined: all. */
  readonly readable: ReadonlySet<string> | undefined;
  /** The same as PostgreSQL's array text. */
  readonly readableText: string;
  /** JSON members of a row with that set: the ACL columns and the three flags. */
  fragment(aclId: string): string;
  /** The names of those whom a record with that set waits for, in one text; null where it waits for nobody. */
  actors(aclId: string): string | null;
}

export interface AclDirectory {
  view(caller: Caller, type: RecordType): Promise<AclView>;
  /**
   * Called when a statement saw another version than it was given: what is older goes. What somebody else has read anew
   * meanwhile stays, else many lists at once would make each other read the sets again and again.
   */
  forget(organizationId: string, seen: string): void;
  /** After the database was away: another may be in its place, which has not seen the last changes. */
  clear(): void;
}

interface Loaded {
  readonly version: string;
  readonly sets: ReadonlyMap<string, AclSet>;
  readonly views: Map<string, AclView>;
}

const MAX_VIEWS = 2_000;

/** The version of the access sets of an organization, as one scalar. */
export const aclVersion = (organizationId: string) => sql`
  (select coalesce((select changes from core__versions where organization_id = ${organizationId}::bigint and record_type = ${ACL_SETS}), 0)
    + (select count(*) from core__changes where organization_id = ${organizationId}::bigint and record_type = ${ACL_SETS}))::text`;

function actorsText(caller: Caller, actors: readonly NamedPrincipal[]): string | null {
  const known = actors.filter(({ kind }) => mayKnowNames(caller, kind)).map(({ name }) => name);
  return known.length === 0 ? null : known.join(", ");
}

const numbers = (text: string | null | undefined): number[] => (text ? text.split(" ").map(Number) : []);

/** In the order in which rows show them. */
const shownColumns = ["_acl_comment", "_acl_edit", "_acl_tmp_edit", "_acl_delete", "_acl_tmp_delete"] as const;
type ShownColumn = (typeof shownColumns)[number];

function readSet(row: Readonly<Record<string, string | null | undefined>>, actors: AclSet["actors"]): AclSet {
  const readers = numbers(row.readers);
  const text = (column: ShownColumn): string | null => row[column] || null;
  return {
    id: row.id ?? "",
    subjects: (row.subjects ?? "").split(" ").filter(Boolean),
    // Only readers are asked for in every set; the others are read when a row of the set is shown.
    named: (column: AclColumn) => (column === "readers" ? readers : numbers(text(column))),
    // fromEntries forgets that every column has its entry.
    texts: Object.fromEntries(shownColumns.map((column) => [column, text(column)])) as AclSet["texts"],
    actors,
  };
}

export function createAclDirectory(db: Database): AclDirectory {
  const loaded = new Map<string, { readonly sets: Promise<Loaded>; version?: string }>();

  const load = async (organizationId: string, type: RecordType): Promise<Loaded> => {
    const columns = ["readers", ...shownColumns, "actors", "subjects"].map(
      (column) => sql`array_to_string(${ident("s", column)}, ' ') as ${ident(column)}`,
    );
    const rows = await db.rows(sql`
      select v.version, s.id, ${join(columns)}
      from (select ${aclVersion(organizationId)} as version) v
      left join core__acl_sets s on s.organization_id = ${organizationId}::bigint and s.record_type = ${type.key}`);
    const names = await readPrincipalNames(
      db,
      organizationId,
      rows.flatMap((row) => numbers(row.actors)),
    );
    const sets = new Map<string, AclSet>();
    for (const row of rows) {
      if (row.id == null) continue;
      const actors = numbers(row.actors).flatMap((id) => names.get(id) ?? []);
      sets.set(row.id, readSet(row, actors));
    }
    return { version: rows[0]?.version ?? "0", sets, views: new Recent(MAX_VIEWS) };
  };

  return {
    view: async (caller, type) => {
      const key = `${caller.organizationId} ${type.key}`;
      let entry = loaded.get(key);
      if (!entry) {
        const fresh: { readonly sets: Promise<Loaded>; version?: string } = {
          sets: apartFromClient(() => load(caller.organizationId, type)),
        };
        fresh.sets.then(
          ({ version }) => {
            fresh.version = version;
          },
          () => loaded.delete(key),
        );
        loaded.set(key, fresh);
        entry = fresh;
      }
      const { version, sets, views } = await (entry.version === undefined ? patiently(entry.sets) : entry.sets);
      const viewKey = `${type.alias} ${viewKeyOf(caller, type)}`;
      let view = views.get(viewKey);
      if (!view) {
        view = viewOf(caller, type, version, sets);
        views.set(viewKey, view);
      }
      return view;
    },
    forget: (organizationId, seen) => {
      for (const [key, { version }] of loaded) {
        const isOlder = version !== undefined && BigInt(version) < BigInt(seen);
        if (isOlder && key.startsWith(`${organizationId} `)) loaded.delete(key);
      }
    },
    clear: () => loaded.clear(),
  };
}

/** Callers with the same principals and matrix see the same, for as long as the type's rule stays the same. */
function viewKeyOf(caller: Caller, type: RecordType): string {
  const rule = ruleOf(type, "read");
  const limits = caller.limits ? printOf(caller.limits) : "";
  if (caller.isAdministrator && isAmong(rule.passes, caller) && rule.unlessAbout.length === 0) return `a ${limits}`;
  const flags = (["edit", "delete", "comment"] as const).map((name) => (isPermitted(caller, type, name) ? 1 : 0));
  const seen = rule.needs.length > 0 ? JSON.stringify(looks(caller, rule.needs)) : "";
  const passes = isAmong(rule.passes, caller) ? "a" : "";
  return `${passes} ${caller.principals.join(",")} ${flags.join("")} ${seen} ${[...rule.unlessAbout].sort().join()} ${limits}`;
}

const unknownSet: Omit<AclSet, "id"> = {
  subjects: [],
  named: () => [],
  texts: { _acl_comment: null, _acl_edit: null, _acl_tmp_edit: null, _acl_delete: null, _acl_tmp_delete: null },
  actors: [],
};

function viewOf(caller: Caller, type: RecordType, version: string, sets: ReadonlyMap<string, AclSet>): AclView {
  const own = new Set(caller.principals);
  const may = (right: RecordRight, set: SetFacts): boolean => holds(ruleOf(type, right), caller, type, own, set);
  const read = ruleOf(type, "read");
  const seen = [...sets.values()].filter((set) => holds(read, caller, type, own, set));
  const reach = reachOf(caller, type);
  // What is not told by sets is not listed.
  const all = isAmong(read.passes, caller) && (reach === "all" || reach === "subjects");
  const readable = all && seen.length === sets.size ? undefined : new Set(seen.map((set) => set.id));
  const write = (set: Omit<AclSet, "id">): string => {
    const members: [string, unknown][] = [
      ...shownColumns.map((column): [string, unknown] => [`${type.alias}.${column}`, set.texts[column]]),
      ["is_edit", may("edit", set)],
      ["is_delete", may("delete", set)],
      ["is_comment", may("comment", set)],
    ];
    return members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",");
  };
  return {
    version,
    readable,
    readableText: `{${[...(readable ?? [])].join(",")}}`,
    actors: (aclId) => actorsText(caller, sets.get(aclId)?.actors ?? []),
    fragment: (aclId) => write(sets.get(aclId) ?? unknownSet),
  };
}
