// Takes a checked formula; gives it as SQL over the columns of a row, with the very result of contract/formula/evaluate-formula.ts. No value
// makes it fail: what cannot be worked out is null. Conditions are true or false, never null.
import type { Checked, ValueKind } from "../../../contract/formula/check-formula.ts";
import type { ResultShape } from "../../../contract/formula/evaluate-formula.ts";
import { DIVISION_PLACES } from "../../../contract/formula/exact-number.ts";
import { expression, join, type Sql, sql, typeName } from "../../database/sql.ts";

/** The column of a field, as it is stored. */
export type ColumnOf = (field: string) => Sql;

export function formulaSql(formula: Checked, column: ColumnOf): Sql {
  const of = (one: Checked): Sql => formulaSql(one, column);
  switch (formula.node) {
    case "value":
      return literalSql(formula.is, formula.value);
    case "field":
      return fieldSql(formula.is, column(formula.name));
    case "calculate":
      return formula.operator === "/"
        ? quotient(of(formula.left), of(formula.right))
        : sql`(${of(formula.left)} ${expression(formula.operator)} ${of(formula.right)})`;
    case "shift":
      return shifted(of(formula.left), formula.operator === "+" ? of(formula.right) : sql`(- ${of(formula.right)})`);
    case "days":
      return sql`(${of(formula.left)} - ${of(formula.right)})::numeric`;
    case "join":
      return sql`nullif(${written(formula.left, column)} || ${written(formula.right, column)}, '')`;
    case "compare": {
      const [left, right] = [of(formula.left), of(formula.right)];
      if (formula.operator === "=") return sql`(${left} is not distinct from ${right})`;
      if (formula.operator === "!=") return sql`(${left} is distinct from ${right})`;
      return sql`coalesce(${left} ${expression(formula.operator)} ${right}, false)`;
    }
    case "and":
    case "or":
      return sql`(${of(formula.left)} ${expression(formula.node)} ${of(formula.right)})`;
    case "not":
      return sql`(not ${of(formula.of)})`;
    case "empty":
      return sql`(${of(formula.of)} is null)`;
    case "in":
      return sql`coalesce(${of(formula.of)} in (${join(formula.values.map(of))}), false)`;
    case "call":
      return callSql(formula, of);
  }
}

const sqlTypes = {
  number: "numeric",
  text: "text",
  date: "date",
  instant: "timestamp without time zone",
} as const satisfies Record<Exclude<ValueKind, "truth">, string>;

/** Texts are compared and measured by their characters, whatever the column is sorted by. */
const byCharacters = expression('collate "C"');

function literalSql(kind: ValueKind, value: string | null): Sql {
  if (kind === "truth") return value === "1" ? sql`true` : sql`false`;
  const typed = sql`${value}::${typeName(sqlTypes[kind])}`;
  return kind === "text" ? sql`(${typed} ${byCharacters})` : typed;
}

function fieldSql(kind: ValueKind, column: Sql): Sql {
  if (kind === "truth") return sql`coalesce(${column} = 1, false)`;
  const typed = sql`${column}::${typeName(sqlTypes[kind])}`;
  return kind === "text" ? sql`nullif(${typed} ${byCharacters}, '')` : typed;
}

/** Cut, not rounded, after so many places: div() is exact where the plain division of numeric chooses its own digits. */
const quotient = (left: Sql, right: Sql): Sql => {
  const raise = expression(`1${"0".repeat(DIVISION_PLACES)}`);
  const lower = expression(`0.${"0".repeat(DIVISION_PLACES - 1)}1`);
  return sql`(div(${left} * ${raise}, nullif(${right}, 0)) * ${lower})`;
};

/** Held within what an integer takes first: PostgreSQL works out constants whether or not they are asked for. */
const shifted = (day: Sql, days: Sql): Sql => sql`(
  select case when shift.days between date '0001-01-01' - shift.day and date '9999-12-31' - shift.day
    then shift.day + greatest(least(shift.days, 10000000), -10000000)::integer end
  from (select ${day} as day, trunc(${days}) as days) as shift)`;

/** As the wire writes it, the empty text where there is nothing. */
function written(one: Checked, column: ColumnOf): Sql {
  const value = formulaSql(one, column);
  switch (one.is) {
    case "number":
      return sql`coalesce(trim_scale(${value})::text, '')`;
    case "date":
      return sql`coalesce(to_char(${value}, 'YYYY-MM-DD'), '')`;
    case "instant":
      return sql`coalesce(to_char(${value}, 'YYYY-MM-DD HH24:MI:SS'), '')`;
    default:
      return sql`coalesce(${value}, '')`;
  }
}

function callSql({ name, of: given }: Extract<Checked, { node: "call" }>, of: (one: Checked) => Sql): Sql {
  const values = given.map(of);
  const [first = sql`null`, second = sql`null`, third = sql`null`] = values;
  switch (name) {
    case "if":
      return sql`(case when ${first} then ${second} else ${third} end)`;
    case "coalesce":
      return sql`coalesce(${join(values)})`;
    case "min":
      return sql`least(${join(values)})`;
    case "max":
      return sql`greatest(${join(values)})`;
    case "round":
      return sql`round(${first}, ${second}::integer)`;
    case "abs":
    case "floor":
    case "ceiling":
      return sql`${expression(name)}(${first})`;
    case "length":
      return sql`length(coalesce(${first}, ''))::numeric`;
    case "contains":
      return sql`coalesce(strpos(${first}, coalesce(${second}, '')) > 0, false)`;
    case "year":
    case "month":
    case "day":
      return sql`extract(${expression(name)} from ${first})::numeric`;
    case "date":
      return sql`${first}::date`;
  }
}

/** As the column of a result holds it: a number that does not fit is null, a text is cut. */
export function resultSql(kind: ValueKind, value: Sql, shape: ResultShape, columnType: string): Sql {
  const type = typeName(columnType);
  if (kind === "truth") return sql`(case when ${value} then 1 else 0 end)::${type}`;
  if (kind === "number") {
    const { digits = 18, places = 0 } = shape;
    const limit = expression(`1${"0".repeat(digits - places)}`);
    const fitting = sql`round(${value}, ${expression(String(places))})`;
    return sql`(case when abs(${fitting}) < ${limit} then ${fitting} end)::${type}`;
  }
  if (kind === "text" && shape.longest !== undefined)
    return sql`left(${value}, ${expression(String(shape.longest))})::${type}`;
  return sql`${value}::${type}`;
}
