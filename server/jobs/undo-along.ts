// What a job did beside the records that it was about: their children, and the records that it made because a file named
// them. Children go back through their record; what was made goes once nobody refers to it any more.
import { grantWrite } from "../access/grant.ts";
import { mayOperate } from "../access/matrix.ts";
import { wall } from "../access/visibility.ts";
import { ident, join, sql } from "../database/sql.ts";
import { childTypeOf, ownedAssociations, referencedBy } from "../metadata/associations.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType, RecordTypeKey } from "../metadata/record-type.ts";
import { childTie } from "../query/lock-rows.ts";
import { referredAmong } from "../query/owned-rows.ts";
import { deleteMany } from "../records/bulk/delete-many.ts";
import type { Changes } from "../records/history/revisions.ts";
import type { Work } from "../records/hooks.ts";
import { columnNames, rowOf } from "../records/read/record-row.ts";
import type { ColumnValues } from "../records/read/row-values.ts";
import { referringFields } from "../records/save/dependents.ts";

export interface Done {
  /** From before the job to after it, however often it changed the record. */
  readonly changes: Changes;
  readonly isAdded: boolean;
  /** Fields that were changed since, and not by a job that was undone itself. */
  readonly since: ReadonlySet<string>;
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

/** Records that the job made for its records to refer to: those that nobody changed since and nobody refers to now. */
export async function deleteMade(work: Work, written: readonly Written[], readDone: ReadDone): Promise<void> {
  const { snapshot, caller, transaction } = work;
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
  for (const [key, ids] of named) {
    const type = snapshot.types.get(key);
    if (!type || own.has(key) || !mayOperate(caller, type, "delete") || isNamedInParts(work, key)) continue;
    const history = await readDone(type, [...ids]);
    const made = [...history].flatMap(([id, { isAdded, since }]) => (isAdded && since.size === 0 ? [id] : []));
    const referred =
      made.length > 0 ? referredAmong(caller, type, made, referringFields(work, type, false)) : undefined;
    const needed = new Set(referred ? (await transaction.run(referred)).rows.map(([id]) => id) : []);
    const free = made.filter((id) => !needed.has(id));
    if (free.length === 0) continue;
    const grant = grantWrite(caller, type, "delete", work.hooks);
    // What cannot be deleted stays.
    await deleteMany(work, grant, free, { confirmed: true, override: false });
  }
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
