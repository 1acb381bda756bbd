// Takes what is filled in so far of a record that is not there yet, or of a row of it; gives what a save would take over from the records that
// it names, as the save itself works it out. Writes nothing.
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { sql } from "../../database/sql.ts";
import type { RowValue } from "../../fields/field-type.ts";
import { findForm } from "../../forms/find-form.ts";
import { childTypeOf, type OwnedAssociation, referencedBy } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { needsOf } from "../../metadata/rules/starts-from.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { formPointer } from "../../query/form-pointer.ts";

import { initialRow } from "../save/draft.ts";
import { startsOf } from "../save/taken-over.ts";
import { type Reader, readDisplayTexts } from "./display-texts.ts";
import type { WireRecord } from "./read-record.ts";
import { wireField } from "./record-row.ts";

export interface StartingValues {
  /** By field, references with what they are called (`__x`). */
  readonly values: WireRecord;
  /** Fields whose value comes from another record. */
  readonly taken: readonly string[];
}

interface Asked {
  readonly snapshot: Snapshot;
  readonly caller: Caller;
  readonly type: RecordType;
  /** The rows that are asked about, where it is not about the record itself. */
  readonly association?: OwnedAssociation | undefined;
  readonly sent: ReadonlyMap<string, unknown>;
}

export async function startingValues(
  reader: Reader,
  { snapshot, caller, type: owner, association, sent: asSent }: Asked,
): Promise<StartingValues> {
  const type = association ? childTypeOf(snapshot, association) : owner;
  const sent = new Map([...asSent].map(([name, value]) => [type.fieldAliases.get(name) ?? name, value]));
  const tie = association?.kind === "has-many" ? association.via : undefined;
  const { visible } = fieldMask(type, caller);
  const [pointer] = association ? [] : await reader.run(sql`select ${formPointer(caller, type)}`);
  const form = association ? undefined : await findForm(reader.db, snapshot, type, caller, "add", pointer?.[0] ?? null);
  const asked = [...type.startsFrom].filter(
    // What the record around a row holds is known where it is filled in, and so is whose it is.
    ([name, { via }]) =>
      visible.has(name) &&
      !sent.has(name) &&
      via !== tie &&
      !(association && via === "owned_by") &&
      !form?.defaults.has(name),
  );
  const known = new Set([...type.startsFrom.keys()].flatMap((name) => [name, ...needsOf(type, name)]));
  const values = new Map<string, readonly RowValue[]>();
  for (const name of known) {
    const field = sent.has(name) ? type.field.get(name) : undefined;
    if (!field || !visible.has(name)) continue;
    const parsed = typeOf(field).parse(sent.get(name) ?? null, field, caller);
    values.set(name, parsed.ok ? parsed.row : []);
  }
  const plan = { id: undefined, values };
  const work = { snapshot, caller, transaction: reader.db };
  const initial = initialRow(type, caller, form?.defaults);
  if (!association && type.field.has("owned_by")) initial.owned_by = caller.userId;
  const start = (await startsOf(work, type, [plan], initial, form ? { kept: form.defaults } : {}))(plan);
  const ids = new Map<string, Set<string>>();
  const result: WireRecord = {};
  for (const [name] of asked) {
    const field = type.field.get(name);
    if (!field) continue;
    const value = wireField(type, field, start.row);
    result[name] = value;
    const target = referencedBy(type, field);
    if (target !== undefined && typeof value === "string") ids.set(target, (ids.get(target) ?? new Set()).add(value));
  }
  const targets = [...ids.keys()].map((key) => requireType(snapshot, key));
  const texts = await readDisplayTexts(reader.run, snapshot, caller, targets, ids);
  for (const [name] of asked) {
    const field = type.field.get(name);
    const target = field && referencedBy(type, field);
    const id = result[name];
    if (target !== undefined) result[`__${name}`] = typeof id === "string" ? texts.of(target, id) : null;
  }
  return { values: result, taken: asked.map(([name]) => name).filter((name) => start.taken.has(name)) };
}
