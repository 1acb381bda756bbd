// How a figure has changed: a sign, an arrow and a percentage, and what it is compared with. Green and red stand for better
// and worse; a view says by `better` which way is which ("lower", or "none" where neither is).
import { IconArrowDownRight, IconArrowUpRight, IconEqual } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../fields/formats.ts";
import { chartQuery } from "../../queries.ts";
import type { ChartProps } from "../chart-props.ts";
import { useChartData } from "../drawing/use-chart-data.ts";
import { type Change, changeOf } from "../spans.ts";
import classes from "./number.module.css";

interface FigureChangeProps extends ChartProps {
  readonly compared: NonNullable<ChartProps["compared"]>;
  readonly now: string | null | undefined;
}

const arrows = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconEqual };

export function FigureChange({ recordTypeKey, schema, choice, page, compared, now }: FigureChangeProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const {
    data: before,
    error,
    refetch,
  } = useQuery(chartQuery(recordTypeKey, choice, { q: { where: compared.where } }));
  const data = useChartData({ schema, page: before ?? page });
  const was = data.slices[0]?.values[data.drawn];
  // A sum of nothing is nothing.
  const isSum = data.measures[data.drawn]?.header.aggregate === "sum";
  const change = before && changeOf(now ?? (isSum ? "0" : null), was ?? (isSum && !data.isMixed ? "0" : null));
  const days = formats.days(compared.before.from, compared.before.to);
  if (before === undefined && error) {
    return (
      <p className={classes.change} title={error.message}>
        <button type="button" className={classes.retry} onClick={() => void refetch()}>
          {t("actions.retry")}
        </button>
        <span>{t("charts.versus", { days })}</span>
      </p>
    );
  }
  if (before === undefined) return <p className={classes.change}>&nbsp;</p>;
  if (change === undefined) return <p className={classes.change}>{t("charts.no_comparison", { days })}</p>;
  const Arrow = arrows[change.direction];
  const measure = data.measures[data.drawn];
  return (
    <p
      className={classes.change}
      title={t("charts.compared", { days, value: data.slices[0]?.texts?.[data.drawn] ?? measure?.text(was ?? null) })}
    >
      <span className={classes.delta} data-tone={toneOf(change, page.chart.better)}>
        <Arrow size={14} stroke={2} aria-hidden="true" />
        {change.percent === undefined ? t("charts.from_none") : signed(change.percent, formats.percent)}
      </span>
      <span>{t("charts.versus", { days })}</span>
    </p>
  );
}

function toneOf({ direction }: Change, better: string | undefined): "good" | "bad" | undefined {
  if (direction === "same" || better === "none") return undefined;
  return (direction === "up") === (better !== "lower") ? "good" : "bad";
}

/** To a tenth where that says something. */
function signed(percent: number, written: (text: string) => string): string {
  const size = Math.abs(percent);
  const text = written(size >= 10 ? size.toFixed(0) : String(Number(size.toFixed(1))));
  return `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${text}`;
}
