// Filters as SQL: the text of a few, and that nothing of a request is ever in the text.
import { describe, expect, test } from "vitest";
import type { Caller } from "../access/caller.ts";
import { compile, type sql } from "../database/sql.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { planAggregate } from "../plan/aggregate.ts";
import { resolveColumn, type Scope } from "../plan/column.ts";
import { testCaller } from "../plan/column-fixture.ts";
import { planFilter, planHaving, shapeOf } from "../plan/filter.ts";
import { parseQ } from "../request/q.ts";
import { aggregateText, columnText, columnValue } from "./column.ts";
import { compileFilter } from "./filter.ts";
import { createJoins } from "./joins.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");

const scopeOf = (type: string, caller: Caller = testCaller()): Scope => ({
  snapshot,
  type: requireType(snapshot, type),
  caller,
  now: new Date("2026-02-28T12:00:00Z"),
});

function filterOf(where: unknown, type = "crm/leads", caller?: Caller) {
  const scope = scopeOf(type, caller);
  const plan = planFilter(scope, parseQ(JSON.stringify({ where })).where ?? { kind: "all", of: [] });
  const joins = createJoins({ alias: "r", type: scope.type }, scope.caller);
  const filter = compile(compileFilter(plan, joins));
  return { ...filter, joins: compile(joins.toSql()), plan };
}

describe("compiles", () => {
  test.each<[string, unknown, string, unknown[]]>([
    ["nothing", {}, "true", []],
    ["any of nothing", { OR: [] }, "false", []],
    ["not nothing", { NOT: {} }, "false", []],
    ["equality", { score: 5 }, '"r"."score" = $1::bigint', ["5"]],
    [
      "inequality, of what has no value too",
      { score: { op: "!=", value: 5 } },
      '"r"."score" is distinct from $1::bigint',
      ["5"],
    ],
    ["not equal", { NOT: { score: 5 } }, '"r"."score" is distinct from $1::bigint', ["5"]],
    ["not unequal", { NOT: { score: { op: "!=", value: 5 } } }, '"r"."score" = $1::bigint', ["5"]],
    ["order", { amount: { op: "<=", value: 5 } }, '"r"."amount" <= $1::numeric', ["5"]],
    ["no order", { NOT: { amount: { op: "<", value: 5 } } }, '("r"."amount" < $1::numeric) is not true', ["5"]],
    ["a list as one array", { score: [5, 6] }, '"r"."score" = any($1::bigint[])', [["5", "6"]]],
    ["a list with null", { score: [5, null] }, '("r"."score" = any($1::bigint[]) or ("r"."score" is null))', [["5"]]],
    [
      "none of a list",
      { created: { op: "not in", value: ["2026-02-28"] } },
      '("r"."created" = any($1::timestamp(0) without time zone[])) is not true',
      [["2026-02-28 00:00:00"]],
    ],
    ["null over all columns", { location: null }, '(("r"."location" is null and "r"."location_lon" is null))', []],
    [
      "between",
      { score: { op: "between", value: [1, 2] } },
      '"r"."score" between $1::bigint and $2::bigint',
      ["1", "2"],
    ],
    [
      "not, carried to the leaves",
      { NOT: { OR: [{ score: 1 }, { city: null }] } },
      '("r"."score" is distinct from $1::bigint and not ("r"."city" is null))',
      ["1"],
    ],
    [
      "several columns as their text",
      { location: "1,2" },
      `"r"."location"::text || ',' || "r"."location_lon"::text = $1::text`,
      ["1.000000,2.000000"],
    ],
  ])("%s", (_, where, text, values) => {
    expect(filterOf(where)).toMatchObject({ text, values });
  });

  test("text operators over folded text, with the pattern's signs escaped by the database", () => {
    const { text, values } = filterOf({ city: { op: "starts with", value: "100%" } });
    const pattern = (n: number) => `regexp_replace(dossier_fold($${n}::text), '([\\\\%_])', '\\\\\\1', 'g')`;
    // First in the column that has an index of words, then in the text itself.
    expect(text).toBe(
      `("r"."search_text" like '%' || ${pattern(1)} || '%' and dossier_fold(("r"."city")::text collate "default") like ${pattern(2)} || '%')`,
    );
    expect(values).toEqual(["100%", "100%"]);
  });

  test("a path as a join that carries the caller's visibility, once", () => {
    const reader = testCaller({ operations: { "*": ["index"] } });
    const { text, joins } = filterOf({ "owned_by.name": "a", "owned_by_user.title": "b" }, "crm/leads", reader);
    expect(text).toBe('("r_1"."name" = $1::text and "r_1"."title" = $2::text)');
    expect(joins.text.replaceAll(/\s+/gu, " ")).toBe(
      'left join "access_controls__users" as "r_1" on "r_1"."organization_id" = "r"."organization_id" and ' +
        '"r_1"."id" = "r"."owned_by" and ("r_1"."organization_id" = $1::bigint and "r_1"."acl_id" = any(array(' +
        "select id from core__acl_sets where organization_id = $2::bigint and record_type = $3 and readers && $4::integer[])))",
    );
  });

  test("a path into what all organizations share by its id alone", () => {
    expect(filterOf({ "country.name": "Peru" }).joins.text).toBe(
      'left join "masters__countries" as "r_1" on "r_1"."id" = "r"."country_id" and (true and true)',
    );
  });

  test("many as a subquery of its own, with joins of its own", () => {
    const { text, joins } = filterOf({ NOT: { "peoples.owned_by.name": "a" } }, "crm/companies");
    expect(joins.text).toBe("");
    expect(text.replaceAll(/\s+/gu, " ")).toBe(
      'not exists (select 1 from "crm__peoples" as "r_1" left join "access_controls__users" as "r_1_1" on ' +
        '"r_1_1"."organization_id" = "r_1"."organization_id" and "r_1_1"."id" = "r_1"."owned_by" and ' +
        '("r_1_1"."organization_id" = $1::bigint and true) where "r_1"."company_id" = "r"."id" and ' +
        '("r_1"."organization_id" = $2::bigint and true) and "r_1"."deleted" = 0 and "r_1_1"."name" = $3::text)',
    );
  });

  test("what a record owns by the record's own visibility, deleted ones when they are asked for", () => {
    const reader = testCaller({ operations: { "*": ["index"] } });
    const { text } = filterOf({ "addresses.deleted": 1 }, "crm/leads", reader);
    expect(text).toBe(
      'exists (select 1 from "core__addresses" as "r_1"  where "r_1"."related_type" = $1 and ' +
        '"r_1"."related_id" = "r"."id"::text and "r_1"."organization_id" = $2::bigint and "r_1"."deleted" = $3::smallint)',
    );
  });

  test("filters of one shape to one text", () => {
    const one = filterOf({ score: [1], "owned_by.name": "x", NOT: { city: { op: "contains", value: "a" } } });
    const other = filterOf({ score: [2, 3], "owned_by_user.name": "y", NOT: { city: { op: "contains", value: "b" } } });
    expect(shapeOf(one.plan)).toBe(shapeOf(other.plan));
    expect(one.text).toBe(other.text);
  });

  test("aggregates and having", () => {
    const scope = scopeOf("crm/leads");
    const joins = createJoins({ alias: "r", type: scope.type }, scope.caller);
    const aggregate = (field: string) => {
      const [read] = parseQ(JSON.stringify({ fields: [field] })).fields ?? [];
      const plan = planAggregate(scope, read ?? { kind: "all" }, []);
      if (plan.kind !== "aggregate") throw new Error("it is no aggregate");
      return compile(aggregateText(plan, joins)).text;
    };
    expect(aggregate("count(*)")).toBe("count(*)::text");
    expect(aggregate("count(score)")).toBe('count("r"."score")::text');
    expect(aggregate("count(location)")).toContain("count(*) filter (where not (");
    expect(aggregate("avg(amount)")).toBe('trim_scale(avg("r"."amount"))::text');
    expect(aggregate("max(owned_by.name)")).toBe('max("r_1"."name")::text');
    const having = parseQ('{"having":{"sum(amount)":{"op":">","value":10}}}').having ?? { kind: "all", of: [] };
    expect(compile(compileFilter(planHaving(scope, having, [], []), joins))).toEqual({
      text: 'sum("r"."amount") > $1::numeric',
      values: ["10"],
    });
  });

  test("columns as values and as the wire's texts", () => {
    const scope = scopeOf("crm/companies");
    const joins = createJoins({ alias: "r", type: scope.type }, scope.caller);
    const at = (name: string) => resolveColumn(scope, name);
    const text = (fragment: ReturnType<typeof sql>) => compile(fragment).text;
    expect(text(columnValue(at("name"), joins))).toBe('"r"."name"');
    expect(text(columnText(at("name"), joins))).toBe('"r"."name"');
    expect(text(columnText(at("tags"), joins))).toBe(`array_to_string("r"."tags", ';')`);
    expect(text(columnValue(at("tags"), joins))).toBe(`array_to_string("r"."tags", ';')`);
    expect(text(columnText(at("parent.billing_address_city"), joins))).toBe('"r_1"."billing_address_city"');
  });
});

const marks = ["zzhostile", "';drop", "--zz", '"zz', "$zz$", "\\zz", "/*zz*/"] as const;

test("nothing of a request is in the text, wherever it stands", () => {
  const accepted: string[] = [];
  for (const mark of marks) {
    const attempts = [
      { city: mark },
      { city: [mark, null] },
      { city: { op: "contains", value: mark } },
      { city: { op: "between", value: [mark, mark] } },
      { "owned_by.name": { op: "!=", value: mark } },
      { "addresses.city": { op: "ends with", value: mark } },
      { NOT: { description: mark } },
      { [mark]: 1 },
      { [`leads.${mark}`]: 1 },
      { [`owned_by.${mark}`]: 1 },
      { [`${mark}.name`]: 1 },
      { score: mark },
      { status: mark },
      { created: { op: ">", value: `{{TODAY}}${mark}` } },
      { score: { op: mark, value: 1 } },
    ];
    for (const where of attempts) {
      let found: ReturnType<typeof filterOf>;
      try {
        found = filterOf(where);
      } catch (error) {
        expect(error).toMatchObject({ code: "malformed_parameter" });
        continue;
      }
      accepted.push(JSON.stringify(where));
      expect(`${found.text} ${found.joins.text}`).not.toContain(mark);
      expect(found.values.flat().join(" ")).toContain(mark);
    }
  }
  // Values of texts are taken; names, numbers, choices, dates and operators are not.
  expect(accepted).toHaveLength(marks.length * 7);
});

test("an alias is for the row's keys and reaches no text", () => {
  const scope = scopeOf("crm/leads");
  const joins = createJoins({ alias: "r", type: scope.type }, scope.caller);
  const fields = parseQ('{"fields":["count(leads.id) as zz hostile","status as zzother"]}').fields ?? [];
  const plans = fields.map((field) => planAggregate(scope, field, [resolveColumn(scope, "status")]));
  const texts = plans.map((plan) =>
    compile(plan.kind === "aggregate" ? aggregateText(plan, joins) : columnText(plan.ref, joins)),
  );
  expect(JSON.stringify(texts)).not.toContain("zz");
});
