// The line above the rows of a section: what they have in common, how many they are, and what their numbers come to, each
// figure in its own column. A click folds the section; with Alt, all of them.
// biome-ignore-all lint/a11y/useSemanticElements: table elements cannot draw a window onto a million rows
// biome-ignore-all lint/a11y/useFocusableInteractive: the tab stop is one cell of the grid, not each row
import { IconChevronDown } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { fieldValue } from "../../../fields/field-value.ts";
import { useFormats } from "../../../fields/formats.ts";
import { Face } from "../../../parts/layout/face.tsx";
import type { Column } from "../columns/columns.ts";
import { pinOf } from "../table/pin-of.ts";
import table from "../table/table.module.css";
import classes from "./sections.module.css";
import { useSectionTitle } from "./use-section-title.ts";
import type { Sections } from "./use-sections.ts";

interface SectionHeadProps {
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly sections: Sections;
  /** Which of them. */
  readonly sectionKey: string;
  readonly columns: readonly Column[];
  /** The column that the keyboard stands in. */
  readonly place: number;
  readonly isStop: boolean;
  /** Something stands before the first column. */
  readonly lead: boolean;
}

export function SectionHead(props: SectionHeadProps) {
  const { index, top, height, sections, sectionKey, columns, place, isStop, lead } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const titleOf = useSectionTitle(sections);
  const words = { yes: t("values.yes"), no: t("values.no") };
  const section = sections.all.find(({ key }) => key === sectionKey);
  if (section === undefined) return null;
  const { content, face } = titleOf(section);
  const figureOf = ({ name }: Column) => {
    const told = sections.told[sections.figured.indexOf(name) + 2];
    const shown = sections.figured.includes(name) ? told?.shown(section.row) : undefined;
    return told && shown && fieldValue(told.field, shown, formats, words);
  };
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`${table.row} ${classes.head}`}
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <div
        role="gridcell"
        aria-colindex={1}
        aria-colspan={lead ? 2 : 1}
        className={classes.title}
        style={{ gridColumn: `1 / span ${lead ? 2 : 1}` }}
      >
        <button
          type="button"
          className={classes.toggle}
          data-place={`${index}:${place}`}
          tabIndex={isStop ? 0 : -1}
          aria-expanded={!section.isFolded}
          title={t("sections.toggle")}
          onClick={(event) => (event.altKey ? sections.foldAll(!section.isFolded) : sections.toggle(section))}
        >
          <IconChevronDown size={14} stroke={2} aria-hidden="true" />
          {face !== undefined && <Face name={face} size={18} />}
          <span className={classes.value}>{content}</span>
          <small>{formats.count(section.count)}</small>
        </button>
      </div>
      {columns.slice(1).map((column, step) => (
        <div
          key={column.key}
          role="gridcell"
          aria-colindex={step + (lead ? 3 : 2)}
          className={`${table.cell} ${classes.figure}`}
          data-end={column.isNumeric || undefined}
          {...pinOf(columns, step + 1)}
        >
          {figureOf(column)}
        </div>
      ))}
    </div>
  );
}
