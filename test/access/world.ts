// The world of the access property test as plain objects: what was written to the database, kept a second time in
// memory, so that a second opinion can be formed without asking the database or the service.
import type { MatrixOperation, Permission, RecordRight } from "../../contract/permissions.ts";
import type { AccessPolicy } from "../../server/metadata/record-type.ts";

export interface WorldUser {
  readonly id: string;
  readonly principal: number;
  active: boolean;
  deleted: boolean;
}

export interface WorldGroup {
  readonly id: string;
  readonly principal: number;
  deleted: boolean;
  /** Who is in it directly. */
  readonly users: Set<WorldUser>;
  readonly groups: Set<WorldGroup>;
}

export interface WorldRole {
  readonly id: string;
  readonly principal: number;
  readonly code: string;
  readonly administrator: boolean;
  deleted: boolean;
  readonly users: Set<WorldUser>;
  /** By record type or `*`. */
  readonly operations: Map<string, readonly MatrixOperation[]>;
  /** By `<record type> <field>`. */
  readonly fields: Map<string, Permission>;
}

export interface WorldShare {
  readonly principal: number;
  readonly rights: readonly RecordRight[];
  readonly until: string | null;
}

export interface WorldAsked {
  readonly helper: WorldUser | null;
  readonly crew: WorldGroup | null;
  readonly duty: WorldRole | null;
  readonly level: number | null;
  readonly open: boolean;
}

export interface WorldRecord {
  readonly id: string;
  readonly type: string;
  owner: WorldUser | null;
  group: WorldGroup | null;
  shares: readonly WorldShare[];
  /** What policies ask of it; undefined of types that have no such fields. */
  asked?: WorldAsked | undefined;
  grants: { readonly read: readonly number[]; readonly edit: readonly number[]; readonly delete: readonly number[] };
  /** The record that it is attached to, or about. */
  readonly to?: WorldRecord;
}

export interface WorldOrganization {
  readonly id: string;
  readonly principal: number;
  readonly operator: boolean;
  readonly users: WorldUser[];
  readonly groups: WorldGroup[];
  readonly roles: WorldRole[];
  /** Its own policies, by record type. */
  readonly policies: Map<string, AccessPolicy>;
  readonly records: WorldRecord[];
}

export interface World {
  readonly organizations: readonly WorldOrganization[];
}

/** What the world knows of a record type. */
export interface WorldType {
  readonly key: string;
  readonly shared: boolean;
  readonly confidential: boolean;
  /** What must be allowed on the type that a record is about. */
  readonly needs: MatrixOperation | undefined;
  /** Whose readers read it too, and whether whoever edits the record edits it. */
  readonly follows: "read" | "edit" | undefined;
  /** What nobody does to it. */
  readonly refuses: readonly MatrixOperation[];
  readonly access: AccessPolicy;
  /** The static declaration of every field. */
  readonly fields: ReadonlyMap<string, Permission>;
}
