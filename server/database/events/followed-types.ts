// Which records' changes are events that others can follow: an organization's own, except what itself tells of changes.
import type { EventOperation } from "./write-events.ts";

interface RecordType {
  readonly key: string;
  readonly scope: "organization" | "shared";
  readonly appendOnly: boolean;
}

const tellOfChanges: ReadonlySet<string> = new Set([
  "core/revisions",
  "core/stage_log",
  "core/workflow_versions",
  "core/webhook_deliveries",
]);

export const isFollowed = (type: RecordType): boolean =>
  type.scope === "organization" && !type.appendOnly && !tellOfChanges.has(type.key);

/** What makes an event of an entry in the log of changes. */
export const eventOf = (
  type: RecordType,
  id: string | null | undefined,
  operation: EventOperation,
  revision?: string,
) => (id != null && isFollowed(type) ? { id, operation, revision } : {});
