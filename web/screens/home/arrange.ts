// Where things stand on the dashboard. Pure.
import type { Pin, TileSize } from "../../../client/lists/dashboard.ts";
import type { ViewKind } from "../../../contract/view-kinds.ts";

/** One of them taken out and put at a place among the others. */
export function moved<Item extends { readonly id: string }>(
  items: readonly Item[],
  id: string,
  place: number,
): readonly Item[] {
  const item = items.find((one) => one.id === id);
  if (item === undefined) return items;
  const others = items.filter((one) => one.id !== id);
  const at = Math.max(0, Math.min(place, others.length));
  return [...others.slice(0, at), item, ...others.slice(at)];
}

const usual: Readonly<Partial<Record<ViewKind, TileSize>>> = { line: "wide", table: "wide", geo: "wide" };

export const sizeOf = ({ size, kind }: Pin): TileSize => size ?? usual[kind] ?? "small";
