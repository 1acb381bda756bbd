// From a policy to the sets of principals that may read, edit, delete and comment. Pure.
// A recipe is all that a record's access depends on; equal recipes share one row of core__acl_sets.
import { z } from "zod";
import { type RecordRight, recordRights } from "../../contract/permissions.ts";
import { storedJson } from "../database/stored-json.ts";
import { conditionKey, fieldKey, grantOf } from "../metadata/policies/policy.ts";
import type { AccessPolicy, Grantee, PolicyEntry, RecordTypeKey } from "../metadata/record-type.ts";
import { EVERYONE } from "./caller.ts";

export interface Share {
  readonly principal: number;
  readonly rights: readonly RecordRight[];
  /** UTC, as on the wire; null for good. */
  readonly until: string | null;
}

/** Whom the workflow lends rights to, by a name that is looked up anew when people, groups or roles change. */
export type Actor = "owner" | "owner_manager" | `role:${string}` | `group:${string}` | `user:${string}`;
/** An actor, or a principal as it is. */
export type TemporaryGrantee = Actor | number;

/** Rights that the workflow lends for as long as a record is in a stage. */
export interface Grants {
  readonly read: readonly TemporaryGrantee[];
  readonly edit: readonly TemporaryGrantee[];
  readonly delete: readonly TemporaryGrantee[];
  /** Whose turn it is: `Current Workflow Actors`. */
  readonly act?: readonly TemporaryGrantee[];
}

export interface Recipe {
  readonly type: RecordTypeKey;
  readonly owner: string | null;
  readonly group: string | null;
  readonly shares: readonly Share[];
  readonly grants: Grants;
  /** What is so of the record, as far as a policy asks (record-facts.ts). */
  readonly facts?: readonly RecipeFact[];
  /** Of the record that this one follows. */
  readonly of?: Recipe;
}

/** The id of a condition that holds; or that of a field with whom it names, as `user:<id>`, `group:<id>` or `role:<id>`. */
export type RecipeFact = readonly [fact: number, named?: string];

export const noGrants: Grants = { read: [], edit: [], delete: [] };

export const plainRecipe = (type: RecordTypeKey, owner: string | null, group: string | null): Recipe => ({
  type,
  owner,
  group,
  shares: [],
  grants: noGrants,
});

/** The recipe, then those of the records that it follows or is about, nearest first. */
export const chainOf = (recipe: Recipe): Recipe[] => [recipe, ...(recipe.of ? chainOf(recipe.of) : [])];

/** The users and groups that recipes speak of: what has to be known of to work their sets out. */
export function namedIn(recipes: readonly Recipe[]): { readonly users: string[]; readonly groups: string[] } {
  const lent = recipes.flatMap(({ grants }) => [
    ...grants.read,
    ...grants.edit,
    ...grants.delete,
    ...(grants.act ?? []),
  ]);
  const byField = recipes.flatMap(({ facts = [] }) => facts.flatMap(([, one]) => one ?? []));
  const named = (prefix: "user:" | "group:") =>
    [...lent, ...byField].flatMap((one) =>
      typeof one === "string" && one.startsWith(prefix) ? [one.slice(prefix.length)] : [],
    );
  return {
    users: [...recipes.flatMap(({ owner }) => owner ?? []), ...named("user:")],
    groups: [...recipes.flatMap(({ group }) => group ?? []), ...named("group:")],
  };
}

/** What a recipe's names stand for at this moment. */
export interface PrincipalLookup {
  readonly organization: number;
  readonly user: (id: string) => number | undefined;
  /** The groups that the user is itself a member of. */
  readonly groupsOf: (userId: string) => readonly number[];
  readonly group: (id: string) => number | undefined;
  readonly role: (code: string) => number | undefined;
  readonly roleById: (id: string) => number | undefined;
  /** The manager of a user, as a principal. */
  readonly managerOf: (userId: string) => number | undefined;
}

export interface AclSets {
  readonly read: readonly number[];
  readonly edit: readonly number[];
  readonly delete: readonly number[];
  readonly comment: readonly number[];
  readonly tmpRead: readonly number[];
  readonly tmpEdit: readonly number[];
  readonly tmpDelete: readonly number[];
  /** Whose turn it is. */
  readonly actors: readonly number[];
  /** Everybody to whom the record exists: who may read, edit or delete it, for good or for now. */
  readonly readers: readonly number[];
  readonly validUntil: string | null;
}

const sorted = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);

const grantees = (given: readonly TemporaryGrantee[]): TemporaryGrantee[] =>
  [...new Set(given)].sort((a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a) < String(b) ? -1 : 1,
  );

/** One spelling per recipe, whatever the order in which it was put together. */
export function recipeText(recipe: Recipe): string {
  const shares = [...recipe.shares]
    .map((share) => [share.principal, [...new Set(share.rights)].sort(), share.until] as const)
    .sort((a, b) => a[0] - b[0] || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const { read, edit, delete: remove, act = [] } = recipe.grants;
  const lent = [read, edit, remove, ...(act.length > 0 ? [act] : [])].map(grantees);
  const of = recipe.of ? [recipe.of.type, recipeText(recipe.of)] : null;
  const facts = [...(recipe.facts ?? [])].sort(([a], [b]) => a - b);
  const more = facts.length > 0 ? [of, facts] : of ? [of] : [];
  return JSON.stringify([recipe.owner, recipe.group, shares, lent, ...more]);
}

const grantee = z.union([
  z.number(),
  z.enum(["owner", "owner_manager"]),
  z.templateLiteral([z.enum(["role", "group", "user"]), ":", z.string()]),
]);
const lentTo = z.array(grantee);
/** What recipeText writes. */
const recipeSchema = z.tuple([
  z.string().nullable(),
  z.string().nullable(),
  z.array(z.tuple([z.number(), z.array(z.enum(recordRights)), z.string().nullable()])),
  z.tuple([lentTo, lentTo, lentTo, lentTo.optional()]),
  z.tuple([z.string(), z.string()]).nullable().optional(),
  z.array(z.tuple([z.number(), z.string().optional()])).optional(),
]);

export function parseRecipe(type: RecordTypeKey, text: string): Recipe {
  const [owner, group, shares, [read, edit, remove, act], of, facts] = storedJson(
    recipeSchema,
    text,
    "core__acl_sets.recipe",
  );
  return {
    type,
    owner,
    group,
    shares: shares.map(([principal, rights, until]) => ({ principal, rights, until })),
    grants: { read, edit, delete: remove, ...(act ? { act } : {}) },
    ...(facts ? { facts: facts.map(([id, named]): RecipeFact => (named === undefined ? [id] : [id, named])) } : {}),
    ...(of ? { of: parseRecipe(of[0], of[1]) } : {}),
  };
}

/** Who an entry of a policy is, for a record of this recipe. `ids`: the facts that the policy asks for, by their names. */
export function principalsOf(
  entry: PolicyEntry,
  recipe: Recipe,
  facts: PrincipalLookup,
  ids: ReadonlyMap<string, number> = noFacts,
): readonly (number | undefined)[] {
  const { to, when } = grantOf(entry);
  const condition = conditionKey(when);
  if (condition !== undefined && factIn(recipe, ids.get(condition)) === undefined) return [];
  const field = fieldKey(to);
  return field === undefined ? principalsNamed(to, recipe, facts) : [fieldPrincipal(recipe, ids.get(field), facts)];
}

const noFacts: ReadonlyMap<string, number> = new Map();

/** Without an id nobody asks for it, whatever an old recipe says. */
const factIn = ({ facts = [] }: Recipe, id: number | undefined): RecipeFact | undefined =>
  id === undefined ? undefined : facts.find(([one]) => one === id);

function fieldPrincipal(recipe: Recipe, id: number | undefined, facts: PrincipalLookup): number | undefined {
  const named = factIn(recipe, id)?.[1];
  if (named === undefined) return undefined;
  const [kind, key = ""] = [named.slice(0, named.indexOf(":")), named.slice(named.indexOf(":") + 1)];
  return kind === "user" ? facts.user(key) : kind === "group" ? facts.group(key) : facts.roleById(key);
}

function principalsNamed(grantee: Grantee, recipe: Recipe, facts: PrincipalLookup): readonly (number | undefined)[] {
  switch (grantee) {
    case "owner":
      return [recipe.owner === null ? undefined : facts.user(recipe.owner)];
    case "owner_groups":
      return recipe.owner === null ? [] : facts.groupsOf(recipe.owner);
    case "primary_group":
      return [recipe.group === null ? undefined : facts.group(recipe.group)];
    case "organization":
      return [facts.organization];
    case "everyone":
      return [EVERYONE];
    default:
      return [facts.role(grantee.slice("role:".length))];
  }
}

/** The principal that a grantee stands for now; undefined where it stands for nobody. */
export function principalOf(
  grantee: TemporaryGrantee,
  owner: string | null,
  facts: Omit<PrincipalLookup, "groupsOf" | "roleById">,
): number | undefined {
  if (typeof grantee === "number") return grantee;
  if (grantee === "owner") return owner === null ? undefined : facts.user(owner);
  if (grantee === "owner_manager") return owner === null ? undefined : facts.managerOf(owner);
  const [kind, name = ""] = [grantee.slice(0, grantee.indexOf(":")), grantee.slice(grantee.indexOf(":") + 1)];
  return kind === "role" ? facts.role(name) : kind === "group" ? facts.group(name) : facts.user(name);
}

export function aclSets(
  policy: AccessPolicy,
  recipe: Recipe,
  facts: PrincipalLookup,
  now: string,
  ids: ReadonlyMap<string, number> = noFacts,
): AclSets {
  const live = recipe.shares.filter((share) => share.until === null || share.until > now);
  const set = (right: RecordRight): number[] =>
    sorted(
      [
        ...policy[right].flatMap((grantee) => principalsOf(grantee, recipe, facts, ids)),
        ...live.filter((share) => share.rights.includes(right)).map((share) => share.principal),
      ].filter((id) => id !== undefined),
    );
  const [read, edit, remove, comment] = [set("read"), set("edit"), set("delete"), set("comment")];
  const lent = (given: readonly TemporaryGrantee[]): number[] =>
    sorted(given.map((one) => principalOf(one, recipe.owner, facts)).filter((id) => id !== undefined));
  const { grants } = recipe;
  const tmp = { read: lent(grants.read), edit: lent(grants.edit), delete: lent(grants.delete) };
  const ends = live.flatMap((share) => (share.until === null ? [] : [share.until])).sort();
  return {
    read,
    edit,
    delete: remove,
    comment,
    tmpRead: tmp.read,
    tmpEdit: tmp.edit,
    tmpDelete: tmp.delete,
    actors: lent(grants.act ?? []),
    readers: sorted([...read, ...edit, ...remove, ...tmp.read, ...tmp.edit, ...tmp.delete]),
    validUntil: ends[0] ?? null,
  };
}

/** What a record that follows another comes to: it is there for exactly those for whom that one is there. */
export function followingSets(own: AclSets, record: AclSets, follows: "read" | "edit"): AclSets {
  const ends = [own.validUntil, record.validUntil].filter((end) => end !== null).sort();
  const rights =
    follows === "read"
      ? { edit: own.edit, delete: own.delete, tmpEdit: own.tmpEdit, tmpDelete: own.tmpDelete }
      : { edit: record.edit, delete: record.edit, tmpEdit: record.tmpEdit, tmpDelete: record.tmpEdit };
  return {
    ...rights,
    read: record.readers,
    comment: own.comment,
    tmpRead: [],
    actors: [],
    readers: record.readers,
    validUntil: ends[0] ?? null,
  };
}

/** On the wire: ids in ascending order, separated by one space; null when empty. */
export const aclText = (ids: readonly number[]): string | null => (ids.length === 0 ? null : ids.join(" "));
