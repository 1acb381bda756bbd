// How the rows of a list look beyond their columns: how tall they are, and which of them, or of their cells, have a color.
// Rules are compared with what a row shows; one that it does not show, or cannot be compared here, colors nothing. Pure.
import type { ColorRule } from "../../../../client/lists/list-draft.ts";
import type { ListRow } from "../../../../client/lists/lists.ts";
import type { RowHeight, RuleColor } from "../../../../contract/view-look.ts";
import { fieldTypes } from "../../../fields/index.ts";
import type { Column } from "../columns/columns.ts";
import { type Leaf, readWhere } from "../filter/condition.ts";

export const rowPixels: Readonly<Record<RowHeight, number>> = { compact: 30, normal: 36, tall: 56 };

export interface Paint {
  readonly row?: RuleColor;
  /** By the name of the column. */
  readonly cells: Readonly<Record<string, RuleColor>>;
}

/** What relative values stand for now. */
export interface Now {
  /** `2026-11-16` */
  readonly today: string;
  readonly userId: string | undefined;
}

export const leafOf = ({ where }: Pick<ColorRule, "where">): Leaf | undefined => {
  const [first, ...others] = readWhere(where).of;
  return first?.kind === "leaf" && others.length === 0 ? first : undefined;
};

const steps: Readonly<Record<string, (date: Date, count: number) => void>> = {
  d: (date, count) => date.setUTCDate(date.getUTCDate() + count),
  w: (date, count) => date.setUTCDate(date.getUTCDate() + 7 * count),
  M: (date, count) => date.setUTCMonth(date.getUTCMonth() + count),
  y: (date, count) => date.setUTCFullYear(date.getUTCFullYear() + count),
};

/** Undefined where it cannot be told here. */
function resolve(value: string, { today, userId }: Now): string | undefined {
  if (value === "{{CURRENT_USER}}") return userId;
  const [, offsets] = /^\{\{TODAY\}\}((?:[+-]\d{1,4}[dwMy]){0,3})$/u.exec(value) ?? [];
  if (offsets === undefined) return value.startsWith("{{") ? undefined : value;
  const date = new Date(`${today}T00:00:00Z`);
  for (const [, sign, count, unit = "d"] of offsets.matchAll(/([+-])(\d+)([dwMy])/gu)) {
    steps[unit]?.(date, Number(`${sign}${count}`));
  }
  return date.toISOString().slice(0, 10);
}

export function holds(leaf: Leaf, value: string | undefined, type: Column["field"]["type"], now: Now): boolean {
  const { operator, values } = leaf;
  if (operator === "is null") return value === undefined;
  if (operator === "is not null") return value !== undefined;
  const wanted = values.map((one) => resolve(one, now));
  if (value === undefined || wanted.length === 0 || wanted.includes(undefined)) return false;
  const { isNumeric, days } = fieldTypes[type];
  // Days are compared as days, also where what is shown is a moment of one.
  const own = days === undefined ? value : value.slice(0, 10);
  const order = (other: string): number => {
    if (isNumeric) return Number(own) - Number(other);
    const [one, two] = days === undefined ? [own, other] : [own, other.slice(0, 10)];
    return one < two ? -1 : one > two ? 1 : 0;
  };
  const texts = wanted.filter((one) => one !== undefined);
  const [first = "", second = ""] = texts;
  const [low, text] = [own.toLocaleLowerCase(), first.toLocaleLowerCase()];
  const isOneOf = texts.some((one) => (isNumeric || days !== undefined ? order(one) === 0 : one === own));
  switch (operator) {
    case "=":
    case "in":
      return isOneOf;
    case "!=":
    case "not in":
      return !isOneOf;
    case "contains":
      return low.includes(text);
    case "starts with":
      return low.startsWith(text);
    case "ends with":
      return low.endsWith(text);
    case "<":
      return order(first) < 0;
    case "<=":
      return order(first) <= 0;
    case ">":
      return order(first) > 0;
    case ">=":
      return order(first) >= 0;
    default:
      return order(first) >= 0 && order(second) <= 0;
  }
}

/** The first rule that holds gives the row its color, and each cell its own. */
export function paintOf(
  rules: readonly ColorRule[],
  columns: readonly Column[],
  row: ListRow,
  now: Now,
): Paint | undefined {
  let tint: RuleColor | undefined;
  const cells: Record<string, RuleColor> = {};
  for (const rule of rules) {
    const leaf = leafOf(rule);
    const column = columns.find(({ name }) => name === leaf?.column);
    if (leaf === undefined || column === undefined) continue;
    if (!holds(leaf, column.shown(row)?.value, column.field.type, now)) continue;
    if (rule.paint === "row") tint ??= rule.color;
    else cells[column.name] ??= rule.color;
  }
  return tint === undefined && Object.keys(cells).length === 0 ? undefined : { ...(tint ? { row: tint } : {}), cells };
}

/** A due day that has passed, of a record that is not closed. */
export const isOverdue = (column: Column, value: string | undefined, isClosed: boolean, today: string): boolean =>
  column.own?.settings?.due === 1 && !isClosed && value !== undefined && value.slice(0, 10) < today;
