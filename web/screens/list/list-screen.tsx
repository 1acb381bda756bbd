// The list of a record type. View, search and sort are in the address: the same link shows the same list.

import { IconError404 } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isOn, type OperationFlags, type RecordTypeSchema } from "../../../client/design/record-types.ts";
import { readDraft, spellDraft, withoutLook } from "../../../client/lists/list-draft.ts";
import { type ListChoice, type ListPage, noticesOf } from "../../../client/lists/lists.ts";
import { MOST_PICKED } from "../../../client/records/bulk.ts";
import { isGeneratedView } from "../../../contract/generated-view.ts";
import { useFormats } from "../../fields/formats.ts";
import { withFieldParts } from "../../fields/with-field-parts.ts";
import { useCommands } from "../../parts/commands/commands.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { FailureState } from "../../parts/layout/failure-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";
import { showWarning } from "../../parts/toasts.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { useSteady } from "../../parts/use-steady.ts";
import { listPageQuery, savedViewsQuery, schemaQuery, whoMayQuery } from "../../queries.ts";
import { ChartFrame } from "../../views/chart-frame.tsx";
import { partsOf } from "../../views/index.tsx";
import { columnActions } from "./columns/column-actions.ts";
import { type Column, columnsOf, isMixed } from "./columns/columns.ts";
import type { Sorting } from "./columns/head-actions.ts";
import { IndexNotice } from "./index-notice.tsx";
import { ListControls, type ListPanel, refusalOf } from "./list-controls.tsx";
import { ListEmpty } from "./list-empty.tsx";
import { ListRefused } from "./list-refused.tsx";
import classes from "./list-screen.module.css";
import { ListSkeleton } from "./list-skeleton.tsx";
import { ListToolbar } from "./list-toolbar.tsx";
import { PastedRows } from "./paste/pasted-rows.tsx";
import { SectionedTable } from "./sections/sectioned-table.tsx";
import { sectionBy } from "./sections/sections.ts";
import { useSelection } from "./selection/use-selection.ts";
import { nextSort, sortingOf } from "./table/sorting.ts";
import { useRowHref } from "./table/use-row-href.ts";
import { type ListHead, useListHead } from "./table/use-rows.ts";
import { useOptimisticSelection } from "./use-optimistic-selection.ts";
import { useSlowNotices } from "./use-slow-notices.ts";
import { queryOf, useViewDraft } from "./views/use-view-draft.ts";
import { type ViewDialogName, ViewMenu } from "./views/view-menu.tsx";
import { choiceWithoutUnknown } from "./views/without-unknown.ts";

const RecordPeek = lazyPart(async () => (await withFieldParts(() => import("../record/record-peek.tsx"))).RecordPeek);

const SelectionBar = lazyPart(
  async () => (await withFieldParts(() => import("./selection/selection-bar.tsx"))).SelectionBar,
);

export function ListScreen() {
  const { t } = useTranslation();
  const { module, controller } = useParams({ from: "/inside/$module/$controller/index" });
  const choice = useSearch({
    from: "/inside/$module/$controller/index",
    // Which month of a calendar one looks at is no other list.
    select: ({ at: _, span: __, ...rest }): ListChoice => rest,
    structuralSharing: true,
  });
  const key = `${module}/${controller}`;
  // Asked for together: none waits for the others.
  const schema = useQuery(schemaQuery(key));
  const { data: mine, isPending: rightsPending } = useQuery({ ...whoMayQuery(key), select: (who) => who.mine });
  // What a view looks like beyond its rows.
  const { data: views, isPending: viewsPending } = useQuery(savedViewsQuery(key));
  const isPicture = views?.some(({ id, kind }) => id === choice.view && partsOf(kind).Picture !== undefined) ?? false;
  const head = useListHead(key, choice, isPicture && choice.q === undefined);
  usePageTitle(schema.data?.recordType.plural);
  return (
    <Loaded
      query={schema}
      skeleton={<ListSkeleton />}
      notFound={
        <EmptyState icon={IconError404} title={t("states.no_type", { type: key })} text={t("states.not_found_lead")} />
      }
    >
      {(found) =>
        // Buttons and keys are there when the list is.
        rightsPending || viewsPending ? (
          <ListSkeleton />
        ) : (
          <List key={key} {...{ module, controller, choice, head, mine }} schema={found} />
        )
      }
    </Loaded>
  );
}

const noOrder: readonly string[] = [];

interface ListProps {
  readonly module: string;
  readonly controller: string;
  readonly choice: ListChoice;
  readonly schema: RecordTypeSchema;
  readonly head: ListHead;
  /** What the caller may do; unknown where that could not be read. */
  readonly mine: OperationFlags | undefined;
}

function List({
  module,
  controller,
  choice: atAddress,
  schema,
  head: { query, choice: shownChoice },
  mine,
}: ListProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const navigate = useNavigate({ from: "/$module/$controller/index" });
  const router = useRouter();
  const queryClient = useQueryClient();
  const key = schema.recordType.key;
  const [choice, choose] = useOptimisticSelection(
    atAddress,
    (next, replace) => void navigate({ search: next, replace }),
  );
  const slow = useSlowNotices(key, atAddress, query.isPending || query.isPlaceholderData);
  const mayAdd = isOn(mine?.add);
  const mayImport = isOn(mine?.import) && (mayAdd || isOn(mine?.edit));
  const { data: head, dataUpdatedAt: updatedAt } = query;
  // While a draft is refused the toolbar stays with what was there before.
  const last = useRef(head);
  if (head !== undefined) last.current = head;
  const known = head ?? last.current;
  const draft = useViewDraft({ recordTypeKey: key, choice, head: known, choose });
  // What is on the screen, while something else is on its way.
  const shownView = draft.views.find(({ id }) => id === (shownChoice.view ?? known?.viewId));
  const drawn = useMemo(
    () =>
      shownChoice.q === undefined ? (shownView?.query ?? (known ? queryOf(known) : {})) : readDraft(shownChoice.q),
    [shownChoice.q, shownView, known],
  );
  const [peeked, setPeeked] = useState<string>();
  const selection = useSelection({
    // The view that the service chose, where none was named.
    choice: known === undefined || isGeneratedView(known.viewId) ? shownChoice : { ...shownChoice, view: known.viewId },
    rows: useMemo(() => spellDraft(withoutLook(drawn)), [drawn]),
    total: known?.total ?? 0,
    onTooMany: () => showWarning(t("bulk.too_many", { most: formats.count(MOST_PICKED) })),
    onFailed: (error) => {
      showWarning(error?.message ?? t("bulk.changed_meanwhile"));
      void queryClient.invalidateQueries({ queryKey: ["list", key] });
    },
  });
  const rights = {
    edit: isOn(mine?.bulk) && isOn(mine?.edit),
    noEdit:
      isOn(mine?.edit) === isOn(mine?.bulk)
        ? undefined
        : t(isOn(mine?.edit) ? "bulk.no_bulk" : "bulk.no_edit", { type: schema.recordType.plural }),
    delete: isOn(mine?.bulk) && isOn(mine?.delete),
    export: isOn(mine?.export),
  };
  const maySelect = Object.values(rights).some(Boolean) && head?.group.length === 0;
  useCommands(
    peeked === undefined
      ? []
      : [
          {
            id: "list-close-peek",
            label: t("table.close_peek"),
            group: "list",
            keys: "Escape",
            // What is open above the list hears the key first; what is kept out of sight does not.
            when: () =>
              [...document.querySelectorAll("[role=dialog], [role=menu], [role=listbox]")].every(
                (one) => !one.checkVisibility(),
              ),
            run: () => setPeeked(undefined),
          },
        ],
  );

  // A view that the service chose goes into the address, so that the link shows the same to somebody else.
  // Rows that are being read anew wait for that: under their new address they would pass for new ones.
  const chosen = query.isPlaceholderData || query.isFetching ? undefined : head?.viewId;
  useEffect(() => {
    if (chosen === undefined || isGeneratedView(chosen) || chosen === atAddress.view) return;
    // Whoever is already on the way to another page stays on it.
    if (router.latestLocation.pathname !== `/${key}/index`) return;
    const next = { ...atAddress, view: chosen };
    queryClient.setQueryData(listPageQuery(key, next, 1).queryKey, head, { updatedAt });
    void navigate({ search: next, replace: true });
  }, [chosen, atAddress, head, updatedAt, key, navigate, queryClient, router]);

  const columns = useMemo(() => (head ? columnsOf(head, schema) : []), [head, schema]);
  const order = head?.order ?? noOrder;
  const sorting = useMemo(() => sortingOf(choice, order, columns), [choice, order, columns]);
  const sort = useSteady(({ sort: column }: Column, descending?: boolean): void => {
    const { dir: _, ...rest } = choice;
    if (descending === undefined) choose(nextSort(choice, order, columns, column));
    else choose({ ...rest, sort: column, ...(descending ? { dir: "DESC" } : {}) });
  });
  const search = useSteady((text: string): void => {
    const { search: _, ...rest } = choice;
    choose(text === "" ? rest : { ...rest, search: text }, true);
  });
  const toView = useSteady((view: string): void =>
    choose({ view, ...(choice.search === undefined ? {} : { search: choice.search }) }),
  );
  const [panel, setPanel] = useState<ListPanel>();
  const [viewDialog, setViewDialog] = useState<ViewDialogName>();
  const hrefOf = useRowHref(schema, head, choice.search);
  const actions = useMemo(() => columnActions(head, draft, setPanel), [head, draft]);
  const newView = useCallback(() => setViewDialog("new"), []);
  const isKnown = known !== undefined;
  const viewMenu = useMemo(
    () =>
      isKnown && (
        <ViewMenu
          {...{ draft, choice }}
          recordTypeKey={key}
          dialog={viewDialog}
          onDialog={setViewDialog}
          onOpen={(view) => choose(view === undefined ? {} : { view })}
        />
      ),
    [isKnown, draft, choice, key, viewDialog, choose],
  );
  // What the address asks for beyond the view is at fault, not the service.
  const isRefused = refusalOf(query.error) !== undefined && draft.isChanged;
  const rest = isRefused ? choiceWithoutUnknown(choice, schema) : undefined;
  return (
    <div className={classes.list}>
      <ListToolbar
        {...{ module, controller, schema, choice, mayAdd }}
        head={known}
        mayExport={isOn(mine?.export)}
        mayImport={mayImport}
        onView={toView}
        onNewView={newView}
        onSearch={search}
      />
      <ListControls
        {...{ schema, choice, draft, panel }}
        head={known}
        error={query.error}
        view={viewMenu}
        onPanel={setPanel}
      />
      {head !== undefined && (
        <ListNews
          message={comparesMixed(head, columns, sorting) ? [...head.message, t("money.mixed")] : head.message}
        />
      )}
      {(slow.length > 0 ? slow : (head?.notices ?? noticesOf(query.error))).map((notice) => (
        <IndexNotice key={notice.field} notice={notice} />
      ))}
      {head === undefined ? (
        isRefused ? (
          <ListRefused
            reason={refusalOf(query.error) ?? ""}
            onWithout={rest && (() => choose(rest, true))}
            onSaved={draft.reset}
          />
        ) : query.isError ? (
          <FailureState error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton bodyOnly />
        )
      ) : head.total === 0 && !query.isPlaceholderData ? (
        <ListEmpty
          labels={columns.map(({ label }) => label)}
          search={choice.search}
          schema={schema}
          viewName={head.where === undefined ? undefined : head.viewName}
          add={mayAdd ? { module, controller } : undefined}
          mayImport={mayAdd && mayImport}
          addLabel={t("list.add", { label: schema.recordType.label })}
          clearSearch={() => search("")}
          clearFilter={
            choice.q === undefined || draft.query.where === undefined
              ? undefined
              : () => draft.change(({ where: _, ...rest }) => rest)
          }
        />
      ) : partsOf(head.kind).Picture !== undefined ? (
        <div className={classes.body}>
          <ChartFrame
            key={head.viewId}
            recordTypeKey={key}
            schema={schema}
            kind={head.kind}
            choice={shownChoice}
            colors={drawn.colors}
            label={`${schema.recordType.plural}: ${head.viewName}`}
          />
        </div>
      ) : (
        <div className={classes.body}>
          <PastedRows {...{ schema }} mayImport={mayAdd && mayImport} labels={columns.map(({ label }) => label)} />
          <SectionedTable
            key={head.viewId}
            schema={schema}
            by={sectionBy(drawn)}
            look={drawn}
            label={`${schema.recordType.plural}: ${head.viewName}`}
            head={head}
            choice={shownChoice}
            columns={columns}
            sorting={sorting}
            changing={query.isPlaceholderData}
            actions={actions}
            onSort={sort}
            hrefOf={hrefOf}
            onOpen={(href, at) => {
              // In sections a line is no place in the whole list: there, a record has no neighbors to go on to.
              const fromList = { recordTypeKey: key, choice: shownChoice, at };
              void navigate({ href, ...(sectionBy(drawn) ? {} : { state: { fromList } }) });
            }}
            onPeek={(id) => setPeeked(id === peeked ? undefined : id)}
            peeked={peeked}
            selection={maySelect ? selection : undefined}
            many={{ mayBulk: rights.edit, mayImport: mayAdd && mayImport }}
          />
          {maySelect && (selection.count > 0 || selection.awaited !== undefined) && (
            <SelectionBar {...{ schema, head, selection, rights }} choice={shownChoice} />
          )}
          {peeked !== undefined && <RecordPeek recordTypeKey={key} id={peeked} close={() => setPeeked(undefined)} />}
        </div>
      )}
    </div>
  );
}

/** Whether amounts of several currencies are put in order, or held against a value, by their numbers alone. */
function comparesMixed(head: ListPage, columns: readonly Column[], sorting: Sorting | undefined): boolean {
  const conditions = JSON.stringify(head.where ?? {});
  return columns.some(
    (column) =>
      (sorting?.column === column.sort || conditions.includes(JSON.stringify(column.name))) &&
      isMixed(column, head.rows),
  );
}

/** What the service had to say about the choice. */
function ListNews({ message }: { readonly message: readonly string[] }) {
  if (message.length === 0) return null;
  return (
    <div className={classes.news}>
      <Notice tone="news">{message.join(" ")}</Notice>
    </div>
  );
}
