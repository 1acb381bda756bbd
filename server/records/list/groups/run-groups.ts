// Takes a plan of groups; runs it, or gives what was kept while every table that it reads stayed the same. Access is
// looked up in the statement itself.
import { ACL_SETS } from "../../../access/acl-sets.ts";
import { readerOf, rightsOf } from "../../../access/caller.ts";
import { isDistributed } from "../../../database/citus/places.ts";
import type { Database } from "../../../database/database.ts";
import { readVersions, type VersionedTable } from "../../../database/versions.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { EXCHANGE_RATES } from "../../../plan/currency.ts";
import type { GroupsPlan } from "../../../plan/plan-groups.ts";
import type { ListPlan } from "../../../plan/plan-list.ts";
import {
  aggregatesOf,
  compileGroups,
  type GroupRow,
  type GroupRows,
  groupFixedColumns,
} from "../../../query/compile-groups.ts";
import { canRenew, type GroupBasis } from "../../../query/group-partials.ts";
import type { RateValues } from "../../../query/grouped.ts";
import { MOST_MOVED } from "../../../query/moved-rows.ts";
import { shareOf, tableRows } from "../../../query/table-rows.ts";
import { type Rates, rateDay, rateTables } from "../exchange-rates.ts";
import { VIEW_TABLES } from "../list-views.ts";
import { readOnReplica } from "../read-on-replica.ts";
import { type ListSources, liveRows } from "../run-list.ts";
import type { Kept } from "../versioned-cache.ts";

export interface GroupsResult extends GroupRows {
  /** False where a sample was grown to the size of the table. */
  readonly exact: boolean;
  readonly versions: { readonly text: string; readonly views: string };
  /** Given where there are amounts. */
  readonly rates: Rates | undefined;
}

/** Whether what it comes to depends on rates, and so on the day. */
export const hasMoney = (plan: GroupsPlan | ListPlan): boolean =>
  plan.through.some(({ key }) => key === EXCHANGE_RATES);

/** The versions of the tables that rates are read from, out of all that a statement saw. */
function rateVersion(plan: GroupsPlan, tables: readonly VersionedTable[], versions: string): string {
  const each = versions.split(" ");
  return rateTables(plan.scope.caller)
    .map(({ recordType }) => each[tables.findIndex((table) => table.recordType === recordType)] ?? "")
    .join(" ");
}

export const rateValues = (rates: Rates | undefined): RateValues => ({
  own: rates?.own?.id ?? null,
  digits: rates?.own?.digits ?? 2,
  ids: [...(rates?.conversions.keys() ?? [])],
  factors: [...(rates?.conversions.values() ?? [])].map(({ factor }) => factor),
});

export function groupTables(plan: GroupsPlan): VersionedTable[] {
  const { type, caller } = plan.scope;
  const tableOf = (one: RecordType): VersionedTable => ({
    organizationId: one.scope === "shared" ? "0" : caller.organizationId,
    recordType: one.key,
  });
  const own = [...VIEW_TABLES, ACL_SETS].map((recordType) => ({ organizationId: caller.organizationId, recordType }));
  return [...own, ...new Map([type, ...plan.through].map((one) => [one.key, tableOf(one)])).values()];
}

const viewsOf = (versions: string): string => versions.split(" ").slice(0, VIEW_TABLES.length).join(" ");

/** How many rows a sample has, of a table that is just large enough for one, and how few of them say nothing. */
const SAMPLED = 1 / 10;
const LEAST_SEEN = 1 / 200;
/** Rows of a group, on average: what was seen once stands for nothing. */
const LEAST_IN_GROUP = 30;
/** And how many rows are read for it at most, those of other organizations included. */
const MOST_READ = 1 / 2;
/** Who may read less than this part of a table has it read as it is, and most writes are to records of others. */
const LEAST_READABLE = 1 / 20;

/** Undefined where amounts were converted by rates that have changed since. `large`: groups of larger tables may be estimated. */
export async function runGroups(
  sources: ListSources,
  plan: GroupsPlan,
  large = Number.POSITIVE_INFINITY,
): Promise<GroupsResult | undefined> {
  const { db, groups, rates } = sources;
  const tables = groupTables(plan);
  const { caller } = plan.scope;
  const version = await readVersions(db, tables);
  const ratesAt = rateVersion(plan, tables, version);
  const money = hasMoney(plan) ? `${rateDay()} ${caller.currencyId ?? ""} ${ratesAt}` : "";
  const key = `${caller.organizationId} ${readerOf(caller)} ${rightsOf(caller)} ${plan.maskKey} ${plan.page} ${plan.limit} ${money} ${plan.signature}`;
  const today = hasMoney(plan) ? await rates.today(caller, ratesAt) : undefined;
  const versions = { text: version, views: viewsOf(version) };
  const known = groups.find(key, version) ?? (await untouched(key, version)) ?? (await renewed(key, version));
  if (known) return { ...known, exact: true, rates: today, versions };
  const estimate = large === Number.POSITIVE_INFINITY ? undefined : await estimated();
  if (estimate) return { ...estimate, exact: false, rates: today, versions };
  const made = await groups.make(key, () => work(undefined).then((one) => one ?? { version, value: nothing }));
  if (rateVersion(plan, tables, made.version) !== ratesAt) return undefined;
  return { ...made.value, exact: true, rates: today, versions: { text: made.version, views: viewsOf(made.version) } };

  /** What is renewed by the records that changed needs the primary's own snapshot. */
  function read<T>(run: (from: Database) => Promise<T>): Promise<T> {
    return canRenew(plan, aggregatesOf(plan)) ? run(db) : readOnReplica(sources, plan, tables, run);
  }

  async function work(basis: GroupBasis | undefined): Promise<(Kept<GroupRows> & { entries: number }) | undefined> {
    const values = rateValues(today);
    const { rows } = await read((from) => from.run(compileGroups(plan, tables, values, { basis })));
    const [first] = rows;
    if (first) {
      const seen = first[groupFixedColumns.versions] ?? "";
      const entries = Number(first[groupFixedColumns.entries]);
      return {
        version: seen,
        entries,
        value: { rows, total: Number(first[groupFixedColumns.total]), basis: basisOf(plan, first) },
      };
    }
    if (basis) return undefined;
    // A page past the end tells nothing of how many there are; the first one does.
    const [one] =
      plan.page === 1
        ? []
        : (await read((from) => from.run(compileGroups({ ...plan, page: 1, limit: 1 }, tables, values)))).rows;
    return { version, entries: 0, value: { rows, total: Number(one?.[groupFixedColumns.total] ?? 0) } };
  }

  /** From a sample, where the table is large, the caller may read enough of it, and the sample has enough of what is asked for. */
  async function estimated(): Promise<GroupRows | undefined> {
    // Which groups have more or less than so much is not told by a sample.
    if (plan.scope.type.scope === "shared" || plan.having !== undefined) return undefined;
    const { all, mine } = await liveRows(sources, plan);
    if (all < large || mine < LEAST_READABLE * all) return undefined;
    const sample = shareOf(SAMPLED * large, all);
    // A sample is of the whole table: what others have in it is read as well, and passed over.
    if (sample * (await tableRows(db, plan.scope.type.table)) > MOST_READ * large) return undefined;
    const statement = compileGroups(plan, tables, rateValues(today), { sample });
    const { rows } = await readOnReplica(sources, plan, tables, (from) => from.run(statement));
    const [first] = rows;
    if (!first) return undefined;
    const [seen, total] = [Number(first[groupFixedColumns.entries]), Number(first[groupFixedColumns.total])];
    if (seen < LEAST_SEEN * large || seen < LEAST_IN_GROUP * total) return undefined;
    return { rows, total };
  }

  /** What others changed since is nothing to whoever may not read it. */
  async function untouched(name: string, now: string): Promise<GroupRows | undefined> {
    if (plan.scope.type.scope === "shared" || (await isDistributed(db))) return undefined;
    const last = groups.last(name);
    const moved = last && rootVersions(tables, plan, last.version, now);
    if (!moved) return undefined;
    const { all, mine } = await liveRows(sources, plan);
    if (mine >= LEAST_READABLE * all) return undefined;
    return (await sources.untouched.holds(plan, ...moved)) ? last.value : undefined;
  }

  /** By the records that changed since, where nothing else did. */
  async function renewed(name: string, now: string): Promise<GroupRows | undefined> {
    // Snapshots of another machine say nothing about transactions of this one.
    if (await isDistributed(db)) return undefined;
    const last = groups.last(name);
    if (!last?.value.basis || !isNear(movedBy(tables, plan, last.version, now))) return undefined;
    const { basis } = last.value;
    const entry = await groups.advance(name, async () => {
      const next = await work(basis);
      return next && movedBy(tables, plan, last.version, next.version) === next.entries ? next : undefined;
    });
    return entry?.value;
  }
}

const nothing: GroupRows = { rows: [], total: 0 };

const isNear = (moved: number | undefined): boolean => moved !== undefined && moved <= MOST_MOVED;

/** The versions of the root's table in two texts of versions; undefined where another table has changed too. */
function rootVersions(
  tables: readonly VersionedTable[],
  { scope: { type } }: GroupsPlan,
  from: string,
  to: string,
): readonly [from: number, to: number] | undefined {
  const [before, after] = [from.split(" "), to.split(" ")];
  const root = tables.findIndex(({ recordType }) => recordType === type.key);
  if (after.some((version, index) => index !== root && version !== before[index])) return undefined;
  return [Number(before[root]), Number(after[root])];
}

/** How many changes of the root's rows lie between two versions; undefined where something else changed too. */
function movedBy(tables: readonly VersionedTable[], plan: GroupsPlan, from: string, to: string): number | undefined {
  const moved = rootVersions(tables, plan, from, to);
  return moved && moved[1] - moved[0];
}

function basisOf(plan: GroupsPlan, first: GroupRow): GroupBasis | undefined {
  const partials = first[groupFixedColumns.partials] ?? null;
  const snapshot = first[groupFixedColumns.snapshot] ?? null;
  if (partials === null || snapshot === null || !canRenew(plan, aggregatesOf(plan))) return undefined;
  return { partials, snapshot };
}
