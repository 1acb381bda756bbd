// The figures of a chart, all of them, as a table; each line leads to its records.
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Condition } from "../../../client/lists/list-draft.ts";
import { sumOf } from "../../fields/showing/exact-sum.ts";
import { ScrollRegion } from "../../parts/layout/scroll-region.tsx";
import type { ChartData } from "./chart-data.ts";
import classes from "./drawing.module.css";

interface ChartTableProps {
  readonly data: ChartData;
  readonly label: string;
  readonly recordsHref: (condition: Condition) => string;
}

export function ChartTable({ data: { by, measures, slices }, label, recordsHref }: ChartTableProps) {
  const { t } = useTranslation();
  const totals = measures.map(({ header }, index) =>
    (header.aggregate === "count" || header.aggregate === "sum") && slices.every(({ texts }) => !texts?.[index])
      ? sumOf(slices.flatMap(({ values }) => values[index] ?? []))
      : null,
  );
  return (
    <div className={classes.tableRoom}>
      <ScrollRegion label={label}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{by?.label ?? t("charts.records")}</th>
              {measures.map((measure) => (
                <th key={measure.header.name} scope="col" data-end>
                  {measure.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {slices.map(({ key, label: name, values, texts, condition }) => (
              <tr key={key ?? ""}>
                <th scope="row">
                  <Link to={recordsHref(condition)}>{by === undefined ? t("charts.all_records") : name}</Link>
                </th>
                {measures.map((measure, index) => (
                  <td key={measure.header.name} data-end>
                    {texts?.[index] ?? measure.text(values[index] ?? null)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          {by !== undefined && slices.length > 1 && totals.some((total) => total !== null) && (
            <tfoot>
              <tr>
                <th scope="row">{t("list.total")}</th>
                {measures.map((measure, index) => (
                  <td key={measure.header.name} data-end>
                    {totals[index] === null ? "" : measure.text(totals[index] ?? null)}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </ScrollRegion>
    </div>
  );
}
