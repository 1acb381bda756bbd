import { describe, expect, it } from "vitest";
import { typeOf } from "../server/metadata/compile.ts";
import type { RecordType } from "../server/metadata/record-type.ts";
import { buildSnapshot } from "../server/metadata/snapshot.ts";
import { builtInTypes } from "../server/modules/index.ts";
import { masterData } from "../server/modules/masters/data.ts";
import { processorTime } from "../test/processor-time.ts";
import { type DemoBatch, type DemoRow, generateDemo } from "./generate.ts";

const today = "2026-03-14";
const masters = new Map(
  masterData.map(({ type, key, rows }) => [type, new Map(rows().map((row, index) => [row[key], String(index + 1)]))]),
);
const masterId = (type: string, key: string): string => {
  const id = masters.get(type)?.get(key);
  if (id === undefined) throw new Error(`there is no ${key} in ${type}`);
  return id;
};
const generate = (scale = 1): DemoBatch[] => [...generateDemo({ today, scale, masterId })];
const snapshot = buildSnapshot(builtInTypes, [], "test");
const batches = generate();
const rowsOf = (type: string): readonly DemoRow[] => batches.find((batch) => batch.type === type)?.rows ?? [];
const typed = (type: string): RecordType => {
  const found = snapshot.types.get(type);
  if (!found) throw new Error(`there is no type ${type}`);
  return found;
};
const live = (type: string) => rowsOf(type).filter((row) => row.deleted === "0");
const share = (rows: readonly DemoRow[], test: (row: DemoRow) => boolean) => rows.filter(test).length / rows.length;
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

describe("the demo's rows", () => {
  it("are as many as promised", () => {
    expect(rowsOf("access_controls/users")).toHaveLength(24);
    expect(rowsOf("crm/leads")).toHaveLength(5000);
    expect(rowsOf("crm/peoples")).toHaveLength(2000);
    expect(rowsOf("crm/companies")).toHaveLength(500);
    expect(rowsOf("crm/opportunities")).toHaveLength(800);
    expect(rowsOf("core/comments").length).toBeGreaterThan(400);
    expect(generate(0.01).find(({ type }) => type === "crm/leads")?.rows).toHaveLength(50);
  });

  it("are the same each time", () => expect(generate()).toEqual(batches));

  it("take no longer each for being many", async () => {
    const few = await processorTime(() => generate(0.2));
    expect(await processorTime(() => generate())).toBeLessThan(3 * 5 * few);
  });

  it.each(batches)("of $type hold values that their fields accept as they are", ({ type, rows }) => {
    const { fields } = typed(type);
    const byName = new Map(fields.map((field) => [field.name, field]));
    const wrong = new Set<string>();
    for (const row of rows) {
      for (const [name, value] of Object.entries(row)) {
        const field = byName.get(name);
        // Roles are known by their codes, and have UUIDs once they are loaded; so is what the administrator owns.
        if (name === "role" || name === "way" || name === "mine") continue;
        if (!field) wrong.add(`${name} is no field`);
        else {
          const parsed = typeOf(field).parse(value, field, { locale: "en-US", timeZone: "UTC" });
          if (!parsed.ok) wrong.add(`${name}: ${JSON.stringify(value)} ${parsed.errors.join()}`);
          else if (JSON.stringify(typeOf(field).present(parsed.row, field)) !== JSON.stringify(value)) {
            wrong.add(`${name}: ${JSON.stringify(value)} is not spelt as it is stored`);
          }
        }
      }
      for (const field of fields) {
        if (field.required && field.name !== "role_id" && (row[field.name] ?? null) === null) {
          wrong.add(`${field.name} is missing`);
        }
      }
    }
    expect([...wrong].slice(0, 10)).toEqual([]);
  });

  it.each(batches)("of $type keep unique what must be unique", ({ type, rows }) => {
    expect(rows.map((row) => row.id)).toEqual(rows.map((_, index) => String(index + 1)));
    for (const names of typed(type).unique) {
      if (names.includes("principal_id")) continue;
      const keys = rows.map((row) => names.map((name) => row[name === "role_id" ? "role" : name]));
      const whole = keys.filter((key) => !key.includes(null)).map((key) => key.join("|"));
      expect(new Set(whole).size).toBe(whole.length);
    }
  });

  it.each(batches)("of $type refer to rows that are there", ({ type, rows }) => {
    const broken = new Set<string>();
    for (const field of typed(type).fields) {
      if (field.type !== "reference" || field.name === "organization_id") continue;
      const to = (field.settings as { to: string }).to; // A reference's settings hold `to`.
      const count = masters.get(to)?.size ?? rowsOf(to).length;
      for (const row of rows) {
        const id = row[field.name] ?? null;
        const isLater = to === type && type !== "access_controls/users" && Number(id) >= Number(row.id);
        if (isLater) broken.add(`${field.name} ${String(id)} comes after ${row.id}`);
        if (id !== null && !(Number(id) >= 1 && Number(id) <= count)) broken.add(`${field.name} ${String(id)}`);
      }
    }
    for (const { related_type: to, related_id: id } of rows) {
      if (typeof to === "string" && !(Number(id) >= 1 && Number(id) <= rowsOf(to).length)) broken.add(`${to} ${id}`);
    }
    expect([...broken]).toEqual([]);
  });

  it.each(batches)("of $type happen within the year before today, in the order of their ids", ({ type, rows }) => {
    for (const { created, modified } of rows) {
      expect(created >= "2025-03-14" && modified < today && modified >= created, `${created} ${modified}`).toBe(true);
    }
    if (type.startsWith("crm/")) {
      expect(rows.map(({ created }) => created)).toEqual(rows.map(({ created }) => created).sort());
    }
  });
});

describe("the demo's story", () => {
  const leads = rowsOf("crm/leads");
  const deals = rowsOf("crm/opportunities");

  it("brings most leads on working days, and more of them towards the end", () => {
    const weekend = (row: DemoRow) => [0, 6].includes(new Date(`${row.created.replace(" ", "T")}Z`).getUTCDay());
    expect(share(leads, weekend)).toBeLessThan(0.1);
    const late = share(leads, (row) => row.created > "2025-09-13");
    expect(late).toBeGreaterThan(0.52);
    expect(late).toBeLessThan(0.65);
  });

  it("converts leads of good sources more often", () => {
    const rate = (source: string) =>
      share(
        leads.filter((row) => row.source === source),
        (row) => row.status === "converted",
      );
    expect(rate("referral")).toBeGreaterThan(rate("web") * 1.5);
    expect(rate("web")).toBeGreaterThan(rate("social"));
    const all = share(leads, (row) => row.status === "converted");
    expect(all).toBeGreaterThan(0.07);
    expect(all).toBeLessThan(0.18);
  });

  it("ties a converted lead to a company, a person and mostly a deal that agree", () => {
    for (const lead of leads.filter((row) => row.status === "converted")) {
      const person = rowsOf("crm/peoples")[Number(lead.converted_person_id) - 1];
      const company = rowsOf("crm/companies")[Number(lead.converted_company_id) - 1];
      expect(person).toMatchObject({ name: lead.name, email: lead.email, company_id: company?.id });
      expect(company?.name).toBe(lead.company_name);
      if (lead.converted_opportunity_id !== null) {
        expect(deals[Number(lead.converted_opportunity_id) - 1]).toMatchObject({
          company_id: company?.id,
          person_id: person?.id,
        });
      }
    }
  });

  it("wins about a quarter of the deals that are closed, and gives reasons for the lost ones", () => {
    const closed = deals.filter((row) => row.closed !== null);
    const rate = share(closed, (row) => row.stage === "won");
    expect(rate).toBeGreaterThan(0.2);
    expect(rate).toBeLessThan(0.3);
    expect(deals.every((row) => (row.stage === "lost") === (row.lost_reason !== null))).toBe(true);
    expect(deals.length - closed.length).toBeGreaterThan(100);
  });

  it("has few large deals and many small ones, larger in larger industries", () => {
    const amounts = deals.map((row) => Number(row.amount));
    expect(amounts.reduce((sum, amount) => sum + amount, 0) / amounts.length).toBeGreaterThan(median(amounts) * 1.2);
    const industryOf = (row: DemoRow) => rowsOf("crm/companies")[Number(row.company_id) - 1]?.industry;
    const typical = (industry: string) =>
      median(deals.filter((row) => industryOf(row) === industry).map((row) => Number(row.amount)));
    expect(typical("energy")).toBeGreaterThan(typical("food"));
  });

  it("uses names with accents, and only domains that nobody can own", () => {
    expect(share(leads, (row) => /[^\p{ASCII}]/u.test(String(row.name)))).toBeGreaterThan(0.15);
    for (const row of [...leads, ...rowsOf("core/email_addresses")]) {
      expect(row.email).toMatch(/@[a-z0-9.]+(\.example|\.test|\.example\.com)$/);
    }
  });

  it("leaves work, remarks and news on the administrator's desk", () => {
    const mine = (type: string) => live(type).filter((row) => row.mine === "1");
    expect(mine("crm/leads").length).toBeGreaterThan(3);
    expect(mine("crm/opportunities").length).toBeGreaterThan(3);
    const told = mine("core/notifications");
    expect(told.length).toBeGreaterThan(8);
    expect(told.filter((row) => row.read_at === null)).toHaveLength(5);
    expect(new Set(told.map((row) => row.kind))).toContain("mention");
    expect(rowsOf("core/comments").filter((row) => String(row.body).includes("@{{administrator}}"))).toHaveLength(3);
  });

  it("keeps records that others refer to out of the recycle bin", () => {
    for (const type of ["crm/leads", "crm/peoples", "crm/opportunities"]) {
      const count = rowsOf(type).length - live(type).length;
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThan(rowsOf(type).length * 0.02);
    }
  });
});
