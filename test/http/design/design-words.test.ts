// Designs with words of their own: translations come along and are taken back one by one, and modules that share a key stay apart.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { parseDesign } from "../../../server/designs/design-files.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
});
afterAll(() => service.stop());

const post = (operation: string, body: object) => service.post(`/metadata/designs/${operation}.json`, body, admin);
const exported = async (query = ""): Promise<string> =>
  (await service.get(`/metadata/designs/export.json${query}`, admin)).body.data.design;
interface Planned {
  readonly kind: string;
  readonly action: string;
  readonly changes: readonly { readonly path: string; readonly to: string | null }[];
}
const changing = (body: { data: { plan: { items: readonly Planned[] } } }): readonly Planned[] =>
  body.data.plan.items.filter(({ action }) => action !== "unchanged");
const designOf = (name: string, files: object) => JSON.stringify({ format: "dossier-design", version: 1, name, files });
const applied = async (design: string) => expect((await post("apply", { design })).body.errors).toEqual([]);

describe("translations", () => {
  type Words = Readonly<Record<string, string | null>>;
  const labelsOf = (words: Words) => Object.entries(words).map(([label, translation]) => ({ label, translation }));
  const german = (words: Words) => ({ "translations/de.json": { language: "de", labels: labelsOf(words) } });
  const translate = (words: Words, token = admin) =>
    service.post("/core/translations/translate.json", { language: "de", labels: labelsOf(words) }, token);
  const translated = async (words: Words) => expect((await translate(words)).body.errors).toEqual([]);
  interface Wording {
    readonly label: string;
    readonly kind: string;
    readonly of: string | null;
    readonly translation: string | null;
    readonly shipped: string | null;
    readonly suggested: string | null;
    readonly is_too_long: 0 | 1;
  }
  const wording = async (query = ""): Promise<readonly Wording[]> =>
    (await service.get(`/core/translations/wording.json?language=de${query}`, admin)).body.data.labels;
  const stored = async (): Promise<Words> => {
    const { body } = await service.get("/core/translations/index.json?limit=50", admin);
    return Object.fromEntries(
      body.paginate.data.map((row: Record<string, string>) => [
        row["translations.label"],
        row["translations.translation"],
      ]),
    );
  };
  const wordsIn = (design: string): Words => {
    const item = parseDesign(design).items.find(({ kind }) => kind === "translations");
    const labels = (item?.content.labels ?? []) as readonly { readonly label: string; readonly translation: string }[];
    return Object.fromEntries(labels.map(({ label, translation }) => [label, translation]));
  };

  test("come along, tell which labels have none, and only the design's own are taken back", async () => {
    const missing = async () =>
      (await wording()).filter(({ translation, shipped }) => translation === null && shipped === null);
    expect(await missing()).toEqual([]);
    const design = designOf("Fleet", {
      "record_types/fleet.vans.json": {
        ...{ module: "fleet", controller: "vans", label: "Van", plural: "Vans", displayField: "plate" },
        access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
        fields: [
          { name: "plate", label: "Plate", type: "short-text", required: true, help: "As on\nthe  bumper" },
          { name: "fuel", type: "choice", settings: { options: [{ value: "d", label: "Diesel fuel" }] } },
        ],
      },
      ...german({ Van: "Transporter", Plate: "Kennzeichen" }),
    });
    await translated({ Lead: "Anfrage" });
    await applied(design);
    expect(changing((await post("plan", { design })).body)).toEqual([]);
    const open = (await missing()).map((one) => `${one.kind} ${one.label}`);
    expect(open).toEqual([
      "type Vans",
      "help As on the bumper",
      "field Fuel",
      "option Diesel fuel",
      "navigation Fleet",
    ]);
    const inGerman = { authorization: `Bearer ${admin}`, "x-language": "de" };
    // A text of many lines is one label in one line, whoever writes it.
    for (const label of ["As on the bumper", "As on\nthe  bumper"]) {
      const translation = `Wie am Auto (${label.length})`;
      await translated({ [label]: translation });
      expect((await wording()).find(({ kind, of }) => kind === "help" && of === "Plate")).toMatchObject({
        label: "As on the bumper",
        translation,
      });
      const form = await fetch(`${service.url}/fleet/vans/add.json`, { headers: inGerman });
      expect(await form.text()).toContain(translation);
    }
    // A text that is too long to be translated is not kept quiet about.
    const long = "x".repeat(501);
    const section = { section: "About", elements: [{ field: "plate", help: long }] };
    const definition = JSON.stringify({ sections: [section] });
    const forms = { controller: "fleet/vans", name: "Van", definition };
    const form = await service.post("/core/forms/add.json", { data: { forms, action: { save_progress: "1" } } }, admin);
    expect(form.body.errors).toEqual([]);
    expect((await missing()).filter((one) => one.is_too_long === 1).map(({ label }) => label)).toEqual([long]);
    await service.post(`/core/forms/delete.json?id=${form.body.id}&is_confirm=1`, {}, admin);
    // Only who says so takes a translation away.
    const misspelt = { language: "de", labels: [{ label: "Van", translaton: "Bus" }] };
    expect(await service.post("/core/translations/translate.json", misspelt, admin)).toMatchObject({
      status: 400,
      body: { error_code: "malformed_parameter" },
    });
    const none = await service.post("/core/translations/translate.json", { language: "de", labels: [] }, admin);
    expect(none.body.errors).toEqual(["labels: is required"]);
    // Nothing is tidied that is far too long.
    const blanks = await translate({ Van: `Bus${" ".repeat(20_000)}chen` });
    expect(blanks.body.errors).toEqual(["translation: must have at most 500 characters"]);
    await translated({ "As on the bumper": null });
    expect((await missing()).map((one) => `${one.kind} ${one.label}`)).toEqual(open);
    // What ships is not missing in English.
    const english: readonly Wording[] = (await service.get("/core/translations/wording.json?language=en", admin)).body
      .data.labels;
    expect(english.filter(({ shipped }) => shipped === null).map(({ label }) => label)).toEqual(
      expect.arrayContaining(["Van", "Plate"]),
    );
    expect(english.find(({ label }) => label === "All leads")).toMatchObject({ shipped: "All leads" });
    await translated({ Vans: "Transporter", "Diesel fuel": "Diesel", Plate: null, Fuel: "Treibstoff", Fleet: "Fuhre" });
    expect((await wording("&controller=fleet/vans")).find(({ label }) => label === "Vans")).toMatchObject({
      translation: "Transporter",
      kind: "type",
    });
    // Labels that nobody wrote, and the module's own, are among those of a module; own words for what ships too.
    expect(wordsIn(await exported("?modules=fleet"))).toEqual({
      ...{ "Diesel fuel": "Diesel", Fleet: "Fuhre", Fuel: "Treibstoff", Van: "Transporter", Vans: "Transporter" },
    });
    expect(wordsIn(await exported("?modules=crm"))).toEqual({ Lead: "Anfrage" });
    // It is the same whatever language it is asked for in.
    const asked = await fetch(`${service.url}/metadata/designs/export.json?modules=fleet`, { headers: inGerman });
    expect(((await asked.json()) as { data: { design: string } }).data.design).toBe(await exported("?modules=fleet"));
    // Whoever is no administrator neither reads nor writes them.
    expect((await service.get("/core/translations/wording.json?language=de", rep.token)).status).toBe(403);
    expect((await translate({ Van: "x" }, rep.token)).status).toBe(403);
    // Plate is the design's own, and somebody took it away.
    expect((await post("rollback", {})).status).toBe(409);
    expect((await post("rollback", { override: "1" })).body.errors).toEqual([]);
    expect(Object.keys(await stored()).sort()).toEqual(["Diesel fuel", "Fleet", "Fuel", "Lead", "Vans"]);
  });

  test("of one's own are not translated by what ships, which is suggested", async () => {
    const type = {
      ...{ module: "fleet", controller: "loans", label: "Loan", plural: "Loans", displayField: "name" },
      access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
      fields: [
        { name: "name", label: "Name of it", type: "short-text" },
        { name: "rate", label: "Rate", type: "decimal" },
      ],
    };
    await applied(designOf("Loans", { "record_types/fleet.loans.json": type }));
    const rate = (await wording("&controller=fleet/loans")).find(({ label }) => label === "Rate");
    expect(rate).toMatchObject({ translation: null, shipped: null, suggested: "Kurs" });
    const shipped = (await wording("&controller=masters/exchange_rates")).find(({ label }) => label === "Rate");
    expect(shipped).toMatchObject({ translation: null, shipped: "Kurs", suggested: null });
    expect((await post("rollback", {})).body.errors).toEqual([]);
  });

  test("that somebody else changed since are no reason against a rollback, and stay", async () => {
    await translated({ Company: "Firma" });
    const before = await stored();
    await applied(designOf("Words", german({ Vans: "Lieferwagen", Contact: "Mensch" })));
    await translated({ Lead: "Interessent", Company: null, Deal: "Handel" });
    expect((await post("rollback", {})).body.errors).toEqual([]);
    const { Company: _, ...rest } = before;
    expect(await stored()).toEqual({ ...rest, Lead: "Interessent", Deal: "Handel" });
  });

  test("of labels that are called like parts of an object come along", async () => {
    const options = ["constructor", "prototype", "toString", "__proto__"].map((label, at) => ({
      value: `v${at}`,
      label,
    }));
    await applied(
      designOf("Parts", {
        "record_types/code.parts.json": {
          ...{ module: "code", controller: "parts", label: "Part", plural: "Parts", displayField: "name" },
          access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
          fields: [
            { name: "name", type: "short-text" },
            { name: "kind", type: "choice", settings: { options } },
          ],
        },
      }),
    );
    const list = options.map(({ label }) => ({ label, translation: `${label} de` }));
    const file = (labels: readonly object[]) =>
      designOf("Parts", { "translations/de.json": { language: "de", labels } });
    expect(changing((await post("plan", { design: file(list) })).body)).toHaveLength(1);
    await applied(file(list));
    const words = new Map((await wording("&controller=code/parts")).map((one) => [one.label, one.translation]));
    for (const { label, translation } of list) expect(words.get(label)).toBe(translation);
    // A language that is only here is nobody else's.
    await service.db.run(sql`update core__translations set language = 'pt' where label = 'Fuel'`);
    const design = await exported("?modules=code");
    expect(parseDesign(design).items.find(({ kind }) => kind === "translations")?.content.labels).toEqual(
      list.toSorted((one, other) => (one.label < other.label ? -1 : 1)),
    );
    expect(changing((await post("plan", { design })).body)).toEqual([]);
    expect(changing((await post("plan", { design: await exported() })).body)).toEqual([]);
    const other = list.map((one) => (one.label === "toString" ? { ...one, translation: "als Text" } : one));
    expect(changing((await post("plan", { design: file(other) })).body)).toMatchObject([
      { kind: "translations", changes: [{ path: "labels.toString.translation", to: "als Text" }] },
    ]);
  });

  test.each([
    ["more labels than an organization can have", Array.from({ length: 5_001 }, (_, at) => `Label ${at}`)],
    ["a label twice", ["Van one", "Van\n one "]],
  ])("with %s are refused", async (_what, labels) => {
    const content = { language: "de", labels: labels.map((label) => ({ label, translation: "x" })) };
    const { status, body } = await post("plan", { design: designOf("X", { "translations/de.json": content }) });
    expect([status, body.errors[0]]).toEqual([400, expect.stringContaining("labels")]);
  });
});

describe("modules", () => {
  const moduleFile = (name: string, label: string, more: object = {}) => ({
    [`navigation/${name}.json`]: { name, label, is_active: true, hidden_for: [], entries: [], ...more },
  });
  const own = async (): Promise<string[][]> => {
    const { modules } = (await service.get("/development_base/menus/navigation.json", admin)).body.data;
    return modules
      .filter(({ name }: { name: string }) => name.startsWith("module"))
      .map(({ name, label }: Record<string, string>) => [name, label]);
  };

  test("of the same key and another name leave the one that is here", async () => {
    for (const label of ["仓库", "Theirs"]) {
      const design = designOf(label, moduleFile("module", label));
      await applied(design);
      expect(changing((await post("plan", { design })).body)).toEqual([]);
    }
    expect(await own()).toEqual([
      ["module", "仓库"],
      ["module_theirs", "Theirs"],
    ]);
  });

  test("never get the key of another one of the design", async () => {
    const design = designOf("Trade", { ...moduleFile("module", "销售"), ...moduleFile("module_2", "采购") });
    await applied(design);
    expect(Object.fromEntries(await own())).toEqual({
      ...{ module: "仓库", module_2: "采购", module_3: "销售", module_theirs: "Theirs" },
    });
    expect(changing((await post("plan", { design })).body)).toEqual([]);
  });

  test("get their name back by a rollback", async () => {
    const count = (await own()).length;
    await applied(designOf("Icon", moduleFile("module", "仓库", { icon: "star" })));
    await service.db.run(sql`update development_base__modules set label = 'Store' where name = 'module'`);
    expect((await post("rollback", { override: "1" })).body.errors).toEqual([]);
    const after = await own();
    expect([after.length, after.find(([name]) => name === "module")]).toEqual([count, ["module", "仓库"]]);
  });
});
