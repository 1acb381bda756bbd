// One lane: its name, how many and how much, its cards as they come into sight, and the place where cards are dropped.
import { dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { ActionIcon, Skeleton, UnstyledButton } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { IconChevronsLeft, IconChevronsRight, IconPlus } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../client/design/record-types.ts";
import type { ColorRule } from "../../../client/lists/list-draft.ts";
import type { ListChoice, ListPage, ListRow } from "../../../client/lists/lists.ts";
import type { Formats } from "../../../contract/formats.ts";
import { useFormats } from "../../fields/formats.ts";
import { ChoiceMark } from "../../fields/showing/choice-mark.tsx";
import { moneyParts } from "../../fields/showing/money-text.ts";
import { askQuickAdd, type QuickAdd } from "../../parts/quick-add.ts";
import { useRowLook } from "../../screens/list/look/use-row-look.ts";
import { cardColumns, cardFacts } from "../card-facts.ts";
import { Card } from "./card.tsx";
import classes from "./kanban.module.css";
import { laneQuery } from "./lane-query.ts";
import type { Lane, LanePlace, LaneTotal, Refused } from "./lanes.ts";

interface LaneColumnProps {
  readonly recordTypeKey: string;
  readonly schema: RecordTypeSchema;
  readonly choice: ListChoice;
  /** Of the view: its columns make the cards. */
  readonly page: ListPage;
  readonly lane: Lane;
  /** Where cards can go. */
  readonly places: readonly LanePlace[];
  readonly fields: readonly string[];
  readonly column: string;
  /** Columns that say the same as the lane. */
  readonly alike: readonly string[];
  /** The card that is dragged or whose menu is open, and why it cannot go to which lanes. */
  readonly heldId: string | undefined;
  readonly refusals: ReadonlyMap<string | null, string>;
  /** Why the card that is dragged cannot be dropped here. */
  readonly refusal: string | undefined;
  readonly onHold: (card?: ListRow, from?: string | null, isDragged?: boolean) => void;
  readonly onMove: (card: ListRow, from: string | null, to: LanePlace) => void;
  /** What a new card starts with here; undefined where none can start. */
  readonly preset: QuickAdd["prefill"];
  /** Asked for beside the view's columns. */
  readonly further: readonly string[];
  readonly colors: readonly ColorRule[] | undefined;
  /** The column that cards show as their amount. */
  readonly worth: string | undefined;
  readonly refused: Refused | undefined;
  readonly onDismiss: () => void;
  readonly isFolded: boolean;
  readonly onFold: () => void;
}

export function LaneColumn(props: LaneColumnProps) {
  const {
    recordTypeKey,
    schema,
    choice,
    page,
    lane,
    places,
    fields,
    column,
    alike,
    heldId,
    refusals,
    refusal,
    onHold,
    onMove,
    preset,
    further,
    colors,
    worth,
    refused,
    onDismiss,
    isFolded,
    onFold,
  } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const [isOver, setOver] = useState(false);
  // What is dragged over it opens it for as long.
  const isClosed = isFolded && !isOver;
  const query = useInfiniteQuery({
    ...laneQuery(recordTypeKey, choice, column, lane.value, fields),
    enabled: !isClosed,
  });
  const place = useRef<HTMLElement>(null);
  const { ref: seen, entry } = useIntersection({ rootMargin: "240px" });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const head = query.data?.pages[0];
  const [ownHeader, fullHeader] = [page.header, head?.header];
  const columns = useMemo(() => {
    const own = cardColumns(ownHeader, schema);
    return fullHeader ? [...own, ...cardColumns(fullHeader, schema).filter(({ name }) => further.includes(name))] : own;
  }, [ownHeader, fullHeader, schema, further]);
  const facts = useMemo(() => cardFacts(columns, [column, ...alike], worth), [columns, column, alike, worth]);
  const lookOf = useRowLook(recordTypeKey, columns, colors);

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

  const targets = useMemo(() => places.filter(({ value }) => value !== lane.value), [places, lane.value]);
  const rows = query.data?.pages.flatMap((one) => one.rows) ?? [];
  const totals = lane.totals.flatMap((total) => {
    const text = totalText(total, formats);
    const label = schema.fields.find(({ column_name }) => column_name === total.column)?.label ?? "";
    return text === undefined ? [] : [{ ...total, text, label }];
  });
  const fold = t(isFolded ? "charts.unfold_lane" : "charts.fold_lane", { lane: lane.label });
  // The button that was pressed goes, and the other one takes the focus.
  const pressed = useRef<boolean>(undefined);
  const press = (): void => {
    pressed.current = isFolded;
    onFold();
  };
  const takeFocus = (button: HTMLButtonElement | null): void => {
    if (button === null || pressed.current === undefined || pressed.current === isFolded) return;
    pressed.current = undefined;
    button.focus();
  };
  if (isClosed) {
    return (
      <section ref={place} className={classes.lane} data-folded aria-label={lane.label}>
        <UnstyledButton
          ref={takeFocus}
          className={classes.unfold ?? ""}
          aria-expanded={false}
          aria-label={`${fold} (${formats.count(lane.count)})`}
          onClick={press}
        >
          <IconChevronsRight size={15} stroke={1.6} aria-hidden="true" />
          <span className={classes.count}>{formats.count(lane.count)}</span>
          <span className={classes.side} dir="auto">
            {lane.label}
          </span>
        </UnstyledButton>
      </section>
    );
  }
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
        <span className={classes.tools}>
          {preset && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              aria-label={t("charts.add_to_lane", { label: schema.recordType.label, lane: lane.label })}
              title={t("list.add", { label: schema.recordType.label })}
              onClick={() => askQuickAdd({ recordTypeKey, prefill: preset })}
            >
              <IconPlus size={15} stroke={1.8} />
            </ActionIcon>
          )}
          <ActionIcon
            ref={takeFocus}
            variant="subtle"
            color="gray"
            size={24}
            className={classes.foldLane ?? ""}
            aria-expanded
            aria-label={fold}
            title={fold}
            onClick={press}
          >
            <IconChevronsLeft size={15} stroke={1.6} />
          </ActionIcon>
        </span>
        {totals.length > 0 && (
          <p className={classes.totals}>
            {totals.map(({ column: name, text, label, sum }) => (
              <span key={name} title={sum === null ? t("money.no_rate") : label}>
                <span className="visually-hidden">{label}: </span>
                {text}
              </span>
            ))}
          </p>
        )}
      </header>
      {refusal !== undefined && <p className={classes.refusal}>{refusal}</p>}
      <ul className={classes.cards}>
        {rows.map((row) => (
          <Card
            key={String(row[page.idColumn])}
            {...{ recordTypeKey, row, facts, targets, onHold, onMove, onDismiss }}
            from={lane.value}
            look={lookOf(row)}
            refused={refused?.id === String(row[page.idColumn]) ? refused : undefined}
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

function totalText({ sum, currency, byCurrency }: LaneTotal, formats: Formats): string | undefined {
  if (sum !== null) return formats.compact(Number(sum), currency ?? undefined);
  return byCurrency === null ? undefined : moneyParts(byCurrency, formats);
}
