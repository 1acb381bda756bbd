// Spans and days relative to today, as people say them and as the wire writes them: `{{THIS_MONTH}}-1M`, and so on.
export type DayUnit = "d" | "w" | "M" | "y";
export const dayUnits: readonly DayUnit[] = ["d", "w", "M", "y"];

interface NamedSpan {
  readonly anchor: string;
  readonly from: string;
  /** The first moment after it. */
  readonly to: string;
}

const spans = {
  today: { anchor: "TODAY", from: "", to: "+1d" },
  yesterday: { anchor: "TODAY", from: "-1d", to: "" },
  tomorrow: { anchor: "TODAY", from: "+1d", to: "+2d" },
  this_week: { anchor: "THIS_WEEK", from: "", to: "+1w" },
  last_week: { anchor: "THIS_WEEK", from: "-1w", to: "" },
  next_week: { anchor: "THIS_WEEK", from: "+1w", to: "+2w" },
  this_month: { anchor: "THIS_MONTH", from: "", to: "+1M" },
  last_month: { anchor: "THIS_MONTH", from: "-1M", to: "" },
  next_month: { anchor: "THIS_MONTH", from: "+1M", to: "+2M" },
  this_quarter: { anchor: "THIS_QUARTER", from: "", to: "+3M" },
  last_quarter: { anchor: "THIS_QUARTER", from: "-3M", to: "" },
  this_year: { anchor: "THIS_YEAR", from: "", to: "+1y" },
  last_year: { anchor: "THIS_YEAR", from: "-1y", to: "" },
} as const satisfies Record<string, NamedSpan>;

export type SpanName = keyof typeof spans;
export const spanNames = Object.keys(spans) as readonly SpanName[];

/** A span by its name, or the last or next so many days with today. */
export type Span =
  | { readonly name: SpanName }
  | { readonly name: "last" | "next"; readonly count: number; readonly unit: DayUnit };

/** Days end with a day, instants with a second: the wire's `between` takes both ends. */
const closing = (isInstant: boolean): string => (isInstant ? "-1s" : "-1d");

const tidy = (text: string): string => text.replace("+1d-1d", "").replace("+2d-1d", "+1d");

export function writeSpan(span: Span, isInstant: boolean): readonly [string, string] {
  const end = closing(isInstant);
  if ("count" in span) {
    const offset = `${span.count}${span.unit}`;
    const [from, to] = span.name === "last" ? [`-${offset}`, "+1d"] : ["", `+${offset}+1d`];
    return [`{{TODAY}}${from}`, tidy(`{{TODAY}}${to}${end}`)];
  }
  const { anchor, from, to } = spans[span.name];
  return [`{{${anchor}}}${from}`, tidy(`{{${anchor}}}${to}${end}`)];
}

export function readSpan(values: readonly string[], isInstant: boolean): Span | undefined {
  const is = (span: Span): boolean => writeSpan(span, isInstant).every((text, index) => text === values[index]);
  const named = spanNames.map((name): Span => ({ name })).find(is);
  if (named) return named;
  for (const text of values) {
    const [, count, unit] = /^\{\{TODAY\}\}[+-](\d{1,4})([dwMy])/u.exec(text) ?? [];
    const known = dayUnits.find((each) => each === unit);
    if (known === undefined) continue;
    const found = (["last", "next"] as const)
      .map((name): Span => ({ name, count: Number(count), unit: known }))
      .find(is);
    if (found) return found;
  }
  return undefined;
}

/** A day so far from today; 0 is today itself. */
export interface DayOffset {
  readonly count: number;
  readonly unit: DayUnit;
}

export const writeDay = ({ count, unit }: DayOffset): string =>
  `{{TODAY}}${count === 0 ? "" : `${count < 0 ? "-" : "+"}${Math.abs(count)}${unit}`}`;

export function readDay(text: string): DayOffset | undefined {
  const [whole, sign, digits, unit] = /^\{\{TODAY\}\}(?:([+-])(\d{1,4})([dwMy]))?$/u.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const known = dayUnits.find((each) => each === unit) ?? "d";
  return { count: Number(digits ?? 0) * (sign === "-" ? -1 : 1), unit: known };
}
