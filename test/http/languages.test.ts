// The same wrong request in English, in Arabic and in a language that nobody here speaks: the codes and parameters are the
// same, the sentences are the reader's. Emails are written in the language of whom they are for.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generatedViewId } from "../../contract/generated-view.ts";
import { sql } from "../../server/database/sql.ts";
import { shippedLabels } from "../../server/labels/shipped-labels.ts";
import { testDatabase } from "../database.ts";
import { type MailServer, startMailServer } from "../mail/mail-server.ts";
import { type Answer, startService, type TestService } from "../service.ts";
import { until } from "../until.ts";
import { addPerson, addRows, type Person } from "./people.ts";

const ARABIC = /\p{Script=Arabic}/u;

let mailServer: MailServer;
let service: TestService;
let english: Person;
let arabic: Person;
let marketer: Person;
let nobodysLanguage: Person;

const speak = (locale: string | null, person: Person) =>
  service.db.run(sql`
    update access_controls__users set locale = ${locale} where organization_id = 1 and id = ${person.id}::bigint`);

beforeAll(async () => {
  mailServer = await startMailServer();
  service = await startService({ SMTP_URL: mailServer.url });
  english = await addPerson(service, "english", ["administrator"]);
  arabic = await addPerson(service, "arabic", ["administrator"]);
  nobodysLanguage = await addPerson(service, "klingon", ["administrator"]);
  marketer = await addPerson(service, "marketer", ["marketing"]);
  await speak("ar-EG", arabic);
  await speak("ar-EG", marketer);
  await speak("is-IS", nobodysLanguage);
  for (const person of [english, arabic]) {
    await addRows(service, "core/email_addresses", [
      {
        related_type: "access_controls/users",
        related_id: person.id,
        email: `${person.id}@x.example`,
        is_primary: "1",
      },
    ]);
  }
  // Whoever is known is read anew.
  await service.db.run(sql`select pg_notify('dossier_access', '1')`);
  const refused = async () => (await asked(`/crm/leads/view.json?id=999999`, arabic.token)).body.errors[0];
  await until(async () => ARABIC.test(await refused()));
});
afterAll(async () => {
  await service.stop();
  await mailServer.stop();
});

const asked = async (path: string, token?: string, headers: Record<string, string> = {}): Promise<Answer> => {
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(service.url + path, { headers: { ...bearer, ...headers } });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

const lead = (values: object) => ({ data: { leads: values, action: { save_progress: "Save" } } });

const thing = {
  module: "lab",
  controller: "things",
  label: "Thing",
  plural: "Things",
  displayField: "name",
  access: { read: ["everyone"], edit: ["owner"], delete: ["owner"], comment: ["everyone"] },
};

const design = (more: object, token: string, headers: Record<string, string>) => {
  const definition = JSON.stringify({ ...thing, ...more });
  return service.post("/metadata/record_types/save.json", { definition }, token, headers);
};

const added = (key: string, values: object, token: string, headers: Record<string, string>) =>
  service.post(
    `/${key}/add.json`,
    { data: { [key.split("/")[1] ?? ""]: values, action: { save_progress: "Save" } } },
    token,
    headers,
  );

const form = (definition: object, token: string, headers: Record<string, string>) =>
  added("core/forms", { name: "F", controller: "crm/leads", definition: JSON.stringify(definition) }, token, headers);

const workflow = (definition: object, token: string, headers: Record<string, string>) =>
  added(
    "core/workflows",
    { name: "W", controller: "crm/companies", definition: JSON.stringify(definition) },
    token,
    headers,
  );

/** What is wrong, how it is sent, and what it is in English. */
const failures: readonly [string, (token: string, headers: Record<string, string>) => Promise<Answer>, RegExp][] = [
  [
    "values that do not fit",
    (token, headers) =>
      service.post("/crm/leads/add.json", lead({ email: "ada", score: "1.5", nonsense: "1" }), token, headers),
    /Email must be a valid email address/,
  ],
  [
    "a record that is not there",
    (token, headers) => asked("/crm/leads/view.json?id=999999", token, headers),
    /Lead not/,
  ],
  [
    "a query that is none",
    (token, headers) => asked("/crm/leads/index.json?q=%7B", token, headers),
    /could not be read/,
  ],
  [
    "an operator that does not fit",
    (token, headers) =>
      asked(
        `/crm/leads/index.json?q=${encodeURIComponent('{"where":{"score":{"op":"contains","value":"1"}}}')}`,
        token,
        headers,
      ),
    /contains doesn't work with/,
  ],
  [
    "many records, none of which can be changed",
    (token, headers) =>
      service.post("/crm/leads/edit_selected.json", { ids: "999999", data: { leads: { city: "A" } } }, token, headers),
    /No records were changed/,
  ],
  [
    "a deletion that nobody confirmed",
    async (token, headers) => {
      const added = await service.post("/crm/leads/add.json", lead({ last_name: "Gone" }), token);
      return asked(`/crm/leads/delete.json?id=${added.body.id}`, token, headers);
    },
    /Nothing was deleted/,
  ],
  [
    "a wrong password",
    (token, headers) =>
      service.post(
        "/access_controls/users/change_password.json",
        { data: { users: { old_password: "wrong", user_password: "short", confirm_password: "other" } } },
        token,
        headers,
      ),
    /Incorrect password/,
  ],
  [
    "a record type whose design is wrong",
    (token, headers) =>
      design({ label: " ", fields: [{ name: "Size", type: "colour", permission: 3, x: 1 }] }, token, headers),
    /^fields\.0\.permission: must be 0, 1, 2 or 4$/m,
  ],
  [
    "a record type that does not hold together",
    (token, headers) =>
      design(
        {
          displayField: "title",
          fields: [
            { name: "created", type: "date" },
            { name: "other", type: "reference", settings: { to: "lab/nowhere" } },
            { name: "kind", type: "choice", settings: { options: [{ value: "a;b", label: " a" }] } },
            { name: "size", type: "integer", settings: { min: 2, max: 1 } },
            { name: "count", type: "integer", initial: "many" },
          ],
          associations: [{ kind: "has-many", name: "parts", type: "crm/leads", via: "thing_id" }],
        },
        token,
        headers,
      ),
    /^fields\.kind\.settings\.options\.0\.label: must be one line of 1 to 200 characters/m,
  ],
  [
    "a form whose shape is wrong",
    (token, headers) => form({ sections: [{ section: "", columns: 9, elements: [{ field: 7 }] }] }, token, headers),
    /^Definition sections\.0\.elements\.0: must be a valid field, grid or related element$/m,
  ],
  [
    "a form that names what is not there",
    (token, headers) => {
      const elements = [{ field: "nonsense" }, { field: "city", if_condition: "city =" }, { grid: "none" }];
      return form({ sections: [{ section: "A", elements }] }, token, headers);
    },
    /^Definition city: couldn't read the condition: expected a field or a value at the end$/m,
  ],
  [
    "a workflow whose shape is wrong",
    (token, headers) => workflow({ stages: [{ key: "A b", name: "", actors: ["anybody"] }] }, token, headers),
    /^Definition stages\.0\.actors\.0: must be owner, owner_manager/m,
  ],
  [
    "a workflow that cannot work",
    (token, headers) =>
      workflow(
        {
          stages: [
            { key: "new", name: "New", kind: "start", enter: [{ set: { nonsense: "1 +" } }] },
            { key: "lost", name: "New", fixed: ["nonsense"] },
          ],
          transitions: [
            { name: "close", label: "Close", from: "new", to: "away", condition: "nonsense = 1 and", needs: "all" },
          ],
        },
        token,
        headers,
      ),
    /^Definition transitions\.close\.condition: expected a field or a value at the end$/m,
  ],
  [
    "a workflow for people who are not there",
    (token, headers) =>
      workflow(
        {
          stages: [
            { key: "new", name: "New", kind: "start", actors: ["role:nobody"] },
            { key: "over", name: "Over", kind: "end" },
          ],
          transitions: [{ name: "close", label: "Close", from: "new", to: "over" }],
        },
        token,
        headers,
      ),
    /^Definition role:nobody does not exist$/m,
  ],
  [
    "a file of exchange rates that is none",
    async (token, headers) => {
      const body = new FormData();
      body.set("file", new Blob(["Date,USD\n2026-01-02,0"]), "rates.csv");
      const sent = { authorization: `Bearer ${token}`, ...headers };
      const url = `${service.url}/masters/exchange_rates/import_rates.json`;
      const response = await fetch(url, { method: "POST", headers: sent, body });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    /rates\.csv, line 2: the rate of USD must be above 0/,
  ],
  [
    "a body that is no JSON",
    async (token, headers) => {
      const sent = { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers };
      const response = await fetch(`${service.url}/crm/leads/add.json`, { method: "POST", headers: sent, body: "{" });
      return { status: response.status, headers: response.headers, body: await response.json() };
    },
    /Couldn't read the request body/,
  ],
];

const shipped = shippedLabels("ar");

/** Ids differ from call to call; what is told of them does not. Labels among the parameters are compared in Arabic. */
const shapeOf = ({ status, body }: Answer) => ({
  status,
  code: body.error_code,
  params: inArabic(body.error_params),
  fields: inArabic(body.error_codes_by_field),
});

const inArabic = (value: unknown) =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value), (key, one) =>
        typeof one === "string" && key !== "code" ? (shipped.get(one) ?? one) : one,
      );

describe.each(failures)("%s", (_, ask, words) => {
  test("is told in the reader's language, with the same codes and parameters", async () => {
    const [en, ar] = [await ask(english.token, {}), await ask(arabic.token, {})];
    expect(en.body.errors.join("\n")).toMatch(words);
    expect(en.body.errors.join("\n")).not.toMatch(ARABIC);
    for (const sentence of ar.body.errors) expect(sentence).toMatch(ARABIC);
    expect(shapeOf(ar)).toEqual(shapeOf(en));
    for (const [field, said] of Object.entries<string[]>(ar.body.errors_by_field ?? {})) {
      expect(said).toHaveLength(ar.body.error_codes_by_field[field].length);
      for (const sentence of said) expect(sentence).toMatch(ARABIC);
    }
  });

  test("is told in English where nobody speaks the reader's language", async () => {
    const { body } = await ask(nobodysLanguage.token, { "accept-language": "tlh" });
    expect(body.errors.join("\n")).toMatch(words);
  });
});

test("reasons of single records, and the rules of forms, are in the reader's language too", async () => {
  const many = { ids: "999999", data: { leads: { city: "A" } } };
  const { body } = await service.post("/crm/leads/edit_selected.json", many, arabic.token);
  expect(body.data.failed["999999"]).toEqual([expect.stringMatching(ARABIC)]);
  const form = async (token: string) => (await service.get("/crm/leads/add.json", token)).body.filterRules.email;
  for (const { message } of await form(arabic.token)) expect(message).toMatch(ARABIC);
  expect(await form(english.token)).toContainEqual(
    expect.objectContaining({ message: "Email must be a valid email address" }),
  );
});

test("stages are in the reader's language in lists, in groups and in what waits for the reader", async () => {
  await service.post("/crm/leads/add.json", lead({ last_name: "Staged" }), english.token);
  const stagesIn = async (language: string) => {
    const ask = async (path: string) => (await asked(path, english.token, { "x-language": language })).body;
    const list = (q: object) => ask(`/crm/leads/index.json?q=${encodeURIComponent(JSON.stringify(q))}`);
    const where = { "leads.last_name": "Staged" };
    const rows = await list({ fields: ["leads.last_name", "leads.current_stage"], where });
    const groups = await list({
      fields: ["leads.current_stage", "count(*) as n"],
      group: ["leads.current_stage"],
      where,
    });
    const waiting = await ask("/core/workflows/my_work.json?controller=crm/leads");
    return [rows, groups, waiting.data.my_work].map((part) => JSON.stringify(part.data ?? part));
  };
  for (const [language, word] of [
    ["en", "New"],
    ["ar", "جديد"],
    ["es", "Nuevo"],
    ["zh", "新建"],
  ] as const)
    for (const said of await stagesIn(language)) expect(said).toContain(`"${word}"`);
});

const precedence: readonly [string, () => string | undefined, Record<string, string>, boolean][] = [
  ["a stranger with no wish", () => undefined, {}, false],
  ["a stranger who asks for Arabic", () => undefined, { "accept-language": "tlh, ar-EG;q=0.8, en;q=0.5" }, true],
  ["a stranger who asks for what nobody speaks", () => undefined, { "accept-language": "tlh" }, false],
  ["an Arabic profile, whatever the browser asks for", () => arabic.token, { "accept-language": "en" }, true],
  ["an English profile, whatever the browser asks for", () => english.token, { "accept-language": "ar" }, false],
  ["a profile in a language of nobody, with a wish", () => nobodysLanguage.token, { "accept-language": "ar" }, true],
  ["what the reader chose in the program at hand", () => english.token, { "x-language": "ar" }, true],
  ["a choice that nobody speaks", () => arabic.token, { "x-language": "tlh" }, true],
];
test("list performance calls the views that ship as the reader's lists do", async () => {
  const { current_listview: id, __current_listview: name } = (await asked("/crm/leads/index.json", arabic.token)).body;
  expect(name).toMatch(ARABIC);
  await service.db.run(sql`
    insert into core__view_times (organization_id, day, record_type, view, bucket, wanted, lists)
    values (1, (now() at time zone 'utc')::date, 'crm/leads', ${id}, 3, '', 1)`);
  const { views } = (await asked("/core/listviews/budgets.json", arabic.token)).body.data;
  expect(views.find((view: { id: string }) => view.id === id)?.name).toBe(name);
});

test.each(precedence)("%s", async (_, token, headers, isArabic) => {
  // Nobody is asked who they are at an address that does not exist.
  const known = token();
  const path = known === undefined ? "/nowhere/things/index.json" : "/crm/leads/view.json?id=999999";
  const { body } = await asked(path, known, headers);
  expect(ARABIC.test(body.errors[0])).toBe(isArabic);
  expect(body.error_code).toBe(known === undefined ? "unknown_module" : "record_not_found");
});

test("a password that is too short is told at signup", async () => {
  const users = { user_name: "somebody", user_password: "short", last_name: "Body" };
  const wrong = async (language: string) => {
    const headers = { "accept-language": language };
    const { body } = await service.post("/access_controls/users/signup.json", { data: { users } }, undefined, headers);
    return body.errors_by_field["users.user_password"];
  };
  expect(await wrong("en")).toEqual(["Password must have at least 10 characters"]);
  expect(await wrong("ar")).toEqual([expect.stringMatching(ARABIC)]);
});

test("the form of signup speaks the reader's language: its labels, rules and required fields", async () => {
  const form = async (language: string) =>
    (await asked("/access_controls/users/signup.json", undefined, { "accept-language": language })).body;
  const [en, ar] = [await form("en"), await form("ar")];
  expect(en.form.labels["users.is_license_agreement_accepted"]).toBe("Terms of use");
  const rules = (body: typeof en) => Object.values<{ message: string }[]>(body.filterRules).flat();
  const words = (body: typeof en): string[] => [
    ...Object.values<string>(body.form.labels),
    ...rules(body).map(({ message }) => message),
    ...Object.values<string>(body.notEmptyField.users),
  ];
  for (const sentence of words(en)) expect(sentence).not.toMatch(ARABIC);
  for (const sentence of words(ar)) expect(sentence).toMatch(ARABIC);
  expect(Object.keys(ar.filterRules)).toEqual(Object.keys(en.filterRules));
});

test("a password that is too simple for the first administrator is told at start", async () => {
  const database = await testDatabase("empty");
  const started = startService({ ADMIN_PASSWORD: "aaaaaaaaaaaa" }, database);
  await expect(started).rejects.toThrow("ADMIN_PASSWORD repeats too few characters. Choose another");
  await database.close();
});

test("a failed login is told in the language that is asked for, and says what the interface says beside it", async () => {
  const login = { data: { users: { user_name: "english", user_password: "wrong" } } };
  const ask = (language: string) =>
    service.post("/access_controls/users/login.json", login, undefined, { "accept-language": language });
  const [en, ar] = [await ask("en"), await ask("ar")];
  expect([en.status, en.body.errors, en.body.message]).toEqual([
    401,
    ["Incorrect user name or password"],
    ["Login failed"],
  ]);
  expect([ar.status, ar.body.message, ar.body.error_code]).toEqual([401, ["Login failed"], "login_failed"]);
  expect(ar.body.errors).toEqual([expect.stringMatching(ARABIC)]);
  const { body } = await asked("/crm/leads/index.json", undefined, { "accept-language": "ar" });
  expect(body.errors).toEqual(["Client need to login to access this URL"]);
});

test("an email is written in the language of whom it is for", async () => {
  const forgotten = (user_name: string) =>
    service.post("/access_controls/users/activate_forgotten_password.json", { data: { users: { user_name } } });
  await forgotten("english");
  await forgotten("arabic");
  const sentTo = (person: Person) => mailServer.received.filter(({ to }) => to.includes(`${person.id}@x.example`));
  await expect.poll(() => [sentTo(english).length, sentTo(arabic).length]).toEqual([1, 1]);
  expect(sentTo(english)[0]?.headers).toContain("Subject: Reset your password");
  expect(sentTo(english)[0]?.text).not.toMatch(ARABIC);
  expect(sentTo(arabic)[0]?.text).toMatch(ARABIC);
  expect(sentTo(arabic)[0]?.html).toContain('dir="rtl"');
});

describe("labels that an organization translated", () => {
  const translate = async (label: string, translation: string, language = "ar") => {
    const said = await added("core/translations", { label, language, translation }, english.token, {});
    expect([label, said.status, said.body.errors]).toEqual([label, 200, []]);
  };

  beforeAll(async () => {
    await translate("Lead", "فرصة مبدئية");
    await translate("Leads", "فرص مبدئية");
    await translate("Status", "حال السجل");
    await translate("Contacted", "جرى التواصل");
    await translate("All leads", "كل الفرص");
    await translate("Created by", "المنشئ");
    await translate("Details", "تفاصيل");
    await translate("Mark as contacted", "سجّل تواصلًا");
    await translate("Lead", "Prospect", "en");
  });

  test("are read in the reader's language: of types, fields, options, views, forms, stages, actions and the menu", async () => {
    const { id } = (await added("crm/leads", { last_name: "Noor", status: "جرى التواصل" }, arabic.token, {})).body;
    const list = (await asked("/crm/leads/index.json", arabic.token)).body;
    expect(list.__current_listview).toBe("كل الفرص");
    const generated = `/crm/leads/index.json?current_listview=${generatedViewId("crm/leads")}`;
    expect((await asked(generated, arabic.token)).body.__current_listview).toBe("كل فرص مبدئية");
    expect((await asked(generated, english.token)).body.__current_listview).toBe("All leads");
    const [hidden = ""] = await addRows(service, "core/listviews", [
      {
        name: "Big",
        controller: "crm/opportunities",
        query: '{"where":{"opportunities.amount":{"op":">","value":"1"}}}',
        is_personal: "0",
      },
    ]);
    const other = await asked(`/crm/opportunities/index.json?current_listview=${hidden}`, marketer.token);
    expect(other.body.message).toEqual([expect.stringMatching(/^(?!.*All).*Big.*كل /u)]);
    await service.db.run(sql`
      insert into core__view_times (organization_id, day, record_type, view, bucket, wanted, lists)
      values (1, (now() at time zone 'utc')::date, 'crm/leads', ${generatedViewId("crm/leads")}, 60, '', 1)`);
    const { views } = (await asked("/core/listviews/budgets.json", arabic.token)).body.data;
    expect(views.map(({ name }: { name: string }) => name)).toContain("كل فرص مبدئية");
    const header = Object.fromEntries(
      list.paginate.header.map((one: { column_name: string; label: string }) => [one.column_name, one.label]),
    );
    expect(header["leads.status"]).toBe("حال السجل");
    const row = list.paginate.data.find((one: Record<string, string>) => one["leads.id"] === id);
    // Keys are the same for every reader: programs know them.
    expect(row).toHaveProperty("Created By");
    expect(row["leads.status"]).toBe("contacted");
    const viewed = (await asked(`/crm/leads/view.json?id=${id}`, arabic.token)).body;
    expect(viewed.form.labels["leads.status"]).toBe("حال السجل");
    // What nobody here has translated is said as it ships.
    expect(viewed.form.labels["leads.source"]).toBe("المصدر");
    expect(JSON.stringify(viewed.form)).toContain("تفاصيل");
    const edited = (await asked(`/crm/leads/edit.json?id=${id}`, arabic.token)).body;
    const offered = edited.form.children.filter((one: { template: string }) => one.template === "submit");
    expect(offered.map((one: { label: string }) => one.label)).toEqual(expect.arrayContaining(["حفظ", "حفظ ومتابعة"]));
    expect(viewed.workflow.__stage).toBe("جرى التواصل");
    const menu = (await asked("/development_base/menus/app_menu.json", arabic.token)).body;
    expect(menu.data.crm.children.leads).toMatchObject({ label: "فرص مبدئية", singular: "فرصة مبدئية" });
    const known = (await asked("/core/translations/labels.json", arabic.token)).body;
    expect(known.data).toMatchObject({ language: "ar", labels: { Lead: "فرصة مبدئية" } });
  });

  test("leave others' language alone, and may put other words in place of English ones", async () => {
    const { body } = await asked("/crm/leads/index.json", english.token);
    expect(body.__current_listview).toBe("All leads");
    const viewed = (await asked("/crm/leads/add.json", english.token)).body;
    expect(viewed.form.labels["leads.status"]).toBe("Status");
    const missing = (await asked("/crm/leads/view.json?id=999999", english.token)).body;
    expect(missing.errors[0]).toContain("Prospect");
    const icelandic = (await asked("/crm/leads/view.json?id=999999", nobodysLanguage.token)).body;
    expect(icelandic.errors).toEqual(missing.errors);
  });

  test("a value may be sent by its label in any of them, and saved conditions keep working", async () => {
    for (const status of ["contacted", "Contacted", "جرى التواصل"]) {
      const said = await added("crm/leads", { last_name: "Sent", status }, arabic.token, {});
      expect([status, said.body.data?.leads?.status]).toEqual([status, "contacted"]);
    }
    expect((await added("crm/leads", { last_name: "Sent", status: "جرى التواصل" }, english.token, {})).status).toBe(
      422,
    );
    const q = encodeURIComponent(JSON.stringify({ fields: ["leads.id"], where: { "leads.status": "Contacted" } }));
    const found = (await asked(`/crm/leads/index.json?q=${q}`, arabic.token)).body;
    expect(found.paginate.data.length).toBeGreaterThanOrEqual(3);
  });

  test("a column of a file is found by its heading in any of them", async () => {
    const file = "حال السجل,Last name,المنشئ,Addresses 2: City\nContacted,Noor,x,Cairo\n";
    for (const { token } of [arabic, english, nobodysLanguage]) {
      const form = new FormData();
      form.append("file", new Blob([file]), "leads.csv");
      const { body } = await service.post("/crm/leads/import_columns.json", form, token);
      const found = body.data.columns.map(({ target, by }: Record<string, string>) => [target, by]);
      expect(found).toEqual([
        ["status", "label"],
        ["last_name", "name"],
        [null, null],
        ["addresses.2.city", "name"],
      ]);
    }
  });

  test("an ETag of one language is not another's, nor one of before a translation", async () => {
    const tagOf = async (headers: Record<string, string> = {}) =>
      (await asked("/crm/leads/index.json", english.token, headers)).headers.get("etag");
    const [en, ar] = [await tagOf(), await tagOf({ "x-language": "ar" })];
    expect(en).not.toBe(ar);
    await translate("Source", "المصدر");
    expect(await tagOf({ "x-language": "ar" })).not.toBe(ar);
  });

  test("are the administrators' to write, of their own organization alone", async () => {
    const representative = await addPerson(service, "ray", ["sales_rep"]);
    const refused = await added(
      "core/translations",
      { label: "X", language: "ar", translation: "Y" },
      representative.token,
      {},
    );
    expect(refused.status).toBe(403);
  });
});
