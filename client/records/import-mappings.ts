// Saved mappings of imports: what each is called and allows, what it holds; making, changing and deleting them.
import type { RecordTypeKey } from "../transport/address.ts";
import type { Answer, Call } from "../transport/transport.ts";
import type { ImportSettings } from "./imports.ts";

export const MAPPINGS = "core/import_mappings";

export interface SavedMapping {
  readonly id: string;
  readonly name: string;
  /** Its owner's alone, but for those it is shared with. */
  readonly isPersonal: boolean;
  readonly ownerId: string | null;
  readonly revision: string;
  readonly mayEdit: boolean;
  readonly mayDelete: boolean;
}

type MappingRow = Readonly<Record<`import_mappings.${string}`, string | null>> & {
  readonly is_edit: boolean;
  readonly is_delete: boolean;
};

export async function readMappings(
  call: Call,
  key: RecordTypeKey,
  signal?: AbortSignal,
): Promise<readonly SavedMapping[]> {
  const q = {
    fields: ["id", "name", "is_personal", "owned_by", "revision"].map((name) => `import_mappings.${name}`),
    where: { "import_mappings.controller": key },
    order: ["import_mappings.name ASC"],
    limit: 1000,
  };
  const query = { q: JSON.stringify(q), track_open: 0 };
  const { paginate } = await call<{ paginate: { data: readonly MappingRow[] } }>(`${MAPPINGS}/index`, {
    query,
    signal,
  });
  return paginate.data.map((row) => ({
    id: row["import_mappings.id"] ?? "",
    name: row["import_mappings.name"] ?? "",
    isPersonal: row["import_mappings.is_personal"] === "1",
    ownerId: row["import_mappings.owned_by"] ?? null,
    revision: row["import_mappings.revision"] ?? "",
    mayEdit: row.is_edit,
    mayDelete: row.is_delete,
  }));
}

/** What it holds, as far as it is about fields that the caller can see. */
export async function readMappingSettings(
  call: Call,
  id: string,
  signal?: AbortSignal,
): Promise<Partial<ImportSettings>> {
  const query = { id };
  const { data } = await call<{ data: { settings: Partial<ImportSettings> } }>(`${MAPPINGS}/settings`, {
    query,
    signal,
  });
  return data.settings;
}

export interface MappingChanges {
  readonly name?: string;
  readonly is_personal?: "0" | "1";
  readonly settings?: ImportSettings;
}

const save = (call: Call, operation: "add" | "edit", values: object): Promise<Answer<{ readonly id: string }>> =>
  call(`${MAPPINGS}/${operation}`, {
    body: { data: { import_mappings: values, action: { save_progress: "Save" } } },
  });

const written = ({ settings, ...rest }: MappingChanges) => ({
  ...rest,
  ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
});

export const addMapping = (
  call: Call,
  key: RecordTypeKey,
  mapping: MappingChanges,
): Promise<Answer<{ readonly id: string }>> => save(call, "add", { controller: key, ...written(mapping) });

/** Refused where somebody else has changed it since `revision`. */
export const editMapping = (
  call: Call,
  { id, revision }: Pick<SavedMapping, "id" | "revision">,
  changes: MappingChanges,
): Promise<Answer<{ readonly id: string }>> => save(call, "edit", { id, revision, ...written(changes) });

export const deleteMapping = (call: Call, id: string): Promise<Answer<unknown>> =>
  call(`${MAPPINGS}/delete`, { query: { id, is_confirm: 1 }, method: "POST" });

export const restoreMapping = (call: Call, id: string): Promise<Answer<unknown>> =>
  call(`${MAPPINGS}/restore`, { query: { id }, method: "POST" });
