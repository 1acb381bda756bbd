// The tiles of a dashboard: which list views stand on it, in which order and size. A reader sees those whose view they may
// open and whose record type they may list; the figures are asked for by the reader, with the reader's rights.
import { z } from "zod";
import { say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import { mayOperate } from "../../access/matrix.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import type { RecordHooks } from "../../records/hooks.ts";

export const MOST_TILES = 50;

export const tileSizes = ["small", "wide", "full"] as const;
export type TileSize = (typeof tileSizes)[number];

const viewId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u;

export const isViewId = (id: unknown): id is string => typeof id === "string" && viewId.test(id);

export const tilesSchema = z
  .array(z.strictObject({ id: z.string().regex(viewId), size: z.enum(tileSizes).nullish() }))
  .max(MOST_TILES)
  .refine((tiles) => new Set(tiles.map(({ id }) => id)).size === tiles.length);

export type Tile = z.infer<typeof tilesSchema>[number];

export interface TileView {
  readonly id: string;
  readonly [column: string]: string | null;
}

/** `which`: a condition over list views `r`, and their order. */
export async function readTileViews(
  db: Queryable,
  caller: Caller,
  snapshot: Snapshot,
  which: Sql,
  order: Sql,
): Promise<TileView[]> {
  const type = requireType(snapshot, "core/listviews");
  const rows = await db.rows(sql`
    select r.id::text as id, r.name, r.controller, r.query::text as query, r.ui_helper, r.description,
      r.category_id::text as category_id, coalesce(r.is_personal, 0)::text as is_personal
    from core__listviews r where ${mayRead(caller, type, "r")} and r.deleted = 0 and ${which} order by ${order}`);
  return rows
    .filter((row) => {
      const listed = snapshot.types.get(row.controller ?? "");
      return listed !== undefined && mayOperate(caller, listed, "index");
    })
    .map((row) => ({ ...row, id: row.id ?? "" }));
}

/** In the order of their ids. */
export const readViewsById = (db: Queryable, caller: Caller, snapshot: Snapshot, ids: readonly string[]) =>
  readTileViews(db, caller, snapshot, sql`r.id = any(${ids}::uuid[])`, sql`array_position(${ids}::uuid[], r.id)`);

/** Undefined for what is no list of tiles. */
export function readTiles(text: string | null | undefined): readonly Tile[] | undefined {
  try {
    return tilesSchema.safeParse(JSON.parse(text ?? "[]")).data;
  } catch {
    return undefined;
  }
}

/** Nobody puts a view on a dashboard that they cannot see themselves; what others have put there stays. */
export const teamDashboardHooks: RecordHooks = {
  check: async ({ transaction, snapshot, caller }, { operation, before, after }) => {
    if ((operation !== "add" && operation !== "edit") || !after || after.tiles === before?.tiles) return {};
    const tiles = readTiles(after.tiles);
    if (!tiles) return { tiles: [say("bad_tiles", { max: MOST_TILES })] };
    const known = new Set((readTiles(before?.tiles) ?? []).map(({ id }) => id));
    const added = tiles.map(({ id }) => id).filter((id) => !known.has(id));
    if (added.length === 0) return {};
    const seen = await readViewsById(transaction, caller, snapshot, added);
    return seen.length === added.length ? {} : { tiles: [say("unknown_tiles")] };
  },
};
