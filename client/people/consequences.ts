// What saving a policy, a role's matrix or a group's members would open and close, asked before it is saved.
import type { MatrixOperation } from "../../contract/permissions.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";

export interface Effect {
  readonly records: number;
  /** Where a sample showed none: there may be so many all the same. */
  readonly at_most?: number;
  readonly people: number;
  readonly names: readonly { readonly id: string; readonly name: string; readonly records: number }[];
  readonly examples: readonly { readonly id: string; readonly name: string }[];
}

export interface Consequence {
  readonly record_type: RecordTypeKey;
  readonly label: string;
  /** 1: estimated from a sample. */
  readonly about: 0 | 1;
  readonly visible: Effect;
  readonly invisible: Effect;
}

/** What would be saved. */
export type AccessDraft =
  | { readonly kind: "policies"; readonly recordType: RecordTypeKey; readonly policy: string }
  | {
      readonly kind: "roles";
      readonly id: string;
      readonly operations: readonly {
        readonly record_type: RecordTypeKey;
        readonly operations: readonly MatrixOperation[];
      }[];
    }
  | {
      readonly kind: "groups";
      readonly id: string;
      readonly members: readonly { readonly user_id?: string; readonly member_group_id?: string }[];
    };

const sentOf = (draft: AccessDraft): Readonly<Record<string, string>> => {
  switch (draft.kind) {
    case "policies":
      return { record_type: draft.recordType, policy: draft.policy };
    case "roles":
      return { id: draft.id, operations: JSON.stringify(draft.operations) };
    case "groups":
      return { id: draft.id, members: JSON.stringify(draft.members) };
  }
};

export async function foretellAccess(
  call: Call,
  draft: AccessDraft,
  signal?: AbortSignal,
): Promise<readonly Consequence[]> {
  const { data } = await call<{ data: { consequences: readonly Consequence[] } }>(
    `access_controls/${draft.kind}/consequences`,
    { body: sentOf(draft), signal },
  );
  return data.consequences;
}
