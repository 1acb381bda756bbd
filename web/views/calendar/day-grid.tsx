// The days of a month or a week side by side; each takes what is dropped on it.
import { dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { Popover, UnstyledButton } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../fields/formats.ts";
import classes from "./calendar.module.css";
import type { Span } from "./days.ts";
import { EntryLink } from "./entry-link.tsx";
import type { Entry } from "./use-entries.ts";

/** Heights of a day's head and of an entry with the gap beneath it. */
const DAY_HEAD = 36;
const ENTRY = 26;

export interface DaysProps {
  readonly recordTypeKey: string;
  readonly days: readonly string[];
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
  readonly today: string;
  /** `YYYY-MM`; days of other months are paler. */
  readonly month: string | undefined;
  readonly addHref: ((day: string) => string) | undefined;
  readonly onMove: (entry: Entry, day: string) => void;
  readonly followed: RefObject<string | undefined>;
}

export function DayGrid({ days, span, ...rest }: DaysProps & { readonly span: Span }) {
  const formats = useFormats();
  // Only as many entries as there is room for: those that are left out are said, not cut off.
  const { ref, height } = useElementSize();
  const most = Math.max(1, Math.floor((height / (days.length / 7) - DAY_HEAD - ENTRY) / ENTRY));
  return (
    <div
      ref={ref}
      className={classes.grid}
      data-span={span}
      style={{ gridTemplateRows: `auto repeat(${days.length / 7}, minmax(0, 1fr))` }}
    >
      {days.slice(0, 7).map((day) => (
        <div key={day} className={classes.weekday} aria-hidden="true">
          {formats.weekday(day)}
        </div>
      ))}
      {days.map((day) => (
        <Day key={day} {...rest} day={day} most={span === "week" ? Number.POSITIVE_INFINITY : most} />
      ))}
    </div>
  );
}

interface DayProps extends Omit<DaysProps, "days"> {
  readonly day: string;
  /** Entries beyond it are behind a button. */
  readonly most: number;
}

const none: readonly Entry[] = [];

function Day({ recordTypeKey, day, entries, today, month, addHref, onMove, followed, most }: DayProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const place = useRef<HTMLElement>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    return dropTargetForElements({
      element: place.current,
      canDrop: ({ source }) => source.data.calendar === recordTypeKey,
      getData: () => ({ day }),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    });
  }, [recordTypeKey, day]);
  const own = entries.get(day) ?? none;
  const shown = own.length > most + 1 ? own.slice(0, most) : own;
  const name = formats.date(day);
  const listed = (some: readonly Entry[]) =>
    some.map((entry) => (
      <li key={entry.id}>
        <EntryLink {...{ recordTypeKey, entry, onMove, followed }} />
      </li>
    ));
  return (
    <section
      ref={place}
      className={classes.day}
      aria-label={name}
      data-over={isOver || undefined}
      data-today={day === today || undefined}
      data-other={(month !== undefined && !day.startsWith(month)) || undefined}
    >
      <div className={classes.dayHead}>
        <time dateTime={day} className={classes.date}>
          {Number(day.slice(8))}
        </time>
        {addHref && (
          <Link to={addHref(day)} className={classes.add} aria-label={t("charts.add_on", { day: name })}>
            <IconPlus size={14} stroke={1.8} aria-hidden="true" />
          </Link>
        )}
      </div>
      <ul>{listed(shown)}</ul>
      {shown.length < own.length && (
        <Popover position="bottom" shadow="md" width={260} trapFocus returnFocus>
          <Popover.Target>
            <UnstyledButton className={classes.further ?? ""}>
              {t("charts.further", { count: own.length - shown.length })}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown className={classes.all ?? ""}>
            <strong>{name}</strong>
            <ul>{listed(own)}</ul>
          </Popover.Dropdown>
        </Popover>
      )}
    </section>
  );
}
