// Takes a list plan; gives the one statement that reads all of its rows, in order: per column its text, and for a
// reference the text that it shows. The caller's access is looked up in the statement itself.
import { Failure } from "../../contract/failures.ts";
import { mayKnowNames } from "../access/keys/limits.ts";
import { wall } from "../access/visibility.ts";
import { and, ident, join, type Sql, sql } from "../database/sql.ts";
import { type ColumnRef, resolveColumn } from "../plan/column.ts";
import type { CurrencySource } from "../plan/currency.ts";
import type { ExportedChildren, ExportedField } from "../plan/plan-children.ts";
import type { ListColumn, ListPlan } from "../plan/plan-list.ts";
import { columnText, columnValue } from "./column.ts";
import { createJoins, type Joins } from "./joins.ts";
import { MAX_CHILDREN } from "./read-record.ts";
import { rowConditions } from "./row-conditions.ts";

const ROOT = "r";

/** What an export holds beside the columns of its list. */
export interface ExportedAlong {
  readonly parts: readonly ExportedField[];
  readonly children: readonly ExportedChildren[];
}

/**
 * Two texts per column: the value's, and the display text's (null where there is none). Then a text per part, and per
 * association the children as JSON: an array of arrays of texts.
 */
export function compileExport(
  plan: ListPlan,
  columns: readonly ListColumn[],
  ownCurrency: string | null,
  along: ExportedAlong = { parts: [], children: [] },
): Sql {
  const { type, caller } = plan.scope;
  const joins = createJoins({ alias: ROOT, type }, caller);
  const texts = columns.flatMap((column) => {
    const display = displayOf(plan, column);
    if (column.actors) return [actorsText(plan), sql`null::text`];
    if (column.currency) return [columnText(column.ref, joins), currencyText(column.currency, joins, ownCurrency)];
    return [columnText(column.ref, joins), display ? columnText(display, joins) : sql`null::text`];
  });
  const order = plan.order.map(({ ref, descending }) =>
    descending ? sql`${columnValue(ref, joins)} desc` : sql`${columnValue(ref, joins)} asc`,
  );
  const turn = (plan.order.at(-1)?.descending ?? true) ? sql`desc` : sql`asc`;
  const conditions = rowConditions(plan, joins);
  const more = [
    ...along.parts.map(({ ref }) => columnText(ref, joins)),
    ...along.children.map((children, index) => childrenText(plan, children, index)),
  ];
  return sql`select ${join([ident(ROOT, "id"), ...texts, ...more])} from ${ident(type.table)} ${ident(ROOT)} ${joins.toSql()}
    where ${and(conditions)} order by ${join([...order, sql`${ident(ROOT, "id")} ${turn}`])}`;
}

/** Who reads the record reads its children with it. */
function childrenText({ scope }: ListPlan, { association, type, fields }: ExportedChildren, index: number): Sql {
  const alias = `c${index}`;
  const joins = createJoins({ alias, type }, scope.caller);
  const texts = fields.map(({ ref }) => sql`(${columnText(ref, joins)})::text`);
  const tie =
    association.kind === "has-many"
      ? sql`${ident(alias, association.via)} = ${ident(ROOT, "id")}`
      : sql`${ident(alias, "related_type")} = ${scope.type.key} and ${ident(alias, "related_id")} = ${ident(ROOT, "id")}::text`;
  return sql`(select json_agg(t.texts)::text from (
    select array[${join(texts)}] as texts from ${ident(type.table)} ${ident(alias)} ${joins.toSql()}
    where ${wall(scope.caller, type, alias)} and ${tie} and ${ident(alias, "deleted")} = 0
    order by ${ident(alias, "created")}, ${ident(alias, "id")} limit ${MAX_CHILDREN}) t)`;
}

/** The code of an amount's currency. */
function currencyText(currency: CurrencySource, joins: Joins, own: string | null): Sql {
  if (currency.kind === "hidden") return sql`null::text`;
  if (currency.kind === "organization") return sql`${own}::text`;
  const id = columnValue(currency.ref, joins);
  return sql`coalesce((select cu.code from masters__currencies cu where cu.id = ${id}), ${own}::text)`;
}

/** The names of those whom the row's access set waits for. */
function actorsText({ scope }: ListPlan): Sql {
  const org = sql`${scope.caller.organizationId}::bigint`;
  const told = (kind: string): Sql => sql`${mayKnowNames(scope.caller, kind)}::boolean`;
  const named = sql`
    select u.principal_id, coalesce(u.name, u.user_name) as name from access_controls__users u
    where u.organization_id = ${org} and ${told("user")}
    union all select g.principal_id, g.name from access_controls__groups g where g.organization_id = ${org} and ${told("group")}
    union all select o.principal_id, o.name from access_controls__roles o where o.organization_id = ${org} and ${told("role")}`;
  return sql`(select string_agg(n.name, ', ' order by n.principal_id) from core__acl_sets s
    join (${named}) n on n.principal_id = any(s.actors)
    where s.organization_id = ${org} and s.id = ${ident(ROOT, "acl_id")} and s.actors is not null)`;
}

/** Hidden from this caller, it shows nothing. */
function displayOf({ scope }: ListPlan, { ref, target }: ListColumn): ColumnRef | undefined {
  if (!target) return undefined;
  try {
    return resolveColumn(scope, `${ref.name}.${target.displayField}`);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
