// The days that have something, one under the other: for phones, and for little room.
import { IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../fields/formats.ts";
import classes from "./calendar.module.css";
import type { DaysProps } from "./day-grid.tsx";
import { EntryLink } from "./entry-link.tsx";

const MOST_IN_TILE = 8;

interface AgendaProps extends Omit<DaysProps, "addHref" | "month"> {
  readonly isTile?: boolean;
  readonly month?: string | undefined;
  readonly addHref?: DaysProps["addHref"];
}

export function Agenda({
  recordTypeKey,
  days,
  entries,
  today,
  month,
  addHref,
  onMove,
  followed,
  isTile = false,
}: AgendaProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  let room = isTile ? MOST_IN_TILE : Number.POSITIVE_INFINITY;
  const shown = days
    .filter((day) => month === undefined || day.startsWith(month))
    .filter((day) => (entries.get(day)?.length ?? 0) > 0 || (day === today && !isTile))
    .flatMap((day) => {
      const own = (entries.get(day) ?? []).slice(0, room);
      room -= own.length;
      return own.length > 0 || day === today ? [{ day, own }] : [];
    });
  if (shown.every(({ own }) => own.length === 0)) return <p className={classes.nothing}>{t("charts.no_entries")}</p>;
  return (
    <div className={classes.agenda} data-tile={isTile || undefined}>
      {shown.map(({ day, own }) => (
        <section key={day} data-today={day === today || undefined} aria-label={formats.date(day)}>
          <h3>
            <time dateTime={day}>{formats.date(day)}</time>
            {addHref && (
              <Link to={addHref(day)} aria-label={t("charts.add_on", { day: formats.date(day) })}>
                <IconPlus size={15} stroke={1.8} aria-hidden="true" />
              </Link>
            )}
          </h3>
          <ul>
            {own.map((entry) => (
              <li key={entry.id}>
                <EntryLink {...{ recordTypeKey, entry, onMove, followed }} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
