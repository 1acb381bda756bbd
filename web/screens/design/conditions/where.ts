// The condition of a document as its JSON text has it, whether all of it can be built, and the same for record types that have other
// names. Pure.
import { ANY_TYPE } from "../../../fields/paths/field-path.ts";
import { type Condition, type Group, operatorOf, readWhere, textOf, writeWhere } from "../../list/filter/condition.ts";

/** Several are written with `;` between them. */
export const typesIn = (recordTypeKey: string): readonly string[] =>
  recordTypeKey
    .split(";")
    .map((key) => key.trim())
    .filter(Boolean);

/** What stands under `where`; undefined where there is none, or the text is not JSON. */
export function whereIn(text: string): unknown {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === "object" && document !== null && "where" in document ? document.where : undefined;
  } catch {
    return undefined;
  }
}

export const writeCondition = (where: unknown): string => (where === undefined ? "" : JSON.stringify({ where }));

/** Whether what is built of the text says all that the text says: else whoever changes it would lose the rest. */
export function isShownWhole(text: string): boolean {
  if (text.trim() === "") return true;
  try {
    const document: unknown = JSON.parse(text);
    if (document === null) return true;
    if (!isEntry(document) || Object.keys(document).some((key) => key !== "where")) return false;
    const { where = [] } = document;
    return spelled(where) === spelled(writeWhere(readWhere(where)) ?? []);
  } catch {
    return false;
  }
}

const isEntry = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The same text for every way to write a condition; brackets around a single one do not count. */
const spelled = (where: unknown): string => grouped("AND", partsOf(where));

const grouped = (join: string, [first, ...others]: readonly string[]): string =>
  first !== undefined && others.length === 0 ? first : JSON.stringify([join, first ?? "", ...others]);

function partsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map((item) => (isEntry(item) ? spelled(item) : JSON.stringify([item])));
  if (!isEntry(value)) return [JSON.stringify([value])];
  return Object.entries(value).map(([name, inner]) => {
    const word = name.toUpperCase();
    if (word === "NOT") return JSON.stringify([word, spelled(inner)]);
    return word === "AND" || word === "OR" ? grouped(word, partsOf(inner)) : spelledLeaf(name, inner);
  });
}

function spelledLeaf(column: string, sent: unknown): string {
  if (sent === null) return JSON.stringify([column, "is null", []]);
  if (!isEntry(sent)) return JSON.stringify([column, Array.isArray(sent) ? "in" : "=", valuesOf(sent)]);
  const { op, value, ...unknown } = sent;
  const operator = operatorOf(op) ?? [op];
  if (value === null && (operator === "=" || operator === "!=")) {
    return JSON.stringify([column, operator === "=" ? "is null" : "is not null", []]);
  }
  const hasNone = value === undefined || (value === null && (operator === "is null" || operator === "is not null"));
  const more = Object.keys(unknown).length > 0 ? [unknown] : [];
  return JSON.stringify([column, operator, hasNone ? [] : valuesOf(value), ...more]);
}

/** More digits than these are other numbers by the time they are read. */
const MOST_DIGITS = 15;

const valuesOf = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).map((each: unknown) => {
    const [text] = textOf(each);
    return text === undefined || (typeof each === "number" && text.length > MOST_DIGITS) ? [each] : text;
  });

/** Columns by a name that every type understands; the same group where nothing is to change. */
export function forAnyType(group: Group, alias: string): Group {
  const of = group.of.map((condition) => renamed(condition, alias));
  return of.every((condition, index) => condition === group.of[index]) ? group : { ...group, of };
}

function renamed(condition: Condition, alias: string): Condition {
  if (condition.kind === "group") return forAnyType(condition, alias);
  const { column } = condition;
  return column.startsWith(`${alias}.`)
    ? { ...condition, column: `${ANY_TYPE}${column.slice(alias.length)}` }
    : condition;
}

/** The same of a JSON text, also of one that cannot be built: all but the names in it stays to the letter. */
export const textForAnyType = (text: string, alias: string): string =>
  text.replace(/(?<!\\)"([^"\\]*)"(?=\s*:)/gu, (whole, name: string) =>
    name.startsWith(`${alias}.`) ? `"${ANY_TYPE}${name.slice(alias.length)}"` : whole,
  );
