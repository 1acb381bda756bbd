// A card of a board: what the record is called and the view's columns. It is dragged, or moved by its menu.
import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListRow } from "../../../client/lists/lists.ts";
import { fieldValue } from "../../fields/field-value.ts";
import { useFormats } from "../../fields/formats.ts";
import { ChoiceMark } from "../../fields/showing/choice-mark.tsx";
import type { Column } from "../../screens/list/columns/columns.ts";
import classes from "./kanban.module.css";
import type { Lane } from "./lanes.ts";

const MOST_FACTS = 4;

interface CardProps {
  readonly recordTypeKey: string;
  readonly id: string;
  readonly row: ListRow;
  readonly columns: readonly Column[];
  readonly lane: Lane;
  /** The other lanes. */
  readonly targets: readonly Lane[];
  /** Why it cannot go to some of them; known while it is held. */
  readonly refusals: ReadonlyMap<string | null, string> | undefined;
  readonly onHold: (card?: ListRow, from?: string | null, isDragged?: boolean) => void;
  readonly onMove: (card: ListRow, from: string | null, to: Lane) => void;
}

export const Card = memo(function Card({
  recordTypeKey,
  id,
  row,
  columns,
  lane,
  targets,
  refusals,
  onHold,
  onMove,
}: CardProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const place = useRef<HTMLLIElement>(null);
  const [isDragged, setDragged] = useState(false);
  const href: string = `/${recordTypeKey}/view?id=${encodeURIComponent(id)}`;
  const words = { yes: t("values.yes"), no: t("values.no") };
  const name = typeof row.record_display_name === "string" ? row.record_display_name : t("list.unnamed");

  useEffect(() => {
    if (place.current === null) return;
    return draggable({
      element: place.current,
      getInitialData: () => ({ board: recordTypeKey, lane: lane.value, card: row }),
      onDragStart: () => {
        setDragged(true);
        onHold(row, lane.value, true);
      },
      onDrop: () => {
        setDragged(false);
        onHold();
      },
    });
  }, [recordTypeKey, lane.value, row, onHold]);

  const facts = columns
    .flatMap((column) => {
      const shown = column.shown(row);
      return shown === undefined ? [] : [{ column, shown }];
    })
    .slice(0, MOST_FACTS);
  return (
    <li ref={place} className={classes.card} data-dragged={isDragged || undefined} data-movable>
      <div className={classes.cardHead}>
        <Link to={href} draggable={false} dir="auto">
          {name}
        </Link>
        {targets.length > 0 && (
          <Menu
            position="bottom-end"
            shadow="md"
            width={240}
            withinPortal
            withInitialFocusPlaceholder={false}
            onOpen={() => onHold(row, lane.value)}
            onClose={() => onHold()}
          >
            <Menu.Target>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={24}
                className={classes.more ?? ""}
                aria-label={t("charts.move_named", { name })}
              >
                <IconDots size={15} stroke={1.6} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>{t("charts.move_to")}</Menu.Label>
              {targets.map((other) => {
                const reason = refusals?.get(other.value);
                return (
                  // It can be reached by the keyboard all the same: who chooses it is told why not.
                  <Menu.Item
                    key={other.value ?? ""}
                    aria-disabled={reason !== undefined || undefined}
                    data-forbidden={reason !== undefined || undefined}
                    onClick={() => onMove(row, lane.value, other)}
                  >
                    <ChoiceMark label={other.label} color={other.color} />
                    {reason !== undefined && <span className={classes.reason}>{reason}</span>}
                  </Menu.Item>
                );
              })}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {facts.length > 0 && (
        <div className={classes.facts}>
          {facts.map(({ column, shown }) => (
            <span key={column.key} title={column.label}>
              <span className="visually-hidden">{column.label}: </span>
              {fieldValue(column.field, { ...shown, href: undefined }, formats, words)}
            </span>
          ))}
        </div>
      )}
    </li>
  );
});
