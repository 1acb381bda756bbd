// A person's dashboard: the list views that are pinned to it, in their order and sizes.
import { isViewKind, type ViewKind } from "../../contract/view-kinds.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";
import { readDraft } from "./list-draft.ts";

export const tileSizes = ["small", "wide", "full"] as const;
export type TileSize = (typeof tileSizes)[number];

export interface Pin {
  readonly id: string;
  readonly name: string;
  readonly recordTypeKey: RecordTypeKey;
  /** What its records are called. */
  readonly label: string;
  readonly kind: ViewKind;
  /** Undefined until one was chosen. */
  readonly size: TileSize | undefined;
}

interface DashboardBody {
  readonly paginate: { readonly data: readonly Readonly<Record<string, string | null>>[] };
}

const pinsOf = ({ paginate }: DashboardBody): readonly Pin[] =>
  paginate.data.map((row) => {
    const kind = readDraft(row.query ?? undefined).ui_helper ?? row.ui_helper;
    return {
      id: row.id ?? "",
      name: row.name ?? "",
      recordTypeKey: row.controller ?? "",
      label: row.controller_label ?? "",
      kind: isViewKind(kind) ? kind : "table",
      size: tileSizes.find((size) => size === row.size),
    };
  });

export const readDashboard = async (call: Call, signal?: AbortSignal): Promise<readonly Pin[]> =>
  pinsOf(await call<DashboardBody>("core/listviews/dashboard", { signal }));

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
