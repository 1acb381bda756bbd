// Takes drafts; finds every record that they newly name and that does not exist for the caller, in one statement.
import type { Caller } from "../access/caller.ts";
import { mayRead } from "../access/visibility.ts";
import type { Queryable } from "../database/database.ts";
import { expression, join, quote, sql } from "../database/sql.ts";
import type { NamedRecord } from "../fields/field-type.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { idTypeOf } from "../query/lock-rows.ts";
import type { Draft } from "./draft.ts";
import { changedFields, fieldRow } from "./record-row.ts";

interface Named extends NamedRecord {
  readonly key: string;
  readonly label: string;
  readonly draft: Draft;
}

/** Adds "… does not exist" to the errors of the drafts. */
export async function checkReferences(
  transaction: Queryable,
  snapshot: Snapshot,
  caller: Caller,
  drafts: readonly Draft[],
): Promise<void> {
  const named = drafts.flatMap(newlyNamed);
  if (named.length === 0) return;
  const ids = new Map<RecordType, Set<string>>();
  for (const { type, id } of named) {
    const target = requireType(snapshot, type);
    ids.set(target, (ids.get(target) ?? new Set()).add(id));
  }
  const wanted = [...ids];
  const found = await transaction.run(
    join(
      wanted.map(
        ([type, some], index) => sql`
          select ${expression(`'${index}'::text`)}, r.id::text from ${expression(quote(type.table))} r
          where r.id = any(${[...some]}::${idTypeOf(type)}[]) and r.deleted = 0 and ${mayRead(caller, type, "r")}`,
      ),
      " union all ",
    ),
  );
  const there = new Set(found.rows.map(([index, id]) => `${wanted[Number(index)]?.[0].key} ${id}`));
  for (const { type, id, key, label, part, draft } of named) {
    if (there.has(`${type} ${id}`)) continue;
    draft.errors[key] = [...(draft.errors[key] ?? []), `${label}${part ? ` (${part})` : ""} does not exist`];
  }
}

function newlyNamed(draft: Draft): Named[] {
  if (draft.operation === "delete") return [];
  const { type, after, before } = draft;
  return changedFields(type, before ?? {}, after).flatMap((field) => {
    const key = `${draft.plan.path}.${field.name}`;
    // What the service itself fills in needs no checking.
    if (field.system || draft.errors[key] || !draft.plan.values.has(field.name)) return [];
    const records = typeOf(field).references?.(fieldRow(type, field, after), field) ?? [];
    return records.map((record) => ({ ...record, key, label: field.label, draft }));
  });
}
