// Gives the next numbers of an auto-number field, apart from the transaction that will use them: those who add at the
// same time do not wait for each other. No repeats; a save that fails after this leaves a gap.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Field } from "../fields/field-type.ts";
import type { RecordType } from "../metadata/record-type.ts";

export async function nextNumbers(
  transaction: Queryable,
  type: RecordType,
  field: Field,
  organizationId: string,
  count: number,
): Promise<string[]> {
  if (count === 0) return [];
  // Not waiting for the disk is safe: the record that uses the number is written to the log after it, and waits.
  const [row] = await transaction.apart(sql`
    insert into core__auto_numbers as n (organization_id, record_type, field, last_value)
    select ${organizationId}::bigint, ${type.key}, ${field.name}, ${String(count)}::bigint
    from set_config('synchronous_commit', 'off', true)
    on conflict (organization_id, record_type, field) do update set last_value = n.last_value + excluded.last_value
    returning last_value`);
  const last = BigInt(row?.[0] ?? "0");
  // The settings of an auto-number field were checked by its type.
  const { prefix, digits } = field.settings as { prefix: string; digits: number };
  return Array.from({ length: count }, (_, index) => {
    const number = last - BigInt(count) + BigInt(index) + 1n;
    return `${prefix}${number.toString().padStart(digits, "0")}`;
  });
}
