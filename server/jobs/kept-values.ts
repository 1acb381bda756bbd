// Sent values on their way through the database: kept as the JSON text that they were sent as, so that whoever reads them
// later reads what was sent (a JSON field keeps 1.10 as 1.10).
import { sourceOf } from "../lib/json/json-source.ts";
import { parseJson } from "../request/json/json.ts";
import { isTree, type Tree, type TreeValue } from "../request/tree.ts";

/** Without files: they are gone when their request is. */
export function keepValues(sent: Tree): string {
  const members = Object.entries(sent).map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`);
  return `{${members.join(",")}}`;
}

const textOf = (value: TreeValue): string =>
  (typeof value === "object" && value !== null ? sourceOf(value) : undefined) ?? JSON.stringify(value);

export function keptValues(text: string): Tree {
  const { value } = parseJson(text);
  if (!isTree(value)) throw new Error("kept values are an object");
  return value;
}
