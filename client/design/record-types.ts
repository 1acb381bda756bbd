// What a record type is (schema, associations) and who may do what with it.
import type { FieldSettings, FieldTypeId } from "../../contract/field-types.ts";
import type { MatrixOperation, Permission, RecordRight } from "../../contract/permissions.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";

export interface RecordTypeFacts {
  readonly key: RecordTypeKey;
  readonly label: string;
  readonly plural: string;
  readonly icon?: string | null;
  /** A column name, such as `leads.name`. */
  readonly display_field: string;
  readonly scope: "organization" | "shared";
  readonly id_kind: "integer" | "uuid";
  readonly allow_comments: boolean | number | string;
  /** What reference numbers begin with, where records have them. */
  readonly business_key?: string | null;
  readonly origin?: "built-in" | "run-time";
}

export interface SchemaField {
  readonly name: string;
  /** Such as `leads.first_name`. */
  readonly column_name: string;
  readonly label: string;
  readonly type: FieldTypeId;
  readonly data_type: string;
  readonly length?: number | string | null;
  /** What it can be compared by. */
  readonly operators: readonly string[];
  readonly sortable: boolean;
  readonly searchable: boolean;
  readonly required: boolean;
  readonly permission: Permission;
  /** Kept by the service itself: ids, dates, authors. */
  readonly system?: boolean;
  /** Worked out of other values: nobody types it. */
  readonly computed?: boolean;
  /** Whether the effects of a workflow may write it. */
  readonly workflow_may_set?: boolean;
  /** The type of a lookup that shows its values; null where none can. */
  readonly looked_up_as?: FieldTypeId | null;
  readonly help?: string | null;
  readonly options?:
    | readonly { readonly value: string; readonly label: string; readonly color?: string | null }[]
    | null;
  /** Decimal places. */
  readonly scale?: number | null;
  /** What else it takes to show and enter its values, by its type. */
  readonly settings?: FieldSettings;
  /** The record type that a reference points to. */
  readonly to?: RecordTypeKey | null;
  /** Of a reference whose choices are limited: what to ask for them by, and which fields of the record they depend on. */
  readonly choices?: { readonly for: string; readonly by: readonly string[] };
  /** The field of those records that puts them in order, where it is not what they are called. */
  readonly sort_by?: string;
}

export interface SchemaAssociation {
  readonly name: string;
  readonly label: string;
  readonly type?: RecordTypeKey | null;
  readonly via?: string | null;
  /** Its records are part of the record: edited, deleted and restored with it. */
  readonly owned?: boolean;
}

export interface RecordTypeSchema {
  readonly recordType: RecordTypeFacts;
  readonly fields: readonly SchemaField[];
  readonly belongsTo: readonly SchemaAssociation[];
  readonly hasMany: readonly SchemaAssociation[];
  readonly hasManyThrough: readonly SchemaAssociation[];
}

export async function readSchema(call: Call, key: RecordTypeKey, signal?: AbortSignal): Promise<RecordTypeSchema> {
  const { data } = await call<{
    data: {
      record_type: RecordTypeFacts;
      schema: SchemaField[];
      associations?: {
        belongsTo?: SchemaAssociation[];
        hasMany?: SchemaAssociation[];
        hasManyThrough?: SchemaAssociation[];
      };
    };
  }>("metadata/schema/index", {
    query: { search_controller: key, fetch_associations: "[belongsTo,hasMany,hasManyThrough]" },
    signal,
  });
  return {
    recordType: data.record_type,
    fields: data.schema,
    belongsTo: data.associations?.belongsTo ?? [],
    hasMany: data.associations?.hasMany ?? [],
    hasManyThrough: data.associations?.hasManyThrough ?? [],
  };
}

export type OperationFlags = Readonly<Partial<Record<MatrixOperation, number | string | boolean>>>;

export interface PolicyGrant {
  readonly grantee: string;
  readonly label: string;
  /** A condition on the record, as a formula. */
  readonly when?: string;
}

export interface RoleRights {
  readonly id: string;
  /** What policies name it by. */
  readonly code: string;
  readonly name: string;
  readonly is_administrator: number | string | boolean;
  readonly operations: OperationFlags;
}

export interface WhoMay {
  readonly mine: OperationFlags;
  readonly policy: Readonly<Record<RecordRight, readonly PolicyGrant[]>>;
  readonly roles: readonly RoleRights[];
}

export async function readWhoMay(call: Call, key: RecordTypeKey, signal?: AbortSignal): Promise<WhoMay> {
  const answer = await call<{ data: WhoMay }>("access_controls/roles/who_may", { query: { controller: key }, signal });
  return answer.data;
}

/** Flags of the wire come as 1, "1" or true. */
export const isOn = (flag: number | string | boolean | null | undefined): boolean =>
  flag === true || flag === 1 || flag === "1";
