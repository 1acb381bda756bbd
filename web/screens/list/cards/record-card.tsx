// One record of a list on a phone: a card that opens it, with a tap to call and to mail. Held for a moment, or with boxes
// shown, it is selected instead.
import { IconMail, IconPhone } from "@tabler/icons-react";
import { memo, type PointerEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ListRow } from "../../../../client/lists/lists.ts";
import { fieldText, fieldValue } from "../../../fields/field-value.ts";
import { useFormats } from "../../../fields/formats.ts";
import { Face } from "../../../parts/layout/face.tsx";
import type { Column } from "../columns/columns.ts";
import { tintOf } from "../look/tint.ts";
import type { RowLook } from "../look/use-row-look.ts";
import type { CardFields } from "./card-fields.ts";
import classes from "./cards.module.css";

const HOLD_MS = 450;
/** So far a finger may move without meaning it. */
const STILL = 8;

interface RecordCardProps {
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly total: number;
  readonly row: ListRow | undefined;
  readonly fields: CardFields;
  readonly name: string | undefined;
  readonly href: string | undefined;
  readonly look: RowLook;
  /** Undefined where rows are not selected. */
  readonly selected: boolean | undefined;
  /** A tap selects. */
  readonly isSelecting: boolean;
  readonly onOpen: (href: string, row: number) => void;
  readonly onPick: (index: number) => void;
}

export const RecordCard = memo(function RecordCard(props: RecordCardProps) {
  const { index, top, height, look, row, fields, name, href, selected, isSelecting, onOpen, onPick } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const words = { yes: t("values.yes"), no: t("values.no") };
  const hold = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout> }>(undefined);
  const wasHeld = useRef(false);
  const letGo = (): void => {
    clearTimeout(hold.current?.timer);
    hold.current = undefined;
  };
  const press = (event: PointerEvent): void => {
    wasHeld.current = false;
    if (selected === undefined || isSelecting || event.button !== 0) return;
    const timer = setTimeout(() => {
      wasHeld.current = true;
      onPick(index);
    }, HOLD_MS);
    hold.current = { x: event.clientX, y: event.clientY, timer };
  };
  const move = ({ clientX, clientY }: PointerEvent): void => {
    const { x, y } = hold.current ?? { x: clientX, y: clientY };
    if (Math.hypot(clientX - x, clientY - y) > STILL) letGo();
  };
  const shownOf = (column: Column | undefined) => (row && column ? column.shown(row) : undefined);
  const contentOf = (column: Column | undefined) => {
    const shown = shownOf(column);
    // On a card values lead nowhere: it is the card that opens.
    return column && shown && fieldValue(column.field, { ...shown, href: undefined }, formats, words, -1);
  };
  const textsOf = (columns: readonly Column[]): readonly string[] =>
    columns.flatMap((column) => {
      const shown = shownOf(column);
      return shown ? [fieldText(column.field, shown, formats, words)] : [];
    });
  // As its column says it, if there is one: what a record is called may be the value of an option.
  const title = (fields.title ? textsOf([fields.title])[0] : name) ?? t("list.unnamed");
  const overdue = fields.due.filter(({ name: column }) => look.overdue.includes(column));
  const late = textsOf(overdue);
  // A field that follows the stage says it in color: once is enough.
  const [stage] = fields.state ? textsOf([fields.state]) : [];
  const alike = fields.details.find((column) => stage !== undefined && textsOf([column])[0] === stage);
  const details = textsOf(fields.details.filter((column) => !overdue.includes(column) && column !== alike));
  const [phone, mail] = [shownOf(fields.phone)?.value, shownOf(fields.mail)?.value];
  return (
    <li
      className={classes.card}
      style={{ transform: `translateY(${top}px)`, height, ...tintOf(look.paint?.row) }}
      aria-setsize={props.total}
      aria-posinset={index + 1}
      data-chosen={selected || undefined}
      data-tint={look.paint?.row}
      aria-busy={row === undefined || undefined}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onContextMenu={(event) => selected !== undefined && event.preventDefault()}
    >
      {row === undefined ? (
        <i className={classes.skeleton} />
      ) : (
        <>
          {isSelecting ? (
            <input
              type="checkbox"
              className={classes.box}
              aria-label={t("bulk.select_row", { name: title })}
              checked={selected ?? false}
              onChange={() => onPick(index)}
            />
          ) : (
            fields.title?.face && <Face name={title} size={32} shape={fields.title.face} />
          )}
          <div className={classes.lines}>
            <div className={classes.first}>
              <a
                href={href}
                className={classes.title}
                onClick={(event) => {
                  if (wasHeld.current || isSelecting) {
                    event.preventDefault();
                    if (isSelecting && !wasHeld.current) onPick(index);
                    return;
                  }
                  if (event.metaKey || event.ctrlKey || href === undefined) return;
                  event.preventDefault();
                  onOpen(href, index);
                }}
              >
                {title}
              </a>
              <b className={classes.amount}>{contentOf(fields.amount)}</b>
            </div>
            <p className={classes.details}>
              {late.length > 0 && (
                <span className={classes.overdue}>
                  <span className="visually-hidden">{t("display.overdue")} </span>
                  {late.join(" · ")}
                </span>
              )}
              {late.length > 0 && details.length > 0 && " · "}
              {details.join(" · ")}
            </p>
            <div className={classes.last}>
              <span className={classes.state}>{contentOf(alike ?? fields.state)}</span>
              {phone !== undefined && (
                <a
                  className={classes.reach}
                  href={`tel:${phone.replace(/[^\d+]/g, "")}`}
                  aria-label={t("cards.call", { name: title, number: phone })}
                >
                  <IconPhone size={17} stroke={1.6} aria-hidden="true" />
                </a>
              )}
              {mail !== undefined && (
                <a className={classes.reach} href={`mailto:${mail}`} aria-label={t("cards.mail", { name: title })}>
                  <IconMail size={17} stroke={1.6} aria-hidden="true" />
                </a>
              )}
            </div>
          </div>
        </>
      )}
    </li>
  );
});
