// What happened to a record, as one stream, page by page.
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";
import type { Revision } from "./history.ts";
import type { WireValue } from "./records.ts";

export type TimelineKind = "comment" | "change" | "stage" | "file";

export interface Comment {
  readonly id: string;
  readonly body: string;
  readonly created: string;
  readonly modified: string;
  readonly created_by: string | null;
  readonly __created_by: string | null;
  readonly is_deletable: 0 | 1;
}

/** A step in the workflow. */
export interface Step {
  readonly id: string;
  readonly step: "start" | "move" | "vote";
  readonly label: string | null;
  readonly __from: string | null;
  readonly __to: string | null;
  readonly comment: string | null;
}

interface EntryBase {
  readonly id: string;
  /** By which it stands where it does. */
  readonly at: string;
}

export interface ThreadEntry extends EntryBase {
  readonly kind: "comment";
  /** Null where it was deleted and only answers are left. */
  readonly comment: Comment | null;
  readonly answers: readonly Comment[];
  readonly answer_count: number;
}

export interface ChangeEntry extends EntryBase, Revision {
  readonly kind: "change";
  readonly step: Step | null;
}

interface Done {
  readonly created_by: string | null;
  readonly __created_by: string | null;
}

export interface StageEntry extends EntryBase, Done {
  readonly kind: "stage";
  readonly step: Step;
}

export interface FileEntry extends EntryBase, Done {
  readonly kind: "file";
  readonly name: string;
  readonly file: WireValue;
}

export type TimelineEntry = ThreadEntry | ChangeEntry | StageEntry | FileEntry;

export interface TimelinePage {
  readonly timeline: readonly TimelineEntry[];
  /** Sent for the next page; null after the last one. */
  readonly next: string | null;
}

export async function readTimeline(
  call: Call,
  key: RecordTypeKey,
  id: string,
  { kinds, before }: { readonly kinds: readonly TimelineKind[]; readonly before: string | undefined },
  signal?: AbortSignal,
): Promise<TimelinePage> {
  const query = { id, kinds: kinds.join(";"), before };
  return (await call<{ data: TimelinePage }>(`${key}/timeline`, { query, signal })).data;
}
