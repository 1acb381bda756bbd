// The way to the record before and after this one, in the list that it was opened from.
import { ActionIcon } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
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

export function NeighborLinks({ module, controller, id }: NeighborLinksProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const navigate = useNavigate();
  const place = useListPlace();
  const neighbors = useNeighbors(`${module}/${controller}`, id);
  const go = (to: string | undefined, at: number) =>
    to === undefined || place === undefined
      ? undefined
      : (): void =>
          void navigate({
            to: "/$module/$controller/view",
            params: { module, controller },
            search: { id: to },
            state: { fromList: { ...place, at } },
            // Back leads to the list, however many records were looked at.
            replace: true,
          });
  const at = neighbors?.at ?? 0;
  const previous = go(neighbors?.previous, at - 1);
  const next = go(neighbors?.next, at + 1);
  useCommands([
    ...(next ? [{ id: "next-record", label: t("record.next"), group: "record", keys: "j", run: next } as const] : []),
    ...(previous
      ? [{ id: "previous-record", label: t("record.previous"), group: "record", keys: "k", run: previous } as const]
      : []),
  ]);
  if (neighbors === undefined) return null;
  const step = (label: string, keys: string, run: (() => void) | undefined, Icon: typeof IconChevronUp) => (
    <ActionIcon
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
      {step(t("record.previous"), "K", previous, IconChevronUp)}
      {step(t("record.next"), "J", next, IconChevronDown)}
    </span>
  );
}
