// Takes what was sent for a row and what is stored; returns the row as it would be saved, with every error that the two
// together show: fields that cannot be changed, missing values. Pure.

import { say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import type { FieldMask } from "../../access/field-mask.ts";
import { mostRestrictive } from "../../access/permission.ts";
import type { Field } from "../../fields/field-type.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import type { OwnedAssociation } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { FieldErrors, WritePlan } from "../../plan/plan-write.ts";
import { computeFormulas } from "../computed/draft-formulas.ts";
import type { RecordHooks } from "../hooks.ts";
import { fieldRow, isChanged, isEmptyField, putField, sameField, wireField } from "../read/record-row.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { startingValue } from "./starting-value.ts";

/** A row between being sent and being written. */
export interface Draft {
  readonly plan: Pick<WritePlan, "path" | "values" | "children">;
  readonly type: RecordType;
  /** Undefined for the record itself. */
  readonly association: OwnedAssociation | undefined;
  readonly id: string | undefined;
  /** The id that a new row is to have, where one was reserved. */
  readonly newId?: string | undefined;
  /** Column texts as they are stored; undefined for a new row. */
  readonly before: ColumnValues | undefined;
  readonly aclId: string | null;
  /** Somebody wants to be told of its changes. */
  readonly isFollowed?: boolean | undefined;
  /** What its access depends on was read once it was locked. */
  readonly knowsFacts?: boolean | undefined;
  readonly after: ColumnValues;
  readonly operation: "add" | "edit" | "delete";
  readonly errors: FieldErrors;
  /** Fields that an effect has written. */
  readonly setByWorkflow: Set<string>;
}

export const isChangedField = ({ type, before = {}, after }: Draft, field: Field): boolean =>
  isChanged(type, field, before, after);

/** Something required that the caller cannot fill in: the service itself must know it first. */
export const lacksRequired = (type: RecordType, { editable }: FieldMask, row: ColumnValues): boolean =>
  type.fields.some((field) => field.required && !editable.has(field.name) && isEmptyField(type, field, row));

export interface Stored {
  readonly row: ColumnValues;
  readonly aclId: string | null;
  readonly isFollowed?: boolean;
  readonly knowsFacts?: boolean;
}

/** What a new row starts with. */
export function initialRow(type: RecordType, caller: Caller, defaults?: ReadonlyMap<string, string>): ColumnValues {
  const row: ColumnValues = {};
  for (const field of type.fields) {
    const start = startingValue(type, field, caller, defaults);
    const parsed = start === undefined ? undefined : typeOf(field).parse(start, field, caller);
    if (parsed?.ok) putField(type, field, parsed.row, row);
  }
  return row;
}

const patterns = new WeakMap<ColumnValues, Map<string, ColumnValues>>();
const MOST_PATTERNS = 50;

/**
 * The initial row with a place for every column that is written. Rows of a batch are copies of one: an object that grows key
 * by key becomes a table of its own, which takes several times as long to write, to copy and to collect.
 */
function patternOf(type: RecordType, initial: ColumnValues, names: Iterable<string>, mask: FieldMask): ColumnValues {
  const written = [...names].filter((name) => mask.editable.has(name) && !type.field.get(name)?.system);
  const known = patterns.get(initial) ?? new Map<string, ColumnValues>();
  patterns.set(initial, known);
  const key = written.join(" ");
  const found = known.get(key);
  if (found) return found;
  const columns = written.flatMap((name) => type.columns.get(name) ?? []);
  const pattern = { ...Object.fromEntries(columns.map(({ name }) => [name, null])), ...initial };
  if (known.size < MOST_PATTERNS) known.set(key, pattern);
  return pattern;
}

export interface DraftSource {
  readonly plan: WritePlan;
  readonly hooks: RecordHooks;
  readonly association: OwnedAssociation | undefined;
  readonly stored: Stored | undefined;
  /** Of a new row, where one was reserved. */
  readonly newId?: string | undefined;
  /** What a new row starts with. */
  readonly initial: ColumnValues;
  /** Of the record itself: children follow their own type alone. */
  readonly form: CompiledForm | undefined;
}

export function draftRow(source: DraftSource): Draft {
  const { plan, hooks, form, stored, association } = source;
  const { grant, path } = plan;
  const { type, fields: mask } = grant;
  const errors: FieldErrors = {};
  for (const [key, said] of Object.entries(plan.errors)) errors[key] = [...said];
  // A row of another record is a row that is not there.
  if (association && plan.id !== undefined && !stored) errors[`${path}.id`] = [say("not_found", { field: type.label })];
  const baseline = stored?.row ?? source.initial;
  const start = stored ? baseline : patternOf(type, baseline, plan.values.keys(), mask);
  const after: ColumnValues = { ...start };
  const operation = stored === undefined ? "add" : plan.remove ? "delete" : "edit";
  const draft = {
    plan,
    type,
    association,
    id: stored?.row.id ?? undefined,
    newId: source.newId,
    before: stored?.row,
    aclId: stored?.aclId ?? null,
    isFollowed: stored?.isFollowed,
    knowsFacts: stored?.knowsFacts,
    operation,
    setByWorkflow: new Set<string>(),
  } as const;
  if (operation === "delete") {
    after.deleted = "1";
    return { ...draft, after, errors: {} };
  }
  // What is no row, or no row of this record, has no values to speak of.
  if (errors[path] || errors[`${path}.id`]) return { ...draft, after, errors };

  const computed = new Set(hooks.computes ?? []);
  // Conditions see the record as it was sent: who may change the one field may change what depends on it along.
  let sent: ColumnValues | undefined;
  const asSent = (): ColumnValues => {
    const row: ColumnValues = { ...start };
    for (const [name, values] of plan.values) {
      const field = type.field.get(name);
      if (field) putField(type, field, values, row);
    }
    return row;
  };
  const read = (name: string) => {
    const field = type.field.get(name);
    sent ??= asSent();
    return field ? wireField(type, field, sent) : null;
  };
  for (const [name, values] of plan.values) {
    const field = type.field.get(name);
    if (!field || computed.has(name)) continue;
    // No form shows what is only written.
    const shownBy = field.writeOnly ? undefined : form;
    if (shownBy?.hidden.has(name)) {
      errors[`${path}.${name}`] = [say("unknown_field", { field: name })];
      continue;
    }
    const permission = mostRestrictive(mask.editable.has(name) ? 2 : 4, shownBy?.permissionOf(name, read) ?? 2);
    if (permission === 2) putField(type, field, values, after);
    else if (!sameField(field, values, fieldRow(type, field, baseline))) {
      errors[`${path}.${name}`] = [say("not_editable", { field: field.label })];
    }
  }
  Object.assign(after, hooks.compute?.(after));
  for (const name of computed) {
    const field = type.field.get(name);
    const values = plan.values.get(name);
    if (!field || values === undefined) continue;
    const accepted = [baseline, after].some((row) => sameField(field, values, fieldRow(type, field, row)));
    if (!accepted) errors[`${path}.${name}`] = [say("computed", { field: field.label })];
  }

  computeFormulas(type, after, stored === undefined);

  for (const field of type.fields) {
    if (field.system || !mask.editable.has(field.name) || !isEmptyField(type, field, after)) continue;
    if (association && isTie(association, field.name)) continue;
    const isRequired = form && !field.writeOnly ? form.isRequired(field.name, read) : field.required;
    if (!isRequired) continue;
    errors[`${path}.${field.name}`] ??= [say("required", { field: field.label })];
  }
  return { ...draft, after, errors };
}

/** Whose a row is that is saved with its record: whoever owns that, or, where it goes its own way, whoever adds it. */
export const ownershipOf = (type: RecordType, caller: Caller, parent: ColumnValues): ColumnValues =>
  type.follows === undefined
    ? { owned_by: parent.owned_by ?? null, primary_acl_group: parent.primary_acl_group ?? null }
    : { owned_by: caller.userId };

/** Filled in from the parent. */
const isTie = (association: OwnedAssociation, name: string): boolean =>
  association.kind === "has-many" ? association.via === name : name === "related_type" || name === "related_id";
