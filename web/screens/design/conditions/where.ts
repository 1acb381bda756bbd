// The condition of a document as its JSON text has it, and the same for record types that have other names. Pure.
import type { Condition, Group } from "../../list/filter/condition.ts";

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

/** The name that each record type has for itself. */
const ANY = "{{MODEL}}";

/** Columns by a name that every type understands; the same group where nothing is to change. */
export function forAnyType(group: Group, alias: string): Group {
  const of = group.of.map((condition) => renamed(condition, alias));
  return of.every((condition, index) => condition === group.of[index]) ? group : { ...group, of };
}

function renamed(condition: Condition, alias: string): Condition {
  if (condition.kind === "group") return forAnyType(condition, alias);
  const { column } = condition;
  return column.startsWith(`${alias}.`) ? { ...condition, column: `${ANY}${column.slice(alias.length)}` } : condition;
}
