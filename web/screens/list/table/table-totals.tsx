// The last line of the table: totals over all matching rows, not only those in sight.
// biome-ignore-all lint/a11y/useSemanticElements: table elements cannot draw a window onto a million rows
// biome-ignore-all lint/a11y/useFocusableInteractive: the tab stop is one cell of the grid, not each row
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Formats } from "../../../../contract/formats.ts";
import { useFormats } from "../../../fields/formats.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { moneyParts } from "../../../fields/showing/money-text.ts";
import type { Column, ColumnTotal } from "../columns/columns.ts";
import { pinOf } from "./pin-of.ts";
import classes from "./table.module.css";

function totalText(total: ColumnTotal, field: Column["field"], formats: Formats): string {
  const { text, currency, byCurrency, rateDate } = total;
  if (text === undefined)
    return byCurrency === undefined ? (total.isExact ? "–" : "…") : moneyParts(byCurrency, formats);
  const amount = fieldTypes[field.type].total?.(text, field, formats, currency) ?? formats.number(text);
  return rateDate === undefined ? amount : `≈ ${amount}`;
}

/** What a converted total is made of, and by rates of which day. */
function totalNote({ rateDate, byCurrency, text }: ColumnTotal, formats: Formats, t: TFunction): string | undefined {
  if (rateDate !== undefined) {
    const parts = byCurrency === undefined ? "" : `: ${moneyParts(byCurrency, formats)}`;
    return t("money.converted", { date: formats.date(rateDate) }) + parts;
  }
  return text === undefined && byCurrency !== undefined ? t("money.no_rate") : undefined;
}

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
          const text = total && totalText(total, field, formats);
          const note = total && totalNote(total, formats, t);
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
                <span title={note}>
                  {total.isExact || total.text === undefined ? text : t("list.about", { total: text })}
                  {note !== undefined && <span className="visually-hidden"> {note}</span>}
                </span>
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
