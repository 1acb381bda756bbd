// Where things stand on a dashboard. Pure.
import type { Pin, TeamDashboard, TileSize } from "../../../client/lists/dashboard.ts";
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

/** One of those that stand together past the one beside it, as they are seen; the others keep their places. */
export function shifted<Item extends { readonly id: string }>(
  items: readonly Item[],
  seen: readonly string[],
  id: string,
  step: -1 | 1,
): readonly Item[] {
  const at = seen.indexOf(id);
  const other = seen[at + step];
  if (at < 0 || other === undefined) return items;
  const swapped = seen.map((one) => (one === id ? other : one === other ? id : one));
  const order = swapped.flatMap((one) => items.find((item) => item.id === one) ?? []);
  const queue = order.values();
  const together = new Set(order.map((item) => item.id));
  return items.map((item) => (together.has(item.id) ? (queue.next().value ?? item) : item));
}

const usual: Readonly<Partial<Record<ViewKind, TileSize>>> = { line: "wide", table: "wide", geo: "wide" };

export const sizeOf = ({ size, kind }: Pin): TileSize => size ?? usual[kind] ?? "small";

/** Figures in little room stand side by side above everything else. */
export const isFigure = (pin: Pin): boolean => pin.kind === "number" && sizeOf(pin) === "small";

const widths: Readonly<Record<TileSize, number>> = { small: 1, wide: 2, full: Number.POSITIVE_INFINITY };

export interface Packed {
  readonly id: string;
  /** How many columns it takes. */
  readonly span: number;
}

/**
 * Rows without holes: a tile that does not fit lets the next one that does go first, and where none does, the last one of
 * the row grows to its end.
 */
export function packed(
  tiles: readonly { readonly id: string; readonly size: TileSize }[],
  columns: number,
): readonly Packed[] {
  const rest = tiles.map(({ id, size }) => ({ id, span: Math.min(widths[size], columns) }));
  const rows: Packed[] = [];
  while (rest.length > 0) {
    let room = columns;
    for (;;) {
      const next = rest.findIndex(({ span }) => span <= room);
      const [tile] = next === -1 ? [] : rest.splice(next, 1);
      if (tile === undefined) break;
      room -= tile.span;
      rows.push(tile);
    }
    const last = rows.at(-1);
    if (room > 0 && last) rows[rows.length - 1] = { ...last, span: last.span + room };
  }
  return rows;
}

/** The row of figures: as even as can be where one row has no room for all of them. */
export function figureRows(
  ids: readonly string[],
  most: number,
): { readonly columns: number; readonly figures: readonly Packed[] } {
  const columns = Math.max(1, Math.ceil(ids.length / Math.ceil(ids.length / most)));
  return {
    columns,
    figures: packed(
      ids.map((id) => ({ id, size: "small" as const })),
      columns,
    ),
  };
}

/** All tiles of a shared dashboard after somebody arranged those that they see: what they do not see stays, at the end. */
export function tilesAfter(
  before: TeamDashboard["tiles"],
  seen: readonly Pin[],
  next: readonly Pin[],
): TeamDashboard["tiles"] {
  const visible = new Set(seen.map(({ id }) => id));
  return [...next.map(({ id, size = null }) => ({ id, size })), ...before.filter(({ id }) => !visible.has(id))];
}
