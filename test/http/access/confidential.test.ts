// A confidential record type: an administrator for whom a record is not there meets nothing that is about it either, by any of the
// ways to read. And of any record, all these ways agree on who may read it.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ident, sql } from "../../../server/database/sql.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };
const SECRET = "lab/secrets";
/** Its records are everybody's, and refer to secrets. */
const POINTER = "lab/pointers";
const WORD = "Umbrella";

let service: TestService;
let admin: Person;
let rep: Person;
let friend: Person;
let secret: string;
let comment: string;

const alias = (type: string) => type.split("/")[1] ?? "";
const save = (type: string, operation: string, values: Values, token: string, action: Values = SAVE): Promise<Answer> =>
  service.post(`/${type}/${operation}.json`, { data: { [alias(type)]: values, action } }, token);
const add = async (type: string, values: Values, token: string): Promise<string> => {
  const { body } = await save(type, "add", values, token);
  if (typeof body.id !== "string") throw new Error(JSON.stringify(body));
  return body.id;
};
const rows = async (type: string, token: string): Promise<Values[]> => {
  const { body } = await service.get(
    `/${type}/index.json?limit=1000&q=${encodeURIComponent('{"fields":["*"]}')}`,
    token,
  );
  expect(body.errors).toEqual([]);
  expect(Number(body.paginate.total_count)).toBe(body.paginate.data.length);
  return body.paginate.data;
};
/** Rows of a type that are about the record. */
const about = async (type: string, id: string, token: string): Promise<Values[]> =>
  (await rows(type, token)).filter(
    (row) => row[`${alias(type)}.related_type`] === SECRET && row[`${alias(type)}.related_id`] === id,
  );

const listOf = (type: string): string => `/${type}/index.json?limit=1000&q=${encodeURIComponent('{"fields":["*"]}')}`;
const answer = (path: string, token: string): Promise<Response> =>
  fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
/** The whole of an answer that is there. */
async function text(path: string, token: string): Promise<string> {
  const response = await answer(path, token);
  // Administrators may list everything; others are refused what their roles do not let them list.
  expect(token === admin.token ? [200] : [200, 403]).toContain(response.status);
  return response.text();
}

async function define(access: Values, confidential = true): Promise<void> {
  const definition = {
    module: "lab",
    controller: "secrets",
    label: "Secret",
    plural: "Secrets",
    displayField: "name",
    allowComments: true,
    duplicates: [["note"]],
    confidential,
    fields: [
      { name: "name", type: "short-text", required: true, searchable: true },
      { name: "note", type: "short-text" },
    ],
    associations: [
      { kind: "has-many-polymorphic", name: "attachments", type: "core/attachments", owned: true },
      { kind: "has-many-polymorphic", name: "addresses", type: "core/addresses", owned: true },
    ],
    access,
  };
  const { body } = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify(definition) },
    admin.token,
  );
  expect(body.errors).toEqual([]);
}

const forOwner = { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: ["owner"] };

beforeAll(async () => {
  service = await startService();
  admin = await addPerson(service, "boss", ["administrator"]);
  rep = await addPerson(service, "rep", ["sales_manager"]);
  friend = await addPerson(service, "friend", ["sales_rep"]);
  await define(forOwner);
  const pointers = {
    module: "lab",
    controller: "pointers",
    label: "Pointer",
    plural: "Pointers",
    displayField: "name",
    fields: [
      { name: "name", type: "short-text" },
      { name: "secret_id", type: "reference", settings: { to: SECRET } },
    ],
    access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
  };
  const saved = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify(pointers) },
    admin.token,
  );
  expect(saved.body.errors).toEqual([]);
  const everything = "index;view;add;edit;delete;comment;export;bulk";
  for (const code of ["sales_manager", "sales_rep"]) {
    const role = await service.db.row(
      sql`select id::text as id from access_controls__roles where organization_id = 1 and code = ${code}`,
    );
    const operations = [SECRET, POINTER, "core/addresses"].map((record_type) => ({
      record_type,
      operations: everything,
    }));
    expect(
      (await save("access_controls/roles", "edit", { id: role?.id, operations }, admin.token)).body.errors,
    ).toEqual([]);
  }
  const workflow = {
    stages: [
      { key: "open", name: "Open", kind: "start", actors: ["owner"] },
      { key: "shut", name: "Shut", kind: "end" },
    ],
    transitions: [
      {
        name: "shut",
        label: "Shut",
        from: "open",
        to: "shut",
        effects: [
          { notify: { to: ["role:administrator", "owner"], text: "{{name}} is shut" } },
          { mail: { to: ["role:administrator"], subject: "{{name}}", text: "{{name}} is shut" } },
        ],
      },
    ],
  };
  await add(
    "core/workflows",
    { name: "Secrets", controller: SECRET, definition: JSON.stringify(workflow) },
    admin.token,
  );
  secret = await add(
    SECRET,
    { name: `${WORD} plan`, addresses: [{ address_line_1: `${WORD} street`, city: "X" }] },
    rep.token,
  );
  await add(POINTER, { name: "Points", secret_id: secret }, rep.token);
  const body = `${WORD} for @boss and @friend`;
  comment = await add("core/comments", { related_type: SECRET, related_id: secret, body }, rep.token);
  const form = new FormData();
  form.set("data[attachments][related_type]", SECRET);
  form.set("data[attachments][related_id]", secret);
  form.set("data[attachments][name]", `${WORD}.txt`);
  form.set("data[attachments][file]", new Blob([WORD], { type: "text/plain" }), `${WORD}.txt`);
  form.set("data[action][save_progress]", "Save");
  expect((await service.post("/core/attachments/add.json", form, rep.token)).body.errors).toEqual([]);
  expect((await save(SECRET, "edit", { id: secret, note: WORD }, rep.token)).body.errors).toEqual([]);
  expect((await save(SECRET, "edit", { id: secret }, rep.token, { shut: "Shut" })).body.errors).toEqual([]);
  const edited = await service.post(
    `/${SECRET}/edit_selected.json`,
    { ids: [secret, "999999"], data: { secrets: { note: `${WORD} 2` } } },
    rep.token,
  );
  expect(edited.body.data.changed).toEqual([secret]);
});
afterAll(() => service.stop());

describe("of a confidential record, an administrator meets nothing", () => {
  /** `shown`: its owner meets it there, so what is asked for is really told there. */
  test.each<{ where: string; read: (token: string) => Promise<unknown>; shown: boolean }>([
    { where: "its list", read: (token) => rows(SECRET, token), shown: true },
    { where: "its export", read: (token) => text(`/${SECRET}/export.json?format=csv`, token), shown: true },
    { where: "what refers to it", read: (token) => rows(POINTER, token), shown: true },
    {
      where: "what refers to it, exported",
      read: (token) => text(`/${POINTER}/export.json?format=csv`, token),
      shown: true,
    },
    { where: "comments", read: (token) => rows("core/comments", token), shown: true },
    { where: "attachments", read: (token) => rows("core/attachments", token), shown: true },
    { where: "addresses", read: (token) => rows("core/addresses", token), shown: true },
    { where: "search", read: (token) => text(`/core/search/index.json?text=${WORD}`, token), shown: true },
    { where: "history, of what is attached too", read: (token) => text(listOf("core/revisions"), token), shown: false },
    { where: "the stage log", read: (token) => text(listOf("core/stage_log"), token), shown: false },
    {
      where: "its timeline",
      read: async (token) => (await service.get(`/${SECRET}/timeline.json?id=${secret}`, token)).body,
      shown: true,
    },
    { where: "jobs", read: (token) => text(listOf("core/jobs"), token), shown: false },
    { where: "notifications", read: (token) => rows("core/notifications", token), shown: false },
    { where: "shares", read: (token) => rows("access_controls/shares", token), shown: false },
    { where: "what was told to them", read: (token) => text("/core/notifications/mine.json", token), shown: false },
    { where: "their work", read: (token) => text("/core/workflows/my_work.json", token), shown: false },
  ])("in $where", async ({ read, shown }) => {
    expect(JSON.stringify(await read(admin.token))).not.toContain(WORD);
    if (shown) expect(JSON.stringify(await read(rep.token))).toContain(WORD);
  });

  test("in the files that are attached to it, nor in what a job could not do", async () => {
    const files = await service.db.rows(sql`
      select id::text as id from core__attachments where organization_id = 1 and related_type = ${SECRET}`);
    const jobs = await service.db.rows(sql`
      select id::text as id from core__jobs where organization_id = 1 and controller = ${SECRET}`);
    const paths = [
      ...files.map(({ id }) => `/core/attachments/download?id=${id}`),
      ...jobs.map(({ id }) => `/core/jobs/failures.json?id=${id}`),
    ];
    expect([files.length, jobs.length]).toEqual([1, 1]);
    for (const path of paths) {
      expect(`${path} ${(await answer(path, admin.token)).status}`).toBe(`${path} 404`);
      expect(`${path} ${(await answer(path, rep.token)).status}`).toBe(`${path} 200`);
    }
  });

  test("by a warning of duplicates", async () => {
    await add(SECRET, { name: "First", note: "Twin" }, rep.token);
    const second = async (token: string) => (await save(SECRET, "add", { name: "Second", note: "Twin" }, token)).body;
    expect((await second(rep.token)).duplicates).toMatchObject([{ name: "First" }]);
    for (const { token } of [admin, friend]) expect((await second(token)).duplicates).toBeUndefined();
  });

  test.each([
    `/${SECRET}/view.json?id=`,
    `/${SECRET}/revisions.json?id=`,
    `/${SECRET}/stage_log.json?id=`,
    `/${SECRET}/access.json?id=`,
    `/access_controls/roles/who_may.json?controller=${SECRET}&id=`,
    `/core/comments/mentionable.json?related_type=${SECRET}&related_id=`,
  ])("at %s", async (path) => {
    const { status, body } = await service.get(path + secret, admin.token);
    expect(status).toBe(404);
    expect(JSON.stringify(body)).not.toContain(WORD);
    expect((await service.get(path + secret, rep.token)).status).toBe(200);
  });

  test("by the ids of what is attached to it", async () => {
    for (const type of [
      "core/comments",
      "core/attachments",
      "core/revisions",
      "core/stage_log",
      "core/jobs",
      "core/addresses",
    ]) {
      const table = type.replace("/", "__");
      const found = await service.db.rows(sql`select id::text as id from ${ident(table)} where organization_id = 1`);
      for (const { id } of found) {
        const { body } = await service.get(`/${type}/view.json?id=${id}`, admin.token);
        expect(JSON.stringify(body)).not.toContain(WORD);
      }
    }
    expect((await service.get(`/core/comments/view.json?id=${comment}`, rep.token)).status).toBe(200);
    expect((await service.post(`/core/comments/delete.json?id=${comment}&is_confirm=1`, {}, admin.token)).status).toBe(
      404,
    );
  });

  test("by being mentioned: neither offered, nor notified, nor mailed", async () => {
    const path = `/core/comments/mentionable.json?related_type=${SECRET}&related_id=${secret}&search=`;
    const { body } = await service.get(path, rep.token);
    expect(body.data.users).toEqual([]);
    const told = await service.db.rows(sql`
      select owned_by::text as user from core__notifications where organization_id = 1 and text like ${`%${WORD}%`}`);
    expect(told.map((row) => row.user)).toEqual(told.map(() => rep.id));
    // Nor without its name: that there is such a record is told to nobody who may not read it.
    const about = await service.db.rows(sql`
      select owned_by::text as user from core__notifications where organization_id = 1 and related_type = ${SECRET}`);
    expect(about).toEqual([]);
    const mails = await service.db.rows(sql`select m::text as content from core__mails m`);
    expect(JSON.stringify(mails)).not.toContain(WORD);
  });

  test("while those whom it is shared with meet it all", async () => {
    const principal = await service.db.row(sql`
      select principal_id::text as id from access_controls__users where organization_id = 1 and id = ${friend.id}::bigint`);
    expect(await about("core/comments", secret, friend.token)).toEqual([]);
    const shared = await service.post(
      `/${SECRET}/share.json?id=${secret}&principal_id=${principal?.id}&rights=read`,
      {},
      rep.token,
    );
    expect(shared.body.errors).toEqual([]);
    expect((await about("core/comments", secret, friend.token)).length).toBe(1);
    expect((await about("core/attachments", secret, friend.token)).length).toBe(1);
    expect((await about("access_controls/shares", secret, friend.token)).length).toBe(1);
    expect(await about("access_controls/shares", secret, admin.token)).toEqual([]);
    const share = shared.body.data.access.shares[0].id;
    expect(shared.body.data.access.holders.some((one: { kind: string }) => one.kind === "role")).toBe(false);
    expect(
      (await service.post(`/${SECRET}/unshare.json?id=${secret}&share=${share}`, {}, rep.token)).body.errors,
    ).toEqual([]);
    expect(await about("access_controls/shares", secret, friend.token)).toEqual([]);
  });
});

test("what was done to many addresses at once is not told, where one of them may be its own", async () => {
  const open = await add("crm/leads", { last_name: "Open", addresses: [{ address_line_1: "1 Road" }] }, rep.token);
  const ids = (await rows("core/addresses", rep.token)).flatMap((row) =>
    [open, secret].includes(String(row["addresses.related_id"])) ? [row["addresses.id"]] : [],
  );
  expect(ids.length).toBe(2);
  const edited = await service.post(
    "/core/addresses/edit_selected.json",
    { ids, data: { addresses: { city: "Y" } } },
    rep.token,
  );
  expect(edited.body.data.changed).toHaveLength(2);
  const job = `/core/jobs/view.json?id=${edited.body.job_id}`;
  expect([(await answer(job, rep.token)).status, (await answer(job, admin.token)).status]).toEqual([200, 404]);
});

test("what is attached to what is attached to it is held back as well", async () => {
  const principal = await service.db.row(sql`
    select principal_id::text as id from access_controls__users where organization_id = 1 and id = ${friend.id}::bigint`);
  const shared = await service.post(
    `/core/comments/share.json?id=${comment}&principal_id=${principal?.id}&rights=read`,
    {},
    rep.token,
  );
  expect(shared.body.errors).toEqual([]);
  const at = async (related_id: string | null | undefined, address_line_1: string) =>
    add("core/addresses", { related_type: "core/addresses", related_id, address_line_1, city: "X" }, rep.token);
  const first = await service.db.row(sql`
    select id::text as id from core__addresses where organization_id = 1 and related_type = ${SECRET} and related_id = ${secret}`);
  const second = await at(first?.id, `${WORD} annex`);
  await at(second, `${WORD} attic`);
  for (const type of ["core/addresses", "core/revisions"]) {
    expect(JSON.stringify(await rows(type, admin.token))).not.toContain(WORD);
  }
  const ofComment = async (token: string) =>
    (await rows("access_controls/shares", token)).filter((row) => row["shares.related_type"] === "core/comments");
  expect(await ofComment(admin.token)).toEqual([]);
  expect(await ofComment(rep.token)).toHaveLength(1);
  expect((await rows("core/addresses", rep.token)).map((row) => row["addresses.address_line_1"])).toContain(
    `${WORD} attic`,
  );
});

test("what was there before a type became confidential is held back with it", async () => {
  await define(forOwner, false);
  const id = await add(SECRET, { name: "Open so far" }, rep.token);
  const said = await add("core/comments", { related_type: SECRET, related_id: id, body: "Said openly" }, rep.token);
  await save("core/comments", "edit", { id: said, body: "Said otherwise" }, rep.token);
  const history = async () =>
    (await rows("core/revisions", admin.token)).filter((row) => JSON.stringify(row).includes("Said otherwise"));
  expect(await history()).toHaveLength(1);
  expect(await about("core/revisions", id, admin.token)).not.toEqual([]);
  await define(forOwner, true);
  expect(await history()).toEqual([]);
  for (const type of ["core/revisions", "core/comments", "core/stage_log"]) {
    expect(await about(type, id, admin.token)).toEqual([]);
  }
});

test("a policy opens it to whom it names, administrators included, and that is in the audit log", async () => {
  await define(forOwner);
  const id = await add(SECRET, { name: "Opened" }, rep.token);
  const sees = async (person: Person) => (await service.get(`/${SECRET}/view.json?id=${id}`, person.token)).status;
  const open = async (read: readonly string[]) => {
    const values = { record_type: SECRET, policy: JSON.stringify({ ...forOwner, read }) };
    return add("access_controls/policies", values, admin.token);
  };
  const close = (policy: string) =>
    service.post(`/access_controls/policies/delete.json?id=${policy}&is_confirm=1`, {}, admin.token);
  const others = await open(["owner", "role:sales_rep"]);
  expect([await sees(admin), await sees(friend)]).toEqual([404, 200]);
  expect((await close(others)).body.errors).toEqual([]);
  expect([await sees(admin), await sees(friend)]).toEqual([404, 404]);
  const own = await open(["owner", "role:administrator"]);
  expect([await sees(admin), await sees(friend)]).toEqual([200, 404]);
  const logged = (await rows("access_controls/audit_events", admin.token)).filter(
    (row) => row["audit_events.subject_type"] === "access_controls/policies" && row["audit_events.subject_id"] === own,
  );
  expect(logged).toEqual([expect.objectContaining({ "audit_events.user_name": "boss" })]);
  expect((await close(own)).body.errors).toEqual([]);
  expect(await sees(admin)).toBe(404);
});

test("what the service tells one person has no policy", async () => {
  const values = { record_type: "core/notifications", policy: JSON.stringify({ ...forOwner, read: ["organization"] }) };
  const { status, body } = await save("access_controls/policies", "add", values, admin.token);
  expect([status, body.errors]).toEqual([
    422,
    ["Some fields need your attention", "Notifications belong to one person only and can't have a policy"],
  ]);
});

const grantee = fc.constantFrom("owner", "organization", "role:administrator", "role:sales_rep", "role:sales_manager");
const policyOf = (read: readonly string[]) => ({
  read,
  edit: ["owner"],
  delete: ["owner"],
  comment: ["owner", ...read],
});

test("a confidential record that its owner leaves behind is handed to nobody", async () => {
  const leaver = await addPerson(service, "leaver", ["sales_rep"]);
  const id = await add(SECRET, { name: "Left behind" }, leaver.token);
  const path = `/access_controls/users/deactivate.json?id=${leaver.id}&hand_over_to=${friend.id}`;
  const { body } = await service.post(path, {}, admin.token);
  expect([body.errors, Object.keys(body.handed_over ?? {})]).toEqual([[], []]);
  expect((await service.get(`/${SECRET}/view.json?id=${id}`, friend.token)).status).toBe(404);
});

test("whatever the policy, every way to read a record agrees on who may", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(grantee, { maxLength: 2 }), fc.boolean(), async (read, confidential) => {
      const record_type = SECRET;
      await define(forOwner, confidential);
      const policy = JSON.stringify(policyOf(read));
      const known = await service.db.row(sql`
        select id::text as id from access_controls__policies where organization_id = 1 and record_type = ${SECRET} and deleted = 0`);
      const saved = await save(
        "access_controls/policies",
        known ? "edit" : "add",
        { ...(known ? { id: known.id } : {}), record_type, policy },
        admin.token,
      );
      expect(saved.body.errors).toEqual([]);
      const id = await add(SECRET, { name: "Both ways" }, rep.token);
      await add("core/comments", { related_type: SECRET, related_id: id, body: "Said" }, rep.token);
      const mentionable = await service.get(
        `/core/comments/mentionable.json?related_type=${SECRET}&related_id=${id}&search=`,
        rep.token,
      );
      const named: string[] = mentionable.body.data.users.map((user: { id: string }) => user.id);
      for (const person of [admin, friend]) {
        const may = (await service.get(`/${SECRET}/view.json?id=${id}`, person.token)).status === 200;
        const answers = {
          list: (await rows(SECRET, person.token)).some((row) => row["secrets.id"] === id),
          comments: (await about("core/comments", id, person.token)).length === 1,
          mentionable: named.includes(person.id),
          revisions: (await service.get(`/${SECRET}/revisions.json?id=${id}`, person.token)).status === 200,
          stage_log: (await service.get(`/${SECRET}/stage_log.json?id=${id}`, person.token)).status === 200,
          who_may:
            (await service.get(`/access_controls/roles/who_may.json?controller=${SECRET}&id=${id}`, person.token))
              .status === 200,
        };
        const told = `${JSON.stringify(read)} ${confidential} ${person.id}`;
        expect(`${told} ${JSON.stringify(answers)}`).toBe(
          `${told} ${JSON.stringify(Object.fromEntries(Object.keys(answers).map((key) => [key, may])))}`,
        );
        // History by itself is for administrators, and of confidential records for nobody.
        const history = (await about("core/revisions", id, admin.token)).length > 0;
        expect(history).toBe(!confidential);
      }
    }),
    { numRuns: 8 },
  );
});
