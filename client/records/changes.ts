// What happened to records since a place in the feed of changes.
import type { Call } from "../transport/transport.ts";

export interface FollowedChange {
  readonly operation:
    | "add"
    | "edit"
    | "transition"
    | "delete"
    | "restore"
    | "purge"
    | "visible"
    | "invisible"
    /** The set of records the caller can read changed: all of the type may have changed. */
    | "reset";
  /** Null: of all types. */
  readonly controller: string | null;
  readonly id: string | null;
  readonly at: string | null;
  /** Where to go on behind this one. */
  readonly cursor: string;
  readonly revision?: string;
  readonly created_by?: string | null;
  /** Only those of fields that the caller can see. */
  readonly changes?: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
}

/** What a screen says of itself, to learn who else is at the same record. */
export interface Looking {
  /** Tells the screens of one person apart. */
  readonly tab: string;
  /** `crm/leads/42` */
  readonly record?: string | undefined;
  readonly doing?: "view" | "edit" | undefined;
  /** What it knows, so that it is only told of something else. */
  readonly present?: string | undefined;
  /** The version of the record types that it shows, to be answered once there is a later one. */
  readonly design?: string | undefined;
}

export interface PresentPerson {
  readonly id: string;
  readonly name: string;
  readonly doing: "view" | "edit";
}

export interface FollowedChanges {
  readonly changes: readonly FollowedChange[];
  /** Where to go on. */
  readonly cursor: string;
  /** There are further ones already. */
  readonly more: boolean;
  /** The version of all record types: a number that grows with every change of one. */
  readonly design: string | undefined;
  /** Who else is at the record; with `token`, to be sent as `present`. */
  readonly present: { readonly people: readonly PresentPerson[]; readonly token: string | undefined };
}

/** Without a cursor: where the feed is now. `wait`: seconds to wait for something to happen. */
export async function readChanges(
  call: Call,
  after: string | undefined,
  wait: number,
  signal?: AbortSignal,
  /** Only of these; without, of all. */
  types: readonly string[] = [],
  looking?: Looking,
): Promise<FollowedChanges> {
  const controller = types.length === 0 ? undefined : types.join(";");
  const query = { ...(after === undefined ? {} : { after, wait, limit: 1_000, controller }), ...looking };
  const answer = await call<{
    data?: { changes: FollowedChanges["changes"]; present?: readonly PresentPerson[] };
    cursor?: string;
    more?: 0 | 1;
    design?: string;
    present?: string;
  }>("core/changes/index", { query, signal });
  const { data, cursor = after ?? "", more, design } = answer;
  const present = { people: data?.present ?? [], token: answer.present };
  // An answer that had begun when something failed says so without its status; asked again, the service says both.
  if (data === undefined) return { changes: [], cursor, more: true, design, present };
  return { changes: data.changes, cursor, more: more === 1, design, present };
}
