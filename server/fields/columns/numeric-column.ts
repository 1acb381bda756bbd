// What the types stored as numeric(precision, scale) have in common: their column, and reading its values.

import { fault } from "../../../contract/messages.ts";
import { accept, type Column, type FieldRule, type Parsed, parseScalar, refuse } from "../field-type.ts";
import { exactDecimal, withoutTrailingZeros } from "./exact-decimal.ts";

export const numericColumn = (name: string, precision: number, scale: number): Column => ({
  name,
  type: `numeric(${precision},${scale})`,
});

export const decimalRule = (precision: number, scale: number): FieldRule => ({
  rule: "decimal",
  params: [precision, scale],
  message: scale === 0 ? fault("no_decimals") : fault("too_many_decimals", { max: scale }),
});

/** `plain` takes what the type allows beside digits (a percent sign, group separators) out of the text. */
export function parseDecimal(
  input: unknown,
  precision: number,
  scale: number,
  plain: (sent: string) => string = (sent) => sent,
): Parsed {
  return parseScalar(input, fault("bad_number"), (sent) => {
    const exact = exactDecimal(plain(sent), precision, scale);
    return "text" in exact ? accept(exact.text) : refuse(exact.fault);
  });
}

/** More digits on either side of the point than any column has. */
const MOST_SOUGHT = 100;

/** A value to compare with: nobody stores it, so it may have more digits than the column. */
export function parseFilterDecimal(input: unknown, plain: (sent: string) => string = (sent) => sent): Parsed {
  return parseScalar(input, fault("bad_number"), (sent) => {
    const number = plain(sent);
    const scale = Math.min(number.split(".")[1]?.length ?? 0, MOST_SOUGHT);
    const exact = exactDecimal(number, MOST_SOUGHT + scale, scale);
    return "text" in exact ? accept(withoutTrailingZeros(exact.text)) : refuse(exact.fault);
  });
}
