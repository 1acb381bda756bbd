// What a tile asks for within the days that the dashboard is about. A figure is compared with the days before it, with or
// without such days.
import { useMemo } from "react";
import type { RecordTypeSchema } from "../../../client/design/record-types.ts";
import type { Pin } from "../../../client/lists/dashboard.ts";
import type { Condition } from "../../../client/lists/list-draft.ts";
import type { ListChoice } from "../../../client/lists/lists.ts";
import { clockAt } from "../../../contract/zones.ts";
import { useTimeZone } from "../../fields/formats.ts";
import type { ChartProps } from "../../views/chart-props.ts";
import { byDays, dateColumnOf, spanCondition } from "../../views/dated.ts";
import { type Compared, comparedSpans } from "../../views/spans.ts";

interface TileDates {
  readonly choice: ListChoice;
  readonly where: Condition | undefined;
  readonly compared: ChartProps["compared"];
  /** It has no date by which it could follow the dashboard's. */
  readonly isOutside: boolean;
}

export function useTileDates(
  { id, kind, query }: Pin,
  schema: RecordTypeSchema | undefined,
  given: Compared | undefined,
): TileDates {
  const timeZone = useTimeZone();
  const today = clockAt(new Date(), timeZone).slice(0, 10);
  return useMemo(() => {
    const whole: TileDates = { choice: { view: id }, where: undefined, compared: undefined, isOutside: false };
    const isCompared = kind === "number" && query.chart?.date !== undefined;
    const spans = given ?? (isCompared ? comparedSpans("month", today) : undefined);
    if (schema === undefined || spans === undefined) return whole;
    const whereIn = (span: Compared["now"]) => spanCondition(schema, dateColumnOf(kind, query), span, timeZone);
    const where = whereIn(isCompared ? spans.now : spans.whole);
    if (where === undefined) return { ...whole, isOutside: given !== undefined };
    const before = isCompared ? whereIn(spans.before) : undefined;
    const finer = byDays(query, spans.whole);
    return {
      choice: finer === undefined ? whole.choice : { view: id, q: JSON.stringify(finer) },
      where,
      compared: before && { now: spans.now, before: spans.before, where: before },
      isOutside: false,
    };
  }, [id, kind, query, schema, given, today, timeZone]);
}
