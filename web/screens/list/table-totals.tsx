// The last line of the table: totals over all matching rows, not only those in sight.
// biome-ignore-all lint/a11y/useSemanticElements: table elements cannot draw a window onto a million rows
// biome-ignore-all lint/a11y/useFocusableInteractive: the tab stop is one cell of the grid, not each row
import { useTranslation } from "react-i18next";
import { useFormats } from "../../fields/formats.ts";
import type { Column } from "./columns.ts";
import { pinOf } from "./pin-of.ts";
import classes from "./table.module.css";

interface TableTotalsProps {
  readonly columns: readonly Column[];
  readonly rowIndex: number;
  /** Something stands before the first column. */
  readonly lead: boolean;
}

export function TableTotals({ columns, rowIndex, lead }: TableTotalsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <div role="rowgroup" className={classes.foot}>
      <div role="row" aria-rowindex={rowIndex} className={classes.row}>
        {lead && <div role="gridcell" aria-colindex={1} className={classes.cell} />}
        {columns.map(({ key, total, field, isNumeric }, index) => {
          const places = field.type === "money" ? (field.scale ?? 2) : 0;
          const text = total && (total.text === undefined ? "…" : formats.number(total.text, places));
          return (
            <div
              key={key}
              role="gridcell"
              aria-colindex={index + (lead ? 2 : 1)}
              className={classes.cell}
              data-end={isNumeric || undefined}
              {...pinOf(columns, index)}
            >
              {text !== undefined && total ? (
                <span>{total.isExact || total.text === undefined ? text : t("list.about", { total: text })}</span>
              ) : (
                index === 0 && <span className={classes.footLabel}>{t("list.total")}</span>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
