// Takes a record as it was read (or an empty one), the caller's form and the operation; gives the view response.

import type { WireWorkflow } from "../../../contract/workflow.ts";
import type { Caller } from "../../access/caller.ts";
import { type FieldMask, fieldMask } from "../../access/field-mask.ts";
import { mayOperate } from "../../access/matrix.ts";
import type { WireValue } from "../../fields/field-type.ts";
import type { FormAction } from "../../forms/actions.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import { broughtAssociations, referencedBy } from "../../metadata/associations.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import type { DisplayTexts } from "./display-texts.ts";
import { formVersion } from "./form-version.ts";
import { modelFacts } from "./model-facts.ts";
import type { FoundRecord, WireRecord } from "./read-record.ts";

export interface PresentedView {
  readonly body: Readonly<Record<string, unknown>>;
  /** Keys whose values are JSON already. */
  readonly written: Readonly<Record<string, string | Buffer>>;
  /** This very object is given again to the same caller. */
  readonly lasting?: true;
}

type Shown = Record<string, WireValue | readonly unknown[]>;

/** A record's values with the companions of its references. */
export function presentValues(
  type: RecordType,
  visible: ReadonlySet<string>,
  values: WireRecord,
  texts: DisplayTexts,
): Shown {
  const shown: Shown = {};
  for (const field of type.fields) {
    const value = values[field.name];
    if (value === undefined || !visible.has(field.name)) continue;
    shown[field.name] = value;
    const target = referencedBy(type, field);
    if (target === undefined) continue;
    shown[`__${field.name}`] = texts.of(target, typeof value === "string" ? value : null);
    shown[`${field.name}_model`] = target;
  }
  return shown;
}

/** `data.<alias>`: the record with its children. */
export function presentData(
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  form: Pick<CompiledForm, "hidden">,
  record: Pick<FoundRecord, "values" | "children" | "texts">,
) {
  const data = presentValues(type, without(fieldMask(type, caller), form.hidden), record.values, record.texts);
  for (const association of broughtAssociations(type)) {
    const child = requireType(snapshot, association.type);
    const { visible } = fieldMask(child, caller);
    const rows = record.children.get(association.name) ?? [];
    data[association.name] = rows.map((row) => presentValues(child, visible, row, record.texts));
  }
  return data;
}

export function displayName(type: RecordType, record: FoundRecord): string | null {
  const field = type.field.get(type.displayField);
  const value = record.values[type.displayField] ?? null;
  const target = field && referencedBy(type, field);
  if (target !== undefined) return record.texts.of(target, typeof value === "string" ? value : null);
  return field && value !== null ? (typeOf(field).display?.(value, field) ?? String(value)) : null;
}

export function presentView(
  snapshot: Snapshot,
  type: RecordType,
  caller: Caller,
  form: CompiledForm,
  record: FoundRecord | EmptyRecord,
  workflow?: WireWorkflow,
  actions: readonly FormAction[] = [],
): PresentedView {
  const mask = fieldMask(type, caller);
  const found = record.id === null ? undefined : record;
  const data = presentData(snapshot, type, caller, form, record);
  const { rights, deleted } = record;
  const read = (field: string) => record.values[field];
  const facts = modelFacts(type, mask);
  const commentable = type.allowComments && found !== undefined && rights.comment && !deleted;
  const written = {
    model_associations: facts.associations,
    model_behaviours: facts.behaviors,
    filterRules: form.filterRules,
    notEmptyField: form.notEmptyField,
    labels: form.labels,
    form: form.render(read, actions),
  };
  return {
    body: {
      data: { [type.alias]: workflow ? { ...data, stage_log: { node_id: workflow.stage, comment: null } } : data },
      ...(workflow ? { workflow } : {}),
      id: record.id,
      name: (found && displayName(type, found)) ?? "",
      alias: type.alias,
      singular: type.label,
      model: type.key,
      model_class: type.key,
      modelClass: type.key,
      controllerClass: type.key,
      primary_key: `${type.alias}.id`,
      display_field: `${type.alias}.${type.displayField}`,
      is_record_deleted: deleted,
      is_editable: rights.edit && !deleted ? 1 : 0,
      is_deletable: rights.delete && !deleted ? 1 : 0,
      allow_comments: commentable ? 1 : 0,
      permissions: permissionsOf(type, caller, record),
      rebaseline: [],
      form_version: formVersion(written),
    },
    written,
  };
}

/** A record that is not there yet. */
export type EmptyRecord = Omit<FoundRecord, "id"> & { readonly id: null };

/** What the caller may do with this very record. */
function permissionsOf(type: RecordType, caller: Caller, record: FoundRecord | EmptyRecord) {
  const flag = (may: boolean) => (may ? 1 : 0);
  const { rights, deleted } = record;
  const there = record.id !== null;
  return {
    index: flag(mayOperate(caller, type, "index")),
    view: flag(mayOperate(caller, type, "view")),
    add: flag(mayOperate(caller, type, "add")),
    edit: flag(rights.edit && !deleted),
    delete: flag(there && rights.delete && !deleted),
    restore: flag(there && rights.delete && deleted),
    purge: flag(there && rights.delete && deleted && caller.isAdministrator),
    comment: flag(there && rights.comment && !deleted),
    export: flag(mayOperate(caller, type, "export")),
    import: flag(mayOperate(caller, type, "import")),
    bulk: flag(mayOperate(caller, type, "bulk")),
    design: flag(mayOperate(caller, type, "design")),
  };
}

const without = (mask: FieldMask, hidden: ReadonlySet<string>): ReadonlySet<string> =>
  hidden.size === 0 ? mask.visible : new Set([...mask.visible].filter((name) => !hidden.has(name)));
