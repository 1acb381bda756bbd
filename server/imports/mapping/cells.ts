// Takes a cell as people write it and how the file writes days and numbers; gives what a save takes. What it cannot make sense
// of stays as it is, and the save says what is wrong with it. Pure.
import { readYesNo } from "../../../contract/texts/yes-no.ts";
import type { Field, ParseContext } from "../../fields/field-type.ts";
import { unescapeFormula } from "../../lib/writing/spreadsheet-text.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { ImportSpec } from "../spec.ts";

export type CellHabits = Pick<ImportSpec, "dateOrder" | "decimalSign">;

export function cellValue(field: Field, sent: string, habits: CellHabits & Pick<ImportSpec, "dialect">): string {
  const { value: kind, picks, isYesNo } = typeOf(field);
  const { format } = habits.dialect;
  const isJson = format === "json" || format === "jsonl";
  // What JSON says it says as it is.
  const cell = isJson ? sent : unescapeFormula(sent);
  const text = cell.trim();
  // Programs write numbers with a point, whatever the texts beside them are like.
  if (kind === "number") return isJson && /^-?\d+\.\d+$/u.test(text) ? text : plainNumber(text, habits.decimalSign);
  if (kind === "date" || kind === "instant") return isoDate(text, habits.dateOrder);
  if (isYesNo) return readYesNo(text) ?? cell;
  return picks === "several" ? chosen(field, text) : cell;
}

/** So many cells tell whether a column makes sense in a field. */
const LOOKED_AT = 20;

/** Whether most cells of a column make sense in a field. What names a record is looked up later, and parts are text. */
export function fitsCells(
  { field, part }: { readonly field: Field; readonly part: string | undefined },
  cells: readonly string[],
  habits: CellHabits & Pick<ImportSpec, "dialect">,
  context: ParseContext,
): boolean {
  const { parse, references } = typeOf(field);
  if (part !== undefined || references !== undefined) return true;
  const some = cells.slice(0, LOOKED_AT);
  const good = some.filter((cell) => parse(cellValue(field, cell, habits), field, context).ok);
  return good.length * 2 >= some.length;
}

/** `Red, Dark blue` → `red;dark blue`: labels or values as a list shows them, with commas between. */
function chosen(field: Field, text: string): string {
  if (text.includes(";") || text.length > 10_000) return text;
  const options = typeOf(field).inputSettings?.(field).options;
  const names = (Array.isArray(options) ? options : [])
    .flatMap(({ value, text: label }) =>
      [value, label].map((name) => ({ name: String(name).toLowerCase(), value: String(value) })),
    )
    .sort((a, b) => b.name.length - a.name.length);
  const found: string[] = [];
  for (let rest = text.toLowerCase(); rest !== ""; ) {
    const next = names.find(({ name }) => rest === name || rest.startsWith(`${name},`));
    if (!next) return text;
    found.push(next.value);
    rest = rest.slice(next.name.length).replace(/^,\s*/u, "");
  }
  return found.join(";");
}

/** `1.234,50` → `1234.50`. Signs of currencies and spaces between thousands do not count. */
export function plainNumber(text: string, sign: "." | ","): string {
  if (text.length > 100) return text;
  const bare = text
    .replace(/^'/u, "")
    .replace(/[\s\u00a0\u202f]/gu, "")
    .replace(/^(-?)[$€£¥]|[$€£¥]$/gu, "$1");
  const [group, pattern] =
    sign === ","
      ? [".", /^[+-]?(?:\d{1,3}(?:\.\d{3})+|\d*)(?:,\d*)?%?$/u]
      : [",", /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d*)(?:\.\d*)?%?$/u];
  return pattern.test(bare) ? bare.replaceAll(group, "").replace(sign, ".") : text;
}

const written = /^(\d{1,4})([./-])(\d{1,2})([./-])(\d{1,4})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/u;

/** `31.12.2026 9:30` → `2026-12-31 09:30:00`, by the order in which the file writes days. */
export function isoDate(text: string, order: CellHabits["dateOrder"]): string {
  const found = text.length > 40 ? null : written.exec(text);
  if (!found) return text;
  const [, first = "", mark, second = "", same, third = "", hour, minute = "00", seconds = "00"] = found;
  if (mark !== same) return text;
  // A year in four digits stands out, a short one only by the order.
  const isYearFirst = first.length > 2 || (order === "ymd" && third.length <= 2);
  const parts = isYearFirst
    ? [first, second, third]
    : order === "mdy"
      ? [third, first, second]
      : [third, second, first];
  const [year = "", month = "", day = ""] = parts;
  if (year.length === 3 || year.length < 2) return text;
  // As the preview of the import reads it.
  const whole = year.length === 2 ? `${Number(year) < 69 ? "20" : "19"}${year}` : year;
  const date = `${whole}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return hour === undefined ? date : `${date} ${hour.padStart(2, "0")}:${minute}:${seconds}`;
}

/** By what the cells show; where they leave it open, as in the last import, or as the reader's own country writes. */
export function dateOrderOf(
  cells: readonly string[],
  locale: string,
  last: CellHabits["dateOrder"] | undefined,
): CellHabits["dateOrder"] {
  for (const cell of cells) {
    const found = cell.length > 40 ? null : written.exec(cell.trim());
    if (!found) continue;
    const [, first = "", mark, second = ""] = found;
    if (first.length > 2) continue;
    if (Number(first) > 12 || mark === ".") return "dmy";
    if (Number(second) > 12) return "mdy";
  }
  return last ?? (/^en[-_](?:US|PH)$/iu.test(locale) ? "mdy" : "dmy");
}

export function decimalSignOf(cells: readonly string[], last: "." | "," | undefined): "." | "," {
  let commas = 0;
  let points = 0;
  for (const cell of cells) {
    if (cell.length > 100) continue;
    const text = cell.trim().replace(/[\s€$£%\u00a0]/gu, "");
    if (/^[+-]?\d{1,3}(?:\.\d{3})*,\d+$/u.test(text) && !/^[+-]?\d{1,3},\d{3}$/u.test(text)) commas += 1;
    else if (/^[+-]?\d{1,3}(?:,\d{3})*\.\d+$/u.test(text)) points += 1;
    else if (/^[+-]?\d+,\d+$/u.test(text) && !/^[+-]?\d{1,3},\d{3}$/u.test(text)) commas += 1;
    else if (/^[+-]?\d+\.\d+$/u.test(text)) points += 1;
  }
  if (commas === points) return last ?? ".";
  return commas > points ? "," : ".";
}
