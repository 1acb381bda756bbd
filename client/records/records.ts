// One record: reading it with its form, saving, deleting, bringing it back, and finding records by a text.

import type { FieldSettings, FieldTypeId } from "../../contract/field-types.ts";
import type { Checked } from "../../contract/formula/check-formula.ts";
import type { Permission } from "../../contract/permissions.ts";
import type { WireWorkflow } from "../../contract/workflow.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Answer, Call } from "../transport/transport.ts";
import { withKnownForm } from "./known-forms.ts";

export type WireValue = string | null | Readonly<Record<string, string | null>>;

export type WireChild = Readonly<Record<string, WireValue>>;

/** `data.<alias>`: fields, their companions (`__x`, `x_model`), and children by their association's name. */
export type WireRecord = Readonly<Record<string, WireValue | readonly WireChild[]>>;

export interface FormElement {
  readonly name: readonly string[];
  readonly __name: string;
  readonly label: string;
  readonly template: string;
  readonly method: string;
  readonly permission: Permission;
  readonly not_empty: "0" | "1";
  readonly type?: FieldTypeId;
  readonly help?: string | null;
  readonly options?: readonly { readonly value: string; readonly text: string; readonly color?: string }[];
  readonly columns?: number;
  /** The record type that a reference, a grid or a related list is about. */
  readonly controller?: RecordTypeKey;
  /** Of a reference whose choices are limited: what to ask for them by, and which fields of the record they depend on. */
  readonly choices?: { readonly for: string; readonly by: readonly string[] };
  /** What a new one starts with: a field of the record that its reference names, or, where that is null, of the record around it. */
  readonly starts_from?: {
    readonly reference: string | null;
    readonly controller: RecordTypeKey;
    readonly field: string;
  };
  readonly currency_field?: string | null;
  readonly scale?: number | null;
  readonly max_length?: number | null;
  /** Of a file: how large it may be, and of which media types. */
  readonly max_bytes?: number;
  readonly accept?: readonly string[];
  /** Of JSON that people design rather than write. */
  readonly document?: "form" | "workflow" | "policy";
  /** What else it takes to show and enter its values, by its type. */
  readonly settings?: FieldSettings;
  /** Of a text that names something which people choose. */
  readonly names?: "record-type" | "record-types" | "locale";
  /** What `if_condition` and `else_permission` say, in the words of the wire. */
  readonly rules?: readonly { readonly if_condition: string; readonly permission: string }[];
  readonly roles?: Readonly<Record<string, { readonly permission: string }>>;
  readonly if_condition?: string;
  readonly else_permission?: Permission;
  /** The permission while every condition on it holds; given where there are any. */
  readonly granted_permission?: Permission;
  readonly required_if?: string;
  /** What an empty one starts with. */
  readonly default?: string | null;
  /** What one row of a grid is called. */
  readonly singular?: string;
  /** Of a related list: the association, what its records are found by, and what a new one starts with. */
  readonly association?: string;
  readonly where?: RelatedTie;
  readonly prefill?: RelatedTie;
  readonly may_add?: 0 | 1;
  readonly children?: readonly FormElement[];
}

/** A form, or a part of one, by what is in it. */
export type FormTree = Omit<FormElement, "name">;

/** The root of a form: its name is not a path. */
export interface RecordForm extends FormTree {
  readonly name: string;
}

/** By column or field; `{{ID}}` stands for the record's own id. */
export type RelatedTie = Readonly<Record<string, string>>;

export const tieTo = (tie: RelatedTie, id: string): RelatedTie =>
  Object.fromEntries(Object.entries(tie).map(([name, value]) => [name, value === "{{ID}}" ? id : value]));

/** What can be checked before sending. The service has the last word. */
export interface FieldRule {
  readonly rule: string;
  readonly params: readonly (string | number)[];
  readonly message: string;
  /** Of a rule of the whole record (`formula`): what its formula comes to be worked out. */
  readonly checked?: Checked;
}

export type FormMode = "view" | "edit" | "add";

export interface RecordView {
  readonly id: string | null;
  /** Empty for a record that is not there yet. */
  readonly name: string;
  readonly alias: string;
  readonly singular: string;
  /** The key of its record type. */
  readonly model: RecordTypeKey;
  /** Whether the caller may comment on it. */
  readonly allow_comments: 0 | 1;
  readonly model_behaviours?: Readonly<Record<string, unknown>>;
  readonly is_record_deleted: boolean;
  readonly is_editable: 0 | 1;
  readonly is_deletable: 0 | 1;
  readonly permissions: Readonly<Record<string, 0 | 1>>;
  readonly form: RecordForm;
  /** Of the form and what belongs to it; left out where the record cannot be shown. */
  readonly form_version?: string;
  /** By field, and by `<association>.<field>` for children. */
  readonly filterRules?: Readonly<Record<string, readonly FieldRule[]>>;
  readonly data: Readonly<Record<string, WireRecord>>;
  /** Where the record is on its way; left out where its type has no workflow. */
  readonly workflow?: WireWorkflow;
}

export const readRecord = (
  call: Call,
  key: RecordTypeKey,
  mode: FormMode,
  id: string | undefined,
  signal?: AbortSignal,
): Promise<Answer<RecordView>> => {
  const read = (form: string | undefined) => call<RecordView>(`${key}/${mode}`, { query: { id, form }, signal });
  return withKnownForm(call, `${key}/${mode}`, read, () => read(undefined));
};

export interface SaveRequest {
  readonly alias: string;
  /** Undefined for a new one. */
  readonly id: string | undefined;
  /** The one that the changes were made on. */
  readonly revision: string | undefined;
  readonly values: Readonly<Record<string, WireValue | readonly WireChild[] | File>>;
  readonly action: FormElement;
  /** Save it although it looks like a record that is there already. */
  readonly overrideDuplicates?: boolean | undefined;
  readonly onProgress?: ((part: number) => void) | undefined;
}

/** Of a refused save: a record that it looks like. */
export interface Duplicate {
  readonly id: string;
  readonly name: string | null;
  readonly controller: RecordTypeKey;
  /** What they have in common. */
  readonly labels: readonly string[];
}

export const saveRecord = (call: Call, key: RecordTypeKey, request: SaveRequest): Promise<Answer<RecordView>> => {
  const { alias, id, revision, values, action } = request;
  let saved: Answer<RecordView> | undefined;
  const save = async (form: string | undefined) => {
    saved = await call<RecordView>(`${key}/${id === undefined ? "add" : "edit"}`, {
      query: { override_duplicates: request.overrideDuplicates ? 1 : undefined, form },
      onProgress: request.onProgress,
      body: {
        data: {
          [alias]: { ...(id === undefined ? {} : { id }), ...(revision === undefined ? {} : { revision }), ...values },
          action: { [action.name.at(-1) ?? action.label]: action.label },
        },
      },
    });
    return saved;
  };
  // The answer to a write that is sent again may be about a form that was known then.
  const whole = async () => {
    const read = await readRecord(call, key, "view", saved?.id ?? id);
    return { ...read, message: saved?.message ?? read.message };
  };
  return withKnownForm(call, `${key}/view`, save, whole);
};

/** Of a refused save: a field whose stored value is not the sent one. */
export interface Difference {
  readonly field: string;
  readonly label: string;
  readonly sent: WireValue;
  readonly stored: WireValue;
}

export const deleteRecord = (call: Call, key: RecordTypeKey, id: string): Promise<Answer<unknown>> =>
  call(`${key}/delete`, { query: { id, is_confirm: 1 }, method: "POST" });

export const restoreRecord = (call: Call, key: RecordTypeKey, id: string): Promise<Answer<RecordView>> =>
  call<RecordView>(`${key}/restore`, { query: { id }, method: "POST" });

export interface FoundRecord {
  readonly id: string;
  readonly name: string;
}

interface NamedRows {
  readonly paginate: {
    readonly primary_key: string;
    readonly data: readonly Readonly<Record<string, string | null>>[];
  };
}

const namesOf = ({ paginate: { primary_key: idColumn, data } }: NamedRows): readonly FoundRecord[] =>
  data.flatMap((row) => {
    const id = row[idColumn];
    return id ? [{ id, name: row.record_display_name ?? id }] : [];
  });

/** Only records that a reference can name, by the values that its record has now. */
export interface RecordChoices {
  readonly for: string;
  readonly values: Readonly<Record<string, string | null>>;
}

/** The first records of a type that match a text, by what they are called. */
export async function findRecords(
  call: Call,
  key: RecordTypeKey,
  text: string,
  choices?: RecordChoices,
  signal?: AbortSignal,
): Promise<readonly FoundRecord[]> {
  const body = await call<NamedRows>(`${key}/index`, {
    query: {
      choices_for: choices?.for,
      choices_record: choices && JSON.stringify(choices.values),
      search_basic: text === "" ? undefined : text,
      limit: 20,
      track_open: 0,
      q: JSON.stringify({ fields: ["{{PRIMARY_KEY}}"], pheader: "0" }),
    },
    signal,
  });
  return namesOf(body);
}

/** What a new record would take over from the records that it names. */
export interface StartingValues {
  readonly values: Readonly<Record<string, WireValue>>;
  /** Fields whose value comes from another record. */
  readonly taken: readonly string[];
}

/** `rowsOf`: of a new row of that association. */
export async function readStarts(
  call: Call,
  key: RecordTypeKey,
  values: Readonly<Record<string, WireValue>>,
  rowsOf?: string,
  signal?: AbortSignal,
): Promise<StartingValues> {
  const query = { values: JSON.stringify(values), rows_of: rowsOf };
  return (await call<{ data: StartingValues }>(`${key}/starts`, { query, signal })).data;
}

/** What the records with these ids are called; those that cannot be read are left out. */
export async function nameRecords(
  call: Call,
  key: RecordTypeKey,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<readonly FoundRecord[]> {
  const where = { "{{PRIMARY_KEY}}": { op: "in", value: ids } };
  const q = { fields: ["{{PRIMARY_KEY}}"], where, limit: 1000, pheader: "0" };
  return namesOf(await call<NamedRows>(`${key}/index`, { query: { track_open: 0, q: JSON.stringify(q) }, signal }));
}

/** A few fields of a record, changed where they are shown; on a revision that is not the stored one, a 409. */
export const changeRecord = (
  call: Call,
  key: RecordTypeKey,
  { alias, id, revision, values }: Pick<SaveRequest, "alias" | "revision" | "values"> & { readonly id: string },
): Promise<Answer<RecordView>> =>
  call<RecordView>(`${key}/edit`, {
    body: {
      data: {
        [alias]: { id, ...(revision === undefined ? {} : { revision }), ...values },
        action: { save_progress: "Save" },
      },
    },
  });
