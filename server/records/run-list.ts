// Takes a list plan; runs its page in as few statements as it can, with what is kept in memory checked against the
// versions that the page's own statement reports. Gives raw rows: texts as PostgreSQL sent them.
import type { AclDirectory, AclView } from "../access/acl-directory.ts";
import { ACL_SETS } from "../access/acl-sets.ts";
import type { Database } from "../database/database.ts";
import type { TextRows } from "../database/text-rows.ts";
import { readVersions } from "../database/versions.ts";
import type { ListPlan } from "../plan/plan-list.ts";
import {
  canContinue,
  chooseShape,
  compilePage,
  fixedColumns,
  type PageRequest,
  versionedTables,
} from "../query/compile-list.ts";
import { createDisplayNames, type DisplayNames } from "./display-names.ts";
import { createFilteredCounts, type FilteredCounts } from "./filtered-counts.ts";
import { createListViews, type ListViews, VIEW_TABLES } from "./list-views.ts";
import { createLiveCounts, type LiveCounts } from "./live-counts.ts";
import { createPageMemory, type PageMemory } from "./page-memory.ts";

/** What lists keep in memory, for the life of the process. */
export interface ListSources {
  readonly db: Database;
  readonly directory: AclDirectory;
  readonly counts: LiveCounts;
  readonly filteredCounts: FilteredCounts;
  readonly names: DisplayNames;
  readonly views: ListViews;
  readonly pages: PageMemory;
}

export function createListSources(db: Database, directory: AclDirectory): ListSources {
  return {
    db,
    directory,
    counts: createLiveCounts(db),
    filteredCounts: createFilteredCounts(db),
    names: createDisplayNames(db, directory),
    views: createListViews(db, directory),
    pages: createPageMemory(),
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
}

export interface ListResult {
  readonly rows: TextRows;
  readonly total: number;
  readonly exact: boolean;
  readonly acl: AclView;
  readonly versions: ListVersions;
}

const beforeRoot = [ACL_SETS, ...VIEW_TABLES] as const;

export const tablesOf = (plan: ListPlan) => versionedTables(plan, beforeRoot);

export function readListVersions(plan: ListPlan, text: string): ListVersions {
  const [acl = "", listviews = "", categories = "", root = "", ...rest] = text.split(" ");
  const targets = tablesOf(plan).slice(beforeRoot.length + 1);
  return {
    text,
    acl,
    views: `${listviews} ${categories}`,
    root,
    targets: new Map(targets.map((table, index) => [table.recordType, rest[index] ?? ""])),
  };
}

/** Thrown away and planned again: what the plan was made from has changed since. */
export class StaleMemory extends Error {}

export async function runList(sources: ListSources, plan: ListPlan): Promise<ListResult> {
  const { db, directory, counts } = sources;
  const { type, caller } = plan.scope;
  const organizationId = type.scope === "shared" ? "0" : caller.organizationId;
  const tables = tablesOf(plan);
  const acl = await directory.view(caller, type);
  const known = counts.known(organizationId, type.key);
  const memoryKey = `${caller.userId} ${caller.organizationId} ${plan.limit} ${plan.signature}`;
  const page = await pageRequest(sources, plan, acl, memoryKey, organizationId);
  const shape = chooseShape(plan, acl, known, page);
  const statement = compilePage(plan, acl, shape, page, tables);
  let rows = await (shape === "free" ? db.bytes(statement) : db.preparedBytes(statement));
  if (page.reversed === true || page.boundary?.side === "before") rows = rows.toReversed();

  const seen = rows.length > 0 ? rows.text(0, fixedColumns.versions) : null;
  const text = seen ?? (await readVersions(db, tables));
  const versions = readListVersions(plan, text);
  if (versions.acl !== acl.version) {
    directory.forget(caller.organizationId);
    throw new StaleMemory();
  }
  const { total, exact } = await countOf(sources, plan, acl, versions, organizationId, page, rows.length);
  remember(sources, plan, memoryKey, rows);
  return { rows, total, exact, acl, versions };
}

async function countOf(
  { counts, filteredCounts }: ListSources,
  plan: ListPlan,
  acl: AclView,
  versions: ListVersions,
  organizationId: string,
  page: PageRequest,
  found: number,
): Promise<{ total: number; exact: boolean }> {
  const { type } = plan.scope;
  const plainCount = await counts.count(
    organizationId,
    type.key,
    versions.root,
    type.scope === "shared" ? everyone : acl,
  );
  if (plan.filter === undefined && plan.words.length === 0 && plan.live) return { total: plainCount, exact: true };
  // A first page that is not full has shown everything there is.
  if (plan.page === 1 && page.boundary === undefined && found < plan.limit) return { total: found, exact: true };
  const tableRows = await counts.count(organizationId, type.key, versions.root, everyone);
  return filteredCounts.count(plan, acl, versions.root, tableRows);
}

const everyone: AclView = { version: "", readable: undefined, readableText: "{}", fragment: () => "" };

/** Pages further than this are counted off from the nearer end. */
const NEAR = 1_000;

async function pageRequest(
  { counts, pages, db }: ListSources,
  plan: ListPlan,
  acl: AclView,
  memoryKey: string,
  organizationId: string,
): Promise<PageRequest> {
  const { limit } = plan;
  const offset = (plan.page - 1) * limit;
  if (offset === 0) return { offset, limit };
  if (canContinue(plan)) {
    const boundary = pages.boundary(memoryKey, plan.page);
    if (boundary) return { offset: 0, limit, boundary };
  }
  if (offset < NEAR || plan.filter !== undefined || plan.words.length > 0 || !plan.live) return { offset, limit };
  const { type } = plan.scope;
  const version = await readVersions(db, [{ organizationId, recordType: type.key }]);
  const total = await counts.count(organizationId, type.key, version, type.scope === "shared" ? everyone : acl);
  if (offset >= total || offset < total / 2) return { offset, limit };
  const size = Math.min(limit, total - offset);
  return { offset: total - offset - size, limit: size, reversed: true };
}

function remember({ pages }: ListSources, plan: ListPlan, key: string, rows: TextRows): void {
  if (!canContinue(plan)) return;
  if (rows.length === 0) return;
  const endOf = (row: number) => [rows.text(row, fixedColumns.created), rows.text(row, fixedColumns.id)];
  pages.keep(key, plan.page, { first: endOf(0), last: endOf(rows.length - 1) });
}
