// A record on its day: a link to it, dragged to another day, or moved by Alt and the arrow keys.
import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { Link } from "@tanstack/react-router";
import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../fields/formats.ts";
import { Face } from "../../parts/layout/face.tsx";
import classes from "./calendar.module.css";
import { addDays } from "./days.ts";
import type { Entry } from "./use-entries.ts";

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

interface EntryLinkProps {
  readonly recordTypeKey: string;
  readonly entry: Entry;
  readonly onMove: (entry: Entry, day: string) => void;
  /** The one that a key has moved: the focus goes with it to its new day. */
  readonly followed: RefObject<string | undefined>;
}

export function EntryLink({ recordTypeKey, entry, onMove, followed }: EntryLinkProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const place = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (place.current === null || !entry.mayMove) return;
    return draggable({ element: place.current, getInitialData: () => ({ calendar: recordTypeKey, entry }) });
  }, [recordTypeKey, entry]);
  useLayoutEffect(() => {
    if (followed.current !== entry.id) return;
    followed.current = undefined;
    place.current?.focus();
  }, [followed, entry.id]);
  const href: string = `/${recordTypeKey}/view?id=${encodeURIComponent(entry.id)}`;
  const tint = entry.color?.startsWith("#") ? entry.color : `var(--mantine-color-${entry.color ?? "iris"}-6)`;
  const style: CSSProperties & Record<"--tint", string> = { "--tint": tint };
  const time = entry.date && formats.time(entry.date);
  const title = [entry.name, entry.kind, entry.owner, entry.mayMove ? t("charts.move_hint") : undefined]
    .filter(Boolean)
    .join(" · ");
  return (
    <Link
      ref={place}
      to={href}
      className={classes.entry}
      style={style}
      title={title}
      {...(entry.mayMove ? { "aria-keyshortcuts": "Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown" } : {})}
      onKeyDown={(event) => {
        const step = steps[event.key];
        if (!event.altKey || step === undefined || !entry.mayMove) return;
        event.preventDefault();
        const mirrored = Math.abs(step) === 1 && document.documentElement.dir === "rtl" ? -step : step;
        followed.current = entry.id;
        onMove(entry, addDays(entry.day, mirrored));
      }}
    >
      {time !== undefined && <time className={classes.hour}>{time}</time>}
      <span className={classes.name} dir="auto">
        {entry.name}
      </span>
      {entry.kind !== undefined && <span className="visually-hidden">, {entry.kind}</span>}
      {entry.owner !== undefined && <Face name={entry.owner} size={16} />}
    </Link>
  );
}
