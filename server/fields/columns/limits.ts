// The least and the most that a field takes, for numbers and for dates: as settings, as rules that a client can check, and as the judge.
// Whole numbers have their own (integer.ts). Values to compare with are not held to them.
import { z } from "zod";
import { compareDecimals, decimalOf } from "../../../contract/formula/exact-number.ts";
import { fault } from "../../../contract/messages.ts";
import { coded } from "../../lib/issue-message.ts";
import { type FieldRule, type Parsed, refuse } from "../field-type.ts";
import { readMoment } from "./calendar.ts";
import { exactDecimal, withoutTrailingZeros } from "./exact-decimal.ts";

export interface Limits {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

type Compare = (a: string, b: string) => number;

const numbers: Compare = (a, b) => {
  const [left, right] = [decimalOf(a), decimalOf(b)];
  return left && right ? compareDecimals(left, right) : 0;
};
/** Days and instants in one spelling are in the order of their texts. */
const texts: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** A number, or its text where a JSON number would not be exact. */
const decimalLimit = z.union([z.number(), z.string()], coded("must_be_number")).transform((value, issues) => {
  const exact = exactDecimal(String(value), 58, 20);
  if ("text" in exact) return withoutTrailingZeros(exact.text);
  issues.addIssue({ code: "custom", message: coded("must_be_number") });
  return z.NEVER;
});

const momentLimit = (part: "day" | "utc") =>
  z.string().transform((value, issues) => {
    const text = readMoment(value.trim())?.[part];
    if (text !== undefined) return text;
    issues.addIssue({ code: "custom", message: coded("must_be_date") });
    return z.NEVER;
  });

export const decimalLimits = { min: decimalLimit.optional(), max: decimalLimit.optional() };
export const dayLimits = { min: momentLimit("day").optional(), max: momentLimit("day").optional() };
export const instantLimits = { min: momentLimit("utc").optional(), max: momentLimit("utc").optional() };

const inOrder =
  (compare: Compare) =>
  ({ min, max }: Limits): boolean =>
    min === undefined || max === undefined || compare(min, max) <= 0;
export const areNumbersInOrder = inOrder(numbers);
export const areTextsInOrder = inOrder(texts);
export const outOfOrder = { message: coded("min_above_max") };

const within =
  (compare: Compare) =>
  (parsed: Parsed, { min, max }: Limits): Parsed => {
    const text = parsed.ok ? parsed.row[0] : undefined;
    if (text == null) return parsed;
    if (min !== undefined && compare(text, min) < 0) return refuse(fault("below_minimum", { min }));
    if (max !== undefined && compare(text, max) > 0) return refuse(fault("above_maximum", { max }));
    return parsed;
  };
export const numberWithin = within(numbers);
export const dateWithin = within(texts);

export const limitRules = ({ min, max }: Limits, kind: "" | "_date" = ""): readonly FieldRule[] => [
  ...(min === undefined ? [] : [{ rule: `min${kind}`, params: [min], message: fault("below_minimum", { min }) }]),
  ...(max === undefined ? [] : [{ rule: `max${kind}`, params: [max], message: fault("above_maximum", { max }) }]),
];

/** As the keys `min` and `max` of a form element. */
export const limitSettings = ({ min, max }: Limits) => ({ min: min ?? null, max: max ?? null });
