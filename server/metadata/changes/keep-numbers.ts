// Takes a type before and after a change of its design; where running numbers are written or begin anew otherwise from now on, their counters go
// on after the greatest number that is out and would be written the same. Call once the table has its new shape.
import type { Queryable } from "../../database/database.ts";
import { ident, sql } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import { localDay } from "../../lib/instant.ts";
import { typeOf } from "../compile.ts";
import type { RecordType } from "../record-type.ts";

/** As many digits as a running number has at most. */
const MOST_DIGITS = 18;

/** What stands before a number on that day; undefined for fields without running numbers. */
const leadOf = (field: Field, day: string): string | undefined =>
  typeOf(field)
    .running?.(10n ** BigInt(MOST_DIGITS) - 1n, field, day)
    .slice(0, -MOST_DIGITS);

/** The counter of a field on that day. */
export const counterOf = (field: Field, day: string): string =>
  [field.name, typeOf(field).period?.(field, day)].filter(Boolean).join(" ");

export async function keepNumbers(
  transaction: Queryable,
  before: RecordType | undefined,
  after: RecordType,
): Promise<void> {
  if (!before || after.scope !== "organization") return;
  const numbered = after.fields.flatMap((field) => {
    const was = before.field.get(field.name);
    const differs = was && JSON.stringify([was.type, was.settings]) !== JSON.stringify([field.type, field.settings]);
    return typeOf(field).running && was && differs ? [{ field, was }] : [];
  });
  if (numbered.length === 0) return;
  const zones = await transaction.rows(sql`
    select distinct coalesce(time_zone, 'UTC') as zone from access_controls__organizations`);
  const now = new Date();
  const byDay = new Map<string, string[]>();
  for (const { zone } of zones) {
    const day = localDay(now, zone ?? "UTC");
    byDay.set(day, [...(byDay.get(day) ?? []), zone ?? "UTC"]);
  }
  for (const { field, was } of numbered)
    for (const [day, zonesOfDay] of byDay) await goOn(transaction, after, was, field, day, zonesOfDay);
}

async function goOn(
  transaction: Queryable,
  type: RecordType,
  was: Field,
  field: Field,
  day: string,
  zones: readonly string[],
): Promise<void> {
  const lead = leadOf(field, day) ?? "";
  // Its numbers may be those of records that are gone.
  const counters = leadOf(was, day) === lead ? [counterOf(was, day)] : [];
  const column = ident(field.name);
  const rest = sql`substr(r.${column}, length(${lead}::text) + 1)`;
  await transaction.run(sql`
    with organizations as materialized (
      select id as organization_id from access_controls__organizations
      where coalesce(time_zone, 'UTC') = any(${zones}::text[])
    ), given as (
      select r.organization_id, max(case when ${rest} ~ '^[0-9]{1,18}$' then (${rest})::bigint end) as last_value
      from ${ident(type.table)} r where starts_with(r.${column}, ${lead}) group by r.organization_id
      union all
      select organization_id, last_value from core__auto_numbers
      where record_type = ${type.key} and field = any(${counters}::text[])
    )
    insert into core__auto_numbers as n (organization_id, record_type, field, last_value)
    select organization_id, ${type.key}, ${counterOf(field, day)}, max(last_value) from given
    join organizations using (organization_id) where last_value is not null group by organization_id
    on conflict (organization_id, record_type, field) do update set last_value = greatest(n.last_value, excluded.last_value)`);
}
