// One figure, large, with the others of the view beneath it.
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ChartProps } from "../chart-props.ts";
import { useChartData, useMoneyNote } from "../drawing/use-chart-data.ts";
import classes from "./number.module.css";

export function NumberView(props: ChartProps) {
  const { t } = useTranslation();
  const data = useChartData(props);
  const { measures, drawn, slices } = data;
  const note = useMoneyNote(data);
  const values = slices[0]?.values ?? [];
  const texts = slices[0]?.texts ?? [];
  const main = measures[drawn];
  return (
    <section className={classes.number} data-tile={props.isTile || undefined} aria-label={props.label}>
      <Link to={props.recordsHref()} className={classes.link} title={t("charts.show_records")}>
        <strong className={classes.value}>{texts[drawn] ?? main?.text(values[drawn] ?? null) ?? "–"}</strong>
        <span className={classes.label}>{main?.label}</span>
      </Link>
      {note !== undefined && <p className={classes.note}>{note}</p>}
      {measures.length > 1 && (
        <dl className={classes.others}>
          {measures.map(
            (measure, index) =>
              index !== drawn && (
                <div key={measure.header.name}>
                  <dt>{measure.label}</dt>
                  <dd>{texts[index] ?? measure.text(values[index] ?? null)}</dd>
                </div>
              ),
          )}
        </dl>
      )}
    </section>
  );
}
