// Takes a list plan; runs its page in as few statements as it can, with what is kept in memory checked against the
// versions that the page's own statement reports. Gives raw rows: texts as PostgreSQL sent them.
import type { AclDirectory } from "../../access/acl-directory.ts";
import { ACL_SETS } from "../../access/acl-sets.ts";
import { readerOf } from "../../access/caller.ts";
import type { Database } from "../../database/database.ts";
import { noReplicas, type Replicas } from "../../database/processes/replicas.ts";
import { compile, type Statement } from "../../database/sql.ts";
import type { TextRows } from "../../database/text-rows.ts";
import { readVersions, type VersionedTable } from "../../database/versions.ts";
import type { ListPlan } from "../../plan/plan-list.ts";
import type { RowsPlan } from "../../plan/plan-rows.ts";
import { type ReadablePlan, withSets } from "../../plan/readable-plan.ts";
import type { GroupRows } from "../../query/compile-groups.ts";
import {
  canContinue,
  chooseShape,
  compilePage,
  fixedColumns,
  type ListShape,
  type LiveRows,
  type PageRequest,
  versionedTables,
} from "../../query/compile-list.ts";
import { createTrigramShares, type KnownShares } from "../../query/search/trigram-shares.ts";
import { createDisplayNames, type DisplayNames } from "../read/display-names.ts";
import { createKnownPeople, type KnownPeople } from "../read/known-people.ts";
import { createDayCounts, type DayCounts } from "./day-counts.ts";
import { createExchangeRates, type ExchangeRates, type Rates, rateTables } from "./exchange-rates.ts";
import { createFilteredCounts, type FilteredCounts } from "./filtered-counts.ts";
import { createUntouched, type Untouched } from "./groups/untouched.ts";
import { createListViews, type ListViews, VIEW_TABLES } from "./list-views.ts";
import { createLiveCounts, type LiveCounts, ownerOf } from "./live-counts.ts";
import { createMatches, type Matches, type VersionOf } from "./matches.ts";
import { createPageMemory, type PageMemory } from "./page-memory.ts";
import { readOnReplica } from "./read-on-replica.ts";
import { lookUpNames, type SearchPage, searchPage, withRareTrigrams } from "./search-page.ts";
import { createVersionedCache, type VersionedCache } from "./versioned-cache.ts";

/** Lists of groups that are kept; one can have a thousand rows. */
const MAX_GROUPED = 300;

/** What lists keep in memory, for the life of the process. */
export interface ListSources {
  readonly db: Database;
  /** Where pages, groups and exports are read. */
  readonly replicas: Replicas;
  readonly directory: AclDirectory;
  readonly counts: LiveCounts;
  readonly filteredCounts: FilteredCounts;
  readonly matches: Matches;
  readonly groups: VersionedCache<GroupRows>;
  readonly untouched: Untouched;
  readonly names: DisplayNames;
  readonly people: KnownPeople;
  readonly views: ListViews;
  readonly pages: PageMemory;
  readonly days: DayCounts;
  readonly rates: ExchangeRates;
  readonly trigrams: KnownShares;
}

export function createListSources(
  db: Database,
  directory: AclDirectory,
  replicas: Replicas = noReplicas(db),
): ListSources {
  const matches = createMatches(db);
  return {
    db,
    replicas,
    directory,
    counts: createLiveCounts(db),
    filteredCounts: createFilteredCounts(db, matches),
    matches,
    groups: createVersionedCache(MAX_GROUPED, "groups"),
    untouched: createUntouched(db),
    names: createDisplayNames(db, directory),
    people: createKnownPeople(db),
    views: createListViews(db, directory),
    pages: createPageMemory(),
    days: createDayCounts(db),
    rates: createExchangeRates(db),
    trigrams: createTrigramShares(db),
  };
}

export interface ListVersions {
  /** All of them, as one text: equal text, equal list. */
  readonly text: string;
  readonly acl: string;
  readonly views: string;
  readonly root: string;
  /** By record type of a reference. */
  readonly targets: ReadonlyMap<string, string>;
  /** Of any table that the list reads. */
  readonly of: VersionOf;
}

export interface ListResult {
  readonly rows: TextRows;
  readonly total: number;
  readonly exact: boolean;
  /** The plan with the access sets that its rows were read by. */
  readonly plan: ReadablePlan;
  readonly versions: ListVersions;
}

const beforeRoot = [ACL_SETS, ...VIEW_TABLES] as const;

const tablesFor = new WeakMap<ListPlan, readonly VersionedTable[]>();

export function tablesOf(plan: ListPlan): readonly VersionedTable[] {
  let tables = tablesFor.get(plan);
  if (!tables) {
    tables = versionedTables(plan, beforeRoot);
    tablesFor.set(plan, tables);
  }
  return tables;
}

/** A list that is asked for again has mostly not changed since. */
const lastVersions = new WeakMap<ListPlan, ListVersions>();

export function readListVersions(plan: ListPlan, text: string): ListVersions {
  let versions = lastVersions.get(plan);
  if (versions?.text !== text) {
    versions = parseVersions(plan, text);
    lastVersions.set(plan, versions);
  }
  return versions;
}

function parseVersions(plan: ListPlan, text: string): ListVersions {
  const [acl = "", listviews = "", categories = "", root = "", ...rest] = text.split(" ");
  const tables = tablesOf(plan);
  const targets = new Map(
    tables.slice(beforeRoot.length + 1).map((table, index) => [table.recordType, rest[index] ?? ""]),
  );
  const own = new Map([
    [ACL_SETS as string, acl],
    [plan.scope.type.key, root],
  ]);
  return {
    text,
    acl,
    views: `${listviews} ${categories}`,
    root,
    targets,
    of: (recordType) => own.get(recordType) ?? targets.get(recordType) ?? "",
  };
}

/** With what the caller may read, as far as it is known in memory; the page's own statement tells whether that holds. */
const settle = async ({ directory }: ListSources, plan: ListPlan): Promise<ReadablePlan> =>
  withSets(plan, await directory.view(plan.scope.caller, plan.scope.type));

/** Live rows of the table, give or take what changed just now. */
export async function liveRows({ directory, counts }: ListSources, { scope }: RowsPlan): Promise<LiveRows> {
  const view = await directory.view(scope.caller, scope.type);
  const plan = { scope, access: { kind: "by-sets", view } } as const;
  return counts.known(plan) ?? counts.count(plan, "");
}

/** Undefined where the caller's sets have changed since they were read: the view too may be another one by now. */
export async function runList(sources: ListSources, asked: ListPlan): Promise<ListResult | undefined> {
  const plan = await settle(sources, asked);
  const found = await runPage(sources, plan);
  if (!found) return undefined;
  const { memoryKey, rows, versions } = found;
  const { total, exact } = await countOf(sources, found);
  remember(sources, plan, memoryKey, rows);
  return { rows, total, exact, plan, versions };
}

/** The rows of a page without their count: for those who only want the first few, and not after the deadline. */
export async function runUncounted(
  sources: ListSources,
  asked: ListPlan,
  deadline: number,
): Promise<TextRows | undefined> {
  const plan = await settle(sources, asked);
  return (await runPage(sources, plan, deadline))?.rows;
}

async function runPage(sources: ListSources, plan: ReadablePlan, deadline?: number) {
  const { db, directory, counts } = sources;
  const { caller } = plan.scope;
  const tables = tablesOf(plan);
  const memoryKey = `${readerOf(caller)} ${caller.organizationId} ${plan.limit} ${plan.signature}`;
  const page = await pageRequest(sources, plan, memoryKey);
  // How large the table is decides how a word is looked for: it must be known, if not to the last row.
  if (plan.words.length > 0 && counts.known(plan) === undefined) await counts.count(plan, "");
  const lookedUp = plan.words.length > 0 ? await lookUpNames(db, plan) : undefined;
  const live = counts.known(plan);
  const shares = lookedUp && live && sources.trigrams.of(plan.scope.type, live.all);
  const named = lookedUp?.plan ?? plan;
  const exact = live ? withRareTrigrams(named, shares, live) : named;
  const fetched = await readOnReplica(sources, plan, tables, (from) =>
    fetchPage(from, exact, live, page, tables, deadline),
  );
  let { rows } = fetched;
  if (page.reversed === true || page.boundary?.side === "before") rows = rows.toReversed();

  const seen = rows.length > 0 ? rows.text(0, fixedColumns.versions) : null;
  const text = seen ?? (await readVersions(db, tables));
  const versions = readListVersions(plan, text);
  if (versions.acl !== plan.access.view.version) {
    directory.forget(caller.organizationId, versions.acl);
    return undefined;
  }
  if (lookedUp && !lookedUp.isCurrent(versions.of)) return undefined;
  return { plan: exact, rows, total: fetched.total, versions, page, memoryKey };
}

type FoundPage = NonNullable<Awaited<ReturnType<typeof runPage>>>;

const firstPages = new WeakMap<ReadablePlan, { shape: ListShape; statement: Statement }>();

/** The first page is asked for most of all; while the caller's sets stay as they are, so does its statement. */
function firstPage(
  plan: ReadablePlan,
  shape: ListShape,
  page: PageRequest,
  tables: readonly VersionedTable[],
): Statement {
  if (page.offset > 0 || page.boundary || page.reversed) return compile(compilePage(plan, shape, page, tables));
  let known = firstPages.get(plan);
  if (known?.shape !== shape) {
    known = { shape, statement: compile(compilePage(plan, shape, page, tables)) };
    firstPages.set(plan, known);
  }
  return known.statement;
}

async function fetchPage(
  db: Database,
  plan: ReadablePlan,
  counts: LiveRows | undefined,
  page: PageRequest,
  tables: readonly VersionedTable[],
  deadline: number | undefined,
): Promise<SearchPage> {
  const runOnce = (shape: ListShape, asked: PageRequest) =>
    db.bytes(compilePage(plan, shape, asked, tables), deadline && deadline - Date.now());
  if (plan.words.length > 0) return searchPage(runOnce, plan, counts ?? { all: 0, mine: 0 }, page);
  const shape = chooseShape(plan, counts, page);
  if (shape === "free") return { rows: await runOnce(shape, page) };
  return { rows: await db.preparedBytes(firstPage(plan, shape, page, tables)) };
}

async function countOf(
  { counts, filteredCounts }: ListSources,
  { plan, versions, page, rows, total }: FoundPage,
): Promise<{ total: number; exact: boolean }> {
  const live = await counts.count(plan, versions.root);
  if (plan.filter === undefined && plan.words.length === 0 && plan.live) return { total: live.mine, exact: true };
  // A first page that is not full has shown everything there is.
  const isFirst = plan.page === 1 && page.boundary === undefined;
  if (isFirst && rows.length < plan.limit) return { total: rows.length, exact: true };
  if (total !== undefined) return { total, exact: true };
  const before = (plan.page - 1) * plan.limit;
  const isCounted = plan.words.length > 0 && page.boundary === undefined;
  // Neither a page that is not full nor one past the end has anything after it.
  if (isCounted && rows.length > 0 && rows.length < plan.limit) return { total: before + rows.length, exact: true };
  const bounds = rows.length > 0 ? { least: before + rows.length } : isCounted ? { most: before } : {};
  return filteredCounts.count(plan, versions.of, live, bounds);
}

/** Up to here rows are passed over one by one, along an index: about a millisecond for 10,000. */
const NEAR = 10_000;

async function pageRequest(
  { counts, pages, days, db }: ListSources,
  plan: ReadablePlan,
  memoryKey: string,
): Promise<PageRequest> {
  const { limit } = plan;
  const offset = (plan.page - 1) * limit;
  if (offset === 0) return { offset, limit };
  if (canContinue(plan)) {
    const boundary = pages.boundary(memoryKey, plan.page);
    if (boundary) return { offset: 0, limit, boundary };
  }
  if (offset < NEAR) return { offset, limit };
  if (plan.filter !== undefined || plan.words.length > 0 || !plan.live) return { offset, limit };
  const countNow = async (): Promise<number> => {
    const version = await readVersions(db, [{ organizationId: ownerOf(plan), recordType: plan.scope.type.key }]);
    return (await counts.count(plan, version)).mine;
  };
  const total = await countNow();
  if (offset >= total) return { offset: 0, limit: 0 };
  const place = canContinue(plan) ? await days.locate(plan, offset, countNow) : undefined;
  if (place) return { ...place, limit };
  if (offset < total / 2) return { offset, limit };
  const size = Math.min(limit, total - offset);
  return { offset: total - offset - size, limit: size, reversed: true };
}

function remember({ pages }: ListSources, plan: ListPlan, key: string, rows: TextRows): void {
  if (!canContinue(plan)) return;
  if (rows.length === 0) return;
  const endOf = (row: number) => [rows.text(row, fixedColumns.created), rows.text(row, fixedColumns.id)];
  pages.keep(key, plan.page, { first: endOf(0), last: endOf(rows.length - 1) });
}

/** What the amounts of a list are told and added up by; undefined where it has none. */
export async function ratesOf(
  { rates }: ListSources,
  plan: ListPlan,
  versionOf: VersionOf,
): Promise<Rates | undefined> {
  if (!plan.columns.some(({ currency }) => currency !== undefined)) return undefined;
  const { caller } = plan.scope;
  const version = rateTables(caller).map(({ recordType }) => versionOf(recordType));
  return rates.today(caller, version.join(" "));
}
