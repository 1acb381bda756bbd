// Takes a typed value and the rules of its field; gives what is wrong with it, in the rules' own words. It is the first
// look while one types: it refuses nothing that the service would take, and the service has the last word.
import type { FieldRule, WireValue } from "../../../client/records/records.ts";
import { compareDecimals, decimalOf } from "../../../contract/formula/exact-number.ts";
import { matchesPattern, parsePattern } from "../../../contract/pattern.ts";
import { wireRule } from "../../../contract/rules.ts";
import { trimEndOf } from "../../../contract/trim.ts";

const ungrouped = (text: string): string => text.trim().replace(/[,\s%]/g, "");
const isWhole = (text: string): boolean => /^[+-]?\d+$/.test(ungrouped(text));

/** Something, an @, and a domain with a point inside. */
function isEmail(text: string): boolean {
  const [name = "", domain = "", ...more] = text.split("@");
  return name !== "" && more.length === 0 && domain.slice(1, -1).includes(".") && !/\s/.test(text);
}

type Check = (text: string, params: readonly (string | number)[]) => boolean;

function compare(text: string, limit: string | number | undefined, sign: 1 | -1): boolean {
  const [typed, most] = [decimalOf(ungrouped(text)), decimalOf(String(limit))];
  return typed === null || most === null || compareDecimals(typed, most) * sign >= 0;
}

/** Days and instants as the wire writes them are in the order of their texts. */
const compareDates = (text: string, limit: string | number | undefined, sign: 1 | -1): boolean =>
  limit === undefined ||
  !/^\d{4}-\d{2}-\d{2}/.test(text) ||
  (text < String(limit) ? -1 : 1) * sign >= 0 ||
  text === limit;

function hasPattern(text: string, source: string | number | undefined): boolean {
  const parsed = parsePattern(String(source));
  return !parsed.ok || matchesPattern(parsed.pattern, text.normalize("NFC").replace(/\s+/g, " ").trim());
}

/** True where nothing is wrong. Rules without a line are the service's alone. */
const checks: Readonly<Record<string, Check>> = {
  max_length: (text, [most]) => [...text.trim()].length <= Number(most),
  [wireRule.integer]: isWhole,
  decimal: (text, [, places]) => {
    const found = /^[+-]?(?:\d+\.?|\d*\.(\d+))$/.exec(ungrouped(text));
    return found !== null && trimEndOf(found[1] ?? "", "0").length <= Number(places);
  },
  min: (text, [least]) => compare(text, least, 1),
  max: (text, [most]) => compare(text, most, -1),
  min_date: (text, [least]) => compareDates(text, least, 1),
  max_date: (text, [most]) => compareDates(text, most, -1),
  pattern: (text, [source]) => hasPattern(text, source),
  [wireRule.email]: (text) => isEmail(text.trim()),
  [wireRule.phone]: (text) => {
    const digits = text.replace(/\D/g, "").length;
    return digits >= 3 && digits <= 28 && !/[^\d\s()+./\-extEXT]/.test(text.trim());
  },
  url: (text) => !/\s/.test(text.trim()) && /[.:]|^localhost/i.test(text),
  json: (text) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  },
};

export const isEmptyValue = (value: WireValue | undefined): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === "string" ? value.trim() === "" : Object.values(value).every((part) => part === null));

export function checkValue(
  rules: readonly FieldRule[],
  value: WireValue | undefined,
  /** What to say where it may not be empty. */
  required: string | undefined,
): readonly string[] {
  if (isEmptyValue(value)) {
    if (required === undefined) return [];
    return [rules.find(({ rule }) => rule === wireRule.required)?.message ?? required];
  }
  if (typeof value !== "string") return [];
  const broken = rules.find(({ rule, params }) => {
    const check = Object.hasOwn(checks, rule) ? checks[rule] : undefined;
    return check !== undefined && !check(value, params);
  });
  return broken ? [broken.message] : [];
}
