// The data of a chart with the reader's formats, words and calendar; amounts get their currency where all share one.
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useFormats, useTimeZone } from "../../fields/formats.ts";
import type { PictureProps } from "../picture.ts";
import { type ChartData, chartData, fieldOf } from "./chart-data.ts";
import { useCurrency } from "./use-currency.ts";

export function useChartData({ recordTypeKey, schema, page, choice }: PictureProps): ChartData {
  const { t } = useTranslation();
  const formats = useFormats();
  const timeZone = useTimeZone();
  const isMoney = page.header.some(
    (header) => header.aggregate !== undefined && fieldOf(header, schema)?.type === "money",
  );
  const currency = useCurrency({ recordTypeKey, schema, choice }, isMoney);
  const words = useMemo(() => ({ none: t("values.none"), yes: t("values.yes"), no: t("values.no") }), [t]);
  return useMemo(
    () => chartData(page, { schema, formats, words, timeZone, currency }),
    [page, schema, formats, words, timeZone, currency],
  );
}
