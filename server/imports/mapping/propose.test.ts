// Where the columns of files go that people have: exact names, other names, and names with slips in them.
import { describe, expect, test } from "vitest";
import { writeAll } from "../../../contract/texts/write.ts";
import type { Field } from "../../fields/field-type.ts";
import { localize } from "../../labels/localize.ts";
import { buildSnapshot, requireType } from "../../metadata/snapshot.ts";
import { builtInTypes } from "../../modules/index.ts";
import { testCaller } from "../../plan/column-fixture.ts";
import { fitsCells } from "./cells.ts";
import { proposeMapping, unimportable } from "./propose.ts";
import { similarField } from "./similar-name.ts";
import { targetsOf, whyNoTarget } from "./targets.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const wordings = [localize(snapshot, "de"), localize(snapshot, "zh")];
const caller = testCaller();
const habits = { dateOrder: "dmy", decimalSign: ",", dialect: { format: "csv" } } as Parameters<typeof fitsCells>[2];

function proposed(key: string, columns: readonly string[], last: ReadonlyMap<string, string> = new Map()) {
  const type = requireType(snapshot, key);
  const targets = targetsOf(snapshot, type, caller);
  return proposeMapping(snapshot, type, caller, columns, targets, last, wordings);
}

const targetOf = (key: string, column: string) => proposed(key, [column])[0];

describe("a column that is called like a field which can't be imported", () => {
  const why = (key: string, column: string, by = caller): string | undefined => {
    const type = requireType(snapshot, key);
    const path = unimportable(snapshot, type, by, wordings)(column);
    return path && writeAll([whyNoTarget(snapshot, type, by, path)], "en")[0];
  };

  test.each([
    ["crm/leads", "Created", "Created is filled in automatically and can't be imported"],
    ["crm/leads", "Erstellt", "Created is filled in automatically and can't be imported"],
    ["crm/leads", "leads.modified", "Modified is filled in automatically and can't be imported"],
    ["core/attachments", "File", "File holds files, which can't be imported. Add them to the records after the import"],
    ["crm/leads", "Full Name", "Full name is read-only"],
    ["crm/leads", "Last name", undefined],
    ["crm/leads", "Shoe size", undefined],
    ["crm/leads", "constructor", undefined],
  ])("%s: %s", (key, column, said) => expect(why(key, column)).toBe(said));

  test("what is unknown or hidden is not told apart", () => {
    const type = requireType(snapshot, "crm/leads");
    for (const path of ["nothing", "constructor", "addresses.1.nothing", "leads.nothing", ""])
      expect(writeAll([whyNoTarget(snapshot, type, caller, path)], "en")).toEqual([`${path} can't be imported`]);
  });
});

describe("a column by itself", () => {
  test.each([
    ["crm/leads", "First", "first_name", "name"],
    ["crm/leads", "Last", "last_name", "name"],
    ["crm/leads", "Given name", "first_name", "name"],
    ["crm/leads", "Email adress", "email", "similar"],
    ["crm/leads", "E-Mail Addresse", "email", "similar"],
    ["crm/leads", "Frist name", "first_name", "similar"],
    ["crm/leads", "Lats Name", "last_name", "similar"],
    ["crm/leads", "Campain", "campaign", "similar"],
    ["crm/leads", "Webiste", "website", "similar"],
    ["crm/leads", "Discription", "description", "similar"],
    ["crm/leads", "Anual revenu", "annual_revenue", "similar"],
    ["crm/leads", "Nächste Wiedervorlag", "next_follow_up", "similar"],
    ["crm/leads", "Phone number", "phone", "name"],
    ["crm/leads", "Cell", "mobile", "name"],
    ["crm/leads", "Company name", "company_name", "name"],
    ["crm/companies", "Company name", "name", "name"],
    ["crm/companies", "Billing city", "billing_address.city", "name"],
    ["crm/companies", "Biling city", "billing_address.city", "similar"],
    ["crm/companies", "Billing Adress (city)", "billing_address.city", "similar"],
  ])("%s: %s goes to %s", (key, column, target, by) => {
    expect(targetOf(key, column)).toEqual({ column, target, by });
  });

  test.each([
    ["too short to be a slip", "Cty"],
    ["short, and another word", "Scope"],
    ["another first letter", "Obile"],
    ["two letters off, and short", "Phoan"],
    ["another number", "Email 2"],
    ["a word that means nothing here", "Favourite color"],
    ["nothing", "  "],
    ["a name of the language", "constructor"],
    ["all of its children", "Addresses"],
    ["a very long text", `Email adress ${"x".repeat(5_000)}`],
  ])("%s goes nowhere", (_, column) => {
    expect(targetOf("crm/leads", column)).toEqual({ column, target: null, by: null });
  });

  test("a sign of Chinese is a word: another one is another field", () => {
    const label = localize(snapshot, "zh").types.get("crm/leads")?.field.get("annual_revenue")?.label ?? "";
    expect(targetOf("crm/leads", label)).toMatchObject({ target: "annual_revenue" });
    expect(targetOf("crm/leads", `${label.slice(0, -1)}数`)).toMatchObject({ target: null });
  });
});

describe("a name that is close", () => {
  test.each([
    ["County", "Country"],
    ["Country", "County"],
    ["Contact", "Contract"],
    ["Contact person", "Contract person"],
    ["Invoice", "Invoiced"],
    ["Invoiced date", "Invoice date"],
    ["Lead state", "Lead stage"],
    ["Lead state", "Lead status"],
    ["Employee", "Employer"],
    ["Planned cost", "Planned post"],
    ["Quality", "Quantity"],
    ["Industry", "Industrial"],
    ["Order number", "Orders number 2"],
  ])("%s is another word than %s", (column, name) => {
    const plain = (text: string): string => text.toLowerCase().replaceAll(" ", "");
    expect(similarField(plain(column), new Map([[plain(name), "field"]]))).toBeUndefined();
    expect(similarField(plain(name), new Map([[plain(column), "field"]]))).toBeUndefined();
  });

  test.each([
    ["contry", "country"],
    ["contarct", "contract"],
    ["invioce", "invoice"],
    ["leadstgae", "leadstage"],
    ["organisation", "organization"],
    ["quantitty", "quantity"],
  ])("%s is a slip of %s", (column, name) => {
    expect(similarField(column, new Map([[name, "field"]]))).toBe("field");
  });

  test("goes only where its cells make sense", () => {
    const type = requireType(snapshot, "crm/leads");
    const targets = targetsOf(snapshot, type, caller);
    const fitting = (column: string, cells: readonly string[]) =>
      proposeMapping(snapshot, type, caller, [column], targets, new Map(), wordings, (_, target) =>
        fitsCells(target, cells, habits, caller),
      )[0]?.target;
    expect(fitting("Anual revenu", ["1.000,50", "", "7"])).toBe("annual_revenue");
    expect(fitting("Anual revenu", ["rising", "falling", "7"])).toBeNull();
    // By its very name it goes there all the same: the save says what is wrong.
    expect(fitting("Annual revenue", ["rising"])).toBe("annual_revenue");
  });

  test("is the field's that has the name, not the one that is called so in another language", () => {
    const type = requireType(snapshot, "crm/leads");
    const called = (labels: Readonly<Record<string, string>>) => {
      const named = (field: Field): Field => ({ ...field, label: labels[field.name] ?? field.label });
      const field = new Map([...type.field].map(([name, each]) => [name, named(each)]));
      return { ...snapshot, types: new Map(snapshot.types).set(type.key, { ...type, field }) };
    };
    const [own, other] = [called({ campaign: "Promotion" }), called({ campaign: "Promotion", website: "Campaign" })];
    const targets = targetsOf(own, requireType(own, type.key), caller);
    const found = (column: string) =>
      proposeMapping(own, requireType(own, type.key), caller, [column], targets, new Map(), [other])[0]?.target;
    expect([found("Campaign"), found("Campain")]).toEqual(["campaign", "campaign"]);
  });
});

describe("columns together", () => {
  test("no two go to one field: who is called so comes first, then who is called so by some, then who is close", () => {
    const columns = ["Emial", "Email adress", "Mail", "Email"];
    expect(proposed("crm/leads", columns).map(({ target }) => target)).toEqual([null, null, null, "email"]);
    expect(proposed("crm/leads", ["Emial", "Email adress", "Mail"]).map(({ target }) => target)).toEqual([
      null,
      null,
      "email",
    ]);
    expect(proposed("crm/leads", ["Emial", "Emaill"]).map(({ target }) => target)).toEqual(["email", null]);
  });

  test("what was chosen last time comes before all of them", () => {
    const last = new Map([["First", "campaign"]]);
    expect(proposed("crm/leads", ["Campain", "First"], last)).toEqual([
      { column: "Campain", target: null, by: null },
      { column: "First", target: "campaign", by: "last" },
    ]);
  });

  test("children with a slip keep their numbers", () => {
    const found = proposed("crm/leads", ["Adresses 1: City", "Adresses 2: City", "Adresses 2: Zip"]);
    expect(found.map(({ target }) => target)).toEqual(["addresses.1.city", "addresses.2.city", "addresses.2.zip"]);
  });
});
