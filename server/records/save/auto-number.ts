// Gives the next numbers of an auto-number field, apart from the transaction that will use them: those who add at the
// same time do not wait for each other. No repeats. A save that fails after this gives its numbers back; a gap is left only
// where somebody else took the next ones meanwhile.
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import { localDay } from "../../lib/instant.ts";
import { counterOf } from "../../metadata/changes/keep-numbers.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";

export async function nextNumbers(
  transaction: Queryable,
  type: RecordType,
  field: Field,
  organizationId: string,
  count: number,
): Promise<string[]> {
  if (count === 0) return [];
  const day = await dayOf(transaction, field, organizationId);
  const counter = counterOf(field, day);
  // Not waiting for the disk is safe: the record that uses the number is written to the log after it, and waits.
  const [row] = await transaction.apart(sql`
    insert into core__auto_numbers as n (organization_id, record_type, field, last_value)
    select ${organizationId}::bigint, ${type.key}, ${counter}, ${String(count)}::bigint
    from set_config('synchronous_commit', 'off', true)
    on conflict (organization_id, record_type, field) do update set last_value = n.last_value + excluded.last_value
    returning last_value`);
  const last = BigInt(row?.[0] ?? "0");
  remember(transaction, { organizationId, type, counter }, last - BigInt(count), last);
  return Array.from({ length: count }, (_, index) => {
    const number = last - BigInt(count) + BigInt(index) + 1n;
    return typeOf(field).running?.(number, field, day) ?? number.toString();
  });
}

/** By the organization's calendar: everybody's numbers begin anew at the same moment. */
async function dayOf(transaction: Queryable, field: Field, organizationId: string): Promise<string> {
  const { running } = typeOf(field);
  const isDated = running?.(1n, field, "0000-00-00") !== running?.(1n, field, "1111-11-11");
  const row = isDated
    ? await transaction.row(sql`
        select time_zone from access_controls__organizations
        where organization_id = ${organizationId}::bigint and id = ${organizationId}::bigint`)
    : undefined;
  return localDay(new Date(), row?.time_zone ?? "UTC");
}

interface Place {
  readonly organizationId: string;
  readonly type: RecordType;
  /** The field, and the period where its numbers begin anew. */
  readonly counter: string;
}

/** Numbers that one transaction took in a row: those after `before`, up to `last`. */
interface Taken {
  readonly before: bigint;
  last: bigint;
}

const takenIn = new WeakMap<Queryable, Map<string, Taken[]>>();

function remember(transaction: Queryable, place: Place, before: bigint, last: bigint): void {
  const all = takenIn.get(transaction) ?? new Map<string, Taken[]>();
  takenIn.set(transaction, all);
  const key = `${place.organizationId} ${place.type.key} ${place.counter}`;
  const runs = all.get(key);
  const latest = runs?.at(-1);
  if (latest?.last === before) latest.last = last;
  else if (runs) runs.push({ before, last });
  else {
    const first: Taken[] = [{ before, last }];
    all.set(key, first);
    transaction.onRollback(() => giveBack(transaction, place, first));
  }
}

/** Only while they are still the last ones: a number that is out is never given twice. */
async function giveBack(transaction: Queryable, { organizationId, type, counter }: Place, runs: readonly Taken[]) {
  for (const { before, last } of runs.toReversed()) {
    await transaction.apart(sql`
      update core__auto_numbers set last_value = ${String(before)}::bigint
      where organization_id = ${organizationId}::bigint and record_type = ${type.key} and field = ${counter}
        and last_value = ${String(last)}::bigint returning 1`);
  }
}
