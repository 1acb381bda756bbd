import { readdirSync } from "node:fs";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { writtenMails } from "../../mail/mail-server.ts";
import { type Answer, startService, type TestService } from "../../service.ts";

const SIGNUP = "/access_controls/users/signup.json";
const PASSWORD = "a long enough secret";

let service: TestService;
let admin: string;
let roleId: string;
let currencyId: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  const { body } = await service.get(SIGNUP);
  roleId = body.signup_roles.find((role: { text: string }) => role.text === "Sales representative").value;
  currencyId = body.currencies.find((currency: { text: string }) => currency.text === "EUR").value;
});
afterAll(() => service.stop());

type Users = Record<string, unknown>;

const flat = (more: Users = {}): Users => ({
  user_name: "ada",
  first_name: "Ada",
  last_name: "Lovelace",
  user_password: PASSWORD,
  confirm_password: PASSWORD,
  is_license_agreement_accepted: "1",
  role_id: roleId,
  organizations: { name: "Analytical Engines", currency_id: currencyId },
  ...more,
});
const signUp = (users: Users, action: Users = { signup: "Signup" }): Promise<Answer> =>
  service.post(SIGNUP, { data: { users, action } });

/** Everything that a signup could leave behind. */
const counts = () =>
  service.db.row(sql`
    select (select count(*) from access_controls__users)::text as users,
      (select count(*) from access_controls__user_names)::text as names,
      (select count(*) from access_controls__organizations)::text as organizations,
      (select count(*) from core__email_addresses)::text as emails,
      (select count(*) from core__addresses)::text as addresses,
      (select count(*) from core__attachments)::text as attachments,
      (select count(*) from core__mails)::text as mails,
      (select count(*) from access_controls__license_acceptances)::text as acceptances`);

describe("the form", () => {
  test("tells everything that a client needs, and nothing about anybody", async () => {
    const { status, body } = await service.get(SIGNUP);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      errors: [],
      message: [],
      data: {
        users: {
          related_entity: [],
          addresses: [],
          email_addresses: [],
          phone_numbers: [],
          roles_users: [],
          images: [],
          http: [],
          owned_by: null,
          __owned_by: null,
        },
      },
      permissions: [],
      form_permission: 2,
      is_multi_tenant: 1,
      allow_public_signup: 1,
      user_has_edit_permission: true,
      primary_key: "users.id",
      organization_id: null,
      organization_name: null,
      user_id: null,
      user_fullname: null,
      id: null,
      rebaseline: [],
    });
    expect(body.timezones).toMatchObject({
      UTC: "UTC",
      "Europe/Berlin": "Europe/Berlin",
      "Asia/Kolkata": "Asia/Kolkata",
    });
    expect(Object.keys(body.timezones).length).toBeGreaterThan(300);
    expect(body.locales).toContainEqual({ text: expect.any(String), value: "ar-EG" });
    expect(Object.keys(body.hour_format)).toEqual(["12", "24"]);
    expect(body.currencies).toContainEqual({ text: "JPY", value: expect.stringMatching(/^\d+$/) });
    for (const [group, themes] of Object.entries<{ value: string }[]>(body.themes)) {
      for (const { value } of themes) expect(value).toMatch(new RegExp(`^${group}/\\w+$`));
    }
    for (const name of "model_class template labels enable_split_layout form_metadata_id form_view_href href permission".split(
      " ",
    )) {
      expect(body.form).toHaveProperty(name);
    }
    const names = body.signup_roles.map((role: { text: string }) => role.text);
    expect(names).toContain("Marketing");
    expect(names).not.toContain("Administrator");
  });

  test("still tells the flags where people cannot sign up by themselves, and takes nobody", async () => {
    const same = { connection: service.connection, db: service.db, close: async () => undefined };
    const closed = await startService({ PUBLIC_SIGNUP: "0", MULTI_TENANT: "0" }, same);
    try {
      expect((await closed.get(SIGNUP)).body).toMatchObject({ is_multi_tenant: 0, allow_public_signup: 0 });
      const answer = await closed.post(SIGNUP, { data: { users: flat(), action: { signup: "Signup" } } });
      expect(answer).toMatchObject({ status: 403, body: { error_code: "signup_closed" } });
    } finally {
      await closed.stop();
    }
  });
});

describe("signing up", () => {
  test("takes the word null for nothing, as form-data writes it", async () => {
    const answer = await signUp(
      flat({
        user_name: "null.sender",
        first_name: "null",
        organization_id: "null",
        invitation: "null",
        images: { name: "null" },
        organizations: { name: "Nothing Ltd", currency_id: currencyId },
      }),
    );
    expect(answer.body.errors).toEqual([]);
    expect(answer.body.data.users).toMatchObject({ user_name: "null.sender", first_name: null });
  });

  test("founds an organization whose administrator the founder is, beside the role it chose", async () => {
    const answer = await signUp(
      flat({
        user_name: "Grace.Hopper",
        first_name: "  Grace <b>M.</b> ",
        last_name: "Hop\u200bper\n",
        organizations: { name: " Compilers\t& <i>Sons</i> ", currency_id: currencyId },
        auto_login: "1",
      }),
    );
    expect(answer).toMatchObject({
      status: 200,
      body: { errors: [], organization_name: "Compilers & Sons", expires_in: 3600 },
    });
    expect(answer.body.data.users).toMatchObject({ user_name: "Grace.Hopper", name: "Grace M. Hopper" });
    expect(answer.body.data.users.roles.sort()).toEqual(["administrator", "sales_rep"]);
    expect(JSON.stringify(answer.body)).not.toContain(PASSWORD);
    const info = await service.get("/access_controls/organizations/info.json", answer.body.access_token);
    expect(info.body.data.organizations).toMatchObject({
      name: "Compilers & Sons",
      currency: "EUR",
      user_count: "1",
      is_operator: "0",
      mails_are_files: expect.stringMatching(/^[01]$/),
    });
    // It sees its own organization, and nothing of any other.
    const users = await service.get("/access_controls/users/index.json", answer.body.access_token);
    expect(users.body.paginate.total_count).toBe(1);
    const own = await service.get("/access_controls/organizations/index.json", answer.body.access_token);
    expect(own.body.paginate).toMatchObject({ total_count: 1, data: [{ "organizations.name": "Compilers & Sons" }] });
    // Whether it keeps anything yet is told with its menu, to who asks.
    const begun = async (query = "?begun=1") =>
      (await service.get(`/development_base/menus/app_menu.json${query}`, answer.body.access_token)).body.begun;
    expect([await begun(), await begun("")]).toEqual([0, undefined]);
    // Its amounts are in its own currency unless somebody says otherwise.
    const form = await service.get("/crm/leads/add.json", answer.body.access_token);
    expect(form.body.data.leads).toMatchObject({ currency_id: info.body.data.organizations.currency_id });
    const lead = { leads: { last_name: "Paying", amount: "4000" }, action: { save_progress: "Save" } };
    const added = await service.post("/crm/leads/add.json", { data: lead }, answer.body.access_token);
    expect(added.body.data.leads).toMatchObject({ amount: "4000.00", __currency_id: "EUR" });
    expect(await begun()).toBe(1);
    expect(await service.login("grace.hopper", PASSWORD)).toBeTruthy();
  });

  test("takes the nested encoding as form-data, with everything that can be said of a person", async () => {
    const form = new FormData();
    const country = await service.db.row(sql`select c.id::text as id, s.id::text as state from masters__countries c
      join masters__states s on s.country_id = c.id limit 1`);
    const entries: Record<string, string> = {
      user_name: "nested",
      last_name: "Person",
      "iam][0][user_password": PASSWORD,
      "iam][0][confirm_password": PASSWORD,
      "iam][0][time_zone": "Asia/Kolkata",
      "iam][0][hour_format": "12",
      "iam][0][theme": "default/dark",
      "iam][0][locale": "ar-EG",
      "roles_users][0][role_id": roleId,
      "email_addresses][0][email": "Nested@Example.COM",
      "email_addresses][0][type": "work",
      "email_addresses][0][email_opt_out": "0",
      "addresses][0][type": "home",
      "addresses][0][address_line_1": "1 Street",
      "addresses][0][city": "Town",
      "addresses][0][country_id": country?.id ?? "",
      "addresses][0][state_id": country?.state ?? "",
      "addresses][0][zip": "1000",
      "phone_numbers][0][number": "+44 20 7946 0000",
      "phone_numbers][0][type": "mobile",
      is_license_agreement_accepted: "1",
      "organizations][name": "Nests",
      "organizations][currency_id": currencyId,
    };
    for (const [name, value] of Object.entries(entries)) form.append(`data[users][${name}]`, value);
    form.append("data[action][signup]", "Signup");
    const answer = await service.post(SIGNUP, form);
    expect(answer.body.errors).toEqual([]);
    expect(answer.body).not.toHaveProperty("access_token");
    expect(answer.body.data.users).toMatchObject({
      time_zone: "Asia/Kolkata",
      hour_format: "12",
      theme: "default/dark",
      locale: "ar-EG",
    });
    const token = await service.login("nested", PASSWORD);
    const view = await service.get(`/access_controls/users/view.json?id=${answer.body.id}`, token);
    expect(view.body.data.users).toMatchObject({
      email_addresses: [{ email: "Nested@example.com", type: "work", is_primary: "1", is_confirmed: "0" }],
      addresses: [{ address_line_1: "1 Street", zip: "1000" }],
      phone_numbers: [{ type: "mobile" }],
    });
    // The address is confirmed by the link in the message, once, in the person's language.
    const isTheirs = ({ to }: { to: readonly string[] }) => to[0]?.includes("Nested@example.com") ?? false;
    await expect.poll(() => writtenMails(service.dataDir).some(isTheirs)).toBe(true);
    const sent = writtenMails(service.dataDir).find(isTheirs);
    expect(sent?.html).toContain('dir="rtl"');
    const link = /token=([\w-]+)/.exec(sent?.text ?? "")?.[1];
    const confirm = () =>
      service.post("/access_controls/users/confirm_mail.json", { data: { users: { token: link } } });
    expect((await confirm()).status).toBe(200);
    expect((await confirm()).status).toBe(422);
    const after = await service.get(`/access_controls/users/view.json?id=${answer.body.id}`, token);
    expect(after.body.data.users.email_addresses[0].is_confirmed).toBe("1");
  });

  test("records which version of the license agreement was accepted", async () => {
    const { body } = await signUp(
      flat({ user_name: "licensee", organizations: { name: "L", currency_id: currencyId } }),
    );
    const { body: license } = await service.get("/access_controls/users/license_agreement.json");
    const row = await service.db.row(sql`
      select version from access_controls__license_acceptances where user_id = ${body.id}::bigint`);
    expect(row?.version).toBe(license.license_agreement_version);
  });

  test("of ten with the same name at once lets in exactly one, and leaves nothing of the others", async () => {
    const before = await counts();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        signUp(
          flat({
            user_name: index % 2 ? "Zuse" : "zuse",
            organizations: { name: `Z${index}`, currency_id: currencyId },
          }),
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body.errors_by_field).toEqual({ "users.user_name": ["User name is taken"] });
    }
    const after = await counts();
    expect(Number(after?.users)).toBe(Number(before?.users) + 1);
    expect(Number(after?.organizations)).toBe(Number(before?.organizations) + 1);
  });
});

describe("an invalid signup", () => {
  const before: { counts?: Awaited<ReturnType<typeof counts>> } = {};
  beforeEach(async () => {
    before.counts = await counts();
  });

  const wrong: readonly { what: string; users: () => Users; field: string; status?: number }[] = [
    { what: "no user name", users: () => flat({ user_name: " " }), field: "users.user_name" },
    { what: "a user name that is too short", users: () => flat({ user_name: "ab" }), field: "users.user_name" },
    { what: "a user name with a space", users: () => flat({ user_name: "a b c" }), field: "users.user_name" },
    {
      what: "a user name that is taken",
      users: () => flat({ user_name: "ADMIN" }),
      field: "users.user_name",
      status: 409,
    },
    { what: "no last name", users: () => flat({ last_name: "" }), field: "users.last_name" },
    { what: "a last name of markup alone", users: () => flat({ last_name: "<br>\u200b" }), field: "users.last_name" },
    {
      what: "a short password",
      users: () => flat({ user_password: "short", confirm_password: "short" }),
      field: "users.user_password",
    },
    {
      what: "two different passwords",
      users: () => flat({ confirm_password: "another long secret" }),
      field: "users.confirm_password",
    },
    {
      what: "a nested password that is common",
      users: () => {
        const { user_password: _one, confirm_password: _two, ...rest } = flat();
        return { ...rest, iam: [{ user_password: "1234567890", confirm_password: "1234567890" }] };
      },
      field: "users.iam.0.user_password",
    },
    {
      what: "a license not accepted",
      users: () => flat({ is_license_agreement_accepted: "0" }),
      field: "users.is_license_agreement_accepted",
    },
    { what: "no role", users: () => flat({ role_id: "" }), field: "users.role_id" },
    {
      what: "a role that is not offered",
      users: () => flat({ role_id: "0190a000-0000-7000-8000-000000000000" }),
      field: "users.role_id",
    },
    {
      what: "an empty nested role",
      users: () => flat({ role_id: "", roles_users: [{ role_id: "" }] }),
      field: "users.roles_users.0.role_id",
    },
    {
      what: "an empty nested user",
      users: () => flat({ roles_users: [{ role_id: roleId, user_id: "" }] }),
      field: "users.roles_users.0.user_id",
    },
    {
      what: "no organization",
      users: () => flat({ organizations: { name: "", currency_id: currencyId } }),
      field: "users.organization_id",
    },
    {
      what: "an organization that does not let in",
      users: () => flat({ organization_id: "1" }),
      field: "users.organization_id",
    },
    {
      what: "an organization that is not there",
      users: () => flat({ organization_id: "99999" }),
      field: "users.organization_id",
    },
    {
      what: "no currency",
      users: () => flat({ organizations: { name: "A", currency_id: "" } }),
      field: "users.currency_id",
    },
    {
      what: "an unknown currency",
      users: () => flat({ organizations: { name: "A", currency_id: "0" } }),
      field: "users.currency_id",
    },
    { what: "an invitation that is none", users: () => flat({ invitation: "dt_1_x_y" }), field: "users.invitation" },
    { what: "an unknown time zone", users: () => flat({ time_zone: "Mars/Base" }), field: "users.time_zone" },
    { what: "an unknown locale", users: () => flat({ iam: [{ locale: "tlh-KX" }] }), field: "users.iam.0.locale" },
    { what: "an unknown theme", users: () => flat({ theme: "default/pink" }), field: "users.theme" },
    { what: "a wrong hour format", users: () => flat({ hour_format: "25" }), field: "users.hour_format" },
    {
      what: "an address without a type",
      users: () => flat({ addresses: [{ address_line_1: "x" }] }),
      field: "users.addresses.0.type",
    },
    {
      what: "an address without a line",
      users: () => flat({ addresses: [{ type: "home" }] }),
      field: "users.addresses.0.address_line_1",
    },
    ...["city", "state_id", "country_id", "zip"].map((name) => ({
      what: `an address with an empty ${name}`,
      users: () => flat({ addresses: [{ type: "home", address_line_1: "x", [name]: "" }] }),
      field: `users.addresses.0.${name}`,
    })),
    {
      what: "an unknown country",
      users: () => flat({ addresses: [{ type: "home", address_line_1: "x", country_id: "0" }] }),
      field: "users.addresses.0.country_id",
    },
    {
      what: "an e-mail row without an address",
      users: () => flat({ email_addresses: [{ type: "work" }] }),
      field: "users.email_addresses.0.email",
    },
    {
      what: "an e-mail address that is none",
      users: () => flat({ email_addresses: [{ email: "a@b.example" }, { email: "nonsense" }] }),
      field: "users.email_addresses.1.email",
    },
    {
      what: "an e-mail row with an empty type",
      users: () => flat({ email_addresses: [{ email: "a@b.example", type: "" }] }),
      field: "users.email_addresses.0.type",
    },
    {
      what: "a phone row without a number",
      users: () => flat({ phone_numbers: [{ type: "mobile" }] }),
      field: "users.phone_numbers.0.number",
    },
    {
      what: "a phone row without a type",
      users: () => flat({ phone_numbers: [{ number: "+44 20 7946 0000" }] }),
      field: "users.phone_numbers.0.type",
    },
  ];
  test.each(wrong)("is refused with $what, and makes nothing", async ({ users, field, status = 422 }) => {
    const answer = await signUp(users());
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body.errors_by_field)).toEqual([field]);
    expect(answer.body.errors.length).toBeGreaterThan(0);
    expect(JSON.stringify(answer.body.data ?? {})).not.toContain("secret");
    expect(await counts()).toEqual(before.counts);
  });

  test("is told everything at once, and gets back what it typed without its passwords", async () => {
    const answer = await signUp({
      user_name: "?",
      iam: [{ user_password: "x", confirm_password: "y" }],
      addresses: [{}],
      email_addresses: [{ email: "" }],
      first_name: "Kept",
    });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors_by_field).sort()).toEqual(
      [
        "users.addresses.0.address_line_1",
        "users.addresses.0.type",
        "users.currency_id",
        "users.email_addresses.0.email",
        "users.iam.0.confirm_password",
        "users.iam.0.user_password",
        "users.is_license_agreement_accepted",
        "users.last_name",
        "users.organization_id",
        "users.role_id",
        "users.user_name",
      ].sort(),
    );
    expect(answer.body.data.users).toMatchObject({ first_name: "Kept" });
    expect(answer.body.data.users.iam).toEqual([{}]);
    expect(await counts()).toEqual(before.counts);
  });

  test("is refused with an action that is not signup", async () => {
    expect(await signUp(flat(), { save_progress: "Save" })).toMatchObject({
      status: 422,
      body: { error_code: "unknown_action" },
    });
    expect(await counts()).toEqual(before.counts);
  });
});

describe("a picture", () => {
  const withPicture = async (picture: Blob | string, name: string, users: Users, more: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [key, value] of Object.entries(users)) {
      if (typeof value === "string") form.append(`data[users][${key}]`, value);
    }
    form.append("data[users][organizations][name]", "Pictures");
    form.append("data[users][organizations][currency_id]", currencyId);
    if (typeof picture === "string") form.append("data[users][images][name]", picture);
    else form.append("data[users][images][name]", picture, name);
    for (const [key, value] of Object.entries(more)) form.append(key, value);
    form.append("data[action][signup]", "Signup");
    return service.post(SIGNUP, form);
  };
  const png = () =>
    sharp({ create: { width: 30, height: 20, channels: 3, background: "#336699" } })
      .withExif({ IFD0: { Copyright: "somewhere secret" } })
      .png()
      .toBuffer();
  const storedFiles = () =>
    readdirSync(service.dataDir, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && /^[0-9a-f]{40}/.test(entry.name),
    ).length;
  const blob = (bytes: Uint8Array | string) => new Blob([typeof bytes === "string" ? bytes : new Uint8Array(bytes)]);

  test("is kept with the new user, by what is in it and not by its name", async () => {
    const answer = await withPicture(blob(await png()), "me.exe", flat({ user_name: "pictured", auto_login: "1" }));
    expect(answer.body.errors).toEqual([]);
    const token = answer.body.access_token;
    const view = await service.get(`/access_controls/users/view.json?id=${answer.body.id}`, token);
    expect(view.body.data.users.images).toMatchObject([
      { name: "me.exe", file: { type: "image/png", width: "30", height: "20" } },
    ]);
    expect(storedFiles()).toBe(2);
  });

  const refused: readonly {
    what: string;
    bytes: () => Promise<Blob | string>;
    field: string;
    more?: Record<string, string>;
  }[] = [
    {
      what: "a text that calls itself a picture",
      bytes: async () => blob("not a picture"),
      field: "users.images.0.mime_type",
    },
    { what: "half a picture", bytes: async () => blob((await png()).subarray(0, 60)), field: "users.images.0.error" },
    { what: "an empty file", bytes: async () => blob(""), field: "users.images.0.error" },
    {
      what: "one that is too large",
      bytes: async () => blob(Buffer.concat([await png(), Buffer.alloc(5 * 1024 * 1024)])),
      field: "users.images.0.error",
    },
    { what: "a name without a file", bytes: async () => "me.png", field: "users.images.0.error" },
    {
      what: "one that the client says arrived in part",
      bytes: async () => blob(await png()),
      field: "users.images.0.error",
      more: { "data[users][images][error]": "3" },
    },
  ];
  test.each(refused)(
    "is refused as $what, with nothing made and no file left behind",
    async ({ bytes, field, more }) => {
      const [before, files] = [await counts(), storedFiles()];
      const answer = await withPicture(await bytes(), "me.png", flat({ user_name: "unpictured" }), more);
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors_by_field)).toEqual([field]);
      expect(await counts()).toEqual(before);
      expect(storedFiles()).toBe(files);
      expect(await service.db.row(sql`select 1 as loose from core__loose_files`)).toBeUndefined();
    },
  );

  test("that is fine goes with the rest when something else is not", async () => {
    const [before, files] = [await counts(), storedFiles()];
    const answer = await withPicture(blob(await png()), "me.png", flat({ user_name: "x" }));
    expect(Object.keys(answer.body.errors_by_field)).toEqual(["users.user_name"]);
    expect(await counts()).toEqual(before);
    expect(storedFiles()).toBe(files);
  });
});

describe("joining by a mail domain", () => {
  test("needs the organization's consent and the address's owner", async () => {
    const edit = {
      data: {
        organizations: { id: "1", allowed_domains: "acme.example\n@Sub.acme.example" },
        action: { save_progress: "Save" },
      },
    };
    const saved = await service.post("/access_controls/organizations/edit.json", edit, admin);
    expect(saved.body.errors).toEqual([]);
    const join = (user_name: string, email: string) =>
      signUp(flat({ user_name, organization_id: "1", email_addresses: [{ email, type: "work" }], auto_login: "1" }));
    expect((await join("stranger", "x@acme.example.evil.example")).status).toBe(422);
    const answer = await join("colleague", "colleague@ACME.example");
    expect(answer).toMatchObject({ status: 200, body: { is_confirmation_required: 1, organization_id: "1" } });
    expect(answer.body).not.toHaveProperty("access_token");
    await expect(service.login("colleague", PASSWORD)).rejects.toThrow();
    await expect
      .poll(() => writtenMails(service.dataDir).some(({ to }) => to[0]?.includes("colleague@acme.example")))
      .toBe(true);
    const mail = writtenMails(service.dataDir).find(({ to }) => to[0]?.includes("colleague@acme.example"));
    const token = /token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
    expect(
      (await service.post("/access_controls/users/confirm_mail.json", { data: { users: { token } } })).status,
    ).toBe(200);
    const entered = await service.login("colleague", PASSWORD);
    const mine = await service.get("/access_controls/users/profile.json", entered);
    expect(mine.body.data.users.roles).toEqual(["sales_rep"]);
    // Whoever was deleted before the address was confirmed is not let in by its link, not even once they are back.
    const { id } = (await join("former", "former@acme.example")).body;
    const mailed = () => writtenMails(service.dataDir).find(({ to }) => to[0]?.includes("former@acme.example"));
    await expect.poll(mailed).toBeDefined();
    for (const path of [`delete.json?id=${id}&is_confirm=1`, `restore.json?id=${id}`])
      expect((await service.post(`/access_controls/users/${path}`, {}, admin)).body.errors).toEqual([]);
    const users = { token: /token=([\w-]+)/.exec(mailed()?.text ?? "")?.[1] };
    expect((await service.post("/access_controls/users/confirm_mail.json", { data: { users } })).status).toBe(422);
    await expect(service.login("former", PASSWORD)).rejects.toThrow();
  });

  test("takes only mail domains as allowed ones", async () => {
    const edit = {
      data: {
        organizations: { id: "1", allowed_domains: "fine.example, not a domain!" },
        action: { save_progress: "Save" },
      },
    };
    const answer = await service.post("/access_controls/organizations/edit.json", edit, admin);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors_by_field)).toEqual(["organizations.allowed_domains"]);
  });
});
