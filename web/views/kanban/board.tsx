// The board itself: lanes with their counts and cards, and what is dragged where. What a move means is its owner's word.
import { monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { replaceEqualDeep, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../client/design/record-types.ts";
import type { ListRow } from "../../../client/lists/lists.ts";
import type { RecordView } from "../../../client/records/records.ts";
import { Loaded } from "../../parts/layout/loaded.tsx";
import type { QuickAdd } from "../../parts/quick-add.ts";
import { useSteady } from "../../parts/use-steady.ts";
import { chartQuery, navigationQuery, recordQuery } from "../../queries.ts";
import { furtherFields } from "../card-facts.ts";
import type { ChartProps } from "../chart-props.ts";
import { ChartSkeleton } from "../chart-skeleton.tsx";
import { BoardTile } from "./board-tile.tsx";
import classes from "./kanban.module.css";
import { LaneColumn } from "./lane-column.tsx";
import { laneQuery } from "./lane-query.ts";
import {
  countsOf,
  type Lane,
  type LanePlace,
  lanesOf,
  type Refused,
  recounted,
  withCard,
  withoutCard,
  worthsOf,
} from "./lanes.ts";
import { useFoldedLanes } from "./use-folded-lanes.ts";

export interface Moving {
  readonly id: string;
  readonly name: string;
  readonly revision: string | undefined;
  readonly from: string | null;
  readonly to: LanePlace;
  /** Shows the card in its new lane; gives the way back. */
  show(): () => void;
  /** Says on the card why it came back. */
  refuse(title: string, reason: string): void;
}

interface BoardProps {
  readonly picture: ChartProps;
  /** Its options are the lanes. */
  readonly field: Pick<SchemaField, "column_name" | "options">;
  /** Why a card cannot go to a lane; `view` is its record, once that is known. */
  readonly whyNot: (
    card: ListRow,
    from: string | null,
    to: LanePlace,
    view: RecordView | undefined,
  ) => string | undefined;
  /** Whether the record itself says more about that than its card. */
  readonly usesView: boolean;
  readonly onMove: (moving: Moving) => void;
  /** What a new card of a lane starts with; undefined where none can start there. */
  readonly presetOf: (lane: Lane) => QuickAdd["prefill"];
  /** Nothing goes on from there. */
  readonly isFinal?: (lane: Lane) => boolean;
  /** Columns that say the same as the lanes: they are left out of the cards. */
  readonly alike?: readonly string[];
}

const none: readonly string[] = [];
const never = (): boolean => false;

/** The card that is dragged, or whose menu is open. */
interface Held {
  readonly card: ListRow;
  readonly from: string | null;
  readonly isDragged: boolean;
}

export function Board({
  picture,
  field,
  whyNot,
  usesView,
  onMove,
  presetOf,
  isFinal = never,
  alike = none,
}: BoardProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { recordTypeKey, schema, page, isTile, label } = picture;
  const { idColumn } = page;
  const { data: mayAdd = false } = useQuery({
    ...navigationQuery,
    select: (modules) =>
      modules.some(({ entries }) =>
        entries.some(({ key, operations }) => key === recordTypeKey && operations.includes("add")),
      ),
  });
  const column = field.column_name;
  const alias = idColumn.split(".")[0] ?? "";
  // With the view in it: what is asked for beside a view needs to say which.
  const choice = useMemo(() => ({ ...picture.choice, view: page.viewId }), [picture.choice, page.viewId]);
  const worths = useMemo(() => worthsOf(schema, page.chart), [schema, page.chart]);
  const asked = chartQuery(recordTypeKey, choice, { q: countsOf(column, idColumn, worths) });
  const counts = useQuery(asked);
  const { colors } = picture;
  const further = useMemo(() => {
    const shown = page.header.map(({ column_name }) => column_name);
    return [...furtherFields(schema, shown, { worth: worths[0], colors }), ...(shown.includes(column) ? [] : [column])];
  }, [page.header, schema, worths, colors, column]);
  const fields = useMemo(() => {
    const shown = page.header.map(({ expression }) => expression);
    return [...new Set([...shown, ...further, column, `${alias}.revision`])];
  }, [page.header, further, column, alias]);
  const lanes = useMemo(
    () => (counts.data ? lanesOf(field, counts.data, t("values.none"), worths) : []),
    [field, counts.data, worths, t],
  );
  const known = useRef<readonly LanePlace[]>([]);
  known.current = replaceEqualDeep(
    known.current,
    lanes.map(({ value, label: name, color }) => ({ value, label: name, color })),
  );
  const { isFolded, turn } = useFoldedLanes(page.viewId, isFinal);
  const [refused, setRefused] = useState<Refused>();
  const [held, setHeld] = useState<Held>();
  const hold = useCallback((card?: ListRow, from: string | null = null, isDragged = false) => {
    setHeld(card === undefined ? undefined : { card, from, isDragged });
    // What is tried again has not been refused yet.
    if (card !== undefined) setRefused(undefined);
  }, []);
  const dismiss = useCallback(() => setRefused(undefined), []);
  const heldId = held === undefined ? undefined : String(held.card[idColumn]);
  const seen = useQuery({ ...recordQuery(recordTypeKey, "view", heldId), enabled: usesView && heldId !== undefined });
  const reasonFor = (card: ListRow, from: string | null, to: LanePlace): string | undefined =>
    whyNot(card, from, to, String(card[idColumn]) === heldId ? seen.data : undefined);
  const refusals = new Map<string | null, string>();
  for (const lane of held === undefined ? [] : lanes) {
    const reason = lane.value === held?.from ? undefined : held && reasonFor(held.card, held.from, lane);
    if (reason !== undefined) refusals.set(lane.value, reason);
  }

  // Cards are drawn again only where something of their own changed.
  const move = useSteady((card: ListRow, from: string | null, to: LanePlace): void => {
    const id = String(card[idColumn]);
    const reason = reasonFor(card, from, to);
    const name = String(card.record_display_name ?? id);
    const refuse = (title: string, why: string): void => setRefused({ id, title, reason: why });
    if (reason !== undefined) {
      refuse(t("charts.not_moved", { name, lane: to.label }), reason);
      return;
    }
    const revision = card[`${alias}.revision`];
    const keyOf = (value: string | null) => laneQuery(recordTypeKey, choice, column, value, fields).queryKey;
    onMove({
      id,
      name,
      refuse,
      revision: typeof revision === "string" ? revision : undefined,
      from,
      to,
      show: () => {
        const kept = [keyOf(from), keyOf(to.value)].map((key) => [key, queryClient.getQueryData(key)] as const);
        const keptCounts = queryClient.getQueryData(asked.queryKey);
        queryClient.setQueryData(keyOf(from), (pages) => withoutCard(pages, idColumn, id));
        queryClient.setQueryData(keyOf(to.value), (pages) => withCard(pages, { ...card, [column]: to.value }));
        queryClient.setQueryData(asked.queryKey, (data) => recounted(data, column, from, to.value));
        return () => {
          for (const [key, data] of kept) queryClient.setQueryData(key, data);
          queryClient.setQueryData(asked.queryKey, keptCounts);
        };
      },
    });
  });
  const drop = useSteady((card: ListRow, from: string | null, to: unknown): void => {
    const lane = lanes.find(({ value }) => value === to);
    if (lane) move(card, from, lane);
  });
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => source.data.board === recordTypeKey,
        onDrop: ({ source, location }) => {
          // Its card may be gone by now, and could not say so itself.
          hold();
          const target = location.current.dropTargets[0]?.data;
          if (target === undefined || target.lane === source.data.lane) return;
          // Both are what Card put there.
          drop(source.data.card as ListRow, source.data.lane as string | null, target.lane);
        },
      }),
    [recordTypeKey, hold, drop],
  );
  return (
    <Loaded query={counts} skeleton={<ChartSkeleton kind="kanban" isTile={isTile} />}>
      {() =>
        isTile ? (
          <BoardTile lanes={lanes} column={column} recordsHref={picture.recordsHref} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll
          <section className={classes.board} aria-label={label} tabIndex={0}>
            {lanes.map((lane) => (
              <LaneColumn
                key={lane.value ?? ""}
                {...{
                  recordTypeKey,
                  schema,
                  choice,
                  lane,
                  places: known.current,
                  fields,
                  column,
                  alike,
                  page,
                  further,
                  colors,
                  heldId,
                  refusals,
                  refused,
                }}
                worth={worths[0]}
                isFolded={isFolded(lane)}
                onFold={() => turn(lane)}
                onDismiss={dismiss}
                refusal={held?.isDragged ? refusals.get(lane.value) : undefined}
                onHold={hold}
                onMove={move}
                preset={mayAdd ? presetOf(lane) : undefined}
              />
            ))}
          </section>
        )
      }
    </Loaded>
  );
}
