// The row between the toolbar and the table: the filter as chips, the order, groups, columns and kind; below it, what is
// open to be changed in more room. Editors are fetched when asked for.
import { IconFilter, IconStack2 } from "@tabler/icons-react";
import { memo, type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../client/design/record-types.ts";
import type { Condition } from "../../../client/lists/list-draft.ts";
import type { ListChoice, ListPage } from "../../../client/lists/lists.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { withFieldParts } from "../../fields/with-field-parts.ts";
import { useCommands } from "../../parts/commands/commands.ts";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";
import { ShowAs } from "../../views/show-as.tsx";
import { ColumnsButton } from "./columns/columns-button.tsx";
import { type BegunCondition, FilterBar } from "./filter/filter-bar.tsx";
import { GroupControl } from "./group/group-control.tsx";
import { isGrouped, plainLook, readGrouping, ungroup, writeGrouping } from "./group/grouping.ts";
import classes from "./list-tools.module.css";
import { DisplayButton } from "./look/display-button.tsx";
import { orderNow } from "./sort/order.ts";
import { SortControl } from "./sort/sort-control.tsx";
import type { ViewDraft } from "./views/use-view-draft.ts";

const GroupPanel = lazyPart(async () => (await import("./group/group-panel.tsx")).GroupPanel);
const FilterPanel = lazyPart(async () => (await withFieldParts(() => import("./filter/filter-panel.tsx"))).FilterPanel);

/** What is open between the toolbar and the table, or is to be opened at its chip. */
export type ListPanel =
  | { readonly kind: "filter" }
  | { readonly kind: "condition"; readonly begin: BegunCondition }
  | { readonly kind: "group" }
  | undefined;

interface ListControlsProps {
  readonly schema: RecordTypeSchema;
  readonly head: ListPage | undefined;
  readonly choice: ListChoice;
  readonly draft: ViewDraft;
  readonly panel: ListPanel;
  /** Of the list as it was asked for. */
  readonly error: Error | null;
  /** What can be done with the view itself. */
  readonly view: ReactNode;
  readonly onPanel: (panel: ListPanel) => void;
}

export const ListControls = memo(function ListControls(props: ListControlsProps) {
  const { schema, head, choice, draft, panel, error, view, onPanel } = props;
  const { t } = useTranslation();
  const recordTypeKey = schema.recordType.key;
  const { where } = draft.query;
  const addFilter = useRef<HTMLButtonElement>(null);
  const isAdvanced = panel?.kind === "filter";
  const groups = draft.query.group?.length ?? 0;
  const filterBy = (next: unknown): void =>
    draft.change(({ where: _, ...rest }) =>
      next === undefined ? rest : { ...rest, where: next as readonly Condition[] },
    );
  const groupPanel = (): void => onPanel(panel?.kind === "group" ? undefined : { kind: "group" });
  useCommands(
    draft.isReady
      ? [
          {
            id: "list-filter",
            label: t("filter.add_filter"),
            group: "list",
            keys: "f",
            icon: IconFilter,
            opensInput: true,
            run: () => (isAdvanced ? onPanel(undefined) : addFilter.current?.click()),
          },
          {
            id: "list-filter-advanced",
            label: t("filter.advanced"),
            group: "list",
            icon: IconFilter,
            run: () => onPanel({ kind: "filter" }),
          },
          { id: "list-group", label: t("group.edit"), group: "list", icon: IconStack2, run: groupPanel },
        ]
      : [],
  );
  // Groups and charts have an order of their own.
  const isOrdered = head !== undefined && groups === 0 && (head.kind === "table" || head.kind === "kanban");
  return (
    <>
      <div className={classes.controls}>
        <div className={classes.filters}>
          {!isAdvanced && (
            <FilterBar
              {...{ recordTypeKey, where }}
              begin={panel?.kind === "condition" ? panel.begin : undefined}
              refusal={refusalOf(error)}
              disabled={!draft.isReady}
              addRef={addFilter}
              onBegun={() => onPanel(undefined)}
              onChange={filterBy}
              onAdvanced={() => onPanel({ kind: "filter" })}
            />
          )}
        </div>
        <div className={classes.tools}>
          {view}
          {isOrdered && (
            <SortControl
              {...{ schema, draft }}
              header={head.header}
              order={orderNow(choice, draft.query, head.order)}
            />
          )}
          <GroupControl {...{ schema, draft }} isSummary={panel?.kind === "group"} onSummary={groupPanel} />
          {head && <ColumnsButton {...{ schema, head, draft }} />}
          {head?.kind === "table" && groups === 0 && <DisplayButton {...{ schema, head, draft }} />}
          {head && <ShowAs {...{ schema, draft }} kind={head.kind} />}
        </div>
      </div>
      {panel?.kind === "group" && (
        <GroupPanel
          schema={schema}
          grouping={readGrouping(isGrouped(draft.query) ? draft.query : {})}
          onChange={(grouping) => draft.change((query) => writeGrouping(query, grouping))}
          onUngroup={() => draft.change((query) => ungroup(query, plainLook(draft.saved?.query, schema)))}
          onClose={() => onPanel(undefined)}
        />
      )}
      {isAdvanced && (
        <FilterPanel
          recordTypeKey={recordTypeKey}
          where={where}
          refusal={refusalOf(error)}
          onChange={filterBy}
          onClose={() => onPanel(undefined)}
        />
      )}
    </>
  );
});

/** What was asked for is at fault, in the service's words. */
export const refusalOf = (error: Error | null): string | undefined =>
  error instanceof WireFailure && error.status === 400 ? error.message.replace(/^(?:q|query): /u, "") : undefined;
