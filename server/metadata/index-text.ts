// Takes the shape of an index; gives the statement that makes it. Pure.
import { quote } from "../database/sql.ts";
import type { ShapedIndex } from "./table-shape.ts";

export const list = (names: readonly string[]): string => names.map(quote).join(", ");

/** `how`: "concurrently", and the like. */
export function indexText(table: string, index: ShapedIndex, how = ""): string {
  const create = `create ${index.unique ? "unique " : ""}index ${how}${how && " "}${quote(index.name)} on ${quote(table)}`;
  if (index.trigram !== undefined) {
    const columns = index.columns.map((name) => (name === index.trigram ? `${quote(name)} gin_trgm_ops` : quote(name)));
    return `${create} using gin (${columns.join(", ")})`;
  }
  const include = index.include.length > 0 ? ` include (${list(index.include)})` : "";
  const conditions = [
    ...(index.live ? ["deleted = 0"] : []),
    ...(index.filled === undefined ? [] : [`${quote(index.filled)} is not null`]),
  ];
  const where = conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
  const columns = [...index.columns.map(quote), ...(index.expression === undefined ? [] : [`(${index.expression})`])];
  return `${create} (${columns.join(", ")})${include}${where}`;
}
