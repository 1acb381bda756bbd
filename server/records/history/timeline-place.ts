// The position of an entry in a record's timeline: newest first, and by kind within a second. Converts it to and from the text
// that requests the next page. Pure.
import { type Sql, sql } from "../../database/sql.ts";

/** In the order in which those of one second stand, the newest first. */
export const timelineKinds = ["comment", "stage", "change", "file"] as const;
export type TimelineKind = (typeof timelineKinds)[number];

export interface TimelinePlace {
  readonly at: string;
  readonly kind: TimelineKind;
  readonly id: string;
}

const rank = (kind: TimelineKind): number => timelineKinds.indexOf(kind);

export const placeText = ({ at, kind, id }: TimelinePlace): string => `${at}~${kind}~${id}`;

export function readPlace(text: string): TimelinePlace | undefined {
  const [at = "", kind, id = "", ...more] = text.split("~");
  const known = timelineKinds.find((one) => one === kind);
  const time = new Date(`${at.replace(" ", "T")}Z`);
  if (known === undefined || more.length > 0 || !/^\d{1,18}$/.test(id) || Number.isNaN(time.getTime()))
    return undefined;
  // PostgreSQL has no year 0.
  return at >= "0001" && time.toISOString().slice(0, 19).replace("T", " ") === at ? { at, kind: known, id } : undefined;
}

export const comparePlaces = (a: TimelinePlace, b: TimelinePlace): number => {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1;
  if (a.kind !== b.kind) return rank(a.kind) - rank(b.kind);
  return BigInt(a.id) > BigInt(b.id) ? -1 : BigInt(a.id) < BigInt(b.id) ? 1 : 0;
};

/** The rows of one kind that stand after a place; `at` and `id` are their columns. */
export function isAfter(before: TimelinePlace | undefined, kind: TimelineKind, at: Sql, id: Sql): Sql {
  if (before === undefined) return sql`true`;
  if (kind !== before.kind) {
    return rank(kind) > rank(before.kind)
      ? sql`${at} <= ${before.at}::timestamp`
      : sql`${at} < ${before.at}::timestamp`;
  }
  return sql`(${at}, ${id}) < (${before.at}::timestamp, ${before.id}::bigint)`;
}
