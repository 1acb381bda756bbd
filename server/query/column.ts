// Takes resolved columns and aggregates; gives their SQL: the value to compare and sort by, and the text of the wire.
// Identifiers come from the record type, quoted; nothing of a request is in the text.
import { expression, ident, join, quote, type Sql, sql } from "../database/sql.ts";
import type { AggregatePlan } from "../plan/aggregate.ts";
import type { ColumnRef } from "../plan/column.ts";
import { type ValueType, valueTypeOf } from "../plan/value.ts";
import type { Joins } from "./joins.ts";

/** The raw column, for comparing, sorting, grouping; of a field with several columns, the text that lists show. */
export function columnValue(ref: ColumnRef, joins: Joins): Sql {
  const value = valueTypeOf(ref);
  return value.by === "column" ? rawColumn(ref, value, joins) : columnText(ref, joins);
}

/** What the wire says. */
export function columnText(ref: ColumnRef, joins: Joins): Sql {
  const alias = joins.aliasFor(ref.steps);
  const { type, field } = valueTypeOf(ref);
  return expression(type.select(field, (column) => `${quote(alias)}.${quote(column)}`));
}

function rawColumn(ref: ColumnRef, { columns }: ValueType, joins: Joins): Sql {
  return ident(joins.aliasFor(ref.steps), columns[0]?.name ?? ref.field.name);
}

/** Whether there is no value: no column of the field has one. */
export function isUnset(ref: ColumnRef, joins: Joins): Sql {
  const alias = joins.aliasFor(ref.steps);
  const { columns } = valueTypeOf(ref);
  const tests = columns.map(({ name }) => sql`${ident(alias, name)} is null`);
  return tests.length === 1 ? join(tests) : sql`(${join(tests, " and ")})`;
}

/** The aggregate as a value to compare and sort by. */
export function aggregateValueSql({ aggregate, ref, currency }: AggregatePlan, joins: Joins): Sql {
  if (!ref) return sql`count(*)`;
  // Amounts whose currencies the caller may not see may be in several: nothing is said of them together.
  if (currency?.kind === "hidden") return sql`null::numeric`;
  const value = valueTypeOf(ref);
  switch (aggregate) {
    case "count":
      return value.by === "column"
        ? sql`count(${rawColumn(ref, value, joins)})`
        : sql`count(*) filter (where not ${isUnset(ref, joins)})`;
    case "sum":
      return sql`sum(${rawColumn(ref, value, joins)})`;
    case "avg":
      return sql`trim_scale(avg(${rawColumn(ref, value, joins)}))`;
    case "min":
      return sql`min(${rawColumn(ref, value, joins)})`;
    case "max":
      return sql`max(${rawColumn(ref, value, joins)})`;
  }
}

/** The aggregate as the wire says it: exact decimals, never a float. */
export const aggregateText = (plan: AggregatePlan, joins: Joins): Sql => sql`${aggregateValueSql(plan, joins)}::text`;
