// How columns are written in a q: `<path>`, `count|sum|avg|min|max(<path>)`, `day|week|month|quarter|year(<path>)`,
// `<any of these> as <alias>`, `<column> ASC|DESC`.
// Knows the spelling alone; whether there is such a column is for planning.
import { say } from "../../contract/messages.ts";
import {
  type Aggregate,
  aggregates,
  type Period,
  periods,
  type QField,
  type QOrder,
  qLimits,
  refuseKey,
  sent,
} from "./q-types.ts";
import { shown, type TreeValue } from "./tree.ts";

const path =
  /^(?:\{\{MODEL\}\}|[a-z_][a-z0-9_]*|\{\{PRIMARY_KEY\}\}$)(?:\.(?:[a-z_][a-z0-9_]*|\{\{PRIMARY_KEY\}\}$))*$/iu;
const call = /^([a-z]+)\s*\(([^()]*)\)$/iu;
const alias = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N} _.-]*[\p{L}\p{M}\p{N}_.-])?$/u;
/** Rows are objects keyed by aliases. */
const forbidden = new Set(["__proto__", "constructor", "prototype"]);

/** Nothing longer is looked at: patterns take their time with a long run of spaces. */
const LONGEST = qLimits.columnLength + qLimits.aliasLength + 20;

function bounded(text: string, key: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= LONGEST) return trimmed;
  return refuseKey(key, say("name_too_long", { max: LONGEST, length: trimmed.length, name: shown(trimmed) }));
}

const isPath = (text: string): boolean => text.length <= qLimits.columnLength && path.test(text);

const isAlias = (text: string): boolean =>
  [...text].length <= qLimits.aliasLength && alias.test(text) && !forbidden.has(text);

export interface QExpression {
  readonly column: string;
  readonly aggregate?: Aggregate;
  readonly period?: Period;
}

/** A path, an aggregate of one or the period it lies in; undefined for anything else. */
export function readExpression(text: string): QExpression | undefined {
  if (isPath(text)) return { column: text };
  const found = call.exec(text);
  const name = found?.[1]?.toLowerCase();
  const aggregate = aggregates.find((known) => known === name);
  const column = found?.[2]?.trim() ?? "";
  if (aggregate === undefined) {
    const period = periods.find((known) => known === name);
    return period !== undefined && isPath(column) ? { column, period } : undefined;
  }
  return isPath(column) || (column === "*" && aggregate === "count") ? { column, aggregate } : undefined;
}

/** The one spelling of an expression: `count(leads.id)`. */
export const expressionText = ({ column, aggregate, period }: QExpression): string =>
  aggregate === undefined && period === undefined ? column : `${aggregate ?? period}(${column})`;

/** A name to compare, group or sort by: a path, an aggregate, or an alias of `fields`. */
export function readColumn(sentName: string, key: string): string {
  const text = bounded(sentName, key);
  const expression = readExpression(text);
  if (expression) return expressionText(expression);
  if (isAlias(text)) return text;
  return refuseKey(key, say("no_column_name", { name: shown(text) }));
}

export function readField(value: TreeValue): QField {
  if (typeof value !== "string") refuseKey("fields", say("must_hold_columns_not", { sent: sent(value) }));
  const text = bounded(value, "fields");
  if (text === "*") return { kind: "all" };
  if (text.endsWith(".*") && isPath(text.slice(0, -2))) return { kind: "all", of: text.slice(0, -2) };
  const expression = readExpression(text);
  if (expression) return { kind: "column", ...expression };
  const [, before, name] = /^(.*?\S)\s+as\s+(\S.*)$/isu.exec(text) ?? [];
  const named = before === undefined ? undefined : readExpression(before);
  if (named === undefined || name === undefined) {
    return refuseKey("fields", say("bad_column", { name: shown(text), aggregates: aggregates.join("|") }));
  }
  if (isAlias(name)) return { kind: "column", ...named, alias: name };
  return refuseKey("fields", say("bad_alias", { alias: shown(name), max: qLimits.aliasLength }));
}

export const fieldText = (field: QField): string =>
  field.kind === "all" ? "*" : expressionText(field) + (field.alias === undefined ? "" : ` as ${field.alias}`);

export function readOrder(value: TreeValue): QOrder {
  if (typeof value !== "string") refuseKey("order", say("bad_order", { sent: sent(value) }));
  const text = bounded(value, "order");
  const direction = /\s(asc|desc)$/iu.exec(text);
  const column = direction ? text.slice(0, direction.index) : text;
  return { column: readColumn(column, "order"), descending: direction?.[1]?.toLowerCase() === "desc" };
}

export const orderText = ({ column, descending }: QOrder): string => `${column} ${descending ? "DESC" : "ASC"}`;
