// Who may do what with a record, and why; sharing it by hand.
import type { RecordRight } from "../../contract/permissions.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";

export interface Principal {
  readonly principal_id: string;
  readonly kind: "user" | "group" | "role" | "organization" | "everyone";
  readonly name: string;
  /** Of the user, group or role. */
  readonly principal_record_id: string | null;
}

export interface AccessReason {
  readonly right: RecordRight;
  /** owner, owner_groups, primary_group, organization, everyone, role:…, share, workflow, administrator, record */
  readonly reason: string;
  readonly until?: string;
}

export interface AccessHolder extends Principal {
  readonly reasons: readonly AccessReason[];
}

export interface RecordShare extends Principal {
  readonly id: string;
  /** Separated by `;`. */
  readonly rights: string;
  readonly until: string | null;
}

export interface RecordAccess {
  readonly holders: readonly AccessHolder[];
  readonly shares: readonly RecordShare[];
}

interface AccessBody {
  readonly data: { readonly access: RecordAccess & { readonly candidates?: readonly Principal[] } };
}

export const readAccess = async (
  call: Call,
  key: RecordTypeKey,
  id: string,
  signal?: AbortSignal,
): Promise<RecordAccess> => (await call<AccessBody>(`${key}/access`, { query: { id }, signal })).data.access;

/** Users and groups by a text, for a record that one may edit, or one that is still to be made. */
export const findPrincipals = async (
  call: Call,
  key: RecordTypeKey,
  id: string | undefined,
  text: string,
  signal?: AbortSignal,
): Promise<readonly Principal[]> =>
  (await call<AccessBody>(`${key}/access`, { query: { id, find: text }, signal })).data.access.candidates ?? [];

export interface NewShare {
  readonly principal_id: string;
  readonly rights: string;
  /** UTC; null for good. */
  readonly until: string | null;
}

export const shareRecord = async (call: Call, key: RecordTypeKey, id: string, share: NewShare): Promise<RecordAccess> =>
  (await call<AccessBody>(`${key}/share`, { query: { id }, body: share })).data.access;

export const unshareRecord = async (call: Call, key: RecordTypeKey, id: string, share: string): Promise<RecordAccess> =>
  (await call<AccessBody>(`${key}/unshare`, { query: { id, share }, method: "POST" })).data.access;
