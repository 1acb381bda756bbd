// What keeps the cell of a pinned column in sight while the others scroll.
import type { CSSProperties } from "react";
import type { Column } from "../columns/columns.ts";

export function pinOf(columns: readonly Column[], position: number) {
  if (columns[position]?.pinned !== true) return undefined;
  const style: CSSProperties & Record<"--start", string> = { "--start": `var(--pin-${position})` };
  return { "data-pinned": columns[position + 1]?.pinned ? "" : "last", style };
}
