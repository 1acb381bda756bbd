// Takes what was sent; returns it as a failed answer can contain it: a file by its name and size, never by its location.
import { isTree, type Tree, type TreeValue, UploadedFile } from "./tree.ts";

export function echo(tree: Tree): Record<string, unknown> {
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, echoValue(value)]));
}

function echoValue(value: TreeValue): unknown {
  if (value instanceof UploadedFile) return { file_name: value.fileName, size: String(value.size) };
  if (isTree(value)) return echo(value);
  return Array.isArray(value) ? value.map(echoValue) : value;
}
