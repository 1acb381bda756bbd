// Dashboards: a person's own, and those that are shared with them; the list views on each, in their order and sizes.
import { isViewKind, type ViewKind } from "../../contract/view-kinds.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Answer, Call } from "../transport/transport.ts";
import { type ListDraft, readDraft } from "./list-draft.ts";

export const tileSizes = ["small", "wide", "full"] as const;
export type TileSize = (typeof tileSizes)[number];

export interface Pin {
  readonly id: string;
  readonly name: string;
  readonly recordTypeKey: RecordTypeKey;
  /** What its records are called. */
  readonly label: string;
  readonly kind: ViewKind;
  readonly query: ListDraft;
  /** Seen by its owner alone, but for those it is shared with. */
  readonly isPersonal: boolean;
  /** Undefined until one was chosen. */
  readonly size: TileSize | undefined;
}

interface Tile {
  readonly id: string;
  readonly size?: TileSize | null;
}

/** One that is shared, or made to be. */
export interface TeamDashboard {
  readonly id: string;
  readonly name: string;
  readonly isPersonal: boolean;
  /** Shared with a group or a role of the reader. */
  readonly through: "group" | "role" | undefined;
  readonly revision: string;
  /** All that stand there, whether the reader sees them or not. */
  readonly tiles: readonly Tile[];
  readonly mayEdit: boolean;
  readonly mayDelete: boolean;
}

export interface Dashboard {
  /** Undefined for one's own. */
  readonly id: string | undefined;
  readonly pins: readonly Pin[];
  /** Those that can be looked at beside one's own. */
  readonly others: readonly TeamDashboard[];
}

interface DashboardRow {
  readonly id: string;
  readonly name: string;
  readonly is_personal: string;
  readonly through?: "group" | "role" | null;
  readonly revision: string;
  readonly tiles: readonly Tile[];
  readonly is_edit: boolean;
  readonly is_delete: boolean;
}

interface DashboardBody {
  readonly paginate: { readonly data: readonly Readonly<Record<string, string | null>>[] };
  readonly dashboards?: readonly DashboardRow[];
  readonly dashboard?: string | null;
}

const pinsOf = ({ paginate }: DashboardBody): readonly Pin[] =>
  paginate.data.map((row) => {
    const query = readDraft(row.query ?? undefined);
    const kind = query.ui_helper ?? row.ui_helper;
    return {
      id: row.id ?? "",
      name: row.name ?? "",
      recordTypeKey: row.controller ?? "",
      label: row.controller_label ?? "",
      kind: isViewKind(kind) ? kind : "table",
      query,
      isPersonal: row.is_personal === "1",
      size: tileSizes.find((size) => size === row.size),
    };
  });

/** `id`: of one that is shared, or `first` for the one that somebody starts with; without it one's own. */
export async function readDashboard(call: Call, id?: string, signal?: AbortSignal): Promise<Dashboard> {
  const body = await call<DashboardBody>("core/listviews/dashboard", { query: { dashboard: id }, signal });
  return {
    id: body.dashboard ?? undefined,
    pins: pinsOf(body),
    others: (body.dashboards ?? []).map((row) => ({
      id: row.id,
      name: row.name,
      isPersonal: row.is_personal === "1",
      through: row.through ?? undefined,
      revision: row.revision,
      tiles: row.tiles,
      mayEdit: row.is_edit,
      mayDelete: row.is_delete,
    })),
  };
}

export interface DashboardChanges {
  readonly name?: string;
  readonly is_personal?: "0" | "1";
  readonly tiles?: readonly Tile[];
}

interface SavedAnswer {
  readonly id: string;
  readonly data?: { readonly team_dashboards?: { readonly revision?: string } };
}

/** Without an `id` a new one is made. Refused where somebody else has changed it since `revision`. */
export function saveDashboard(
  call: Call,
  dashboard: { readonly id?: string; readonly revision?: string },
  { tiles, ...changes }: DashboardChanges,
): Promise<Answer<SavedAnswer>> {
  const values = { ...dashboard, ...changes, ...(tiles === undefined ? {} : { tiles: JSON.stringify(tiles) }) };
  return call<SavedAnswer>(`core/team_dashboards/${dashboard.id === undefined ? "add" : "edit"}`, {
    body: { data: { team_dashboards: values, action: { save_progress: "Save" } } },
  });
}

export const deleteDashboard = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("core/team_dashboards/delete", { query: { id, is_confirm: 1 }, method: "POST" });

export const restoreDashboard = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("core/team_dashboards/restore", { query: { id }, method: "POST" });

export const pinView = async (call: Call, id: string): Promise<readonly Pin[]> =>
  pinsOf(await call<DashboardBody>("core/listviews/pin", { query: { id }, method: "POST" }));

export const unpinView = async (call: Call, id: string): Promise<readonly Pin[]> =>
  pinsOf(await call<DashboardBody>("core/listviews/unpin", { query: { id }, method: "POST" }));

export const arrangeDashboard = async (call: Call, pins: readonly Pin[]): Promise<readonly Pin[]> =>
  pinsOf(
    await call<DashboardBody>("core/listviews/arrange", {
      body: {
        ids: pins.map(({ id }) => id),
        sizes: Object.fromEntries(pins.flatMap(({ id, size }) => (size === undefined ? [] : [[id, size]]))),
      },
    }),
  );
