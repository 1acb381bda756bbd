// What the screens ask the service for, each with its key in the cache.
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { type Condition, rowsOnly } from "../client/lists/list-draft.ts";
import { type Asked, isEstimate, type ListChoice, PAGE_SIZE } from "../client/lists/lists.ts";
import type { SearchResult } from "../client/lists/search.ts";
import { MAPPINGS } from "../client/records/import-mappings.ts";
import type { Dialect } from "../client/records/imports.ts";
import type { RecordPlace } from "../client/records/record-place.ts";
import {
  type FormElement,
  type FormMode,
  type RecordChoices,
  tieTo,
  type WireValue,
} from "../client/records/records.ts";
import type { TimelineKind } from "../client/records/timeline.ts";
import { WORK_PAGE } from "../client/records/workflow.ts";
import { isKnownToHaveBegun } from "./session/begun.ts";
import { client } from "./session/session.ts";

export const navigationQuery = queryOptions({
  queryKey: ["navigation"],
  queryFn: ({ signal }) => client.lists.readNavigation({ begun: !isKnownToHaveBegun() }, signal),
});

export const favoritesQuery = queryOptions({
  queryKey: ["favorites"],
  queryFn: ({ signal }) => client.views.readFavorites(signal),
});

export const schemaQuery = (key: string) =>
  queryOptions({ queryKey: ["schema", key], queryFn: ({ signal }) => client.design.readSchema(key, signal) });

export const whoMayQuery = (key: string) =>
  queryOptions({ queryKey: ["who-may", key], queryFn: ({ signal }) => client.design.readWhoMay(key, signal) });

export const indexesQuery = (key: string) =>
  queryOptions({
    queryKey: ["design", "indexes", key],
    queryFn: ({ signal }) => client.design.readIndexes(key, signal),
    retry: false,
  });

export const apiKeysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: ({ signal }) => client.account.listApiKeys(signal),
});

/** English labels are what they are written in: most readers need none. */
export const labelsQuery = (language: string) =>
  queryOptions({
    queryKey: ["labels", language],
    queryFn: ({ signal }) => client.views.readLabels(signal),
    enabled: language !== "en",
  });

export const savedViewsQuery = (key: string) =>
  queryOptions({ queryKey: ["views", key], queryFn: ({ signal }) => client.views.readSavedViews(key, signal) });

export const viewCategoriesQuery = (key: string) =>
  queryOptions({
    queryKey: ["view-categories", key],
    queryFn: ({ signal }) => client.views.readViewCategories(key, signal),
  });

const VIEWS = "core/listviews";

export const viewSharesQuery = (id: string) =>
  queryOptions({
    queryKey: ["view-shares", id],
    queryFn: async ({ signal }) => (await client.access.readAccess(VIEWS, id, signal)).shares,
    staleTime: 0,
  });

export const viewPrincipalsQuery = (text: string) =>
  queryOptions({
    queryKey: ["view-principals", text],
    queryFn: ({ signal }) => client.access.findPrincipals(VIEWS, undefined, text, signal),
  });

/** What tells one list from another: how its rows look does not. */
export const rowsKey = (choice: ListChoice): ListChoice =>
  choice.q === undefined ? choice : { ...choice, q: rowsOnly(choice.q) };

/** `mayEstimate`: of a picture, whose figures its frame asks for. */
export const listPageQuery = (key: string, choice: ListChoice, page: number, mayEstimate = false) =>
  queryOptions({
    queryKey: ["list", key, rowsKey(choice), page],
    queryFn: ({ signal }) => client.lists.readListPage(key, choice, page, signal, mayEstimate),
  });

/** A page of the rows of a list, or of one of its sections. */
export const linePageQuery = (key: string, choice: ListChoice, where: Condition | undefined, page: number) =>
  queryOptions({
    queryKey: ["list", key, rowsKey(choice), ...(where === undefined ? [] : ["section", where]), page],
    queryFn: ({ signal }) =>
      where === undefined
        ? client.lists.readListPage(key, choice, page, signal)
        : client.lists.readList(key, choice, { page, limit: PAGE_SIZE, q: { where } }, signal),
  });

/** Whether there is no record at all of a type that the caller may see. */
export const isEmptyQuery = (key: string) =>
  queryOptions({
    queryKey: ["list", key, "empty"],
    queryFn: async ({ signal }) => {
      const q = { fields: ["{{PRIMARY_KEY}}"], pheader: "0" };
      return (await client.lists.readList(key, {}, { limit: 1, q }, signal)).total === 0;
    },
  });

/** One's own, a team's or a role's, as the service finds it. */
export const FIRST_DASHBOARD = "first";

/** `id`: of one that is shared, or the first; without it one's own. */
export const dashboardQuery = (id?: string) =>
  queryOptions({
    queryKey: ["dashboard", id ?? null],
    queryFn: async ({ signal, client: cache }) => {
      const found = await client.views.readDashboard(id, signal);
      // The same under its own name: whoever chooses it sees it at once.
      if (id === FIRST_DASHBOARD) cache.setQueryData(["dashboard", found.id ?? null], found);
      return found;
    },
    retry: false,
  });

export const dashboardSharesQuery = (id: string) =>
  queryOptions({
    queryKey: ["dashboard-shares", id],
    queryFn: async ({ signal }) => (await client.access.readAccess("core/team_dashboards", id, signal)).shares,
    staleTime: 0,
  });

/** What a picture asks for; kept with the lists, so that it is forgotten with them. */
export const chartQuery = (key: string, choice: ListChoice, asked: Asked) =>
  queryOptions({
    queryKey: ["list", key, rowsKey(choice), "picture", asked],
    // An estimate is for whoever has nothing to look at; the exact figures are asked for right after it, and replace it.
    queryFn: ({ signal, client: cache, queryKey }) => {
      const mayEstimate = asked.mayEstimate === true && cache.getQueryData(queryKey) === undefined;
      return client.lists.readList(key, choice, { ...asked, mayEstimate }, signal);
    },
    refetchInterval: ({ state: { data, error } }) => (data && isEstimate(data) && error === null ? AT_ONCE_MS : false),
  });

const AT_ONCE_MS = 20;

export const ownOrganizationQuery = queryOptions({
  queryKey: ["own-organization"],
  queryFn: ({ signal }) => client.account.readOwnOrganization(signal),
  staleTime: 10 * 60_000,
});

export const countriesQuery = queryOptions({
  queryKey: ["countries"],
  queryFn: ({ signal }) => client.lists.readCountries(signal),
  staleTime: Number.POSITIVE_INFINITY,
});

export const stagesQuery = (key: string) =>
  queryOptions({ queryKey: ["stages", key], queryFn: ({ signal }) => client.workflow.readStages(key, signal) });

export const transitionQuery = (key: string, id: string, name: string) =>
  queryOptions({
    queryKey: ["record", key, id, "transition", name],
    queryFn: ({ signal }) => client.workflow.readTransition(key, id, name, signal),
    // What looks the same may have changed since.
    staleTime: 0,
  });

export const recordQuery = (key: string, mode: FormMode, id: string | undefined) =>
  queryOptions({
    queryKey: ["record", key, id ?? null, mode],
    queryFn: ({ signal }) => client.records.readRecord(key, mode, id, signal),
  });

/** The form to change a record by, for a page that only reads it; the editor asks for its own, as it stands then. */
export const inlineFormQuery = (key: string, id: string) =>
  queryOptions({
    queryKey: ["record", key, id, "edit", "inline"],
    queryFn: ({ signal }) => client.records.readRecord(key, "edit", id, signal),
  });

export const findRecordsQuery = (key: string, text: string, choices?: RecordChoices) =>
  queryOptions({
    queryKey: ["find", key, text, choices ?? null],
    queryFn: ({ signal }) => client.records.findRecords(key, text, choices, signal),
  });

/** What a new record, or a new row of it, would take over from the records that it names. */
export const startsQuery = (key: string, values: Readonly<Record<string, WireValue>>, rowsOf?: string) =>
  queryOptions({
    queryKey: ["starts", key, rowsOf ?? null, values],
    queryFn: ({ signal }) => client.records.readStarts(key, values, rowsOf, signal),
    staleTime: 10_000,
  });

/** What records are called, by their ids. */
export const recordNamesQuery = (key: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ["names", key, ids],
    queryFn: ({ signal }) => client.records.nameRecords(key, ids, signal),
  });

/** How many a record's page shows of each related list. */
export const RELATED_ROWS = 5;

export const relatedQuery = (element: FormElement, model: string, id: string) =>
  queryOptions({
    queryKey: ["related", element.controller ?? "", model, id, element.association ?? ""],
    queryFn: ({ signal }) =>
      client.records.readRelated(
        element.controller ?? "",
        model,
        element.where && tieTo(element.where, id),
        id,
        RELATED_ROWS,
        signal,
      ),
  });

/** Where the feed of changes cannot be followed, what others change is there after so long at the latest. */
const FALLBACK_MS = 5 * 60_000;

export const timelineQuery = (key: string, id: string, kinds: readonly TimelineKind[]) =>
  infiniteQueryOptions({
    queryKey: ["record", key, id, "timeline", kinds],
    queryFn: ({ pageParam, signal }) => client.history.readTimeline(key, id, { kinds, before: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    refetchInterval: FALLBACK_MS,
  });

export const followersQuery = (key: string, id: string) =>
  queryOptions({
    queryKey: ["record", key, id, "followers"],
    queryFn: ({ signal }) => client.history.readFollowers(key, id, signal),
    retry: false,
  });

export const stageLogQuery = (key: string, id: string) =>
  queryOptions({
    queryKey: ["record", key, id, "stages"],
    queryFn: ({ signal }) => client.workflow.readStageLog(key, id, signal),
  });

/** Of one version of a workflow, that of records of type `key`. */
export const olderRecordsQuery = (key: string, id: string, version: string) =>
  queryOptions({
    queryKey: ["older-records", key, id, version],
    queryFn: ({ signal }) => client.workflow.readOlderRecords(id, signal),
    staleTime: 0,
  });

export const myWorkQuery = (controller: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ["my-work", "list", controller ?? null],
    queryFn: ({ pageParam, signal }) => client.workflow.readMyWork(controller, pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: (last, _pages, page) => (page * WORK_PAGE < last.total ? page + 1 : undefined),
    staleTime: 10_000,
  });

export const myWorkCountQuery = queryOptions({
  queryKey: ["my-work", "count"],
  queryFn: ({ signal }) => client.workflow.countMyWork(signal),
});

export const accessQuery = (key: string, id: string) =>
  queryOptions({
    queryKey: ["record", key, id, "access"],
    queryFn: ({ signal }) => client.access.readAccess(key, id, signal),
  });

export const principalsQuery = (key: string, id: string, text: string) =>
  queryOptions({
    queryKey: ["principals", key, id, text],
    queryFn: ({ signal }) => client.access.findPrincipals(key, id, text, signal),
  });

/** How often a search is asked again for the types that did not answer in time, ever more seldom. */
const MOST_SEARCHES = 5;

export const searchQuery = (text: string, limit: number) =>
  queryOptions({
    queryKey: ["search", text, limit],
    queryFn: ({ signal }) => client.lists.searchEverything(text, limit, signal),
    staleTime: 10_000,
    refetchInterval: ({ state }) => (isSearching(state) ? 500 * 2 ** state.dataUpdateCount : false),
  });

/** More may come of it. */
export const isSearching = (state: { data?: SearchResult | undefined; dataUpdateCount: number } | undefined): boolean =>
  state?.data !== undefined && state.data.unfinished.length > 0 && state.dataUpdateCount < MOST_SEARCHES;

export const findViewsQuery = (text: string) =>
  queryOptions({ queryKey: ["find-views", text], queryFn: ({ signal }) => client.lists.findViews(text, signal) });
export const mentionableQuery = ({ recordTypeKey, id }: RecordPlace, search: string) =>
  queryOptions({
    queryKey: ["mentionable", recordTypeKey, id, search],
    queryFn: ({ signal }) => client.comments.findMentionable({ recordTypeKey, id }, search, signal),
  });

/** Asked again now and then: the answer also says that a new license agreement waits, which no change of a record tells. */
export const unreadQuery = queryOptions({
  queryKey: ["unread"],
  queryFn: ({ signal }) => client.notifications.countUnread(signal),
  staleTime: 3_000,
  refetchInterval: 20_000,
});

export const notificationsQuery = queryOptions({
  queryKey: ["notifications"],
  queryFn: ({ signal }) => client.notifications.readNotifications(signal),
  staleTime: 0,
});

export const jobsQuery = queryOptions({ queryKey: ["jobs"], queryFn: ({ signal }) => client.bulk.readJobs(signal) });

export const jobQuery = (id: string) =>
  queryOptions({ queryKey: ["job", id], queryFn: ({ signal }) => client.bulk.readJob(id, signal), staleTime: 0 });

export const jobFailuresQuery = (id: string) =>
  queryOptions({ queryKey: ["job", id, "failures"], queryFn: ({ signal }) => client.bulk.readFailures(id, signal) });

/** A file that was uploaded, read in a certain way. */
export const importColumnsQuery = (key: string, file: string, dialect: Partial<Dialect>) =>
  queryOptions({
    queryKey: ["import-columns", key, file, dialect],
    queryFn: ({ signal }) => client.imports.readImportColumns(key, file, dialect, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const importMappingsQuery = (key: string) =>
  queryOptions({
    queryKey: ["import-mappings", key],
    queryFn: ({ signal }) => client.importMappings.readMappings(key, signal),
  });

export const mappingSharesQuery = (id: string) =>
  queryOptions({
    queryKey: ["import-mapping-shares", id],
    queryFn: async ({ signal }) => (await client.access.readAccess(MAPPINGS, id, signal)).shares,
    staleTime: 0,
  });

/** What is asked about records of one type. */
const ofType = ["list", "record", "find", "related", "older-records"];

/**
 * After a record was written: every list and page that may show it. What is on the screen and shows nothing of it
 * (`isElsewhere`) is not asked again before it is next opened.
 */
export const forgetRecords = (
  client: QueryClient,
  key: string,
  isElsewhere: IsElsewhere = () => false,
): Promise<unknown> =>
  Promise.all(
    [...ofType.map((what) => [what, key]), ["search"], ["my-work"], ["unread"]].map(async (queryKey) => {
      await client.invalidateQueries({ queryKey, refetchType: "none" });
      await client.refetchQueries({ queryKey, type: "active", predicate: (query) => !isElsewhere(query.queryKey) });
    }),
  );

export type IsElsewhere = (queryKey: readonly unknown[]) => boolean;
