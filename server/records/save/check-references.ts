// Takes drafts; finds newly named records that do not exist, in one statement: for the caller if the caller named them,
// within the organization if a workflow did.
import { say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import { mayRead, wall } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { expression, join, quote, sql } from "../../database/sql.ts";
import type { Field, NamedRecord } from "../../fields/field-type.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { fieldRow, isChanged } from "../read/record-row.ts";
import type { Draft } from "./draft.ts";

interface Named extends NamedRecord {
  readonly key: string;
  readonly label: string;
  readonly draft: Draft;
  readonly sent: boolean;
}

/** Adds "… was not found" to the errors of the drafts. */
export async function checkReferences(
  transaction: Queryable,
  snapshot: Snapshot,
  caller: Caller,
  drafts: readonly Draft[],
): Promise<void> {
  const named = drafts.flatMap(newlyNamed);
  if (named.length === 0) return;
  const ids = new Map<string, { readonly type: RecordType; readonly sent: boolean; readonly ids: Set<string> }>();
  for (const { type: key, id, sent } of named) {
    const group = ids.get(`${sent} ${key}`) ?? { type: requireType(snapshot, key), sent, ids: new Set() };
    ids.set(`${sent} ${key}`, { ...group, ids: group.ids.add(id) });
  }
  const wanted = [...ids];
  const found = await transaction.prepared(
    join(
      wanted.map(
        ([, { type, sent, ids: some }], index) => sql`
          select ${expression(`'${index}'::text`)}, r.id::text from ${expression(quote(type.table))} r
          where r.id = any(${[...some]}::${idTypeOf(type)}[])
            and ${sent ? sql`r.deleted = 0 and ${mayRead(caller, type, "r", "few")}` : wall(caller, type, "r")}`,
      ),
      " union all ",
    ),
  );
  const there = new Set(found.map(([index, id]) => `${wanted[Number(index)]?.[0]} ${id}`));
  for (const { type, id, key, label, part, draft, sent } of named) {
    if (there.has(`${sent} ${type} ${id}`)) continue;
    const said = part ? say("part_not_found", { field: label, part }) : say("not_found", { field: label });
    draft.errors[key] = [...(draft.errors[key] ?? []), said];
  }
}

function newlyNamed(draft: Draft): Named[] {
  if (draft.operation === "delete") return [];
  const { type, after, before = {} } = draft;
  const named: Named[] = [];
  for (const field of namingFields(type)) {
    const sent = draft.plan.values.has(field.name);
    if (!(sent || draft.setByWorkflow.has(field.name)) || !isChanged(type, field, before, after)) continue;
    const key = `${draft.plan.path}.${field.name}`;
    if (draft.errors[key]) continue;
    const records = typeOf(field).references?.(fieldRow(type, field, after), field) ?? [];
    for (const record of records) named.push({ ...record, key, label: field.label, draft, sent });
  }
  return named;
}

const namingOf = new WeakMap<RecordType, readonly Field[]>();

/** The fields whose values name records. What the service itself fills in needs no checking. */
function namingFields(type: RecordType): readonly Field[] {
  const known = namingOf.get(type);
  if (known) return known;
  const fields = type.fields.filter((field) => !field.system && typeOf(field).references !== undefined);
  namingOf.set(type, fields);
  return fields;
}
