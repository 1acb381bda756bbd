// What a job did beside the records that it was about: their children, and the records that it made because a file named
// them. Children go back through their record; what was made goes once nobody refers to it any more, and is told where it stays.
import { Failure } from "../../contract/failures.ts";
import { type Message, say, verb } from "../../contract/messages.ts";
import { grantWrite } from "../access/grant.ts";
import { mayOperate } from "../access/matrix.ts";
import { mayRead, wall } from "../access/visibility.ts";
import { ident, join, sql } from "../database/sql.ts";
import { childTypeOf, ownedAssociations, referencedBy } from "../metadata/associations.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType, RecordTypeKey } from "../metadata/record-type.ts";
import { childTie, idTypeOf } from "../query/lock-rows.ts";
import { referredAmong } from "../query/owned-rows.ts";
import { deleteMany } from "../records/bulk/delete-many.ts";
import type { Changes } from "../records/history/revisions.ts";
import type { Work } from "../records/hooks.ts";
import { columnNames, rowOf } from "../records/read/record-row.ts";
import type { ColumnValues } from "../records/read/row-values.ts";
import { referringFields } from "../records/save/dependents.ts";
import type { KeptRecord } from "./job.ts";

export interface Done {
  /** From before the job to after it, however often it changed the record. */
  readonly changes: Changes;
  readonly isAdded: boolean;
  /** Fields that were changed since, and not by a job that was undone itself. */
  readonly since: ReadonlySet<string>;
  /** Fields that it changed and that were removed since: there is nothing left to change back. */
  readonly gone: ReadonlySet<string>;
}

/** Reads what a job did to records of a type, by id. */
export type ReadDone = (type: RecordType, ids: readonly string[]) => Promise<ReadonlyMap<string, Done>>;

export interface DoneChild {
  readonly parentId: string;
  readonly association: string;
  readonly type: RecordType;
  readonly row: ColumnValues;
  readonly done: Done;
}

/** The children of these records that the job wrote, with what they hold now. */
export async function doneChildren(
  { transaction, snapshot, caller }: Work,
  parent: RecordType,
  ids: readonly string[],
  readDone: ReadDone,
): Promise<readonly DoneChild[]> {
  const found: DoneChild[] = [];
  if (ids.length === 0) return found;
  for (const association of ownedAssociations(parent)) {
    const type = childTypeOf(snapshot, association);
    if (type.follows !== undefined) continue;
    const columns = columnNames(type);
    const owner = ident("r", association.kind === "has-many" ? association.via : "related_id");
    const texts = columns.map((name) => sql`${ident("r", name)}::text`);
    const { rows } = await transaction.run(sql`
      select ${owner}::text, ${join(texts)} from ${ident(type.table)} r
      where ${wall(caller, type, "r")} and ${childTie(association, parent, ids)}`);
    const children = rows.map(([parentId, ...own]) => ({ parentId: parentId ?? "", row: rowOf(columns, own) }));
    const history = await readDone(
      type,
      children.flatMap(({ row }) => row.id ?? []),
    );
    for (const { parentId, row } of children) {
      const done = history.get(row.id ?? "");
      if (done) found.push({ parentId, association: association.name, type, row, done });
    }
  }
  return found;
}

interface Written {
  readonly type: RecordType;
  readonly changes: Changes;
}

/**
 * Deletes what the job made for its records to refer to: what nobody changed since and nobody refers to now. Gives what became
 * of each, as far as the caller may read it.
 */
export async function deleteMade(
  work: Work,
  written: readonly Written[],
  readDone: ReadDone,
): Promise<readonly KeptRecord[]> {
  const { snapshot } = work;
  const named = new Map<RecordTypeKey, Set<string>>();
  for (const { type, changes } of written) {
    for (const [name, { to }] of Object.entries(changes)) {
      const field = type.field.get(name);
      const target = field && !field.system ? referencedBy(type, field) : undefined;
      if (target === undefined || typeof to !== "string") continue;
      named.set(target, (named.get(target) ?? new Set()).add(to));
    }
  }
  const own = new Set(written.map(({ type }) => type.key));
  const kept: KeptRecord[] = [];
  for (const [key, ids] of named) {
    const type = snapshot.types.get(key);
    if (!type || own.has(key)) continue;
    const history = await readDone(type, [...ids]);
    const made = [...history].filter(([, { isAdded }]) => isAdded).map(([id]) => id);
    const there = await readableAmong(work, type, made);
    if (there.length === 0) continue;
    const reasons = await whyKept(work, type, there, history);
    const free = there.filter((id) => !reasons.has(id));
    if (free.length > 0) {
      const grant = grantWrite(work.caller, type, "delete", work.hooks);
      const { failed } = await deleteMany(work, grant, free, { confirmed: true, override: false });
      for (const [id, said] of Object.entries(failed)) reasons.set(id, said);
    }
    for (const id of there) kept.push({ type: key, id, reasons: reasons.get(id) });
  }
  return kept;
}

async function readableAmong(
  { transaction, caller }: Work,
  type: RecordType,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { rows } = await transaction.run(sql`
    select r.id::text from ${ident(type.table)} r
    where ${mayRead(caller, type, "r", "few")} and r.deleted = 0 and r.id = any(${ids}::${idTypeOf(type)}[])`);
  return rows.flatMap(([id]) => id ?? []);
}

/** By id, of those that are not to be deleted. */
async function whyKept(
  work: Work,
  type: RecordType,
  ids: readonly string[],
  history: ReadonlyMap<string, Done>,
): Promise<Map<string, readonly Message[]>> {
  const { caller, transaction } = work;
  const all = (reason: Message) => new Map(ids.map((id) => [id, [reason]] as const));
  if (isNamedInParts(work, type.key)) return all(say("made_maybe_used"));
  const referred = referredAmong(caller, type, ids, referringFields(work, type, false));
  const needed = new Set(referred ? (await transaction.run(referred)).rows.map(([id]) => id) : []);
  const why = (id: string): Message | undefined => {
    if (needed.has(id)) return say("made_still_used");
    if ((history.get(id)?.since.size ?? 0) > 0) return say("made_changed_since");
    if (mayOperate(caller, type, "delete")) return undefined;
    return new Failure("operation_forbidden", { with: { operation: verb("delete"), type: type.plural } }).said;
  };
  return new Map(
    ids.flatMap((id) => {
      const reason = why(id);
      return reason ? [[id, [reason]] as const] : [];
    }),
  );
}

/** Who names a country in an address does not show among those that refer to it. */
const isNamedInParts = ({ snapshot }: Work, key: RecordTypeKey): boolean =>
  [...snapshot.types.values()].some((type) =>
    type.fields.some((field) => {
      const { references, columns } = typeOf(field);
      const row = columns(field).map(() => "1");
      return references?.(row, field).some((one) => one.part !== undefined && one.type === key) ?? false;
    }),
  );
