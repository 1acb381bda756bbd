// Takes a record; returns what is deleted with it: its own children and theirs, and the records that refer to it.
import { type Message, say } from "../../../contract/messages.ts";
import { seesName } from "../../access/field-mask.ts";
import type { Sql } from "../../database/sql.ts";
import { childTypeOf, ownedAssociations, referencedBy } from "../../metadata/associations.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import { type OwnedBranch, ownedRows, type ReferringField, referringRows } from "../../query/owned-rows.ts";
import { hooksOf, type Work } from "../hooks.ts";
import { readDisplayTexts } from "../read/display-texts.ts";

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

/** Who refers to the record, by type; none when nobody does. Names only what the caller may see. */
export async function referringTo(
  work: Work,
  type: RecordType,
  id: string,
  along: RowsByType,
  which: { readonly requiredOnly: boolean; readonly deletedToo: boolean },
): Promise<Referrers[]> {
  const fields = referringFields(work, type, which.requiredOnly).map((one) => {
    const self = one.type === type ? [id] : [];
    const far = farEnd(one);
    const named = far === undefined ? one.type : requireType(work.snapshot, far.type);
    return { ...one, far: far?.via, named, except: [...(along.get(one.type) ?? []), ...self] };
  });
  if (fields.length === 0) return [];
  const { rows } = await work.transaction.run(referringRows(work.caller, type, id, fields, which.deletedToo));
  const ids = new Map<string, Set<string>>();
  for (const [number, named] of rows) {
    const key = fields[Number(number)]?.named.key;
    if (key !== undefined && named != null) ids.set(key, (ids.get(key) ?? new Set()).add(named));
  }
  const seen = [...ids.keys()]
    .map((key) => requireType(work.snapshot, key))
    .filter((one) => seesName(one, work.caller));
  const run = async (statement: Sql) => (await work.transaction.run(statement)).rows;
  const texts = await readDisplayTexts(run, work.snapshot, work.caller, seen, ids);
  return fields.flatMap(({ named: other }, index) => {
    const own = rows.filter(([number]) => number === String(index));
    if (own.length === 0) return [];
    const named = own.flatMap(([, rowId]) => {
      const text = texts.of(other.key, rowId ?? null);
      return text === null ? [] : [`${text} (${rowId})`];
    });
    const rest = Number(own[0]?.[2] ?? 0) - named.length;
    return [{ type: other.plural, records: [...named, ...(rest > 0 ? [say("and_more", { count: rest })] : [])] }];
  });
}

/** A row that only connects two records is known by the other one: whoever holds a role, not the row that says so. */
function farEnd({ type, field }: Referring): { readonly via: string; readonly type: string } | undefined {
  const display = type.field.get(type.displayField);
  if (!type.hidden || !display || referencedBy(type, display) === undefined) return undefined;
  return type.associations.find(
    (one): one is Extract<typeof one, { kind: "belongs-to" }> =>
      one.kind === "belongs-to" && one.via !== field && type.field.get(one.via)?.required === true,
  );
}

/** `2 addresses, 1 e-mail address`. */
export const countedRows = (rows: RowsByType): Message[] =>
  [...rows].map(([type, { length: count }]) => say("counted", { count, name: count === 1 ? type.noun : type.nouns }));
