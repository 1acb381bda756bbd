// A card of a board: what the record is called, two details, and a line with its due day, its amount and its owner's face. It
// is dragged, or moved by its menu; where it may not go says so on it.
import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { ActionIcon, CloseButton, Menu } from "@mantine/core";
import { IconCalendarDue, IconDots } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { memo, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListRow } from "../../../client/lists/lists.ts";
import { fieldValue } from "../../fields/field-value.ts";
import { useFormats } from "../../fields/formats.ts";
import { ChoiceMark } from "../../fields/showing/choice-mark.tsx";
import { Face } from "../../parts/layout/face.tsx";
import type { Column } from "../../screens/list/columns/columns.ts";
import { tintOf } from "../../screens/list/look/tint.ts";
import type { RowLook } from "../../screens/list/look/use-row-look.ts";
import type { CardFacts } from "../card-facts.ts";
import classes from "./kanban.module.css";
import type { LanePlace, Refused } from "./lanes.ts";

interface CardProps {
  readonly recordTypeKey: string;
  readonly id: string;
  readonly row: ListRow;
  readonly facts: CardFacts;
  readonly look: RowLook;
  readonly refused: Refused | undefined;
  readonly onDismiss: () => void;
  /** The value of its lane. */
  readonly from: string | null;
  /** The other lanes. */
  readonly targets: readonly LanePlace[];
  /** Why it cannot go to some of them; known while it is held. */
  readonly refusals: ReadonlyMap<string | null, string> | undefined;
  readonly onHold: (card?: ListRow, from?: string | null, isDragged?: boolean) => void;
  readonly onMove: (card: ListRow, from: string | null, to: LanePlace) => void;
}

export const Card = memo(function Card({
  recordTypeKey,
  id,
  row,
  facts,
  look,
  refused,
  onDismiss,
  from,
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
      getInitialData: () => ({ board: recordTypeKey, lane: from, card: row }),
      onDragStart: () => {
        setDragged(true);
        onHold(row, from, true);
      },
      onDrop: () => {
        setDragged(false);
        onHold();
      },
    });
  }, [recordTypeKey, from, row, onHold]);

  const shown = (column: Column | undefined) => {
    const value = column?.shown(row);
    return column && value && fieldValue(column.field, { ...value, href: undefined }, formats, words);
  };
  const details = facts.details.filter((column) => column.shown(row) !== undefined);
  const owner = facts.owner?.shown(row)?.text;
  const [due, amount] = [shown(facts.due), shown(facts.amount)];
  const isLate = facts.due !== undefined && look.overdue.includes(facts.due.name);
  return (
    <li
      ref={place}
      className={classes.card}
      style={tintOf(look.paint?.row)}
      data-tint={look.paint?.row}
      data-dragged={isDragged || undefined}
      data-movable
    >
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
            onOpen={() => onHold(row, from)}
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
                    onClick={() => onMove(row, from, other)}
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
      {details.length > 0 && (
        <div className={classes.facts}>
          {details.map((column) => (
            <span key={column.key} title={column.label}>
              <span className="visually-hidden">{column.label}: </span>
              {shown(column)}
            </span>
          ))}
        </div>
      )}
      {(due || amount || owner) && (
        <div className={classes.foot}>
          {amount && (
            <b title={facts.amount?.label}>
              <span className="visually-hidden">{facts.amount?.label}: </span>
              {amount}
            </b>
          )}
          {due && (
            <span className={classes.due} data-late={isLate || undefined} title={facts.due?.label}>
              <IconCalendarDue size={13} stroke={1.8} aria-hidden="true" />
              <span className="visually-hidden">{isLate ? t("display.overdue") : `${facts.due?.label}:`} </span>
              {due}
            </span>
          )}
          {owner && (
            <span className={classes.owner} title={`${facts.owner?.label}: ${owner}`}>
              <span className="visually-hidden">
                {facts.owner?.label}: {owner}
              </span>
              <Face name={owner} size={20} />
            </span>
          )}
        </div>
      )}
      {refused && (
        <div className={classes.refused} role="alert">
          <p>
            <b>{refused.title}</b>
            <span>{refused.reason}</span>
          </p>
          <CloseButton size="xs" aria-label={t("actions.close")} onClick={onDismiss} />
        </div>
      )}
    </li>
  );
});
