// Takes a record; returns what is deleted with it: its own children and theirs, and the records that refer to it.
import { type Message, say } from "../../../contract/messages.ts";
import { childTypeOf, ownedAssociations } from "../../metadata/associations.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { type OwnedBranch, ownedRows, type ReferringField, referringRows } from "../../query/owned-rows.ts";
import { hooksOf, type Work } from "../hooks.ts";

export type RowsByType = ReadonlyMap<RecordType, readonly string[]>;

/** Children of children of children: deeper than anybody designs. */
const MAX_DEPTH = 8;

export async function ownedByRecord(work: Work, type: RecordType, id: string, deletedToo = false): Promise<RowsByType> {
  const found = new Map<RecordType, string[]>();
  let level: ReadonlyMap<RecordType, readonly string[]> = new Map([[type, [id]]]);
  for (let depth = 0; depth < MAX_DEPTH && level.size > 0; depth += 1) {
    const branches: OwnedBranch[] = [...level].flatMap(([parent, parentIds]) =>
      ownedAssociations(parent).map((association) => ({
        association,
        parent,
        child: childTypeOf(work.snapshot, association),
        parentIds,
      })),
    );
    if (branches.length === 0) break;
    const next = new Map<RecordType, string[]>();
    for (const [index, child] of (await work.transaction.run(ownedRows(work.caller, branches, deletedToo))).rows) {
      const branch = branches[Number(index)];
      if (!branch || child == null) continue;
      const known = found.get(branch.child) ?? [];
      if (known.includes(child)) continue;
      found.set(branch.child, [...known, child]);
      next.set(branch.child, [...(next.get(branch.child) ?? []), child]);
    }
    level = next;
  }
  return found;
}

export interface Referrers {
  /** In the plural. */
  readonly type: string;
  readonly records: readonly (string | Message)[];
}

type Referring = Pick<ReferringField, "type" | "field">;

/** The fields of any type by which records of this one can be named. */
export function referringFields(work: Work, type: RecordType, requiredOnly: boolean): Referring[] {
  const fields: Referring[] = [];
  for (const other of work.snapshot.types.values()) {
    if (other.scope !== type.scope && type.scope === "organization") continue;
    if (hooksOf(work, other).bookkeeping) continue;
    for (const association of other.associations) {
      if (association.kind !== "belongs-to" || association.type !== type.key) continue;
      const field = other.field.get(association.via);
      // Who made a record is history, not a reference that holds anything.
      if (!field || field.system || (requiredOnly && !field.required)) continue;
      fields.push({ type: other, field: field.name });
    }
  }
  return fields;
}

/** The fields that cannot do without the record that they name. */
export const requiredBy = (work: Work, type: RecordType): readonly Referring[] => referringFields(work, type, true);

/** Who refers to the record, by type; none when nobody does. */
export async function referringTo(
  work: Work,
  type: RecordType,
  id: string,
  along: RowsByType,
  which: { readonly requiredOnly: boolean; readonly deletedToo: boolean },
): Promise<Referrers[]> {
  const fields: ReferringField[] = referringFields(work, type, which.requiredOnly).map((one) => {
    const self = one.type === type ? [id] : [];
    return { ...one, except: [...(along.get(one.type) ?? []), ...self] };
  });
  if (fields.length === 0) return [];
  const { rows } = await work.transaction.run(referringRows(work.caller, type, id, fields, which.deletedToo));
  return fields.flatMap(({ type: other }, index) => {
    const own = rows.filter(([number]) => number === String(index));
    if (own.length === 0) return [];
    const named = own.flatMap(([, rowId, text]) => (text == null ? [] : [`${text} (${rowId})`]));
    const rest = Number(own[0]?.[3] ?? 0) - named.length;
    return [{ type: other.plural, records: [...named, ...(rest > 0 ? [say("and_more", { count: rest })] : [])] }];
  });
}

/** `2 addresses, 1 e-mail address`. */
export const countedRows = (rows: RowsByType): Message[] =>
  [...rows].map(([type, { length: count }]) => say("counted", { count, name: count === 1 ? type.noun : type.nouns }));
