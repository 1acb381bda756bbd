// The saved views of a record type: what each is called, shows and allows; making, changing and deleting them.
import { isViewKind, type ViewKind } from "../../contract/view-kinds.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Answer, Call } from "../transport/transport.ts";
import { WireFailure } from "../transport/wire-failure.ts";
import { type ListDraft, readDraft } from "./list-draft.ts";

export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly category: string | null;
  readonly categoryId: string | null;
  readonly isDefault: boolean;
  /** Its owner's alone, but for those it is shared with. */
  readonly isPersonal: boolean;
  readonly ownerId: string | null;
  readonly kind: ViewKind;
  readonly query: ListDraft;
  readonly revision: string;
  readonly mayEdit: boolean;
  readonly mayDelete: boolean;
}

interface SavedViewRow {
  readonly id: string;
  readonly name: string;
  readonly category_name: string | null;
  readonly "listviews.category_id": string | null;
  readonly is_default: string;
  readonly "listviews.is_personal": string | null;
  readonly "listviews.owned_by": string | null;
  readonly "listviews.revision": string;
  readonly ui_helper?: string | null;
  readonly query?: string | null;
  readonly is_edit: boolean;
  readonly is_delete: boolean;
}

/** In the order of their categories, then their own. None for those whose roles don't open views: their lists are the generated ones. */
export async function readSavedViews(
  call: Call,
  key: RecordTypeKey,
  signal?: AbortSignal,
): Promise<readonly SavedView[]> {
  const read = (order: readonly string[]) => readRows(call, key, [...order, ...byName], signal);
  try {
    return (await read(["category.sequence ASC"])).map(readView);
  } catch (error) {
    if (!(error instanceof WireFailure)) throw error;
    if (error.status === 403) return [];
    // Who can't list categories knows them by their names only.
    if (error.reason === "not_a_column") return (await read([])).map(readView);
    throw error;
  }
}

const byName = ["category.name ASC", "listviews.sequence ASC", "listviews.name ASC"];

async function readRows(
  call: Call,
  key: RecordTypeKey,
  order: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly SavedViewRow[]> {
  const q = {
    method: "find",
    fields: [
      "listviews.id",
      "listviews.name",
      "listviews.controller",
      "category.name as category_name",
      "listviews.category_id",
      "listviews.is_default",
      "listviews.is_personal",
      "listviews.owned_by",
      "listviews.revision",
      "listviews.ui_helper",
      "listviews.query",
    ],
    where: [{ "listviews.controller": key }],
    order,
    limit: 1000,
  };
  const body = await call<{ paginate: { data: readonly SavedViewRow[] } }>("core/listviews/index", {
    query: { q: JSON.stringify(q), track_open: 0 },
    signal,
  });
  return body.paginate.data;
}

function readView(row: SavedViewRow): SavedView {
  const query = readDraft(row.query ?? undefined);
  const kind = query.ui_helper ?? row.ui_helper;
  return {
    id: row.id,
    name: row.name,
    category: row.category_name,
    categoryId: row["listviews.category_id"],
    isDefault: row.is_default === "1",
    isPersonal: row["listviews.is_personal"] === "1",
    ownerId: row["listviews.owned_by"],
    // The query names the kind; the column beside it stands in where it does not.
    kind: isViewKind(kind) ? kind : "table",
    query,
    revision: row["listviews.revision"],
    mayEdit: row.is_edit,
    mayDelete: row.is_delete,
  };
}

export interface ViewChanges {
  readonly name?: string;
  readonly query?: ListDraft;
  readonly category_id?: string | null;
  readonly is_default?: "0" | "1";
  readonly is_personal?: "0" | "1";
}

interface SavedAnswer {
  readonly id: string;
}

const save = (call: Call, operation: "add" | "edit", listviews: object): Promise<Answer<SavedAnswer>> =>
  call<SavedAnswer>(`core/listviews/${operation}`, {
    body: { data: { listviews, action: { save_progress: "Save" } } },
  });

const written = ({ query, ...rest }: ViewChanges) => ({
  ...rest,
  ...(query === undefined ? {} : { query: JSON.stringify(query) }),
});

export const addView = (call: Call, key: RecordTypeKey, view: ViewChanges): Promise<Answer<SavedAnswer>> =>
  save(call, "add", { controller: key, ...written(view) });

/** Refused where somebody else has changed the view since `revision`. */
export const editView = (
  call: Call,
  view: Pick<SavedView, "id" | "revision">,
  changes: ViewChanges,
): Promise<Answer<SavedAnswer>> => save(call, "edit", { id: view.id, revision: view.revision, ...written(changes) });

export const deleteView = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("core/listviews/delete", { query: { id, is_confirm: 1 }, method: "POST" });

export const restoreView = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("core/listviews/restore", { query: { id }, method: "POST" });

/** What views of a record type can be sorted into. */
export async function readViewCategories(
  call: Call,
  key: RecordTypeKey,
  signal?: AbortSignal,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const q = {
    fields: ["categories.id", "categories.name"],
    where: { "categories.controller": ["core/listviews", key] },
    order: ["categories.sequence ASC", "categories.name ASC"],
    limit: 1000,
    pheader: "0",
  };
  const body = await call<{
    paginate: { data: readonly { "categories.id": string; "categories.name": string }[] };
  }>("core/categories/index", { query: { q: JSON.stringify(q), track_open: 0 }, signal });
  return body.paginate.data.map((row) => ({ id: row["categories.id"], name: row["categories.name"] }));
}
