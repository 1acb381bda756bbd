// Which date a view is about, and the view within a span of days. Pure.
import type { RecordTypeSchema } from "../../client/design/record-types.ts";
import type { Condition, ListDraft } from "../../client/lists/list-draft.ts";
import type { ViewKind } from "../../contract/view-kinds.ts";
import { fieldTypes } from "../fields/index.ts";
import { daysCondition, isPeriod } from "./drawing/slice-condition.ts";
import type { Span } from "./spans.ts";

const periodOf = /^([a-z]+)\(([^()]+)\)$/u;

/** The one that it names, or the one that its groups are periods of; a calendar has days of its own. */
export function dateColumnOf(kind: ViewKind, { chart, group }: Pick<ListDraft, "chart" | "group">): string | undefined {
  if (kind === "calendar") return undefined;
  if (chart?.date !== undefined) return chart.date;
  for (const expression of group ?? []) {
    const [, period, column] = periodOf.exec(expression) ?? [];
    if (isPeriod(period)) return column;
  }
  return undefined;
}

/** Undefined where the reader may not know the date, or the type has none like it. */
export function spanCondition(
  { fields }: RecordTypeSchema,
  column: string | undefined,
  span: Span,
  timeZone: string,
): Condition | undefined {
  const field = fields.find(({ column_name, permission }) => column_name === column && permission !== 1);
  const days = field && fieldTypes[field.type].days;
  return field && days && daysCondition(field.column_name, days, span, timeZone);
}

/** Months of a chart say nothing in a span that is hardly longer. */
const MOST_DAYS = 62;

/** The same view by days, for a span in which its periods would be one or two; undefined where it stays as it is. */
export function byDays(query: ListDraft, { from, to }: Span): ListDraft | undefined {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  const coarse = query.group?.find((one) => /^(?:month|quarter|year)\(/u.test(one));
  if (coarse === undefined || days > MOST_DAYS) return undefined;
  const fine = coarse.replace(/^[a-z]+/u, "day");
  // The expression is the same text wherever the view names it.
  const said: ListDraft = JSON.parse(JSON.stringify(query), (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll(coarse, fine) : value,
  );
  return said;
}
