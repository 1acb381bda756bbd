// One lane: its name, how many and how much, its cards as they come into sight, and the place where cards are dropped.
import { dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { ActionIcon, Skeleton } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../client/design/record-types.ts";
import type { ListChoice, ListPage, ListRow } from "../../../client/lists/lists.ts";
import { useFormats } from "../../fields/formats.ts";
import { ChoiceMark } from "../../fields/showing/choice-mark.tsx";
import { moneyParts } from "../../fields/showing/money-text.ts";
import { askQuickAdd, type QuickAdd } from "../../parts/quick-add.ts";
import { columnsOf } from "../../screens/list/columns/columns.ts";
import { Card } from "./card.tsx";
import classes from "./kanban.module.css";
import { laneQuery } from "./lane-query.ts";
import type { Lane } from "./lanes.ts";

interface LaneColumnProps {
  readonly recordTypeKey: string;
  readonly schema: RecordTypeSchema;
  readonly choice: ListChoice;
  /** Of the view: its columns make the cards. */
  readonly page: ListPage;
  readonly lane: Lane;
  readonly lanes: readonly Lane[];
  readonly fields: readonly string[];
  readonly column: string;
  /** The card that is dragged or whose menu is open, and why it cannot go to which lanes. */
  readonly heldId: string | undefined;
  readonly refusals: ReadonlyMap<string | null, string>;
  /** Why the card that is dragged cannot be dropped here. */
  readonly refusal: string | undefined;
  readonly onHold: (card?: ListRow, from?: string | null, isDragged?: boolean) => void;
  readonly onMove: (card: ListRow, from: string | null, to: Lane) => void;
  /** What a new card starts with here; undefined where none can start. */
  readonly preset: QuickAdd["prefill"];
}

export function LaneColumn(props: LaneColumnProps) {
  const {
    recordTypeKey,
    schema,
    choice,
    page,
    lane,
    lanes,
    fields,
    column,
    heldId,
    refusals,
    refusal,
    onHold,
    onMove,
    preset,
  } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const query = useInfiniteQuery(laneQuery(recordTypeKey, choice, column, lane.value, fields));
  const place = useRef<HTMLElement>(null);
  const { ref: seen, entry } = useIntersection({ rootMargin: "240px" });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const [isOver, setOver] = useState(false);
  const columns = useMemo(
    () => columnsOf(page, schema).filter(({ sort, opens }) => sort !== column && !opens),
    [page, schema, column],
  );

  useEffect(() => {
    if (entry?.isIntersecting && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [entry?.isIntersecting, hasNextPage, isFetchingNextPage, fetchNextPage]);

  useEffect(() => {
    if (place.current === null) return;
    return dropTargetForElements({
      element: place.current,
      canDrop: ({ source: { data } }) => data.board === recordTypeKey,
      getData: () => ({ lane: lane.value }),
      onDragEnter: ({ source }) => setOver(source.data.lane !== lane.value),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    });
  }, [recordTypeKey, lane.value]);

  const targets = useMemo(() => lanes.filter(({ value }) => value !== lane.value), [lanes, lane.value]);
  const rows = query.data?.pages.flatMap((one) => one.rows) ?? [];
  return (
    <section
      ref={place}
      className={classes.lane}
      data-over={isOver || undefined}
      data-forbidden={refusal === undefined ? undefined : true}
      aria-label={lane.label}
    >
      <header className={classes.laneHead}>
        <h2>
          <ChoiceMark label={lane.label} color={lane.color} />
        </h2>
        <span>{formats.count(lane.count)}</span>
        {lane.sum !== null ? (
          <span className={classes.sum}>{formats.compact(Number(lane.sum), lane.currency ?? undefined)}</span>
        ) : (
          lane.byCurrency !== null && (
            <span className={classes.sum} title={t("money.no_rate")}>
              {moneyParts(lane.byCurrency, formats)}
            </span>
          )
        )}
        {preset && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={24}
            className={classes.addCard ?? ""}
            aria-label={t("charts.add_to_lane", { label: schema.recordType.label, lane: lane.label })}
            title={t("list.add", { label: schema.recordType.label })}
            onClick={() => askQuickAdd({ recordTypeKey, prefill: preset })}
          >
            <IconPlus size={15} stroke={1.8} />
          </ActionIcon>
        )}
      </header>
      {refusal !== undefined && <p className={classes.refusal}>{refusal}</p>}
      <ul className={classes.cards}>
        {rows.map((row) => (
          <Card
            key={String(row[page.idColumn])}
            {...{ recordTypeKey, row, columns, lane, targets, onHold, onMove }}
            id={String(row[page.idColumn])}
            refusals={heldId === String(row[page.idColumn]) ? refusals : undefined}
          />
        ))}
        {query.isPending && [0, 1, 2].map((row) => <Skeleton key={row} component="li" h={76} />)}
        {query.isError && (
          <li className={classes.word}>
            {t("list.rows_failed")}{" "}
            <button type="button" onClick={() => void query.refetch()}>
              {t("actions.retry")}
            </button>
          </li>
        )}
        {query.isSuccess && rows.length === 0 && <li className={classes.word}>{t("charts.lane_empty")}</li>}
        {hasNextPage && (
          <li ref={seen}>
            <Skeleton h={76} />
          </li>
        )}
      </ul>
    </section>
  );
}
