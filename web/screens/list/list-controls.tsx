// Between the toolbar and the table: the filter as chips, and what is open to be changed. Editors are fetched when asked for.

import type { RecordTypeSchema } from "../../../client/design/record-types.ts";
import type { Condition } from "../../../client/lists/list-draft.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { withFieldParts } from "../../fields/with-field-parts.ts";
import { lazyPart } from "../../parts/lazy-part.tsx";
import { readWhere } from "./filter/condition.ts";
import { FilterChips } from "./filter/filter-chips.tsx";
import { isGrouped, plainLook, readGrouping, ungroup, writeGrouping } from "./group/grouping.ts";
import classes from "./list-tools.module.css";
import type { ListPanel } from "./list-tools.tsx";
import type { ViewDraft } from "./views/use-view-draft.ts";

const GroupPanel = lazyPart(async () => (await import("./group/group-panel.tsx")).GroupPanel);
const FilterPanel = lazyPart(async () => (await withFieldParts(() => import("./filter/filter-panel.tsx"))).FilterPanel);

interface ListControlsProps {
  readonly schema: RecordTypeSchema;
  readonly draft: ViewDraft;
  readonly panel: ListPanel;
  /** Of the list as it was asked for. */
  readonly error: Error | null;
  readonly onPanel: (panel: ListPanel) => void;
}

export function ListControls({ schema, draft, panel, error, onPanel }: ListControlsProps) {
  const recordTypeKey = schema.recordType.key;
  const { where } = draft.query;
  const filterBy = (next: unknown): void =>
    draft.change(({ where: _, ...rest }) =>
      next === undefined ? rest : { ...rest, where: next as readonly Condition[] },
    );
  return (
    <>
      {panel?.kind === "group" && (
        <GroupPanel
          schema={schema}
          grouping={readGrouping(isGrouped(draft.query) ? draft.query : {})}
          onChange={(grouping) => draft.change((query) => writeGrouping(query, grouping))}
          onUngroup={() => draft.change((query) => ungroup(query, plainLook(draft.saved?.query, schema)))}
          onClose={() => onPanel(undefined)}
        />
      )}
      {panel?.kind === "filter" ? (
        <FilterPanel
          key={panel.begin?.column ?? ""}
          begin={panel.begin}
          recordTypeKey={recordTypeKey}
          where={where}
          refusal={refusalOf(error)}
          onChange={filterBy}
          onClose={() => onPanel(undefined)}
        />
      ) : (
        readWhere(where).of.length > 0 && (
          <div className={classes.bar}>
            <FilterChips
              recordTypeKey={recordTypeKey}
              where={where}
              onEdit={() => onPanel({ kind: "filter" })}
              onChange={filterBy}
            />
          </div>
        )
      )}
    </>
  );
}

/** What was asked for is at fault, in the service's words. */
export const refusalOf = (error: Error | null): string | undefined =>
  error instanceof WireFailure && error.status === 400 ? error.message.replace(/^(?:q|query): /u, "") : undefined;
