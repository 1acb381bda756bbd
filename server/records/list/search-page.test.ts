// Searches on a real database, by every way in which a page of them is found, held against a naive reading: loops over plain
// objects and what each caller sees of them. Random words, callers, columns and pages.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { runs } from "../../../test/runs.ts";
import { createAclDirectory } from "../../access/acl-directory.ts";
import type { Caller } from "../../access/caller.ts";
import { readPerson } from "../../access/read-caller.ts";
import { compile, sql } from "../../database/sql.ts";
import type { TextRows } from "../../database/text-rows.ts";
import { createUser } from "../../identity/create-user.ts";
import { buildSnapshot, requireType } from "../../metadata/snapshot.ts";
import { builtInTypes } from "../../modules/index.ts";
import { generatedView } from "../../plan/list-view.ts";
import { planList } from "../../plan/plan-list.ts";
import { withSets } from "../../plan/readable-plan.ts";
import { compilePage, fixedColumns, type ListShape, type PageRequest } from "../../query/compile-list.ts";
import { hasTrigram } from "../../query/search/kept-texts.ts";
import { createTrigramShares } from "../../query/search/trigram-shares.ts";
import { parseListParameters } from "../../request/list-parameters.ts";
import { rowValues } from "../read/row-values.ts";
import { insertRows } from "../save/insert-rows.ts";
import { lookUpNames, searchPage, withRareTrigrams } from "./search-page.ts";

const snapshot = buildSnapshot(builtInTypes, [], "test");
const peoples = requireType(snapshot, "crm/peoples");
const now = new Date("2026-02-28T12:00:00Z");

interface Company {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly description: string;
}

interface Person {
  readonly id: string;
  readonly key: string | null;
  readonly texts: Readonly<Record<"name" | "email" | "description" | "website", string | null>>;
  readonly city: string | null;
  readonly rating: "hot" | "cold" | null;
  readonly score: number | null;
  readonly birthday: string | null;
  readonly company: Company | null;
  readonly owner: { readonly id: string; readonly name: string };
}

const vocabulary = [
  "Zoë Stone",
  "zoe",
  "Ångström",
  "cold brew",
  "ΟΔΟΣ",
  "a_b 100%",
  "Maria Copper",
  "42",
  "Ada",
  "hot",
];
const pieces = [
  "zo",
  "stone",
  "ang",
  "COLD",
  "οδοσ",
  "σ",
  "%",
  "_b",
  "aria",
  "copp",
  "42",
  "ada",
  "a",
  "hot",
  "2024-02-29",
];
const more = ["nowhere", "---", "..", "bergmann", "test", "maria", "100%", "o", "vault"];

let database: TestDatabase;
let people: readonly Person[];
let callers: readonly { readonly caller: Caller; readonly seesEmail: boolean; readonly companies: "all" | "own" }[];

beforeAll(async () => {
  database = await testDatabase("prepared");
  const { db } = database;
  const organization = (await db.row(sql`select id::text as id from access_controls__organizations`))?.id ?? "";
  await db.transaction(async (transaction) => {
    const roles = await transaction.rows(sql`select id::text as id, code from access_controls__roles`);
    const role = (code: string) => roles.find((one) => one.code === code)?.id ?? "";
    const user = async (firstName: string, code: string) => ({
      id: await createUser(transaction, snapshot, organization, {
        userName: firstName.toLowerCase(),
        firstName,
        lastName: "Bergmann",
        roleIds: [role(code)],
      }),
      name: `${firstName} Bergmann`,
    });
    const insert = (key: string, rows: readonly Readonly<Record<string, unknown>>[]) => {
      const type = requireType(snapshot, key);
      const values = rows.map((wire) => rowValues(type, wire, { locale: "en-US", timeZone: "UTC" }).columns);
      return insertRows(transaction, snapshot, type, organization, values);
    };
    const users = [await user("Maria", "sales_rep"), await user("Ada", "sales_rep")];
    const blind = await user("Tove", "read_only");
    const owners = { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] };
    const all = { ...owners, read: ["organization"] };
    await insert("access_controls/policies", [
      { record_type: "crm/companies", policy: JSON.stringify(owners) },
      { record_type: "crm/peoples", policy: JSON.stringify(all) },
    ]);
    await transaction.run(sql`
      insert into access_controls__role_fields (organization_id, role_id, record_type, field, permission, acl_id)
      select 1, id, 'crm/peoples', 'email', 1, acl_id from access_controls__roles where organization_id = 1 and code = 'read_only'`);
    const some = fc.option(fc.constantFrom(...vocabulary), { nil: null });
    const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T; // never empty
    const companies = fc
      .sample(fc.tuple(fc.constantFrom(...vocabulary), fc.constantFrom(...vocabulary, "Vault 7")), {
        numRuns: 20,
        seed: 1,
      })
      .map(([name, description], index) => ({ name, description, owner: at(users, index).id }));
    const companyIds = await insert(
      "crm/companies",
      companies.map(({ owner, ...wire }) => ({ ...wire, owned_by: owner })),
    );
    const made = fc.sample(
      fc.record({
        name: some,
        email: fc.option(fc.constantFrom("zoe@stone.example", "ada@test.example"), { nil: null }),
        description: some,
        website: fc.option(fc.constantFrom("https://copper.example/a", "https://ada.example/"), { nil: null }),
        city: some,
        rating: fc.constantFrom("hot", "cold", null),
        score: fc.constantFrom(42, 7, null),
        birthday: fc.constantFrom("2024-02-29", "1999-12-31", null),
        company: fc.nat(30),
        owner: fc.nat(1),
      }),
      { numRuns: 150, seed: 2 },
    );
    const ids = await insert(
      "crm/peoples",
      made.map(({ company, owner, city, score, ...wire }) => ({
        ...wire,
        last_name: "Test",
        score: score === null ? null : String(score),
        mailing_address: { city },
        company_id: companyIds[company] ?? null,
        owned_by: at(users, owner).id,
      })),
    );
    const stored = await transaction.rows(sql`select id::text as id, business_key from crm__peoples`);
    const keys = new Map(stored.map(({ id, business_key: key }) => [id, key]));
    people = made.map(({ name, email, description, website, company, owner, ...wire }, index) => {
      const own = companies[company];
      return {
        ...wire,
        id: ids[index] ?? "",
        key: keys.get(ids[index] ?? "") ?? null,
        texts: { name, email, description, website },
        company: own ? { ...own, id: companyIds[company] ?? "" } : null,
        owner: at(users, owner),
      };
    });
    const admin = await transaction.row(
      sql`select id::text as id from access_controls__users where user_name = 'admin'`,
    );
    const act = async (id: string): Promise<Caller> => {
      const person = await readPerson(transaction, organization, id);
      if (!person) throw new Error("nobody");
      return { ...person, credential: { kind: "session", sessionId: "s" } };
    };
    callers = [
      { caller: await act(admin?.id ?? ""), seesEmail: true, companies: "all" },
      { caller: await act(users[0]?.id ?? ""), seesEmail: true, companies: "own" },
      { caller: await act(blind.id), seesEmail: false, companies: "own" },
    ];
  });
});
afterAll(() => database.close());

/** Only of what the vocabulary has. */
const folded = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ");
const isIn = (text: string | null | undefined, word: string): boolean =>
  text != null && folded(text).includes(folded(word));

type Viewer = (typeof callers)[number];
const readable = ({ caller, companies }: Viewer, company: Company | null): Company | null =>
  company && (companies === "all" || company.owner === caller.userId) ? company : null;

/** What a list shows of a person in each column, as far as a word can stand in it. */
const columns: Readonly<Record<string, (person: Person, viewer: Viewer, word: string) => boolean>> = {
  "peoples.name": () => false, // searchable, so it is looked into in any case
  "peoples.description": ({ texts }, _, word) => isIn(texts.description, word),
  "peoples.website": ({ texts }, _, word) => isIn(texts.website, word),
  "peoples.mailing_address": ({ city }, _, word) => isIn(city, word),
  "peoples.mailing_address_city": ({ city }, _, word) => isIn(city, word),
  "peoples.rating": ({ rating }, _, word) => isIn(rating, word),
  "peoples.score": ({ score }, _, word) => score !== null && String(score) === word,
  "peoples.birthday": ({ birthday }, _, word) => birthday === word,
  "peoples.owned_by": ({ owner }, _, word) => isIn(owner.name, word),
  "peoples.company_id": ({ company }, viewer, word) => isIn(readable(viewer, company)?.name, word),
  "peoples.company.description": ({ company }, viewer, word) => isIn(readable(viewer, company)?.description, word),
};

function holds(person: Person, viewer: Viewer, words: readonly string[], shown: readonly string[]): boolean {
  const { name, email } = person.texts;
  const kept = [name, person.key, "Test", ...(viewer.seesEmail ? [email] : [])];
  return words.every(
    (word) => kept.some((text) => isIn(text, word)) || shown.some((column) => columns[column]?.(person, viewer, word)),
  );
}

const share = fc.double({ min: 1e-6, max: 1, noNaN: true });

const asked = fc.record({
  who: fc.nat(2),
  words: fc.uniqueArray(fc.constantFrom(...pieces, ...more), { minLength: 1, maxLength: 3 }),
  shown: fc.uniqueArray(fc.constantFrom(...Object.keys(columns)), { minLength: 1 }),
  limit: fc.integer({ min: 1, max: 12 }),
  byId: fc.boolean(),
  /** How large the table is said to be: small ones are searched in one go. */
  all: fc.constantFrom(100, 1_000_000),
  /** How common what a word is made of is said to be; undefined: not known. */
  shares: fc.option(fc.record({ of: fc.func(share), organization: share, rows: fc.constant(1_000_000) }), {
    nil: undefined,
  }),
  mine: fc.constantFrom(1, 1_000_000),
});

test("every page of a search is what a naive reading gives, whichever way it is found", async () => {
  const directory = createAclDirectory(database.db);
  await fc.assert(
    fc.asyncProperty(asked, async ({ who, words, shown, limit, byId, all, mine, shares }) => {
      const viewer = callers[who] as Viewer; // one of three
      const { caller } = viewer;
      const scope = { snapshot, type: peoples, caller, now };
      const sent = {
        q: JSON.stringify({ fields: shown }),
        search_basic: words.join(" "),
        limit: String(limit),
        sort: byId ? "peoples.id" : "peoples.created",
        dir: "DESC",
      };
      const listed = planList(scope, generatedView(peoples), parseListParameters(sent));
      const lookedUp = await lookUpNames(database.db, withSets(listed, await directory.view(caller, peoples)));
      const counts = { all, mine: Math.min(all, mine) };
      const plan = withRareTrigrams(lookedUp.plan, shares, counts);
      const expected = people
        .filter((person) => holds(person, viewer, words, shown))
        .map(({ id }) => id)
        .sort((a, b) => Number(b) - Number(a));
      const run = (shape: ListShape, page: PageRequest) => database.db.bytes(compilePage(plan, shape, page, []));
      const given: (string | null)[] = [];
      for (let offset = 0; ; offset += limit) {
        const { rows, total } = await searchPage(run, plan, counts, { offset, limit });
        for (let row = 0; row < rows.length; row += 1) given.push(rows.text(row, fixedColumns.id));
        if (total !== undefined) expect(total).toBe(expected.length);
        if (rows.length < limit) break;
      }
      expect(given).toEqual(expected);
    }),
    { numRuns: runs(60) },
  );
});

test("pages go on after the row that was seen last, forwards and back", async () => {
  const directory = createAclDirectory(database.db);
  for (const { caller } of callers) {
    const scope = { snapshot, type: peoples, caller, now };
    const listed = planList(scope, generatedView(peoples), parseListParameters({ search_basic: "test", limit: "10" }));
    const plan = withSets(listed, await directory.view(caller, peoples));
    const run = (shape: Parameters<typeof compilePage>[1], page: PageRequest) =>
      database.db.bytes(compilePage(plan, shape, page, []));
    const counts = { all: 1_000_000, mine: 1_000_000 };
    const ids = async (page: PageRequest) => {
      const { rows } = await searchPage(run, plan, counts, page);
      return Array.from({ length: rows.length }, (_, row) => ({
        id: rows.text(row, fixedColumns.id),
        created: rows.text(row, fixedColumns.created),
      }));
    };
    const first = await ids({ offset: 0, limit: 10 });
    const second = await ids({ offset: 10, limit: 10 });
    const edge = (one: (typeof first)[number] | undefined) => [one?.created ?? null, one?.id ?? null];
    expect(await ids({ offset: 0, limit: 10, boundary: { values: edge(first[9]), side: "after" } })).toEqual(second);
    const back = await ids({ offset: 0, limit: 10, boundary: { values: edge(second[0]), side: "before" } });
    expect(back.toReversed()).toEqual(first);
  }
});

test("a page that the newest rows do not fill is looked for among the others", async () => {
  const [{ caller }] = callers as readonly [Viewer];
  const scope = { snapshot, type: peoples, caller, now };
  const listed = planList(scope, generatedView(peoples), parseListParameters({ search_basic: "test", limit: "10" }));
  const plan = withSets(listed, await createAclDirectory(database.db).view(caller, peoples));
  // Of rows only how many there are, and what was counted along.
  const rowsOf = (length: number) => ({ length, text: () => "42" }) as unknown as TextRows;
  const run = async (shape: ListShape) => rowsOf(shape === "collect" ? 10 : 3);
  const { rows, total } = await searchPage(run, plan, { all: 1e6, mine: 1e6 }, { offset: 0, limit: 10 });
  expect([rows.length, total]).toEqual([10, 42]);
});

test("all words are one condition of the index, also where the list shows long texts and people", async () => {
  const { db } = database;
  const [{ caller }] = callers as readonly [Viewer];
  const scope = { snapshot, type: peoples, caller, now };
  const fields = [
    "peoples.name",
    "peoples.website",
    "peoples.mailing_address",
    "peoples.description",
    "peoples.owned_by",
  ];
  const sent = { q: JSON.stringify({ fields }), search_basic: "nowhere vaulted" };
  const listed = planList(scope, generatedView(peoples), parseListParameters(sent));
  const directory = createAclDirectory(db);
  const { plan } = await lookUpNames(db, withSets(listed, await directory.view(caller, peoples)));
  const { text } = compile(compilePage(plan, "collect", { offset: 0, limit: 50 }, []));
  expect(text.match(/"r"\."search_text" like/gu)).toHaveLength(2);
  expect(text).not.toContain(" or ");
});

test("the index is asked for the rare trigrams of the words, and the words decide", async () => {
  const [{ caller }] = callers as readonly [Viewer];
  const scope = { snapshot, type: peoples, caller, now };
  const listed = planList(scope, generatedView(peoples), parseListParameters({ search_basic: "nowhere vaulted" }));
  const { plan } = await lookUpNames(
    database.db,
    withSets(listed, await createAclDirectory(database.db).view(caller, peoples)),
  );
  const rare = withRareTrigrams(
    plan,
    { of: (trigram) => (trigram === "owh" ? 1e-6 : 0.2), organization: 1, rows: 1e6 },
    { all: 1e6, mine: 1e6 },
  );
  const { text, values } = compile(compilePage(rare, "collect", { offset: 0, limit: 50 }, []));
  expect(text.match(/"r"\."search_text" like/gu)).toHaveLength(1);
  expect(values).toEqual(expect.arrayContaining(["owh", "nowhere", "vaulted"]));
  // The rows of the organization are the whole table: they are not looked up as well.
  expect(text).toContain(`("r"."organization_id" = $1::bigint) is true`);
});

test.each([
  ["rare", 1e-6, ["collect"]],
  ["common", 0.2, ["recent", "collect"]],
] as const)("words that are %s in the table are looked for where they are found soonest", async (_, share, shapes) => {
  const [{ caller }] = callers as readonly [Viewer];
  const scope = { snapshot, type: peoples, caller, now };
  const sent = parseListParameters({ search_basic: "nowhere vaulted", limit: "10" });
  const view = await createAclDirectory(database.db).view(caller, peoples);
  const listed = await lookUpNames(database.db, withSets(planList(scope, generatedView(peoples), sent), view));
  const live = { all: 1e6, mine: 1e6 };
  const plan = withRareTrigrams(listed.plan, { of: () => share, organization: 1, rows: 1e6 }, live);
  const asked: ListShape[] = [];
  const run = async (shape: ListShape) => {
    asked.push(shape);
    return { length: shape === "collect" ? 10 : 0, text: () => "10" } as unknown as TextRows;
  };
  await searchPage(run, plan, live, { offset: 0, limit: 10 });
  expect(asked).toEqual(shapes);
});

test("how common trigrams are comes from the table's own texts, and only for large ones", async () => {
  const rows = 20_000;
  await database.db.run(sql`analyze crm__peoples`);
  const shares = createTrigramShares(database.db, rows);
  expect(shares.of(peoples, rows - 1)).toBeUndefined();
  expect(shares.of({ ...peoples, isSearchFilling: true }, rows)).toBeUndefined();
  await shares.settled();
  expect(shares.of(peoples, rows)).toBeUndefined();
  await shares.settled();
  const known = shares.of(peoples, rows);
  const having = (text: string) => people.filter(({ texts }) => isIn(texts.name, text)).length;
  expect(known?.of("tes")).toBe(1);
  expect(known?.of("opp")).toBeGreaterThanOrEqual(having("opp") / people.length);
  expect(known?.of("qqq")).toBeLessThan(1 / people.length);
});

test.each([
  ["abc", true],
  ["ab", false],
  ["ß", false],
  ["ab-", true],
  ["-ab", true],
  ["-a", true],
  ["a-", false],
  ["---", false],
  ["a.b", true],
  ["+49", true],
  ["漢", false],
])("%s has something that the index of words can find: %s", (word, expected) => {
  expect(hasTrigram(word)).toBe(expected);
});
