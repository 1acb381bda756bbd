// Many records, each with values of its own: how they stand now, what others are called, and changing them together.
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";
import { WireFailure } from "../transport/wire-failure.ts";
import { askBulk } from "./bulk.ts";
import { undoJob } from "./jobs.ts";
import { changeRecord, type FoundRecord, type WireValue } from "./records.ts";

export interface RowEdit {
  readonly id: string;
  /** The one that the values were made on. */
  readonly revision: string;
  readonly values: Readonly<Record<string, string | null>>;
  /** What the values were. */
  readonly before: Readonly<Record<string, string | null>>;
}

export interface ManyEdited {
  readonly changed: readonly string[];
  /** Id → reasons. */
  readonly failed: Readonly<Record<string, readonly string[]>>;
  /** Takes back what was changed. */
  undo(): Promise<unknown>;
}

interface RowsBody {
  readonly paginate: {
    readonly primary_key: string;
    readonly header?: readonly { readonly column_name: string; readonly alias?: string }[];
    readonly data: readonly Readonly<Record<string, string | boolean | null>>[];
  };
}

/** A query may have 32 KiB: so many ids fit, whatever their kind. */
const IDS_AT_ONCE = 500;
const NAMES_LENGTH = 12_000;

function inParts<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, part) => all.slice(part * size, (part + 1) * size));
}

const readRows = (call: Call, key: RecordTypeKey, q: object): Promise<RowsBody> =>
  call<RowsBody>(`${key}/index`, { body: { q: JSON.stringify({ ...q, limit: -1 }), track_open: "0" } });

export interface CurrentRow {
  readonly revision: string;
  readonly mayEdit: boolean;
  /** By column. */
  readonly values: Readonly<Record<string, { readonly value: string | null; readonly text: string | null }>>;
}

/** How records stand now, by id; those that are gone are left out. */
export async function readCurrent(
  call: Call,
  key: RecordTypeKey,
  ids: readonly string[],
  columns: readonly string[],
): Promise<ReadonlyMap<string, CurrentRow>> {
  const revision = `${key.split("/")[1] ?? ""}.revision`;
  const found = new Map<string, CurrentRow>();
  for (const some of inParts(ids, IDS_AT_ONCE)) {
    const where = { "{{PRIMARY_KEY}}": { op: "in", value: some } };
    const { paginate } = await readRows(call, key, { fields: ["{{PRIMARY_KEY}}", revision, ...columns], where });
    const aliases = new Map(paginate.header?.map((each) => [each.column_name, each.alias]));
    for (const row of paginate.data) {
      const at = (name: string | undefined): string | null => {
        const value = name === undefined ? null : row[name];
        return typeof value === "string" && value !== "" ? value : null;
      };
      const values = columns.map((name) => [name, { value: at(name), text: at(aliases.get(name)) }] as const);
      found.set(at(paginate.primary_key) ?? "", {
        revision: at(revision) ?? "",
        mayEdit: row.is_edit === true,
        values: Object.fromEntries(values),
      });
    }
  }
  return found;
}

/** The records that are called exactly so, by name; a name may be that of several. */
export async function findByNames(
  call: Call,
  key: RecordTypeKey,
  displayField: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly FoundRecord[]>> {
  const found = new Map<string, FoundRecord[]>();
  const longest = Math.max(1, ...names.map((name) => name.length + 3));
  for (const some of inParts(names, Math.max(1, Math.min(IDS_AT_ONCE, Math.floor(NAMES_LENGTH / longest))))) {
    const where = { [displayField]: { op: "in", value: some } };
    const { paginate } = await readRows(call, key, { fields: ["{{PRIMARY_KEY}}"], where, pheader: "0" });
    for (const row of paginate.data) {
      const [id, name] = [row[paginate.primary_key], row.record_display_name];
      if (typeof id === "string" && typeof name === "string")
        found.set(name, [...(found.get(name) ?? []), { id, name }]);
    }
  }
  return found;
}

/** A request may have 5,000 keys; each value is one, and so are a record, its id and its revision. */
const KEYS_AT_ONCE = 4_500;

/** How many records of so many fields one call takes. */
export const rowsAtOnce = (fields: number): number => Math.min(1_000, Math.floor(KEYS_AT_ONCE / (fields + 4)));

/** In one call, which is one job: for who may change many records at once. */
export async function editMany(call: Call, key: RecordTypeKey, rows: readonly RowEdit[]): Promise<ManyEdited> {
  const [, controller = ""] = key.split("/");
  const sent = rows.map(({ id, revision, values }) => ({ id, revision, ...values }));
  try {
    const answer = await askBulk(call, `${key}/edit_many`, { data: { [controller]: sent } });
    const changed = rows.map(({ id }) => id).filter((id) => answer.failed[id] === undefined);
    return { changed, failed: answer.failed, undo: () => undoJob(call, answer.jobId) };
  } catch (error) {
    // None of them could be: that is an answer too.
    const failed = error instanceof WireFailure && error.code === "bulk_refused" ? refusedOf(error) : undefined;
    if (failed === undefined) throw error;
    return { changed: [], failed, undo: async () => undefined };
  }
}

const refusedOf = ({ body }: WireFailure): ManyEdited["failed"] | undefined =>
  // The body of this failure, as the service documents it.
  (body.data as { readonly failed?: ManyEdited["failed"] } | undefined)?.failed;

/** One after the other: for who may change records, but not many at once. */
export async function editEach(call: Call, key: RecordTypeKey, rows: readonly RowEdit[]): Promise<ManyEdited> {
  const [, alias = ""] = key.split("/");
  const done: (RowEdit & { readonly now: string | undefined })[] = [];
  const failed: Record<string, readonly string[]> = {};
  for (const row of rows) {
    try {
      const saved = await changeRecord(call, key, { alias, id: row.id, revision: row.revision, values: row.values });
      done.push({ ...row, now: textOf(saved.data[saved.alias]?.revision) });
    } catch (error) {
      if (!(error instanceof WireFailure) || error.status >= 500) {
        if (done.length === 0) throw error;
        failed[row.id] = [error instanceof Error ? error.message : String(error)];
      } else failed[row.id] = error.errors;
    }
  }
  return {
    changed: done.map(({ id }) => id),
    failed,
    undo: async () => {
      for (const { id, now, before } of done)
        await changeRecord(call, key, { alias, id, revision: now, values: before });
    },
  };
}

const textOf = (value: WireValue | readonly unknown[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;
