// Gives the next numbers of an auto-number field. The counter's row is locked until commit: no gaps, no repeats.
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
  const row = await transaction.row(sql`
    insert into core__auto_numbers as n (organization_id, record_type, field, last_value)
    values (${organizationId}::bigint, ${type.key}, ${field.name}, ${count})
    on conflict (organization_id, record_type, field) do update set last_value = n.last_value + ${count}
    returning last_value`);
  const last = BigInt(row?.last_value ?? "0");
  // The settings of an auto-number field were checked by its type.
  const { prefix, digits } = field.settings as { prefix: string; digits: number };
  return Array.from({ length: count }, (_, index) => {
    const number = last - BigInt(count) + BigInt(index) + 1n;
    return `${prefix}${number.toString().padStart(digits, "0")}`;
  });
}
