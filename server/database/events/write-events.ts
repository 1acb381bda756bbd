// Every change of a record as an event, for those who follow what happens. Writes add events in their own transaction;
// publish-events.ts gives them their order.
import type { Queryable } from "../database.ts";
import { type Sql, sql } from "../sql.ts";

/** `compute`: nobody changed it, a computed value is another one. `reset`: of the whole type, or of what some people may read of it: whoever follows it lists it again. */
export type EventOperation = "add" | "edit" | "delete" | "restore" | "purge" | "access" | "compute" | "reset";

/** What a write says of one record: where its access set changed, in two of them. */
export interface EventSource {
  readonly aclId: string;
  /** Below zero: it left the set. Above: it came to it. */
  readonly delta: number;
  /** Left out, with the operation, where nobody follows such records. */
  readonly id?: string | undefined;
  readonly operation?: EventOperation | undefined;
  /** What its history calls the change. */
  readonly revision?: string | null | undefined;
}

interface NewEvent {
  readonly id: string;
  readonly operation: EventOperation;
  readonly revision: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** One event per record: where its set changed, a change says what it left and another what it came to. */
export function eventsOf(changes: readonly EventSource[]): readonly NewEvent[] {
  const events = new Map<string, NewEvent>();
  for (const { id, aclId, delta, operation, revision = null } of changes) {
    if (id === undefined || operation === undefined) continue;
    const known = events.get(id);
    events.set(id, {
      id,
      operation,
      revision,
      before: delta <= 0 ? aclId : (known?.before ?? null),
      after: isThere(operation) && delta >= 0 ? aclId : (known?.after ?? null),
    });
  }
  return [...events.values()].filter(({ operation, before, after }) => operation !== "access" || before !== after);
}

const isThere = (operation: EventOperation): boolean => operation !== "delete" && operation !== "purge";

const insertInto = sql`insert into core__pending_events
  (organization_id, record_type, record_id, operation, revision, acl_before, acl_after)`;

/** A statement that adds them, or undefined where there are none. */
export function insertEvents(
  organizationId: string,
  recordType: string,
  changes: readonly EventSource[],
): Sql | undefined {
  const events = eventsOf(changes);
  const [one] = events;
  if (!one) return undefined;
  if (events.length === 1) {
    return sql`${insertInto} values (${organizationId}::bigint, ${recordType}, ${one.id}::text, ${one.operation},
      ${one.revision}::bigint, ${one.before}::integer, ${one.after}::integer)`;
  }
  return sql`${insertInto}
    select ${organizationId}::bigint, ${recordType}, e.id, e.operation, e.revision, e.acl_before, e.acl_after
    from unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ operation }) => operation)}::text[],
      ${events.map(({ revision }) => revision)}::bigint[], ${events.map(({ before }) => before)}::integer[],
      ${events.map(({ after }) => after)}::integer[]) with ordinality
      as e(id, operation, revision, acl_before, acl_after, ord) order by e.ord`;
}

/** The same for new rows that are called `added` in the statement: their ids are only known there. */
export const eventsOfAdded = (organizationId: string, recordType: string): Sql => sql`${insertInto}
  select ${organizationId}::bigint, ${recordType}, id::text, 'add', 1, null, acl_id from added where deleted = 0`;

/** Whoever follows a type lists it again. `principals`: only those whom this concerns. */
export async function tellToListAgain(
  transaction: Queryable,
  organizationId: string,
  recordType: string,
  principals: readonly number[] | null = null,
): Promise<void> {
  await transaction.run(sql`
    insert into core__pending_events (organization_id, record_type, operation, principals)
    values (${organizationId}::bigint, ${recordType}, 'reset', ${principals?.map(String) ?? null}::integer[])`);
}

/** The same in every organization that has records of the type. */
export async function tellAllToListAgain(transaction: Queryable, recordType: string): Promise<void> {
  await transaction.run(sql`
    insert into core__pending_events (organization_id, record_type, operation)
    select organization_id, record_type, 'reset' from core__counters where record_type = ${recordType}
    group by organization_id, record_type`);
}
