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
  readonly created_by?: string | null;
}

export interface FollowedChanges {
  readonly changes: readonly FollowedChange[];
  /** Where to go on. */
  readonly cursor: string;
}

/** Without a cursor: where the feed is now. `wait`: seconds to wait for something to happen. */
export async function readChanges(
  call: Call,
  after: string | undefined,
  wait: number,
  signal?: AbortSignal,
): Promise<FollowedChanges> {
  const query = after === undefined ? {} : { after, wait, limit: 1_000 };
  const { data, cursor } = await call<{ data: { changes: FollowedChanges["changes"] }; cursor: string }>(
    "core/changes/index",
    { query, signal },
  );
  return { changes: data.changes, cursor };
}
