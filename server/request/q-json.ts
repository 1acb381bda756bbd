// The way back: a read q as the JSON text that says the same, for saved views and descriptions of what ran.
import { fieldText, orderText } from "./q-column.ts";
import type { Q, QCondition } from "./q-types.ts";

type Json = string | number | null | readonly Json[] | { readonly [key: string]: Json };

export function conditionToJson(condition: QCondition): { readonly [key: string]: Json } {
  if (condition.kind === "not") return { NOT: conditionToJson(condition.of) };
  if (condition.kind !== "leaf") {
    return { [condition.kind === "all" ? "AND" : "OR"]: condition.of.map(conditionToJson) };
  }
  const { column, operator, values } = condition;
  if (operator === "is null" || operator === "is not null") return { [column]: { op: operator } };
  const many = operator === "in" || operator === "not in" || operator === "between";
  return { [column]: { op: operator, value: many ? values : (values[0] ?? null) } };
}

export function qToJson(q: Q): string {
  return JSON.stringify({
    method: q.method,
    fields: q.fields?.map(fieldText),
    where: q.where && conditionToJson(q.where),
    group: q.group,
    having: q.having && conditionToJson(q.having),
    order: q.order?.map(orderText),
    page: q.page,
    limit: q.limit,
    search_basic: q.search,
    pheader: q.header ? undefined : "0",
    related_model_class: q.relatedModelClass,
    show_has_many_records: q.showHasManyRecords,
    ...q.more,
  });
}
