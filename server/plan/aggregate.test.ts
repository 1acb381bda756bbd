// Aggregates: what can be counted, added up and ordered, and what a grouped query may name.
import { describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { parseQ } from "../request/q.ts";
import { planAggregate } from "./aggregate.ts";
import { resolveColumn, type Scope } from "./column.ts";
import { testCaller } from "./column-fixture.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const scope: Scope = {
  snapshot,
  type: requireType(snapshot, "crm/leads"),
  caller: testCaller({ operations: { "*": ["index"] }, fields: { "crm/leads": { annual_revenue: 1 } } }),
  now: new Date(),
};
const groups = [resolveColumn(scope, "status"), resolveColumn(scope, "owned_by.name")];

function plan(field: string) {
  const [read] = parseQ(JSON.stringify({ fields: [field] })).fields ?? [];
  if (!read) throw new Error("there is no field");
  return planAggregate(scope, read, groups);
}

describe("plans", () => {
  test.each([
    ["count(*)", "aggregate", "count(*)", undefined],
    ["count(leads.id) as How many", "aggregate", "count(leads.id)", "How many"],
    ["count(tags)", "aggregate", "count(leads.tags)", undefined],
    ["SUM({{MODEL}}.amount) as total", "aggregate", "sum(leads.amount)", "total"],
    ["avg(score)", "aggregate", "avg(leads.score)", undefined],
    ["sum(location_lon)", "aggregate", "sum(leads.location_lon)", undefined],
    ["min(created)", "aggregate", "min(leads.created)", undefined],
    ["max(owned_by_user.name)", "aggregate", "max(leads.owned_by.name)", undefined],
    ["leads.status as Stage", "group", "leads.status", "Stage"],
    ["leads.owned_by_user.name", "group", "leads.owned_by.name", undefined],
  ])("%s", (field, kind, name, alias) => {
    const planned = plan(field);
    expect(planned).toMatchObject({ kind, name });
    expect(planned.alias).toBe(alias);
  });
});

describe("refuses", () => {
  test.each([
    ["*", "fields: * can't be grouped. Name the columns"],
    ["leads.city", "fields: leads.city must be in group, or within count, sum, avg, min or max"],
    ["sum(leads.city)", "sum(leads.city): Short text can't be summed"],
    ["avg(owned_by)", "avg(leads.owned_by): Reference can't be summed"],
    ["sum(do_not_call)", "sum(leads.do_not_call): Yes or no can't be summed"],
    ["sum(created)", "sum(leads.created): Date and time can't be summed"],
    ["avg(location)", "avg(leads.location): Place on the map can't be summed"],
    ["min(tags)", "min(leads.tags): Multiple choice has no minimum or maximum"],
    ["max(status)", "max(leads.status): Choice has no minimum or maximum"],
    ["sum(nothing)", "nothing is not a column of crm/leads"],
    ["sum(annual_revenue)", "annual_revenue is not a column of crm/leads"],
    ["count(addresses.id)", "addresses.id is not a column of crm/leads"],
  ])("%s", (field, words) => {
    expect(() => plan(field)).toThrow(words);
    expect(() => plan(field)).toThrow(Failure);
  });
});
