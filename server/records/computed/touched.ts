// What a transaction has changed so far that computed fields may depend on: rows and fields by record type, and the records that
// they referred to before. Kept with the transaction, consumed by settle.ts.
import type { Queryable } from "../../database/database.ts";
import type { RecordType, RecordTypeKey } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import type { ColumnValues } from "../read/row-values.ts";

/** Names of fields, or all of them: the row is new. */
export type ChangedFields = ReadonlySet<string> | "all";

export class Touched {
  readonly rows = new Map<RecordTypeKey, Map<string, ChangedFields>>();
  /** Ids that the reference `<type> <field>` held before. */
  readonly former = new Map<string, Set<string>>();
  /** Computed fields to work out whatever has changed, as `<type> <field>`. */
  readonly wanted = new Map<string, Set<string>>();

  /** Records that an event of this transaction tells of, as `<type> <id>`. */
  private readonly told = new Set<string>();

  add(type: RecordTypeKey, id: string, fields: ChangedFields): void {
    const rows = this.rows.get(type) ?? new Map<string, ChangedFields>();
    const known = rows.get(id);
    rows.set(id, known === "all" || fields === "all" ? "all" : new Set([...(known ?? []), ...fields]));
    this.rows.set(type, rows);
  }

  want(type: RecordTypeKey, field: string, ids: readonly string[]): void {
    this.wanted.set(`${type} ${field}`, new Set([...(this.wanted.get(`${type} ${field}`) ?? []), ...ids]));
  }

  addFormer(type: RecordTypeKey, via: string, id: string): void {
    const key = `${type} ${via}`;
    this.former.set(key, (this.former.get(key) ?? new Set()).add(id));
  }

  /** What was written so far has events of its own. */
  tellWritten(): void {
    for (const [type, rows] of this.rows) for (const id of rows.keys()) this.tell(type, id);
  }

  /** Whether it is not told of yet. */
  tell(type: RecordTypeKey, id: string): boolean {
    const known = this.told.size;
    return this.told.add(`${type} ${id}`).size > known;
  }

  /** The rows of a type in which one of these fields changed. */
  idsOf(type: RecordTypeKey, fields: ReadonlySet<string>): string[] {
    return [...(this.rows.get(type) ?? [])].flatMap(([id, changed]) =>
      changed === "all" || [...fields].some((name) => changed.has(name)) ? [id] : [],
    );
  }
}

const byTransaction = new WeakMap<Queryable, Touched>();

function touchedOf(transaction: Queryable): Touched {
  const known = byTransaction.get(transaction);
  if (known) return known;
  const fresh = new Touched();
  byTransaction.set(transaction, fresh);
  return fresh;
}

export function takeTouched(transaction: Queryable): Touched | undefined {
  const touched = byTransaction.get(transaction);
  byTransaction.delete(transaction);
  return touched;
}

interface Sources {
  /** Types whose changes concern a computed field. */
  readonly types: ReadonlySet<RecordTypeKey>;
  /** By type, the references that records are rolled up along. */
  readonly vias: ReadonlyMap<RecordTypeKey, ReadonlySet<string>>;
}

const known = new WeakMap<Snapshot, Sources>();

export function sourcesOf(snapshot: Snapshot): Sources {
  const found = known.get(snapshot);
  if (found) return found;
  const types = new Set<RecordTypeKey>();
  const vias = new Map<RecordTypeKey, Set<string>>();
  for (const { type: key, fields } of snapshot.computed) {
    types.add(key);
    for (const name of fields) {
      const computation = snapshot.types.get(key)?.computed.get(name);
      if (computation?.kind === "lookup") for (const step of computation.steps) types.add(step.type);
      if (computation?.kind !== "roll-up") continue;
      types.add(computation.type);
      vias.set(computation.type, (vias.get(computation.type) ?? new Set()).add(computation.via));
    }
  }
  const sources = { types, vias };
  known.set(snapshot, sources);
  return sources;
}

/** `before`: what its columns held, where it was there. */
export function noteChange(
  { transaction, snapshot }: { readonly transaction: Queryable; readonly snapshot: Snapshot },
  type: RecordType,
  id: string,
  fields: readonly string[] | "all",
  before?: ColumnValues,
): void {
  const { types, vias } = sourcesOf(snapshot);
  if (!types.has(type.key)) return;
  const touched = touchedOf(transaction);
  const changed = fields === "all" ? fields : new Set(fields);
  touched.add(type.key, id, changed);
  for (const via of before ? (vias.get(type.key) ?? []) : []) {
    const former = before?.[via];
    if (former != null && (changed === "all" || changed.has(via))) touched.addFormer(type.key, via, former);
  }
}

/** A row that is gone for good: only what it referred to is left to look at. */
export function noteGone(transaction: Queryable, type: RecordType, via: string, former: string): void {
  touchedOf(transaction).addFormer(type.key, via, former);
}

/** To be worked out, although nothing that it depends on changed. */
export function wantComputed(transaction: Queryable, type: RecordTypeKey, field: string, ids: readonly string[]): void {
  touchedOf(transaction).want(type, field, ids);
}
