// The way to the record before and after this one, in the list that it was opened from.
import { ActionIcon } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../fields/formats.ts";
import { useCommands } from "../../parts/commands/commands.ts";
import { useListPlace, useNeighbors } from "./list-place.ts";
import classes from "./record-head.module.css";

interface NeighborLinksProps {
  readonly module: string;
  readonly controller: string;
  readonly id: string;
}

/** Which button had the focus when one went on, until the record there is on the screen. */
let underWay: "previous" | "next" | "none" | undefined;

export function NeighborLinks({ module, controller, id }: NeighborLinksProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const navigate = useNavigate();
  const place = useListPlace();
  const neighbors = useNeighbors(`${module}/${controller}`, id);
  const buttons = { previous: useRef<HTMLButtonElement>(null), next: useRef<HTMLButtonElement>(null) };
  const go = (way: "previous" | "next", at: number) => {
    const to = neighbors?.[way];
    return to === undefined || place === undefined
      ? undefined
      : (): void => {
          underWay = document.activeElement === buttons[way].current ? way : "none";
          void navigate({
            to: "/$module/$controller/view",
            params: { module, controller },
            search: { id: to },
            state: { fromList: { ...place, at } },
            // Back leads to the list, however many records were looked at.
            replace: true,
          });
        };
  };
  const at = neighbors?.at ?? 0;
  const previous = go("previous", at - 1);
  const next = go("next", at + 1);
  const isKnown = neighbors !== undefined;
  // Another record is another page: the focus went with the button, and goes on from where it was.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every record
  useEffect(() => {
    if (!isKnown || underWay === undefined) return;
    const button = underWay === "none" ? null : buttons[underWay].current;
    underWay = undefined;
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const goal = button && !button.disabled ? button : document.querySelector("main");
    goal?.focus({ preventScroll: true });
  }, [isKnown, id]);
  useCommands([
    ...(next ? [{ id: "next-record", label: t("record.next"), group: "record", keys: "j", run: next } as const] : []),
    ...(previous
      ? [{ id: "previous-record", label: t("record.previous"), group: "record", keys: "k", run: previous } as const]
      : []),
  ]);
  if (neighbors === undefined) return null;
  const step = (
    button: RefObject<HTMLButtonElement | null>,
    label: string,
    keys: string,
    run: (() => void) | undefined,
    Icon: typeof IconChevronUp,
  ) => (
    <ActionIcon
      ref={button}
      variant="subtle"
      color="gray"
      size={30}
      aria-label={label}
      title={`${label} (${keys})`}
      disabled={run === undefined}
      onClick={run}
    >
      <Icon size={17} stroke={1.6} />
    </ActionIcon>
  );
  return (
    <span className={classes.neighbors}>
      <span className={classes.place}>
        {t("record.place", { at: formats.count(at + 1), total: formats.count(neighbors.total) })}
      </span>
      {step(buttons.previous, t("record.previous"), "K", previous, IconChevronUp)}
      {step(buttons.next, t("record.next"), "J", next, IconChevronDown)}
    </span>
  );
}
