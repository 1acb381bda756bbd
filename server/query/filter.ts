// Takes a filter plan; returns the SQL condition for WHERE (or HAVING). Values are parameters; many values are one array.
// NOT is pushed down to the comparisons, where `is not true` makes it total. Above them are only AND and OR, so an unknown
// counts as false and plain comparisons can use their indexes.
import { actingAs } from "../access/acting-as.ts";
import { mayRead, wall } from "../access/visibility.ts";
import { ident, join, type Sql, sql, typeName } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { FilterPlan, Operand, TextOperator } from "../plan/filter-plan.ts";
import { valueTypeOf } from "../plan/value.ts";
import { aggregateValueSql, columnText, columnValue, isUnset } from "./column.ts";
import { formulaSql } from "./computed/formula-sql.ts";
import { createJoins, type Joins } from "./joins.ts";
import { foldedPattern, hasKept, isKept } from "./search/kept-texts.ts";

export const compileFilter = (plan: FilterPlan, joins: Joins): Sql => compile(plan, joins, false);

function compile(plan: FilterPlan, joins: Joins, negated: boolean): Sql {
  switch (plan.kind) {
    case "not":
      return compile(plan.of, joins, !negated);
    case "and":
    case "or": {
      const both = (plan.kind === "and") !== negated;
      const parts = plan.of.map((part) => compile(part, joins, negated));
      if (parts.length === 0) return both ? sql`true` : sql`false`;
      return parts.length === 1 ? join(parts) : sql`(${join(parts, both ? " and " : " or ")})`;
    }
    case "null": {
      const unset = operandUnset(plan.operand, joins);
      return negated ? sql`not ${unset}` : unset;
    }
    case "formula": {
      const holds = formulaSql(plan.checked, (name) => fieldValue(plan.type, name, joins));
      return negated ? sql`not ${holds}` : holds;
    }
    case "turn":
      return total(compileTurn(plan, joins), negated);
    case "named":
      return total(compileNamed(plan, joins), negated);
    case "exists":
      return negated ? sql`not ${compileExists(plan, joins)}` : compileExists(plan, joins);
    case "compare":
      // The opposite of each is the other: both are total.
      if (plan.operator === "!=") return equality(plan.operand, plan.value, joins, !negated);
      if (plan.operator === "=") return equality(plan.operand, plan.value, joins, negated);
      return total(
        sql`${operandValue(plan.operand, joins)} ${orderings[plan.operator]} ${cast(plan.value, plan.operand)}`,
        negated,
      );
    case "between": {
      const { operand, from, to } = plan;
      return total(
        sql`${operandValue(operand, joins)} between ${cast(from, operand)} and ${cast(to, operand)}`,
        negated,
      );
    }
    case "among": {
      const { operand, values, orNull } = plan;
      const among = sql`${operandValue(operand, joins)} = any(${values}::${typeName(`${operand.sqlType}[]`)})`;
      return total(orNull ? sql`(${among} or ${operandUnset(operand, joins)})` : among, negated);
    }
    case "text":
      return total(textMatch(plan.operand, plan.operator, plan.value, joins), negated);
  }
}

function fieldValue(type: RecordType, name: string, joins: Joins): Sql {
  const field = type.field.get(name);
  if (!field) throw new Error(`${type.key} has no field ${name}`);
  return columnValue({ steps: [], type, field, name: `${type.alias}.${name}` }, joins);
}

const orderings = { "<": sql`<`, "<=": sql`<=`, ">": sql`>`, ">=": sql`>=` } as const;

const total = (condition: Sql, negated: boolean): Sql => (negated ? sql`(${condition}) is not true` : condition);

const cast = (value: string, operand: Operand): Sql => sql`${value}::${typeName(operand.sqlType)}`;

function equality(operand: Operand, value: string, joins: Joins, negated: boolean): Sql {
  const at = operandValue(operand, joins);
  return negated ? sql`${at} is distinct from ${cast(value, operand)}` : sql`${at} = ${cast(value, operand)}`;
}

const operandValue = (operand: Operand, joins: Joins): Sql =>
  joins.computed?.(operand)?.value ??
  (operand.kind === "aggregate" ? aggregateValueSql(operand.aggregate, joins) : columnValue(operand.ref, joins));

const operandUnset = (operand: Operand, joins: Joins): Sql =>
  operand.kind === "aggregate" || joins.computed?.(operand)
    ? sql`(${operandValue(operand, joins)} is null)`
    : sql`(${isUnset(operand.ref, joins)})`;

/** Case and accents ignored. One collation on both sides, or a final sigma would be lowered in two ways. */
function textMatch(operand: Operand, operator: TextOperator, value: string, joins: Joins): Sql {
  const text =
    joins.computed?.(operand)?.text ??
    (operand.kind === "aggregate" ? operandValue(operand, joins) : columnText(operand.ref, joins));
  const folded = sql`dossier_fold((${text})::text collate "default")`;
  const filterValue = foldedPattern(value);
  const matches = {
    contains: sql`${folded} like '%' || ${filterValue} || '%'`,
    "starts with": sql`${folded} like ${filterValue} || '%'`,
    "ends with": sql`${folded} like '%' || ${filterValue}`,
  }[operator];
  const somewhere = keptSomewhere(operand, value, joins);
  return somewhere ? sql`(${somewhere} and ${matches})` : matches;
}

/** Where the text is kept folded: an index finds the few records that have it, and of the others nothing is folded. */
function keptSomewhere(operand: Operand, value: string, joins: Joins): Sql | undefined {
  if (operand.kind === "aggregate" || joins.computed?.(operand)) return undefined;
  const { ref } = operand;
  if (joins.isReplayed && ref.steps.length === 0) return undefined;
  return isKept(ref.type, ref.field) ? hasKept(ref.type, joins.aliasFor(ref.steps), value) : undefined;
}

/** Found once for the whole statement: an index on the reference then finds the rows. */
function compileNamed(plan: Extract<FilterPlan, { kind: "named" }>, joins: Joins): Sql {
  const { target } = plan;
  const alias = joins.freshAlias();
  const inner = createJoins({ alias, type: target }, joins.caller);
  const value = operandValue(plan.operand, joins);
  const named = sql`select ${ident(alias, "id")} from ${ident(target.table)} as ${ident(alias)}
    where ${compileFilter(namedRecord(plan), inner)} and ${mayRead(joins.caller, target, alias)}`;
  // An array is searched from its start for every record; many are hashed once.
  return plan.isMany ? sql`(${value} in (${named})) is true` : sql`${value} = any(array(${named}))`;
}

/** What must hold of a record to be named so. */
export function namedRecord({ target, display, value }: Extract<FilterPlan, { kind: "named" }>): FilterPlan {
  const ref = { steps: [], type: target, field: display, name: `${target.alias}.${display.name}` };
  const { by, sqlType } = valueTypeOf(ref);
  return { kind: "text", operand: { kind: "column", ref, by, sqlType }, operator: "contains", value };
}

/** The record's access set tells whom it waits for; the sets are few, however many records there are. */
function compileTurn({ users, orNobody }: Extract<FilterPlan, { kind: "turn" }>, { root, caller }: Joins): Sql {
  const org = sql`${caller.organizationId}::bigint`;
  const theirs = sql`s.actors && array(${actingAs(caller.organizationId, users)})::integer[]`;
  return sql`${ident(root.alias, "acl_id")} = any(array(
    select s.id from core__acl_sets s where s.organization_id = ${org} and s.record_type = ${root.type.key}
      and (${orNobody ? sql`s.actors is null or ${theirs}` : theirs})))`;
}

/** Some record on the far side, not deleted and readable, of which the condition holds. */
function compileExists(plan: Extract<FilterPlan, { kind: "exists" }>, joins: Joins): Sql {
  const { association, owner, far, through } = plan;
  const parent = joins.aliasFor(plan.steps);
  const alias = joins.freshAlias();
  const inner = createJoins({ alias, type: far }, joins.caller);
  const condition = compileFilter(plan.of, inner);
  const conditions: Sql[] = [];
  let between = sql``;
  if (association.kind === "has-many") {
    conditions.push(sql`${ident(alias, association.via)} = ${ident(parent, "id")}`);
  } else if (association.kind === "has-many-polymorphic") {
    conditions.push(
      sql`${ident(alias, "related_type")} = ${owner.key}`,
      sql`${ident(alias, "related_id")} = ${ident(parent, "id")}::text`,
    );
  } else if (through) {
    const middle = joins.freshAlias();
    between = sql`join ${ident(through.table)} as ${ident(middle)} on ${ident(middle, association.to)} = ${ident(alias, "id")} `;
    conditions.push(
      sql`${ident(middle, association.via)} = ${ident(parent, "id")}`,
      sql`${ident(middle, "deleted")} = 0`,
      readable(owner, through, middle, joins),
    );
  }
  conditions.push(readable(owner, far, alias, joins));
  if (!plan.deletedToo) conditions.push(sql`${ident(alias, "deleted")} = 0`);
  conditions.push(condition);
  return sql`exists (select 1 from ${ident(far.table)} as ${ident(alias)} ${between}${inner.toSql()} where ${join(conditions, " and ")})`;
}

/** What belongs to a record is read by whoever reads the record; all else by its own access. */
function readable(owner: RecordType, type: RecordType, alias: string, { caller }: Joins): Sql {
  const belongs = owner.associations.some(
    (one) => "owned" in one && one.owned === true && "type" in one && one.type === type.key,
  );
  return belongs ? wall(caller, type, alias) : mayRead(caller, type, alias);
}
