// Where in the table something stands, and what a row is called. Pure.
import type { ListRow } from "../../../../client/lists/lists.ts";
import type { CellRange } from "../range/use-range.ts";
import type { Place } from "./use-roving.ts";

export const nameOf = (row: ListRow | undefined): string | undefined => {
  const name = row?.record_display_name;
  return typeof name === "string" && name !== "" ? name : undefined;
};

export function edgeOf({ top, bottom }: CellRange, index: number): "" | "t" | "b" | "t b" {
  if (index === top) return index === bottom ? "t b" : "t";
  return index === bottom ? "b" : "";
}

/** Where in the table an element stands. */
export function placeOf(target: EventTarget): Place | undefined {
  const text = target instanceof Element ? target.closest<HTMLElement>("[data-place]")?.dataset.place : undefined;
  const [row, column] = text?.split(":").map(Number) ?? [];
  return row === undefined || column === undefined ? undefined : { row, column };
}
