// A calendar by a date of the records: month and week, and a list of days where there is little room. Entries are dragged
// to another day, or moved by Alt and the arrow keys; a day's plus makes a new record on it.
import { monitorForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { ActionIcon, Button, SegmentedControl } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconCalendarOff, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isOn } from "../../../client/design/record-types.ts";
import { useFormats, useTimeZone } from "../../fields/formats.ts";
import { fieldTypes } from "../../fields/index.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { whoMayQuery } from "../../queries.ts";
import type { ChartProps } from "../chart-props.ts";
import { ChartSkeleton } from "../chart-skeleton.tsx";
import { useChangeRecord } from "../use-change-record.ts";
import { Agenda } from "./agenda.tsx";
import classes from "./calendar.module.css";
import { DayGrid } from "./day-grid.tsx";
import { addDays, addMonths, daysOf, localDay, onDay, type Span } from "./days.ts";
import { type Entry, useEntries } from "./use-entries.ts";

export function CalendarView(props: ChartProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const timeZone = useTimeZone();
  const { recordTypeKey, schema, page, isTile } = props;
  const today = localDay(new Date(), timeZone);
  const { at, span, setAt, setSpan } = useCalendarPlace(today, isTile);
  const isNarrow = useMediaQuery("(max-width: 767px)", false, { getInitialValueInEffect: false });
  const days = useMemo(
    () => (isTile ? Array.from({ length: 30 }, (_, index) => addDays(at, index)) : daysOf(at, span)),
    [at, span, isTile],
  );
  const field = schema.fields.find(({ column_name }) => column_name === page.chart.date);
  const { query, entries, isCut } = useEntries(props, field, days);
  const { data: mine } = useQuery({ ...whoMayQuery(recordTypeKey), select: (who) => who.mine });
  const change = useChangeRecord(recordTypeKey, page.idColumn.split(".")[0] ?? "");
  const queryClient = useQueryClient();

  /** The entry that a key has moved, while it is in sight. */
  const followed = useRef<string>(undefined);
  const move = (entry: Entry, day: string): void => {
    if (!days.includes(day)) followed.current = undefined;
    if (field === undefined || day === entry.day || !entry.mayMove) return;
    const value = onDay(entry.value, day, fieldTypes[field.type].days === "instant", timeZone);
    const shown = queryClient.getQueriesData({ queryKey: ["list", recordTypeKey] });
    void change({
      id: entry.id,
      revision: entry.revision,
      values: { [field.name]: value },
      before: { [field.name]: entry.value },
      said: t("charts.on_day", { name: entry.name, day: formats.date(day) }),
      show: () => {
        // Whatever part of the calendar has the row shows it on its new day.
        queryClient.setQueriesData<unknown>({ queryKey: ["list", recordTypeKey] }, (data: unknown) =>
          withValue(data, page.idColumn, entry.id, field.column_name, value),
        );
        return () => {
          for (const [key, data] of shown) queryClient.setQueryData(key, data);
        };
      },
    });
  };
  const dropped = useRef(move);
  dropped.current = move;
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => source.data.calendar === recordTypeKey,
        onDrop: ({ source, location }) => {
          const day = location.current.dropTargets[0]?.data.day;
          // What EntryLink put there.
          if (typeof day === "string") dropped.current(source.data.entry as Entry, day);
        },
      }),
    [recordTypeKey],
  );

  if (field === undefined) {
    return (
      <EmptyState icon={IconCalendarOff} title={t("charts.no_date")} text={t("charts.no_lanes_lead")} small={isTile} />
    );
  }
  const addHref = isOn(mine?.add)
    ? (day: string): string =>
        `/${recordTypeKey}/add?${new URLSearchParams({ [field.name]: onDay(null, day, fieldTypes[field.type].days === "instant", timeZone) })}`
    : undefined;
  if (isTile) return <Agenda {...{ recordTypeKey, days, entries, today, followed }} isTile onMove={move} />;
  const step = (by: number): void => setAt(span === "week" ? addDays(at, 7 * by) : addMonths(at, by));
  return (
    <div className={classes.calendar}>
      <div className={classes.bar}>
        <Button size="xs" variant="default" onClick={() => setAt(today)}>
          {t("charts.today")}
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          aria-label={t(`charts.before.${span}`)}
          onClick={() => step(-1)}
        >
          <IconChevronLeft size={17} className={classes.arrow} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          aria-label={t(`charts.after.${span}`)}
          onClick={() => step(1)}
        >
          <IconChevronRight size={17} className={classes.arrow} />
        </ActionIcon>
        <h2 aria-live="polite">
          {span === "month" ? formats.month(at) : `${formats.date(days[0] ?? at)} – ${formats.date(days.at(-1) ?? at)}`}
        </h2>
        <SegmentedControl
          size="xs"
          value={span}
          onChange={(value) => setSpan(value === "week" ? "week" : "month")}
          aria-label={t("charts.span")}
          data={[
            { value: "month", label: t("charts.month") },
            { value: "week", label: t("charts.week") },
          ]}
        />
      </div>
      {isCut && <p className={classes.note}>{t("charts.cut")}</p>}
      <Loaded query={query} skeleton={<ChartSkeleton kind="calendar" isTile={false} />}>
        {() =>
          isNarrow ? (
            <Agenda
              {...{ recordTypeKey, days, entries, today, addHref, followed }}
              month={span === "month" ? at.slice(0, 7) : undefined}
              onMove={move}
            />
          ) : (
            <DayGrid
              {...{ recordTypeKey, days, entries, today, addHref, span, followed }}
              month={span === "month" ? at.slice(0, 7) : undefined}
              onMove={move}
            />
          )
        }
      </Loaded>
    </div>
  );
}

/** In the address, so that a link shows the same days; a tile of the dashboard always begins today. */
function useCalendarPlace(today: string, isTile: boolean) {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const go = (place: { at?: string | undefined; span?: "week" | undefined }): void =>
    void navigate({ to: ".", search: (before) => ({ ...before, ...place }), replace: true });
  const at = isTile ? today : (search.at ?? today);
  return {
    at,
    span: search.span ?? ("month" as Span),
    setAt: (day: string) => go({ at: day === today ? undefined : day }),
    setSpan: (span: Span) => go({ span: span === "week" ? span : undefined }),
  };
}

function withValue(data: unknown, idColumn: string, id: string, column: string, value: string): unknown {
  if (typeof data !== "object" || data === null || !("rows" in data) || !Array.isArray(data.rows)) return data;
  const rows = data.rows.map((row: Readonly<Record<string, unknown>>) =>
    row[idColumn] === id && column in row ? { ...row, [column]: value } : row,
  );
  return { ...data, rows };
}
