// The log of what matters to security, newest first, by what happened, by a text and since when.
import { reader, type SmallRow } from "../lists/read-all-rows.ts";
import type { Call } from "../transport/transport.ts";

export interface AuditFilter {
  /** Names of events; none: all. */
  readonly events: readonly string[];
  /** In the user's name, the address, or the name of what it was done to. */
  readonly text: string;
  /** Days back; undefined: from the beginning. */
  readonly days: number | undefined;
}

export interface AuditEntry {
  readonly id: string;
  readonly event: string;
  readonly at: string;
  readonly userName: string;
  readonly address: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly subjectName: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export const AUDIT_PAGE = 50;

const columns = [
  "id",
  "event",
  "created",
  "user_name",
  "address",
  "subject_type",
  "subject_id",
  "subject_name",
  "detail",
];

export async function readAudit(
  call: Call,
  filter: AuditFilter,
  page: number,
  signal?: AbortSignal,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly total: number }> {
  const where = {
    ...(filter.events.length === 0 ? {} : { "audit_events.event": filter.events }),
    ...(filter.days === undefined
      ? {}
      : { "audit_events.created": { op: ">=", value: filter.days === 0 ? "{{TODAY}}" : `{{NOW}}-${filter.days}d` } }),
  };
  const q = {
    fields: columns.map((name) => `audit_events.${name}`),
    where,
    order: ["audit_events.created DESC"],
    pheader: "0",
  };
  const { paginate } = await call<{ paginate: { data: readonly SmallRow[]; total_count: number } }>(
    "access_controls/audit_events/index",
    {
      query: {
        q: JSON.stringify(q),
        search_basic: filter.text.trim() === "" ? undefined : filter.text.trim(),
        page,
        limit: AUDIT_PAGE,
        track_open: 0,
      },
      signal,
    },
  );
  return { total: paginate.total_count, entries: paginate.data.map(entryOf) };
}

function entryOf(row: SmallRow): AuditEntry {
  const at = reader("audit_events", row);
  return {
    id: at("id"),
    event: at("event"),
    at: at("created"),
    userName: at("user_name"),
    address: at("address"),
    subjectType: at("subject_type"),
    subjectId: at("subject_id"),
    subjectName: at("subject_name"),
    detail: objectOf(at("detail")),
  };
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text || "{}");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
