// The list on a phone: a card for each record, in sections where the view has them, drawn as far as they are in sight.
import { UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ComponentProps, useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListRow } from "../../../../client/lists/lists.ts";
import { useFormats } from "../../../fields/formats.ts";
import { Face } from "../../../parts/layout/face.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { useRowLook } from "../look/use-row-look.ts";
import { idsBetween } from "../range/range-rows.ts";
import heads from "../sections/sections.module.css";
import { useSectionTitle } from "../sections/use-section-title.ts";
import { tableLines } from "../sections/use-sections.ts";
import { sizesOf } from "../table/line-sizes.ts";
import { nameOf } from "../table/places.ts";
import type { RecordTable } from "../table/record-table.tsx";
import table from "../table/table.module.css";
import { useRowWindow } from "../table/use-row-window.ts";
import { useRows } from "../table/use-rows.ts";
import { cardFields } from "./card-fields.ts";
import classes from "./cards.module.css";
import { RecordCard } from "./record-card.tsx";

const CARD_HEIGHT = 96;
const SECTION_HEIGHT = 40;

type RecordCardsProps = Pick<
  ComponentProps<typeof RecordTable>,
  | "schema"
  | "label"
  | "head"
  | "choice"
  | "columns"
  | "sections"
  | "changing"
  | "hrefOf"
  | "onOpen"
  | "selection"
  | "look"
>;

export function RecordCards({
  schema,
  head,
  choice,
  columns,
  sections,
  selection,
  look,
  hrefOf,
  ...props
}: RecordCardsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const scroller = useRef<HTMLDivElement>(null);
  const [isAsked, setAsked] = useState(false);
  const { key, display_field: displayField } = schema.recordType;
  const all = sections?.all;
  const lines = useMemo(() => tableLines(all, head.total), [all, head.total]);
  const sizes = useMemo(() => sizesOf(lines, CARD_HEIGHT, SECTION_HEIGHT), [lines]);
  const shown = useRowWindow(scroller, sizes, -1, 0);
  const rows = useRows(key, choice, lines, shown.first, shown.last);
  const lookOf = useRowLook(key, columns, look.colors);
  const fields = useMemo(() => cardFields(columns, displayField), [columns, displayField]);
  const titleOf = useSectionTitle(sections ?? { told: [], period: undefined });
  const isSelecting = selection !== undefined && (isAsked || selection.count > 0);
  const idOf = (row: ListRow | undefined): string | undefined => {
    const id = row?.[head.idColumn];
    return typeof id === "string" ? id : undefined;
  };
  const pick = (index: number): void =>
    selection?.pick(index, false, {
      idAt: (line) => (lines.at(line)?.kind === "head" ? "" : idOf(rows.rowAt(line))),
      readIds: (first, last, signal) => idsBetween({ recordTypeKey: key, choice, lines }, first, last, signal),
    });
  const latest = useRef(pick);
  latest.current = pick;
  const onPick = useCallback((index: number) => latest.current(index), []);
  return (
    <div className={table.frame}>
      {selection && (
        <div className={classes.bar}>
          <UnstyledButton
            className={classes.select ?? ""}
            onClick={() => {
              setAsked(!isSelecting);
              if (isSelecting) selection.clear();
            }}
          >
            {t(isSelecting ? "cards.done" : "cards.select")}
          </UnstyledButton>
        </div>
      )}
      <div
        ref={scroller}
        className={classes.scroller}
        aria-busy={props.changing}
        data-changing={props.changing || undefined}
      >
        <ul className={classes.cards} aria-label={props.label} style={{ height: shown.height }}>
          {shown.rows.map(({ index, top }) => {
            const line = lines.at(index);
            if (line?.kind === "head" && sections) {
              const section = sections.all.find((one) => one.key === line.part.key);
              if (section === undefined) return null;
              const { content, face } = titleOf(section);
              return (
                <li
                  key={`${line.part.key} head`}
                  className={`${classes.head} ${heads.head}`}
                  style={{ transform: `translateY(${top}px)`, height: SECTION_HEIGHT }}
                >
                  <button
                    type="button"
                    className={heads.toggle}
                    aria-expanded={!section.isFolded}
                    onClick={() => sections.toggle(section)}
                  >
                    <IconChevronDown size={14} stroke={2} aria-hidden="true" />
                    {face !== undefined && <Face name={face} size={18} />}
                    <span className={heads.value}>{content}</span>
                    <small>{formats.count(section.count)}</small>
                  </button>
                </li>
              );
            }
            const row = rows.rowAt(index);
            const id = idOf(row);
            return (
              <RecordCard
                key={index}
                {...{ index, top, row, fields, isSelecting, onPick }}
                height={CARD_HEIGHT}
                total={lines.count}
                name={nameOf(row) ?? id}
                href={hrefOf(row)}
                look={lookOf(row)}
                selected={selection && id !== undefined && selection.has(id)}
                onOpen={props.onOpen}
              />
            );
          })}
        </ul>
        {sections?.isCut && <p className={table.cut}>{t("sections.cut", { count: sections.all.length })}</p>}
      </div>
      {rows.failed && (
        <div className={table.failed}>
          <Notice tone="bad">
            {t("list.rows_failed")}{" "}
            <button type="button" onClick={rows.retry} className={table.retry}>
              {t("actions.retry")}
            </button>
          </Notice>
        </div>
      )}
    </div>
  );
}
