// Takes recipes; returns the acl_id of each and creates missing sets. When people, groups, roles or policies change, it
// recomputes the existing sets: as many as there are recipes, however many records use them.
import { recordChanges } from "../database/changes.ts";
import type { Database, Queryable } from "../database/database.ts";
import { tellToListAgain } from "../database/events/write-events.ts";
import { notify } from "../database/processes/notify.ts";
import { apartFromClient } from "../database/scope.ts";
import { type Sql, sql } from "../database/sql.ts";
import { instant } from "../lib/instant.ts";
import type { AccessPolicy, PolicyEntry } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { requireType } from "../metadata/snapshot.ts";
import {
  type AclSets,
  aclSets,
  chainOf,
  followingSets,
  namedIn,
  noGrants,
  type PrincipalLookup,
  parseRecipe,
  type Recipe,
  recipeText,
} from "./acl.ts";
import { type FactsInForce, factIds, readRecordFacts, settleFacts } from "./facts/record-facts.ts";
import { lockAccess, readFacts, readPolicies } from "./principal-lookup.ts";
import { tiesToSubject } from "./rule.ts";

/** PostgreSQL's spelling of an array of numbers or keys; empty ones are NULL. */
const arrayText = (ids: readonly (number | string)[]): string | null =>
  ids.length === 0 ? null : `{${ids.join(",")}}`;

const columnsOf = (sets: readonly AclSets[]) => ({
  read: sets.map((set) => arrayText(set.read)),
  edit: sets.map((set) => arrayText(set.edit)),
  delete: sets.map((set) => arrayText(set.delete)),
  comment: sets.map((set) => arrayText(set.comment)),
  tmpRead: sets.map((set) => arrayText(set.tmpRead)),
  tmpEdit: sets.map((set) => arrayText(set.tmpEdit)),
  tmpDelete: sets.map((set) => arrayText(set.tmpDelete)),
  actors: sets.map((set) => arrayText(set.actors)),
  readers: sets.map((set) => `{${set.readers.join(",")}}`),
  validUntil: sets.map((set) => set.validUntil),
});

interface Wanted {
  readonly type: string;
  readonly text: string;
}

const findSets = (organizationId: string, recipes: readonly Wanted[]): Sql => sql`
    select s.id, s.record_type, s.recipe
    from unnest(${recipes.map((recipe) => recipe.type)}::text[], ${recipes.map((recipe) => recipe.text)}::text[]) as wanted(type, recipe)
    join core__acl_sets s on s.organization_id = ${organizationId}::bigint and s.record_type = wanted.type
      and md5(s.recipe) = md5(wanted.recipe)`;

const tied: ReadonlySet<PolicyEntry> = new Set(["owner", "owner_groups", "primary_group"]);

/** Of what is about a confidential record: whoever has it by a role or by being there does not have it. */
const tiedToRecord = (policy: AccessPolicy): AccessPolicy => {
  const only = (grantees: readonly PolicyEntry[]) => grantees.filter((one) => tied.has(one));
  return {
    read: only(policy.read),
    edit: only(policy.edit),
    delete: only(policy.delete),
    comment: only(policy.comment),
  };
};

/** What recipes are worked out by. */
export interface Rules {
  readonly snapshot: Snapshot;
  readonly policyOf: Awaited<ReturnType<typeof readPolicies>>;
  readonly recordFacts: FactsInForce;
  readonly lookup: PrincipalLookup;
  readonly now: string;
}

/** What a recipe comes to, together with those of the records that it follows. */
export function setsOf(rules: Rules, recipe: Recipe): AclSets {
  const { snapshot, policyOf, recordFacts, lookup, now } = rules;
  const type = requireType(snapshot, recipe.type);
  // A record of a type that no longer takes workflows is lent to nobody.
  const grants = type.field.has("current_stage") ? recipe.grants : noGrants;
  const isHeld = recipe.of !== undefined && tiesToSubject(type, recipe.of.type);
  const policy = isHeld ? tiedToRecord(policyOf(type)) : policyOf(type);
  const own = aclSets(policy, { ...recipe, grants }, lookup, now, factIds(recordFacts, type));
  if (!recipe.of || type.follows === undefined) return own;
  return followingSets(own, setsOf(rules, recipe.of), type.follows);
}

/** The types of the records that it is attached to or about. One that itself follows a record leads on to that. */
export const subjectsOf = (snapshot: Snapshot, recipe: Recipe): string[] =>
  chainOf(recipe)
    .slice(1)
    .flatMap(({ type }) => (snapshot.types.get(type)?.follows === undefined ? [type] : []));

/** The sets have a version like any table has: whoever keeps them in memory compares it within its own statement. */
export const ACL_SETS = "core/acl_sets";
const aclSetsChanged = (transaction: Queryable, organizationId: string): Promise<void> =>
  recordChanges(transaction, organizationId, ACL_SETS, [{ aclId: "0", delta: 0 }]);

/** Sets are never taken away, and keep their ids: what is committed once holds for as long as this database is open. */
const committed = new WeakMap<Queryable["apart"], Map<string, string>>();
const MAX_COMMITTED = 50_000;

function committedOf({ apart }: Queryable): Map<string, string> {
  const known = committed.get(apart);
  if (known !== undefined && known.size <= MAX_COMMITTED) return known;
  const empty = new Map<string, string>();
  committed.set(apart, empty);
  return empty;
}

/**
 * Gives the acl_id of each recipe, in order. Call within the transaction that writes the records. `arriving`: the principals
 * of users who are written only after this, by their ids: a user owns its own record.
 */
export async function internAcl(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  recipes: readonly Recipe[],
  arriving: ReadonlyMap<string, number> = new Map(),
): Promise<string[]> {
  const keyOf = (type: string, text: string) => `${organizationId} ${type} ${text}`;
  const texts = recipes.map(recipeText);
  const distinct = new Map(
    recipes.map((recipe, index) => {
      const text = texts[index] ?? "";
      return [keyOf(recipe.type, text), { type: recipe.type, text, recipe }];
    }),
  );
  const lasting = committedOf(transaction);
  const made = new Map<string, string>();
  const remember = (where: Map<string, string>, rows: readonly (string | null)[][]) => {
    for (const [id, type, recipe] of rows) where.set(keyOf(type ?? "", recipe ?? ""), id ?? "");
  };
  const lacking = () =>
    [...distinct].filter(([key]) => !lasting.has(key) && !made.has(key)).map(([, wanted]) => wanted);
  const unknown = lacking();
  if (unknown.length > 0) remember(lasting, await transaction.apart(findSets(organizationId, unknown)));
  // What this very transaction made before is not for others to know.
  const uncommitted = lacking();
  if (uncommitted.length > 0) remember(made, await transaction.prepared(findSets(organizationId, uncommitted)));

  const missing = lacking();
  if (missing.length > 0) {
    await lockAccess(transaction, organizationId, "shared");
    const speaking = missing.flatMap(({ recipe }) => chainOf(recipe));
    const found = await readFacts(transaction, organizationId, namedIn(speaking));
    const lookup = { ...found, user: (id: string) => found.user(id) ?? arriving.get(id) };
    const policyOf = await readPolicies(transaction, organizationId);
    const recordFacts = await readRecordFacts(transaction, organizationId, true);
    const rules = { snapshot, policyOf, recordFacts, lookup, now: instant() };
    const columns = columnsOf(missing.map(({ recipe }) => setsOf(rules, recipe)));
    const subjects = missing.map(({ recipe }) => arrayText(subjectsOf(snapshot, recipe)));
    await transaction.run(sql`
      insert into core__acl_sets (organization_id, record_type, recipe, _acl, _acl_edit, _acl_delete, _acl_comment,
        _acl_tmp, _acl_tmp_edit, _acl_tmp_delete, readers, valid_until, actors, subjects)
      select ${organizationId}::bigint, w.type, w.recipe, w.a::integer[], w.b::integer[], w.c::integer[], w.d::integer[],
        w.e::integer[], w.f::integer[], w.g::integer[], w.h::integer[], w.i::timestamp(0), w.j::integer[], w.k::text[]
      from unnest(${missing.map(({ type }) => type)}::text[], ${missing.map(({ text }) => text)}::text[],
        ${columns.read}::text[], ${columns.edit}::text[], ${columns.delete}::text[], ${columns.comment}::text[],
        ${columns.tmpRead}::text[], ${columns.tmpEdit}::text[], ${columns.tmpDelete}::text[], ${columns.readers}::text[],
        ${columns.validUntil}::text[], ${columns.actors}::text[], ${subjects}::text[])
        as w(type, recipe, a, b, c, d, e, f, g, h, i, j, k)
      on conflict (organization_id, record_type, md5(recipe)) do nothing`);
    remember(made, await transaction.prepared(findSets(organizationId, missing)));
    await aclSetsChanged(transaction, organizationId);
    if (columns.validUntil.some((until) => until !== null)) await notify(transaction, "dossier_access", organizationId);
  }
  return recipes.map((recipe, index) => {
    const key = keyOf(recipe.type, texts[index] ?? "");
    const id = lasting.get(key) ?? made.get(key);
    if (id === undefined) throw new Error("an access set was not made");
    return id;
  });
}

/** Whose rights to read changed, by record type; null: anybody's may have. They come as the text of an array. */
function concernedBy(sets: readonly (readonly (string | null)[])[]): ReadonlyMap<string, readonly number[] | null> {
  const found = new Map<string, Set<number> | null>();
  for (const [type = null, principals, otherSubjects] of sets) {
    const ids = (principals ?? "").slice(1, -1).split(",").filter(Boolean).map(Number);
    if (type === null || (ids.length === 0 && otherSubjects !== "1")) continue;
    const known = found.get(type);
    if (otherSubjects === "1") found.set(type, null);
    else if (known !== null) found.set(type, new Set([...(known ?? []), ...ids]));
  }
  return new Map([...found].map(([type, ids]) => [type, ids && [...ids]]));
}

/**
 * Recomputes an organization's sets: after a change of members, roles, groups or policies (in its transaction), and
 * when shares have run out. Gives how many sets changed. A transaction that may also make new sets before it comes here
 * must begin with lockAccess(…, "exclusive"): two that widen a shared lock into an exclusive one wait for each other.
 */
export async function refreshAcl(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  which: { readonly expiredOnly?: boolean } = {},
): Promise<number> {
  await lockAccess(transaction, organizationId, "exclusive");
  const now = instant();
  const stored = await transaction.rows<{ id: string; record_type: string; recipe: string }>(sql`
    select id, record_type, recipe from core__acl_sets
    where organization_id = ${organizationId}::bigint
      ${which.expiredOnly ? sql`and valid_until <= ${now}::timestamp` : sql``}`);
  // A type that was taken out of service keeps its sets as they are.
  const rows = stored
    .map((row) => ({ ...row, recipe: parseRecipe(row.record_type, row.recipe) }))
    .filter(({ recipe }) => chainOf(recipe).every(({ type }) => snapshot.types.has(type)));
  const lookup = await readFacts(transaction, organizationId);
  const policyOf = await readPolicies(transaction, organizationId);
  const recordFacts = await settleFacts(transaction, snapshot, organizationId, policyOf);
  const rules = { snapshot, policyOf, recordFacts, lookup, now };
  const columns = columnsOf(rows.map(({ recipe }) => setsOf(rules, recipe)));
  const subjects = rows.map(({ recipe }) => arrayText(subjectsOf(snapshot, recipe)));
  // Read once, before the rows: Citus takes no cast that depends on settings beside a column.
  const changed = await transaction.run(sql`
    with old as materialized (
      select id, record_type, readers, subjects from core__acl_sets where organization_id = ${organizationId}::bigint
    ), w as materialized (
      select id::integer as id, a::integer[] as a, b::integer[] as b, c::integer[] as c, d::integer[] as d, e::integer[] as e,
        f::integer[] as f, g::integer[] as g, h::integer[] as h, i::timestamp(0) as i, j::integer[] as j, k::text[] as k
      from unnest(${rows.map((row) => row.id)}::text[], ${columns.read}::text[], ${columns.edit}::text[],
        ${columns.delete}::text[], ${columns.comment}::text[], ${columns.tmpRead}::text[], ${columns.tmpEdit}::text[],
        ${columns.tmpDelete}::text[], ${columns.readers}::text[], ${columns.validUntil}::text[], ${columns.actors}::text[], ${subjects}::text[])
        as sent(id, a, b, c, d, e, f, g, h, i, j, k))
    update core__acl_sets s set _acl = w.a, _acl_edit = w.b, _acl_delete = w.c, _acl_comment = w.d, _acl_tmp = w.e, _acl_tmp_edit = w.f,
      _acl_tmp_delete = w.g, readers = w.h, valid_until = w.i, actors = w.j, subjects = w.k
    from w, old
    where s.organization_id = ${organizationId}::bigint and s.id = w.id and old.id = w.id
      and (s._acl, s._acl_edit, s._acl_delete, s._acl_comment, s._acl_tmp, s._acl_tmp_edit, s._acl_tmp_delete, s.readers, s.valid_until, s.actors, s.subjects)
        is distinct from (w.a, w.b, w.c, w.d, w.e, w.f, w.g, w.h, w.i, w.j, w.k)
    returning s.record_type, array(
      (select unnest(old.readers) except select unnest(s.readers)) union (select unnest(s.readers) except select unnest(old.readers))),
      (old.subjects is distinct from s.subjects)::integer::text`);
  for (const [type, concerned] of concernedBy(changed.rows)) {
    await tellToListAgain(transaction, organizationId, type, concerned);
  }
  await aclSetsChanged(transaction, organizationId);
  await notify(transaction, "dossier_access", organizationId);
  return changed.count;
}

/**
 * Ends shares whose time has come; gives when the next one ends, in milliseconds since 1970. For whoever acts with somebody's rights:
 * nobody else may have come since.
 */
export async function settleShares(db: Database, snapshot: Snapshot, organizationId: string): Promise<number> {
  const next = async (): Promise<number> => {
    const row = await db.row(sql`
      select (extract(epoch from min(valid_until)) * 1000)::bigint::text as at from core__acl_sets
      where organization_id = ${organizationId}::bigint and valid_until is not null`);
    return row?.at ? Number(row.at) : Number.POSITIVE_INFINITY;
  };
  const at = await next();
  if (at > Date.now()) return at;
  await apartFromClient(() =>
    db.transaction((transaction) => refreshAcl(transaction, snapshot, organizationId, { expiredOnly: true })),
  );
  return next();
}
