// Keeps an organisation's access sets of a record type in memory, with their version; gives which of them a caller may
// read and, per set, what every row with it says of access. Statements compare the version, so nothing stale is used.
import type { Database } from "../database/database.ts";
import { apartFromClient } from "../database/scope.ts";
import { sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { ACL_SETS } from "./acl-sets.ts";
import type { Caller } from "./caller.ts";
import { heldBack, looks, mayLook, mayOperate, passesSets } from "./matrix.ts";
import { type NamedPrincipal, readPrincipalNames } from "./principal-names.ts";

interface AclSet {
  readonly id: string;
  readonly readers: readonly number[];
  /** The type of the record that it follows, or that it is about. */
  readonly of: string | null;
  /** Wire texts: ids separated by spaces, or null. */
  readonly edit: string | null;
  readonly delete: string | null;
  readonly comment: string | null;
  readonly tmpEdit: string | null;
  readonly tmpDelete: string | null;
  /** Names of those whose turn it is, or null. */
  readonly actors: string | null;
}

/** What a caller can do with the rows of one record type. */
export interface AclView {
  readonly version: string;
  /** Undefined: all (an administrator). */
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
  /** Called when a statement found another version than it was given. */
  forget(organizationId: string): void;
}

interface Loaded {
  readonly version: string;
  readonly sets: ReadonlyMap<string, AclSet>;
  readonly views: Map<string, AclView>;
}

const MAX_VIEWS = 2_000;

/** The version of the access sets of an organisation, as one scalar. */
export const aclVersion = (organizationId: string) => sql`
  (select coalesce((select changes from core__versions where organization_id = ${organizationId}::bigint and record_type = ${ACL_SETS}), 0)
    + (select count(*) from core__changes where organization_id = ${organizationId}::bigint and record_type = ${ACL_SETS}))::text`;

function actorsText(ids: readonly number[], names: ReadonlyMap<number, NamedPrincipal>): string | null {
  const known = ids.flatMap((id) => names.get(id)?.name ?? []);
  return known.length === 0 ? null : known.join(", ");
}

const numbers = (text: string | null | undefined): number[] => (text ? text.split(" ").map(Number) : []);

export function createAclDirectory(db: Database): AclDirectory {
  const loaded = new Map<string, Promise<Loaded>>();

  const load = async (organizationId: string, type: RecordType): Promise<Loaded> => {
    const rows = await db.rows(sql`
      select v.version, s.id, array_to_string(s.readers, ' ') as readers,
        ${type.about === undefined ? sql`null` : sql`s.recipe::json #>> '{4,0}'`} as of, array_to_string(s._acl_edit, ' ') as edit,
        array_to_string(s._acl_delete, ' ') as delete, array_to_string(s._acl_comment, ' ') as comment,
        array_to_string(s._acl_tmp_edit, ' ') as tmp_edit, array_to_string(s._acl_tmp_delete, ' ') as tmp_delete,
        array_to_string(s.actors, ' ') as actors
      from (select ${aclVersion(organizationId)} as version) v
      left join core__acl_sets s on s.organization_id = ${organizationId}::bigint and s.record_type = ${type.key}`);
    const names = await readPrincipalNames(
      db,
      organizationId,
      rows.flatMap((row) => numbers(row.actors)),
    );
    const sets = new Map<string, AclSet>();
    for (const row of rows) {
      if (row.id === null || row.id === undefined) continue;
      sets.set(row.id, {
        id: row.id,
        readers: numbers(row.readers),
        of: row.of ?? null,
        edit: row.edit || null,
        delete: row.delete || null,
        comment: row.comment || null,
        tmpEdit: row.tmp_edit || null,
        tmpDelete: row.tmp_delete || null,
        actors: actorsText(numbers(row.actors), names),
      });
    }
    return { version: rows[0]?.version ?? "0", sets, views: new Map() };
  };

  return {
    view: async (caller, type) => {
      const key = `${caller.organizationId} ${type.key}`;
      let pending = loaded.get(key);
      if (!pending) {
        pending = apartFromClient(() => load(caller.organizationId, type));
        loaded.set(key, pending);
        pending.catch(() => loaded.delete(key));
      }
      const { version, sets, views } = await pending;
      const viewKey = `${type.alias} ${viewKeyOf(caller, type)}`;
      let view = views.get(viewKey);
      if (!view) {
        if (views.size >= MAX_VIEWS) views.clear();
        view = viewOf(caller, type, version, sets);
        views.set(viewKey, view);
      }
      return view;
    },
    forget: (organizationId) => {
      for (const key of loaded.keys()) if (key.startsWith(`${organizationId} `)) loaded.delete(key);
    },
  };
}

const flagOperations = ["edit", "delete", "comment"] as const;

/** Callers with the same principals and matrix see the same, for as long as the same types are confidential. */
function viewKeyOf(caller: Caller, type: RecordType): string {
  const held = heldBack(type);
  if (passesSets(caller, type) && held.size === 0) return "a";
  const flags = flagOperations.map((name) => (mayOperate(caller, type, name) ? 1 : 0)).join("");
  const seen = type.follows === undefined ? "" : JSON.stringify(looks(caller));
  return `${passesSets(caller, type) ? "a" : ""} ${caller.principals.join(",")} ${flags} ${seen} ${[...held].sort().join()}`;
}

function viewOf(caller: Caller, type: RecordType, version: string, sets: ReadonlyMap<string, AclSet>): AclView {
  const own = new Set(caller.principals);
  const meets = (ids: readonly number[]) => ids.some((id) => own.has(id));
  const held = heldBack(type);
  const passes = (of: string | null | undefined) => passesSets(caller, type) && !(of != null && held.has(of));
  const isReadable = ({ readers, of }: AclSet) =>
    passes(of) || (meets(readers) && (of === null || type.follows === undefined || mayLook(caller, of)));
  const seen = [...sets.values()].filter(isReadable);
  const readable =
    passesSets(caller, type) && seen.length === sets.size ? undefined : new Set(seen.map((set) => set.id));
  const allowed = Object.fromEntries(flagOperations.map((name) => [name, mayOperate(caller, type, name)]));
  const fragments = new Map<string, string>();
  const write = (set: AclSet | undefined): string => {
    const holds = (...texts: (string | null | undefined)[]) =>
      passes(set?.of) || texts.some((text) => meets(numbers(text)));
    const members: [string, unknown][] = [
      [`${type.alias}._acl_comment`, set?.comment ?? null],
      [`${type.alias}._acl_edit`, set?.edit ?? null],
      [`${type.alias}._acl_tmp_edit`, set?.tmpEdit ?? null],
      [`${type.alias}._acl_delete`, set?.delete ?? null],
      [`${type.alias}._acl_tmp_delete`, set?.tmpDelete ?? null],
      ["is_edit", allowed.edit && holds(set?.edit, set?.tmpEdit)],
      ["is_delete", allowed.delete && holds(set?.delete, set?.tmpDelete)],
      ["is_comment", allowed.comment && holds(set?.comment)],
    ];
    return members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",");
  };
  return {
    version,
    readable,
    readableText: `{${[...(readable ?? [])].join(",")}}`,
    actors: (aclId) => sets.get(aclId)?.actors ?? null,
    fragment: (aclId) => {
      let text = fragments.get(aclId);
      if (text === undefined) {
        text = write(sets.get(aclId));
        fragments.set(aclId, text);
      }
      return text;
    },
  };
}
