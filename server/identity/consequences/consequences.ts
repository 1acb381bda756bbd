// What a change of a policy, a role's matrix or a group would mean, told before it is saved: how many records come into sight or go out of it,
// for whom, with some of them by name. Worked out from the recipes and their counts, however many records there are. Changes nothing.

import { type Rules, setsOf, subjectsOf } from "../../access/acl-sets.ts";
import type { Caller } from "../../access/caller.ts";
import { readRecordFacts } from "../../access/facts/record-facts.ts";
import { readFacts, readPolicies } from "../../access/principal-lookup.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { expression, ident, quote, type Sql, sql } from "../../database/sql.ts";
import { instant } from "../../lib/instant.ts";
import { typeOf } from "../../metadata/compile.ts";
import { factKeys, factOf } from "../../metadata/policies/policy.ts";
import type { AccessPolicy, RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { type CountedRecipe, countedSets, sampledRecords } from "./cells.ts";
import { allowsAll, type Cell, compareCells, type Difference } from "./compare.ts";
import { directGroups, type OrganizationPeople, personsOf, readPeople } from "./people.ts";

/** What would be another. */
export interface ProposedChange {
  /** The policy of a type; null: the one that the type was defined with. */
  readonly policy?: { readonly type: RecordType; readonly policy: AccessPolicy | null };
  /** People, groups and roles as they would be. */
  readonly people?: (now: OrganizationPeople) => OrganizationPeople;
}

export interface Effect {
  /** Of a sample, rounded. */
  readonly records: number;
  /** Where the sample had none: there may be so many all the same. */
  readonly at_most?: number;
  readonly people: number;
  readonly names: readonly { readonly id: string; readonly name: string; readonly records: number }[];
  readonly examples: readonly { readonly id: string; readonly name: string }[];
}

export interface Consequence {
  readonly record_type: string;
  readonly label: string;
  /** 1: estimated from a sample. */
  readonly about: 0 | 1;
  readonly visible: Effect;
  readonly invisible: Effect;
}

const MOST_NAMES = 10;
const MOST_EXAMPLES = 5;
/** Types that are told of; those with the most records. */
const MOST_TYPES = 20;

export async function consequencesOf(
  db: Queryable,
  snapshot: Snapshot,
  caller: Caller,
  change: ProposedChange,
): Promise<readonly Consequence[]> {
  const { organizationId } = caller;
  const now = await readPeople(db, organizationId);
  const then = change.people?.(now) ?? now;
  const people = { before: personsOf(now), after: personsOf(then) };
  const lookup = await readFacts(db, organizationId);
  const policyOf = await readPolicies(db, organizationId);
  const recordFacts = await readRecordFacts(db, organizationId, true);
  const before: Rules = { snapshot, policyOf, recordFacts, lookup, now: instant() };
  const proposed = change.policy;
  const newIds = proposed ? idsOfNewFacts(proposed, recordFacts.get(proposed.type.key)) : new Map<string, number>();
  const after: Rules = {
    ...before,
    lookup: change.people ? { ...lookup, groupsOf: directGroups(then) } : lookup,
    policyOf: (type) =>
      proposed && type.key === proposed.type.key ? (proposed.policy ?? proposed.type.access) : policyOf(type),
    recordFacts:
      proposed && newIds.size > 0
        ? new Map(recordFacts).set(
            proposed.type.key,
            new Map([...(recordFacts.get(proposed.type.key) ?? []), ...newIds]),
          )
        : recordFacts,
  };
  const sets = await countedSets(db, snapshot, organizationId, proposed?.type);
  const byType = new Map<RecordType, CountedRecipe[]>();
  for (const one of sets) {
    const known = byType.get(one.type);
    if (known) known.push(one);
    else byType.set(one.type, [one]);
  }
  const found: Consequence[] = [];
  for (const [type, counted] of byType) {
    const sample =
      newIds.size > 0
        ? await sampledRecords(db, organizationId, type, counted, newIds)
        : { cells: counted, isExact: true, looked: 0 };
    const cells = sample.cells.map(
      ({ recipe, weight, aclId, id }): Cell => ({
        weight,
        ...(aclId === undefined ? {} : { aclId }),
        ...(id === undefined ? {} : { id }),
        subjects: subjectsOf(snapshot, recipe),
        before: setsOf(before, recipe),
        after: setsOf(after, recipe),
      }),
    );
    const { gained, lost } = compareCells(type, people, cells);
    const total = counted.reduce((sum, { weight }) => sum + weight, 0);
    const estimate = sample.isExact ? undefined : { total, looked: sample.looked };
    const rules = { before: before.policyOf(type), after: after.policyOf(type) };
    const isTold = gained.records + lost.records > 0 || estimate !== undefined;
    if (!isTold) continue;
    found.push({
      record_type: type.key,
      label: type.plural,
      about: estimate ? 1 : 0,
      visible: await effectOf(db, caller, type, gained, estimate, !allowsAll(rules.before, rules.after)),
      invisible: await effectOf(db, caller, type, lost, estimate, !allowsAll(rules.after, rules.before)),
    });
  }
  return found
    .sort((a, b) => b.visible.records + b.invisible.records - (a.visible.records + a.invisible.records))
    .slice(0, MOST_TYPES);
}

/** Facts that are not known of any record yet: below zero no id is given out. */
function idsOfNewFacts(
  { type, policy }: NonNullable<ProposedChange["policy"]>,
  known: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, number> {
  const lacking = factKeys(policy ?? type.access).filter((key) => !known.has(key) && factOf(type, key) !== undefined);
  return new Map(lacking.map((key, index) => [key, -1 - index]));
}

/** Two digits say as much as a sample knows. */
function roughly(count: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, count))) - 1);
  return Math.round(count / step) * step;
}

async function effectOf(
  db: Queryable,
  caller: Caller,
  type: RecordType,
  { records, people, cells }: Difference,
  estimate: { readonly total: number; readonly looked: number } | undefined,
  mayBe: boolean,
): Promise<Effect> {
  const told = estimate ? roughly : (count: number) => count;
  // None among n: with 95 % certainty fewer than 3 of n are so.
  const most =
    estimate && mayBe && records === 0 ? roughly((3 * estimate.total) / Math.max(1, estimate.looked)) : undefined;
  return {
    records: told(records),
    ...(most === undefined ? {} : { at_most: most }),
    people: people.length,
    names: people.slice(0, MOST_NAMES).map(({ id, name, records: count }) => ({ id, name, records: told(count) })),
    examples: await examplesOf(db, caller, type, cells),
  };
}

/** Records by name, of those that the caller may read: nothing is told by asking that was not open before. */
async function examplesOf(db: Queryable, caller: Caller, type: RecordType, cells: readonly Cell[]) {
  const ids = cells.flatMap(({ id }) => id ?? []);
  const sets = cells.flatMap(({ aclId }) => aclId ?? []);
  if (ids.length + sets.length === 0) return [];
  const display = type.field.get(type.displayField);
  const text = display ? expression(typeOf(display).select(display, (column) => `r.${quote(column)}`)) : sql`r.id`;
  const which: Sql =
    ids.length > 0 ? sql`r.id = any(${ids}::${idTypeOf(type)}[])` : sql`r.acl_id = any(${sets}::integer[])`;
  const rows = await db.rows(sql`
    select r.id::text as id, (${text})::text as name from ${ident(type.table)} r
    where ${mayRead(caller, type, "r", "few")} and ${which} and r.deleted = 0 limit ${MOST_EXAMPLES}`);
  return rows.map((row) => ({ id: row.id ?? "", name: row.name ?? row.id ?? "" }));
}
