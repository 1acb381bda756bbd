// The data of a chart with the reader's formats, words and calendar.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { clockAt } from "../../../contract/zones.ts";
import { useFormats, useTimeZone } from "../../fields/formats.ts";
import type { ChartProps } from "../chart-props.ts";
import { type ChartData, chartData } from "./chart-data.ts";

export function useChartData({ schema, page }: Pick<ChartProps, "schema" | "page">): ChartData {
  const { t } = useTranslation();
  const formats = useFormats();
  const timeZone = useTimeZone();
  const words = useMemo(() => ({ none: t("values.none"), yes: t("values.yes"), no: t("values.no") }), [t]);
  const today = clockAt(new Date(), timeZone).slice(0, 10);
  return useMemo(
    () => chartData(page, { schema, formats, words, timeZone, today }),
    [page, schema, formats, words, timeZone, today],
  );
}

/** What must be said of the drawn amounts: that they were converted, or that they cannot be. */
export function useMoneyNote({ rateDate, isMixed }: ChartData): string | undefined {
  const { t } = useTranslation();
  const formats = useFormats();
  if (isMixed) return t("money.not_comparable");
  return rateDate === undefined ? undefined : t("money.converted", { date: formats.date(rateDate) });
}
