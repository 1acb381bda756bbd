// Designing record types: what there is to choose from, a definition as it was saved, what a change would do, saving it.
import type { FieldTypeId } from "../../contract/field-types.ts";
import type { Becomes, ViewPart } from "../../contract/field-uses.ts";
import type { FormDefinition } from "../../contract/form-definition.ts";
import type { MatrixOperation } from "../../contract/permissions.ts";
import type { RecordTypeDefinition, RecordTypeKey } from "../../contract/record-type.ts";
import { readRows } from "../lists/read-all-rows.ts";
import type { RecordView } from "../records/records.ts";
import type { Answer, Call } from "../transport/transport.ts";

export interface ListedType {
  readonly key: RecordTypeKey;
  readonly module: string;
  readonly module_label: string;
  readonly controller: string;
  readonly label: string;
  readonly plural: string;
  readonly icon: string | null;
  readonly origin: "built-in" | "run-time";
  /** A built-in type takes fields, related lists and names of one's own, unless the service alone writes its records. */
  readonly may_change: 0 | 1;
  readonly scope: "organization" | "shared";
  readonly is_hidden: 0 | 1;
  readonly may_have_workflow: 0 | 1;
  readonly field_count: number;
  /** Its records can be attached to records of any other type. */
  readonly attaches_to_any: 0 | 1;
  /** What a role can be given on it. */
  readonly operations: readonly MatrixOperation[];
  readonly references: readonly { readonly field: string; readonly label: string; readonly to: RecordTypeKey }[];
}

export interface DesignModule {
  readonly name: string;
  readonly label: string;
  readonly icon: string;
}

export interface FieldTypeFacts {
  readonly id: FieldTypeId;
  readonly sortable: boolean;
  readonly searchable: boolean;
  readonly may_be_unique: boolean;
  readonly may_be_computed: boolean;
}

/** What a designer chooses from. */
export interface DesignChoices {
  /** Record types belong to the installation: not every administrator designs them. */
  readonly may_design: 0 | 1;
  readonly record_types: readonly ListedType[];
  readonly modules: readonly DesignModule[];
  readonly field_types: readonly FieldTypeFacts[];
}

export async function readDesignChoices(call: Call, signal?: AbortSignal): Promise<DesignChoices> {
  return (await call<{ data: DesignChoices }>("metadata/record_types/index", { signal })).data;
}

export interface SavedDefinition {
  readonly definition: RecordTypeDefinition;
  /** Of a built-in type, what it is without changes. */
  readonly shipped: RecordTypeDefinition | undefined;
  /** What a change is made on. */
  readonly revision: string;
  /** When it was saved last, UTC, and by whom; null where nobody has changed it. */
  readonly modified: string | null;
  readonly modifiedBy: string | null;
  /** Computed fields that are being worked out for the records that are there. */
  readonly computing: readonly Computing[];
}

export interface Computing {
  readonly fields: readonly string[];
  readonly done: number;
  readonly total: number;
}

export async function readDefinition(call: Call, key: RecordTypeKey, signal?: AbortSignal): Promise<SavedDefinition> {
  const { data } = await call<{
    data: {
      record_types: {
        definition: string;
        shipped?: string;
        revision: string;
        modified?: string | null;
        modified_by?: string | null;
        computing: readonly Computing[];
      };
    };
  }>("metadata/record_types/view", { query: { key }, signal });
  const {
    definition,
    shipped,
    revision,
    modified = null,
    modified_by: modifiedBy = null,
    computing,
  } = data.record_types;
  // Only definitions that the service has checked are kept.
  const read = (text: string) => JSON.parse(text) as RecordTypeDefinition;
  const isShipped = shipped === undefined ? undefined : read(shipped);
  return { definition: read(definition), shipped: isShipped, revision, modified, modifiedBy, computing };
}

export async function readComputing(
  call: Call,
  key: RecordTypeKey,
  signal?: AbortSignal,
): Promise<readonly Computing[]> {
  return (await readDefinition(call, key, signal)).computing;
}

/** What a computed field comes to on records that are there. */
export interface ComputedPreview {
  readonly rows: readonly { readonly id: string; readonly name: string | null; readonly value: string | null }[];
}

export async function previewComputed(
  call: Call,
  definition: RecordTypeDefinition,
  field: string,
  signal?: AbortSignal,
): Promise<ComputedPreview> {
  const body = { definition: JSON.stringify(definition), field };
  return (await call<{ data: ComputedPreview }>("metadata/record_types/preview_computed", { body, signal })).data;
}

export interface DesignRequest {
  readonly definition: RecordTypeDefinition;
  /** Undefined for a new one. */
  readonly revision: string | undefined;
  readonly discard?: readonly string[];
  readonly convert?: readonly string[];
}

/** Something that uses a field, and what becomes of it. */
export interface FieldUse {
  readonly kind:
    | "view"
    | "form"
    | "workflow"
    | "policy"
    | "webhook"
    | "dashboard"
    | "formula"
    | "lookup"
    | "roll_up"
    | "rule"
    | "choices"
    | "default"
    | "unique"
    | "duplicates"
    | "related"
    | "name"
    | "currency"
    | "index"
    | "role"
    | "other";
  readonly controller: RecordTypeKey;
  readonly name: string;
  readonly id: string | null;
  readonly is_pinned?: 0 | 1;
  /** Of a view: what it does with the field beside showing it, and what of that it can't do once the field is converted. */
  readonly does?: readonly ViewPart[];
  readonly loses?: readonly ViewPart[];
  readonly count?: number;
  readonly on_remove: Becomes;
  readonly on_convert: Becomes;
  readonly on_rename: Becomes;
}

export async function readUses(
  call: Call,
  key: RecordTypeKey,
  field: string,
  signal?: AbortSignal,
): Promise<readonly FieldUse[]> {
  const answer = await call<{ data: { uses: readonly FieldUse[] } }>("metadata/record_types/uses", {
    query: { key, field },
    signal,
  });
  return answer.data.uses;
}

/** What a text field holds, most frequent first. */
export interface FieldValues {
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** 0: there are more. */
  readonly is_all: 0 | 1;
}

export async function readFieldValues(
  call: Call,
  key: RecordTypeKey,
  field: string,
  signal?: AbortSignal,
): Promise<FieldValues> {
  return (await call<{ data: FieldValues }>("metadata/record_types/values", { query: { key, field }, signal })).data;
}

/** What a change would do to the records that are there. */
export interface DesignForesight {
  readonly key: RecordTypeKey;
  /** Fields that only get another name. */
  readonly renamed: readonly { readonly field: string; readonly label: string; readonly from: string }[];
  readonly discarded: readonly { readonly field: string; readonly label: string; readonly values: number }[];
  readonly converted: readonly {
    readonly field: string;
    readonly label: string;
    readonly from: string;
    readonly to: string;
    readonly values: number;
    readonly refused: number;
    readonly examples: readonly string[];
  }[];
  /** By field: what uses those that would go or change. */
  readonly uses: Readonly<Record<string, readonly FieldUse[]>>;
}

const bodyOf = ({ definition, revision, discard = [], convert = [] }: DesignRequest) => ({
  definition: JSON.stringify(definition),
  ...(revision === undefined ? { is_new: "1" } : { revision }),
  discard: discard.join(" "),
  convert: convert.join(" "),
});

export async function checkDefinition(call: Call, request: DesignRequest): Promise<DesignForesight> {
  const body = bodyOf(request);
  const answer = await call<{ data: { record_types: DesignForesight } }>("metadata/record_types/check", { body });
  return answer.data.record_types;
}

export interface DesignResult {
  readonly key: RecordTypeKey;
  readonly discarded_values: string;
  readonly converted_values: string;
}

export async function saveDefinition(call: Call, request: DesignRequest): Promise<DesignResult> {
  const body = bodyOf(request);
  return (await call<{ data: { record_types: DesignResult } }>("metadata/record_types/save", { body })).data
    .record_types;
}

export const removeRecordType = (call: Call, key: RecordTypeKey): Promise<Answer<unknown>> =>
  call("metadata/record_types/remove", { query: { key, is_confirm: 1 }, method: "POST" });

/** A form or a workflow of a record type. */
export interface ListedDesign {
  readonly id: string;
  readonly name: string;
  /** Of a form: records are shown by it. Of a workflow: new records start in it. */
  readonly isUsed: boolean;
  /** Of a workflow. */
  readonly version: string | undefined;
}

const usedBy = { "core/forms": "is_default", "core/workflows": "is_active" } as const;

export async function listDesigns(
  call: Call,
  kind: keyof typeof usedBy,
  key: RecordTypeKey,
  signal?: AbortSignal,
): Promise<readonly ListedDesign[]> {
  const alias = kind.split("/")[1] ?? "";
  const flag = usedBy[kind];
  const fields = ["id", "name", flag, ...(kind === "core/workflows" ? ["version"] : [])];
  const q = {
    fields: fields.map((field) => `${alias}.${field}`),
    where: { [`${alias}.controller`]: key },
    order: [`${alias}.name ASC`],
    limit: -1,
    pheader: "0",
  };
  const answer = await call<{ paginate: { data: readonly Readonly<Record<string, string | null>>[] } }>(
    `${kind}/index`,
    { query: { q: JSON.stringify(q), track_open: 0 }, signal },
  );
  return answer.paginate.data.map((row) => ({
    id: row[`${alias}.id`] ?? "",
    name: row[`${alias}.name`] ?? "",
    isUsed: row[`${alias}.${flag}`] === "1",
    version: row[`${alias}.version`] ?? undefined,
  }));
}

/** The id of the organization's own access policy for a record type; undefined where it has none. */
export async function findPolicy(call: Call, key: RecordTypeKey, signal?: AbortSignal): Promise<string | undefined> {
  const where = { "policies.record_type": key };
  const [row] = await readRows(call, "access_controls/policies", ["id"], { where, limit: 1 }, signal);
  return row?.["policies.id"] ?? undefined;
}

/** The form that a record type has when nobody saved one. */
export async function readGeneratedForm(call: Call, key: RecordTypeKey, signal?: AbortSignal): Promise<FormDefinition> {
  const answer = await call<{ data: { definition: FormDefinition } }>("core/forms/generated", {
    query: { controller: key },
    signal,
  });
  return answer.data.definition;
}

export interface FormPreview
  extends Pick<RecordView, "alias" | "singular" | "model" | "form" | "filterRules" | "data"> {
  /** What people should know about the form, such as conditions on options that are gone. */
  readonly warnings?: readonly string[];
}

/** How a form that is not saved yet would look; for somebody in a role, where one is given. */
export const previewForm = (
  call: Call,
  key: RecordTypeKey,
  definition: string,
  role: string | undefined,
  signal?: AbortSignal,
): Promise<FormPreview> =>
  call<FormPreview>("core/forms/preview", {
    body: { controller: key, definition, ...(role === undefined ? {} : { role }) },
    signal,
  });
