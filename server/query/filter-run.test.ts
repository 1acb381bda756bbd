// Filters on a real database, held against the language written a second time and naively: loops over plain objects,
// true or false and nothing between. Random filters over a few hundred people with gaps, accents, companies that the
// caller may not read, and what is attached to them.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { runs } from "../../test/runs.ts";
import type { Caller } from "../access/caller.ts";
import { readPerson } from "../access/read-caller.ts";
import { mayRead } from "../access/visibility.ts";
import { ident, join, type Sql, sql } from "../database/sql.ts";
import type { Operator } from "../fields/field-type.ts";
import { createUser } from "../identity/create-user.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { planAggregate } from "../plan/aggregate.ts";
import { resolveColumn, type Scope } from "../plan/column.ts";
import { planFilter, planHaving } from "../plan/filter.ts";
import { rowValues } from "../records/read/row-values.ts";
import { insertRows } from "../records/save/insert-rows.ts";
import { parseQ, type QCondition } from "../request/q.ts";
import { aggregateText, columnText, columnValue } from "./column.ts";
import { compileFilter } from "./filter.ts";
import { createJoins } from "./joins.ts";

type Wire = Readonly<Record<string, string | null>>;

interface Company {
  readonly id: string;
  readonly owner: string;
  readonly wire: Wire;
}
interface Person {
  readonly id: string;
  readonly wire: Wire;
  readonly company: Company | null;
  readonly owner: { readonly id: string; readonly name: string } | null;
  readonly addresses: readonly Wire[];
  readonly opportunities: readonly { readonly owner: string; readonly wire: Wire }[];
}

const words = [
  "Zoë",
  "zoe",
  "ZOE Ångström",
  "Éclair",
  "eclair 100%",
  "a_b",
  "a.b",
  "back\\slash",
  "straße",
  "STRASSE",
  "ΟΔΟΣ",
  "οδός",
  "％ wide",
  "Ñandú",
  "x",
  "O'Brien",
];
const pieces = ["zo", "É", "%", "_", "\\", "ss", "ß", "σ", "ＡB", "0%", "a_", ".", "e", "Ñ", "strasse", "ang", "'"];
const maybe = <T>(values: readonly T[]): fc.Arbitrary<T | null> => fc.option(fc.constantFrom(...values), { freq: 3 });
const numbers = ["0", "1", "5", "42", "99", "100"];
const moneys = ["-3.50", "0.00", "10.00", "1234567890123456.78", "99.99"];
/** Nobody can have them; they can be compared with all the same. */
const finerMoneys = ["99.9901", "99.985", "-3.5049", "123456789012345678901234567890"];
const days = ["1999-12-31", "2024-02-29", "2026-02-27", "2026-02-28", "2026-03-01"];
const instants = ["2026-02-27 23:59:59", "2026-02-28 00:00:00", "2026-02-28 12:00:00", "2026-03-01 00:00:00"];
const places = ["52.500000,13.400000", "0.000000,0.000000"];
const tags = ["key_account", "newsletter", "key_account;newsletter"];

const personWire = fc.record({
  first_name: maybe(words),
  job_title: maybe(words),
  description: maybe(words),
  rating: maybe(["hot", "warm", "cold"]),
  score: maybe(numbers),
  birthday: maybe(days),
  last_contacted: maybe(instants),
  do_not_call: maybe(["0", "1"]),
  location: maybe(places),
  tags: maybe(tags),
  city: maybe(words),
  zip: maybe(["10115", "89073"]),
});
const companyWire = fc.record({
  name: fc.constantFrom(...words),
  annual_revenue: maybe(moneys),
  industry: maybe(["finance", "food"]),
});
const addressWire = fc.record({ city: maybe(words), deleted: fc.constantFrom("0", "0", "0", "1") });
const opportunityWire = fc.record({ amount: maybe(moneys), name: fc.constantFrom(...words) });

const snapshot = buildSnapshot(builtInTypes, [], "test");
const typeOf = (key: string) => requireType(snapshot, key);
const now = new Date("2026-02-28T12:00:00Z");
const context = { locale: "en-US", timeZone: "UTC" };

let database: TestDatabase;
let people: Person[];
const callers: Record<"administrator" | "representative", Caller> = Object.create(null);

beforeAll(async () => {
  database = await testDatabase("prepared");
  const { db } = database;
  const organization = (await db.row(sql`select id::text as id from access_controls__organizations`))?.id ?? "";
  const roles = await db.rows(sql`select id::text as id, code from access_controls__roles`);
  const role = (code: string) => roles.find((one) => one.code === code)?.id ?? "";
  await db.transaction(async (transaction) => {
    const user = (userName: string, firstName: string) =>
      createUser(transaction, snapshot, organization, {
        userName,
        firstName,
        lastName: "Test",
        roleIds: [role("sales_rep")],
      });
    const insert = (key: string, rows: readonly Readonly<Record<string, unknown>>[]) => {
      const columns = rows.map((wire) => {
        const { columns, errors } = rowValues(typeOf(key), wire, context);
        expect(errors).toEqual({});
        return columns;
      });
      return insertRows(transaction, snapshot, typeOf(key), organization, columns);
    };
    const users = [
      { id: await user("zoe.test", "Zoë"), name: "Zoë Test" },
      { id: await user("ada.test", "Ada"), name: "Ada Test" },
    ];
    // Companies of others cannot be read: their people show them as if there were none.
    const owners = { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] };
    await insert("access_controls/policies", [{ record_type: "crm/companies", policy: JSON.stringify(owners) }]);

    const pick = <T>(some: readonly T[], at: number): T => some[at % some.length] as T; // never empty
    const companies = fc
      .sample(companyWire, { numRuns: 40, seed: 1 })
      .map((wire, at) => ({ wire, owner: pick(users, at).id }));
    const companyIds = await insert(
      "crm/companies",
      companies.map(({ wire, owner }) => ({ ...wire, owned_by: owner })),
    );
    const made = fc
      .sample(fc.tuple(personWire, fc.nat(50), fc.nat(2)), { numRuns: 300, seed: 2 })
      .map(([wire, company, owner]) => ({
        wire,
        company: company < 40 ? company : undefined,
        owner: users[owner] ?? null,
      }));
    const ids = await insert(
      "crm/peoples",
      made.map(({ wire: { city, zip, ...wire }, company, owner }) => ({
        ...wire,
        last_name: "Test",
        mailing_address: { city, zip },
        company_id: company === undefined ? null : companyIds[company],
        owned_by: owner?.id ?? null,
      })),
    );
    const addresses = fc.sample(fc.tuple(addressWire, fc.nat(150)), { numRuns: 200, seed: 3 });
    await insert(
      "core/addresses",
      addresses.map(([wire, at]) => ({
        ...wire,
        related_type: "crm/peoples",
        related_id: ids[at],
        type: "work",
        address_line_1: "1",
      })),
    );
    const opportunities = fc
      .sample(fc.tuple(opportunityWire, fc.nat(150)), { numRuns: 200, seed: 4 })
      .map(([wire, at], index) => ({ wire, at, owner: pick(users, index).id }));
    await insert(
      "crm/opportunities",
      opportunities.map(({ wire, at, owner }) => ({
        ...wire,
        person_id: ids[at],
        company_id: companyIds[0],
        stage: "won",
        owned_by: owner,
      })),
    );
    people = made.map(({ wire, company, owner }, at) => {
      const own = company === undefined ? undefined : companies[company];
      return {
        id: ids[at] ?? "",
        wire,
        company: own && company !== undefined ? { ...own, id: companyIds[company] ?? "" } : null,
        owner,
        addresses: addresses.filter(([, of]) => of === at).map(([one]) => one),
        opportunities: opportunities.filter((one) => one.at === at),
      };
    });
    const credential = { kind: "session", sessionId: "s" } as const;
    const administrator = await transaction.row(
      sql`select id::text as id from access_controls__users where user_name = 'admin'`,
    );
    for (const [name, id] of [
      ["administrator", administrator?.id ?? ""],
      ["representative", users[0]?.id ?? ""],
    ] as const) {
      const person = await readPerson(transaction, organization, id);
      if (!person) throw new Error(`${name} cannot act`);
      callers[name] = { ...person, credential };
    }
  });
  await db.script("analyze");
});

afterAll(() => database?.close());

const scopeOf = (caller: Caller): Scope => ({ snapshot, type: typeOf("crm/peoples"), caller, now });

// The language, naively.

type Kind = "text" | "choice" | "number" | "moment" | "address";
interface NaiveColumn {
  readonly kind: Kind;
  readonly sought: readonly (string | null)[];
  /** The values that the caller may see: one, or one for each of many. */
  readonly values: (person: Person, caller: Caller) => readonly (string | null)[];
}

const one =
  (name: string): NaiveColumn["values"] =>
  (person) => [person.wire[name] ?? null];
const ownCompany = (person: Person, caller: Caller): Company | null =>
  caller.isAdministrator || person.company?.owner === caller.userId ? person.company : null;
const ofCompany =
  (name: string): NaiveColumn["values"] =>
  (person, caller) => [ownCompany(person, caller)?.wire[name] ?? null];
const live = (rows: readonly Wire[]): readonly Wire[] => rows.filter((row) => row.deleted !== "1");
const line = (person: Person): string | null => [person.wire.zip, person.wire.city].filter(Boolean).join(" ") || null;

const columns: Readonly<Record<string, NaiveColumn>> = {
  "peoples.first_name": { kind: "text", sought: [...words, null, "nobody"], values: one("first_name") },
  job_title: { kind: "text", sought: words, values: one("job_title") },
  rating: { kind: "choice", sought: ["hot", "cold", null], values: one("rating") },
  score: { kind: "number", sought: [...numbers, "7", null], values: one("score") },
  birthday: { kind: "moment", sought: [...days, "{{TODAY}}", "{{TODAY}}+1d", null], values: one("birthday") },
  last_contacted: {
    kind: "moment",
    sought: [...instants, "{{NOW}}", "{{TODAY}}", null],
    values: one("last_contacted"),
  },
  do_not_call: { kind: "choice", sought: ["0", "1", null], values: one("do_not_call") },
  location: { kind: "choice", sought: [...places, null], values: one("location") },
  tags: { kind: "choice", sought: [...tags, null], values: one("tags") },
  mailing_address: { kind: "address", sought: ["10115 x", "Zoë", "89073", null], values: (person) => [line(person)] },
  mailing_address_city: { kind: "text", sought: [...words, null], values: one("city") },
  "peoples.company.name": { kind: "text", sought: [...words, null], values: ofCompany("name") },
  "company.annual_revenue": {
    kind: "number",
    sought: [...moneys, ...finerMoneys, null],
    values: ofCompany("annual_revenue"),
  },
  "company_id.industry": { kind: "choice", sought: ["finance", "food", null], values: ofCompany("industry") },
  "owned_by_user.name": {
    kind: "text",
    sought: ["Zoë Test", "Ada Test", null],
    values: (person) => [person.owner?.name ?? null],
  },
  owned_by: { kind: "choice", sought: ["{{CURRENT_USER}}", null], values: (person) => [person.owner?.id ?? null] },
  "addresses.city": {
    kind: "text",
    sought: [...words, null],
    values: (person) => live(person.addresses).map((row) => row.city ?? null),
  },
  "addresses.deleted": {
    kind: "choice",
    sought: ["0", "1"],
    values: (person) => person.addresses.map((row) => row.deleted ?? null),
  },
  "opportunities.amount": {
    kind: "number",
    sought: [...moneys, null],
    values: (person, caller) =>
      person.opportunities
        .filter(({ owner }) => caller.isAdministrator || owner === caller.userId)
        .map(({ wire }) => wire.amount ?? null),
  },
};

const presence: readonly Operator[] = ["=", "!=", "in", "not in", "is null", "is not null"];
const ordered: readonly Operator[] = ["<", "<=", ">", ">=", "between"];
const wording: readonly Operator[] = ["contains", "starts with", "ends with"];
const operatorsOf: Record<Kind, readonly Operator[]> = {
  text: [...presence, ...ordered, ...wording],
  choice: presence,
  number: [...presence, ...ordered],
  moment: [...presence, ...ordered],
  address: [...presence, ...wording],
};

const collator = new Intl.Collator("en");
const fold = (text: string): string =>
  [...text.normalize("NFKD").replaceAll(/\p{M}/gu, "").replaceAll("ß", "ss")]
    .map((sign) => sign.toLowerCase())
    .join("");

function standsFor(text: string | null, name: string, caller: Caller): string | null {
  if (text === "{{CURRENT_USER}}") return caller.userId;
  if (text === "{{TODAY}}+1d") return "2026-03-01";
  if (text === "{{TODAY}}") return name === "birthday" ? "2026-02-28" : "2026-02-28 00:00:00";
  return text === "{{NOW}}" ? "2026-02-28 12:00:00" : text;
}

function compare(kind: Kind, a: string, b: string): number {
  if (kind === "text") return collator.compare(a, b);
  if (kind === "moment") return a < b ? -1 : a > b ? 1 : 0;
  const exact = (text: string): bigint => {
    const [whole = "", decimals = ""] = text.split(".");
    return BigInt(whole + decimals.padEnd(4, "0"));
  };
  return exact(a) < exact(b) ? -1 : exact(a) > exact(b) ? 1 : 0;
}

function holdsOf(value: string | null, kind: Kind, operator: Operator, sought: readonly (string | null)[]): boolean {
  const [first = null, second = null] = sought;
  if (operator === "=" || operator === "in") return sought.includes(value);
  if (operator === "!=" || operator === "not in") return !sought.includes(value);
  if (operator === "is null") return value === null;
  if (operator === "is not null") return value !== null;
  if (value === null || first === null) return false;
  if (operator === "contains") return fold(value).includes(fold(first));
  if (operator === "starts with") return fold(value).startsWith(fold(first));
  if (operator === "ends with") return fold(value).endsWith(fold(first));
  const order = compare(kind, value, first);
  if (operator === "between") return order >= 0 && compare(kind, value, second ?? "") <= 0;
  return operator === "<" ? order < 0 : operator === "<=" ? order <= 0 : operator === ">" ? order > 0 : order >= 0;
}

function holds(condition: QCondition, person: Person, caller: Caller): boolean {
  if (condition.kind === "not") return !holds(condition.of, person, caller);
  if (condition.kind !== "leaf") {
    const parts = condition.of.map((part) => holds(part, person, caller));
    return condition.kind === "all" ? parts.every(Boolean) : parts.some(Boolean);
  }
  const { column, operator, values } = condition;
  const known = columns[column];
  if (!known) throw new Error(column);
  const sought = values.map((text) => standsFor(text, column, caller));
  return known.values(person, caller).some((value) => holdsOf(value, known.kind, operator, sought));
}

const leaves: fc.Arbitrary<QCondition> = fc
  .constantFrom(...Object.entries(columns))
  .chain(([column, { kind, sought }]) =>
    fc.constantFrom(...operatorsOf[kind]).chain((operator) => {
      const some = sought.filter((value) => value !== null);
      const values =
        operator === "=" || operator === "!="
          ? fc.constantFrom(...sought).map((value) => [value])
          : operator === "in" || operator === "not in"
            ? fc.array(fc.constantFrom(...sought), { maxLength: 4 })
            : operator === "between"
              ? fc.tuple(fc.constantFrom(...some), fc.constantFrom(...some))
              : wording.includes(operator)
                ? fc.constantFrom(...pieces).map((piece) => [piece])
                : ordered.includes(operator)
                  ? fc.constantFrom(...some).map((value) => [value])
                  : fc.constant([]);
      return values.map((made): QCondition => ({ kind: "leaf", column, operator, values: made }));
    }),
  );
const conditions = fc.letrec<{ node: QCondition }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: leaves, weight: 3 },
    {
      arbitrary: fc.record({
        kind: fc.constantFrom("all" as const, "any" as const),
        of: fc.array(tie("node"), { maxLength: 3 }),
      }),
      weight: 2,
    },
    { arbitrary: fc.record({ kind: fc.constant("not" as const), of: tie("node") }), weight: 2 },
  ),
})).node;

async function found(condition: QCondition, caller: Caller): Promise<string[]> {
  const scope = scopeOf(caller);
  const joins = createJoins({ alias: "r", type: scope.type }, caller);
  const filter = compileFilter(planFilter(scope, condition), joins);
  const { rows } = await database.db.run(sql`
    select "r"."id" from ${ident(scope.type.table)} as "r" ${joins.toSql()}
    where ${mayRead(caller, scope.type, "r")} and ${filter} order by "r"."id"`);
  return rows.map(([id]) => id ?? "");
}

describe.each(["administrator", "representative"] as const)("a filter finds for the %s", (name) => {
  test.each(Object.keys(columns))("by every operator of %s what it means", async (column) => {
    const caller = callers[name];
    const { kind, sought } = columns[column] ?? { kind: "text", sought: [] };
    for (const operator of operatorsOf[kind]) {
      const texts = wording.includes(operator) ? pieces : sought;
      for (const value of operator.startsWith("is ") ? [null] : texts) {
        if (value === null && (ordered.includes(operator) || wording.includes(operator))) continue;
        const values = operator.startsWith("is ") ? [] : operator === "between" ? [value, texts[0] ?? value] : [value];
        const leaf: QCondition = { kind: "leaf", column, operator, values };
        const expected = people.filter((person) => holds(leaf, person, caller)).map(({ id }) => id);
        expect(await found(leaf, caller), JSON.stringify(leaf)).toEqual(expected);
        const rest = people.filter((person) => !expected.includes(person.id)).map(({ id }) => id);
        expect(await found({ kind: "not", of: leaf }, caller), `not ${JSON.stringify(leaf)}`).toEqual(rest);
      }
    }
  });

  test("exactly the people of whom it is true, whatever it says", async () => {
    const caller = callers[name];
    await fc.assert(
      fc.asyncProperty(conditions, async (condition) => {
        const expected = people.filter((person) => holds(condition, person, caller)).map(({ id }) => id);
        expect(await found(condition, caller)).toEqual(expected);
      }),
      { numRuns: runs(30) },
    );
  });
});

test("the representative cannot tell an unreadable company from none", async () => {
  const caller = callers.representative;
  const hidden = people.filter(({ company }) => company !== null && company.owner !== caller.userId);
  expect(hidden.length).toBeGreaterThan(20);
  const without = await found({ kind: "leaf", column: "company.name", operator: "is null", values: [] }, caller);
  expect(without).toEqual(expect.arrayContaining(hidden.map(({ id }) => id)));
});

describe("columns and aggregates", () => {
  async function select(fields: readonly Sql[], joins: Sql, rest: Sql): Promise<(string | null)[][]> {
    return (await database.db.run(sql`select ${join(fields)} from "crm__peoples" as "r" ${joins} ${rest}`)).rows;
  }

  test("give every field's wire text, through paths too", async () => {
    const scope = scopeOf(callers.representative);
    const joins = createJoins({ alias: "r", type: scope.type }, scope.caller);
    const names = ["first_name", "score", "birthday", "last_contacted", "do_not_call", "location", "tags", "rating"];
    const refs = [...names, "mailing_address", "mailing_address_city", "company.annual_revenue", "owned_by.name"];
    const texts = refs.map((name) => columnText(resolveColumn(scope, name), joins));
    const rows = await select(texts, joins.toSql(), sql`order by "r"."id"`);
    expect(rows).toEqual(
      people.map((person) => [
        ...names.map((name) => person.wire[name] ?? null),
        line(person),
        person.wire.city ?? null,
        ownCompany(person, scope.caller)?.wire.annual_revenue ?? null,
        person.owner?.name ?? null,
      ]),
    );
    const all = scope.type.fields.filter(({ permission }) => permission !== 1);
    for (const field of all) {
      const ref = resolveColumn(scope, field.name);
      await select([columnText(ref, joins), columnValue(ref, joins)], joins.toSql(), sql`limit 1`);
    }
  });

  test("count, add up and compare exactly, by group", async () => {
    const scope = scopeOf(callers.administrator);
    const joins = createJoins({ alias: "r", type: scope.type }, scope.caller);
    const groups = [resolveColumn(scope, "rating")];
    const q = parseQ(
      JSON.stringify({
        fields: [
          "rating",
          "count(*) as n",
          "count(score)",
          "count(mailing_address)",
          "sum(company.annual_revenue)",
          "avg(score)",
          "min(birthday)",
          "max(last_contacted)",
        ],
        having: { n: { op: ">", value: 1 }, "count(score)": { op: "!=", value: -1 } },
      }),
    );
    const plans = (q.fields ?? []).map((field) => planAggregate(scope, field, groups));
    const texts = plans.map((plan) =>
      plan.kind === "aggregate" ? aggregateText(plan, joins) : columnText(plan.ref, joins),
    );
    const group = columnValue(resolveColumn(scope, "rating"), joins);
    const having = compileFilter(planHaving(scope, q.having ?? { kind: "all", of: [] }, plans, groups), joins);
    const rows = await select(
      texts,
      joins.toSql(),
      sql`group by ${group} having ${having} order by ${group} nulls first`,
    );
    expect(rows).toEqual(
      [null, "cold", "hot", "warm"].map((rating) => {
        const some = people.filter(({ wire }) => (wire.rating ?? null) === rating);
        const values = (name: string) => some.map(({ wire }) => wire[name] ?? null).filter((value) => value !== null);
        const revenues = some
          .map(({ company }) => company?.wire.annual_revenue ?? null)
          .filter((value) => value !== null);
        const cents = revenues
          .map((text) => BigInt(text.replace(".", "")))
          .reduce((a, b) => a + b, 0n)
          .toString();
        const scores = values("score").map(Number);
        return [
          rating,
          String(some.length),
          String(scores.length),
          String(some.filter((person) => line(person) !== null).length),
          `${cents.slice(0, -2)}.${cents.slice(-2)}`,
          expect.toSatisfy(
            (text: string) => Math.abs(Number(text) - scores.reduce((a, b) => a + b, 0) / scores.length) < 1e-9,
          ),
          values("birthday").sort()[0],
          values("last_contacted").sort().at(-1),
        ];
      }),
    );
  });
});
