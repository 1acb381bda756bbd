// Draws a list view as the picture that its kind says: its skeleton while it is on its way, its failure in words.
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import type { RecordTypeSchema } from "../../client/design/record-types.ts";
import type { Condition } from "../../client/lists/list-draft.ts";
import type { ListChoice } from "../../client/lists/lists.ts";
import type { ViewKind } from "../../contract/view-kinds.ts";
import { Loaded } from "../parts/layout/loaded.tsx";
import { PartBoundary } from "../parts/layout/missing-part.tsx";
import { chartQuery, savedViewsQuery } from "../queries.ts";
import classes from "./chart-frame.module.css";
import type { ChartProps } from "./chart-props.ts";
import { ChartSkeleton } from "./chart-skeleton.tsx";
import { EstimateNote } from "./estimate-note.tsx";
import { partsOf } from "./index.tsx";
import { recordsHref } from "./records-href.ts";

interface ChartFrameProps {
  readonly recordTypeKey: string;
  readonly schema: RecordTypeSchema;
  readonly kind: ViewKind;
  readonly choice: ListChoice;
  readonly label: string;
  readonly isTile?: boolean;
  /** What narrows the view further, for a while. */
  readonly where?: Condition | undefined;
  readonly colors?: ChartProps["colors"];
  /** What its figure is compared with. */
  readonly compared?: ChartProps["compared"];
}

export function ChartFrame({
  recordTypeKey,
  schema,
  kind,
  choice,
  label,
  isTile = false,
  where: narrowed,
  colors,
  compared,
}: ChartFrameProps) {
  const { Picture, asks } = partsOf(kind);
  const asked = narrowed === undefined ? asks : { ...asks, q: { where: narrowed } };
  const page = useQuery(chartQuery(recordTypeKey, choice, asked));
  const { data: views } = useQuery(savedViewsQuery(recordTypeKey));
  const where = page.data?.where;
  const hrefOf = useCallback(
    (condition?: Condition) =>
      recordsHref({ schema, views: views ?? [], conditions: [where, condition], search: choice.search }),
    [schema, views, where, choice.search],
  );
  const skeleton = <ChartSkeleton kind={kind} isTile={isTile} />;
  return (
    <div className={classes.place} data-tile={isTile || undefined}>
      {/* A figure says it itself: what it shows may be of a month. */}
      {kind !== "number" && <EstimateNote page={page.data} />}
      <Loaded query={page} skeleton={skeleton}>
        {(found) =>
          Picture === undefined ? null : (
            <PartBoundary key={kind} fallback={skeleton}>
              <Picture
                {...{ recordTypeKey, schema, choice, label, isTile, colors, compared }}
                page={found}
                recordsHref={hrefOf}
              />
            </PartBoundary>
          )
        }
      </Loaded>
    </div>
  );
}
