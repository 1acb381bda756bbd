// API keys that are limited to some record types and operations, held by an administrator: whatever way somebody tries with one,
// records of other types are not there. The secret is the name of a company; no answer may have it.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { operations } from "../../../server/operations/index.ts";
import { startService, type TestService } from "../../service.ts";
import { logIn, openAccounts, PASSWORD, probe } from "../accounts.ts";
import { addPerson, addRows } from "../people.ts";

const SECRET = "Zanzibar";
const q = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const action = { save_progress: "Save" };

let service: TestService;
let admin: string;
/** Reads and writes people and leads, and looks at users. */
let key: string;
let keyId: string;
/** May look at leads and people, and no more. */
let looking: string;
let company: string;
let person: string;
let comment: string;
let ownComment: string;
let job: string;

const made = async (values: Record<string, unknown>, token = admin) => {
  const answer = await service.post(
    "/access_controls/api_keys/add.json",
    { data: { api_keys: { name: "a key", scope: "write", ...values } } },
    token,
  );
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data.api_keys;
};
const add = async (type: string, values: Record<string, unknown>, token = admin) => {
  const alias = type.split("/")[1] ?? "";
  const answer = await service.post(`/${type}/add.json`, { data: { [alias]: values, action } }, token);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return String(answer.body.id);
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  company = await add("crm/companies", { name: `${SECRET} Holdings` });
  person = await add("crm/peoples", { last_name: "Okafor", company_id: company });
  const on = (type: string, id: string, body: string) => ({ related_type: type, related_id: id, body });
  comment = await add("core/comments", on("crm/companies", company, `about ${SECRET}`));
  ownComment = await add("core/comments", on("crm/peoples", person, "about Okafor"));
  const edited = await service.post(
    "/crm/companies/edit_selected.json",
    { ids: [company], data: { companies: { website: `https://${SECRET}.example` } } },
    admin,
  );
  job = edited.body.job_id;
  expect(job, JSON.stringify(edited.body)).toMatch(/^\d+$/);
  const limits = { "crm/leads": ["write"], "crm/peoples": ["write"], "access_controls/users": ["view"] };
  ({ secret: key, id: keyId } = await made({ limits }));
  ({ secret: looking } = await made({ limits: { "crm/leads": "read", "crm/peoples": "index view" } }));
});
afterAll(() => service.stop());

test("a limited key does what it is for: lists, views, comments, files and bulk edits of its types", async () => {
  const list = await service.get("/crm/peoples/index.json?limit=5", key);
  expect(list.status, JSON.stringify(list.body)).toBe(200);
  expect(list.body.paginate.data).toHaveLength(1);
  const view = await service.get(`/crm/peoples/view.json?id=${person}`, key);
  expect(view.body.data.peoples).toMatchObject({ last_name: "Okafor", company_id: company, __company_id: null });
  expect(view.body.data.peoples.__owned_by, "users may be looked at").toEqual(expect.any(String));
  const other = await service.get(`/crm/peoples/view.json?id=${person}`, looking);
  expect(other.body.data.peoples).toMatchObject({ last_name: "Okafor", __owned_by: null, __company_id: null });
  // Whom a record waits for, and who holds rights on it, are names of users, too.
  const waiting = await add("crm/leads", { last_name: "Waiting" });
  const fields = q({ fields: ["leads.id", "leads.current_workflow_actors"], where: { "leads.id": waiting } });
  const { body: editing } = await service.post(
    "/access_controls/api_keys/add.json",
    { data: { api_keys: { name: "edits", scope: "write", limits: { "crm/leads": ["write"] } } } },
    admin,
  );
  const told = async (token: string) => {
    const answers = [`index.json?q=${fields}`, `export.json?format=json&q=${fields}`, `view.json?id=${waiting}&form=0`];
    const bodies = [...answers, `access.json?id=${waiting}`].map((path) => service.get(`/crm/leads/${path}`, token));
    const [listed, exported, viewed, access] = (await Promise.all(bodies)).map(({ body }) => body);
    return [
      listed.paginate.data[0]["Current Workflow Actors"],
      JSON.stringify(exported).includes("Administrator"),
      viewed.workflow.actors,
      access.data.access.holders.find(({ kind }: { readonly kind: string }) => kind === "user").name,
    ];
  };
  expect(await told(key)).toEqual(["Administrator", true, ["Administrator"], "Administrator"]);
  expect(await told(editing.data.api_keys.secret)).toEqual([null, false, [], ""]);
  const comments = await service.get("/core/comments/index.json", key);
  expect(comments.body.paginate.data).toHaveLength(1);
  const edit = { data: { peoples: { id: person, job_title: "Pilot" }, action } };
  expect((await service.post("/crm/peoples/edit.json", edit, key)).status).toBe(200);
  const lead = await add("crm/leads", { last_name: "Mwangi" }, key);
  await add("core/comments", { related_type: "crm/leads", related_id: lead, body: "said" }, key);
  const bulk = { ids: [lead], data: { leads: { city: "Nairobi" } } };
  const { body } = await service.post("/crm/leads/edit_selected.json", bulk, key);
  expect(body.data.changed).toEqual([lead]);
  expect((await service.get(`/core/jobs/view.json?id=${body.job_id}`, key)).body.data.jobs.controller).toBe(
    "crm/leads",
  );
  const undone = await service.post("/core/jobs/undo.json", { id: body.job_id }, key);
  expect(undone.status, JSON.stringify(undone.body)).toBe(200);
  expect((await service.get("/core/search/index.json?text=Okafor", key)).status).toBe(200);
});

test("every operation of another type is refused, by every encoding, and says that it is the key", async () => {
  const answers = [];
  for (const name of Object.keys(operations)) {
    answers.push(await service.get(`/crm/companies/${name}.json?id=${company}&is_confirm=1&ids=${company}`, key));
    answers.push(
      await service.post(`/crm/companies/${name}.json`, { id: company, ids: [company], is_confirm: "1" }, key),
    );
    const rpc = { jsonrpc: "2.0", id: 1, method: `crm.companies.${name}`, params: { id: company } };
    answers.push(await service.post(`/crm/companies/${name}.json`, rpc, key));
  }
  const bare = { controller: "crm/companies", ids: company, is_confirm: "1", data: { companies: { name: "x" } } };
  answers.push(await service.post("/edit_selected", bare, key), await service.post("/delete_selected", bare, key));
  for (const { status, body } of answers) {
    const { error_code, errors } = body.result ?? body.error?.data ?? body;
    expect(status === 405 || error_code === "key_limited", JSON.stringify(body)).toBe(true);
    expect(errors ?? [1]).not.toEqual([]);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  }
  const row = await service.db.row(sql`select name, deleted::text as deleted from crm__companies`);
  expect(row).toEqual({ name: `${SECRET} Holdings`, deleted: "0" });
});

test("who may read a record but not comment on it is told which right is missing", async () => {
  const lead = await add("crm/leads", { last_name: "Silent" });
  const said = async (type: string, id: string, token: string) => {
    const comments = { related_type: type, related_id: id, body: "said" };
    return (await service.post("/core/comments/add.json", { data: { comments, action } }, token)).body.errors.at(-1);
  };
  expect(await said("crm/leads", lead, looking)).toBe("This API key can't comment on leads. Use a key that can");
  // Of what it cannot read it hears nothing.
  for (const [type, id] of [
    ["crm/leads", "999999"],
    ["crm/companies", company],
  ] as const)
    expect(await said(type, id, looking)).toBe("The related record does not exist, or you can't comment on it");
});

test("no indirect way tells of another type: columns, conditions, search, feed, comments, jobs, exports, schemas", async () => {
  const people = "/crm/peoples/index.json";
  const asked = [
    `${people}?q=${q({ method: "find", fields: ["peoples.last_name", "company.name"] })}`,
    `${people}?q=${q({ method: "find", fields: ["*"] })}`,
    `${people}?q=${q({ where: { "company.name starts with": "Zanzi" } })}`,
    `${people}?q=${q({ where: { "companies.name contains": "anziba" } })}`,
    `${people}?q=${q({ group: ["peoples.company_id"] })}`,
    `${people}?sort=company.name`,
    `${people}?search_basic=anziba`,
    `/crm/peoples/export.json?format=csv`,
    `/crm/peoples/export.json?format=json`,
    `/crm/peoples/timeline.json?id=${person}`,
    `/crm/peoples/revisions.json?id=${person}`,
    `/crm/peoples/access.json?id=${person}`,
    `/crm/peoples/edit.json?id=${person}`,
    `/crm/peoples/add.json?company_id=${company}`,
    `/crm/peoples/view.json?related_to=${company}`,
    `/crm/peoples/index.json?related_to=${company}`,
    "/core/search/index.json?text=anziba",
    "/core/changes/index.json",
    "/core/changes/index.json?controller=crm/companies",
    "/core/comments/index.json",
    `/core/comments/view.json?id=${comment}`,
    `/core/comments/edit.json?id=${comment}`,
    `/core/jobs/view.json?id=${job}`,
    `/core/jobs/failures.json?id=${job}`,
    "/core/jobs/index.json",
    "/core/listviews/index.json",
    "/core/listviews/dashboard.json",
    "/core/notifications/mine.json",
    "/core/favorites/index.json",
    "/core/revisions/index.json",
    "/access_controls/audit_events/index.json",
    "/access_controls/api_keys/mine.json",
    "/access_controls/users/profile.json",
    "/core/workflows/my_work.json",
    "/metadata/schema/index.json?controller=crm/companies",
    "/metadata/record_types/index.json",
    "/openapi.json",
    "/metadata/openapi/index.json",
    "/development_base/menus/app_menu.json",
  ];
  for (const address of asked) {
    const { status, body } = await service.get(address, key);
    expect(JSON.stringify(body), address).not.toContain(SECRET);
    expect(status, address).toBeLessThan(500);
  }
  const described = await service.get("/openapi.json", key);
  expect(described.status).toBe(200);
  expect(Object.keys(described.body.paths).some((path) => path.startsWith("/crm/companies/"))).toBe(false);
  expect(Object.keys(described.body.paths).some((path) => path.startsWith("/crm/leads/"))).toBe(true);
  // Whether something is there is not told either.
  const found = await service.get(`${people}?q=${q({ where: { "company.name starts with": "Zanzi" } })}`, key);
  expect(found.body.paginate?.total_count ?? 0).toBe(0);
  // What was kept for the administrator is not given to the key, nor the other way round.
  const own = await service.get(`${people}?q=${q({ fields: ["peoples.last_name", "company.name"] })}`, admin);
  expect(JSON.stringify(own.body)).toContain(SECRET);
});

test("the description has what a key can call, and nothing that is refused to it", async () => {
  const { secret: reading } = await made({ scope: "read", limits: { "crm/leads": ["write"] } });
  type Paths = Record<string, Record<string, { readonly security?: readonly unknown[] }>>;
  const pathsFor = async (token: string): Promise<Paths> => (await service.get("/openapi.json", token)).body.paths;
  // Types that are alike are tried once.
  const tried =
    /^\/(?:crm\/(?:leads|companies)|masters\/countries|core\/(?:comments|jobs|listviews|changes|search|webhooks|notifications|workflows)|metadata|development_base|access_controls\/(?:users|api_keys))/;
  const all = Object.entries(await pathsFor(admin)).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { security }]) => (security || !tried.test(path) ? [] : [{ path, method }])),
  );
  const ask = async (secret: string, those: typeof all) => {
    const own = await pathsFor(secret);
    const wrong: string[] = [];
    for (const { path, method } of those) {
      const { body } = await (method === "post" ? service.post(path, {}, secret) : service.get(path, secret));
      const isRefused = ["key_limited", "read_only_key", "operation_forbidden"].includes(body?.error_code);
      if (isRefused === Object.hasOwn(own, path)) wrong.push(`${method} ${path} ${body?.error_code}`);
    }
    expect(wrong).toEqual([]);
  };
  await ask(key, all);
  await ask(
    reading,
    all.filter(({ path }) => path.startsWith("/crm/leads/")),
  );
  const [written, read] = [await pathsFor(key), await pathsFor(reading)];
  expect(Object.keys(written)).toContain("/crm/leads/edit.json");
  expect(Object.keys(read)).toContain("/crm/leads/index.json");
  expect(Object.values(read).filter(({ post, get }) => post && !get && !post.security)).toEqual([]);
});

test("nothing of another type is written, not by undo, comments, references, imports, jobs or a workflow's effects", async () => {
  const refused = [
    await service.post("/core/jobs/undo.json", { id: job }, key),
    await service.post("/core/jobs/cancel.json", { id: job }, key),
    await service.post(
      "/core/comments/add.json",
      { data: { comments: { related_type: "crm/companies", related_id: company, body: "hi" }, action } },
      key,
    ),
    await service.post("/core/comments/edit.json", { data: { comments: { id: comment, body: "hi" }, action } }, key),
    await service.post("/core/comments/delete.json", { id: comment, is_confirm: "1" }, key),
    // A company that is not there for the key cannot be named, even where its id is known.
    await service.post(
      "/crm/peoples/add.json",
      { data: { peoples: { last_name: "X", company_id: company }, action } },
      key,
    ),
    await service.post("/crm/companies/import.json", new FormData(), key),
    await service.post("/metadata/record_types/save.json", { definition: "{}" }, key),
    await service.post("/access_controls/users/edit.json", { data: { users: { id: "1", title: "x" }, action } }, key),
    await service.post("/access_controls/users/profile.json", { data: { users: { title: "x" } } }, key),
    await service.post("/core/workflows/move_records.json", { controller: "crm/leads" }, key),
  ];
  for (const [index, { status, body }] of refused.entries()) {
    expect(status, `${index}: ${JSON.stringify(body)}`).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(JSON.stringify(body)).not.toContain(SECRET);
  }
  // A step of a workflow that makes a company makes none, and is not taken.
  const lead = await add("crm/leads", { last_name: "Convert", company_name: "Made by a step", amount: "1" }, key);
  const step = (name: string, token: string) =>
    service.post("/crm/leads/edit.json", { data: { leads: { id: lead }, action: { [name]: name } } }, token);
  const qualified = await step("qualify", key);
  expect(qualified.status, JSON.stringify(qualified.body.errors)).toBe(200);
  expect(await step("convert", key)).toMatchObject({ status: 403, body: { error_code: "key_limited" } });
  expect((await service.get(`/crm/leads/view.json?id=${lead}`, key)).body.data.leads.status).toBe("qualified");
  expect((await step("convert", admin)).status).toBe(200);
  const back = await service.post("/crm/leads/undo_transition.json", { id: lead }, key);
  expect(back, JSON.stringify(back.body)).toMatchObject({ status: 403, body: { error_code: "key_limited" } });
  expect((await service.get(`/crm/leads/view.json?id=${lead}`, key)).body.data.leads.status).toBe("converted");
  // Access that is given outlives the key: sharing takes more than the right to edit.
  const sharing = (token: string) =>
    service.post("/crm/leads/share.json", { id: lead, principal_id: "1", rights: "read" }, token);
  expect(await sharing(key)).toMatchObject({ status: 403, body: { error_code: "key_limited" } });
  const shares = { "crm/leads": ["write"], "access_controls/shares": ["add", "delete"] };
  const { secret: sharer } = await made({ limits: shares });
  const shared = await sharing(sharer);
  expect(shared.status, JSON.stringify(shared.body)).toBe(200);
  // A key that only looks writes nothing at all, not even its user's own comment.
  const silent = [
    await service.post(
      "/core/comments/edit.json",
      { data: { comments: { id: ownComment, body: "hi" }, action } },
      looking,
    ),
    await service.post(
      "/core/comments/add.json",
      { data: { comments: { related_type: "crm/peoples", related_id: person, body: "hi" }, action } },
      looking,
    ),
    await service.post(
      "/crm/peoples/edit.json",
      { data: { peoples: { id: person, job_title: "x" }, action } },
      looking,
    ),
    await service.get("/crm/peoples/export.json?format=csv", looking),
  ];
  expect(silent.map(({ status }) => status)).toEqual([expect.any(Number), expect.any(Number), 403, 403]);
  for (const { status } of silent) expect(status).toBeGreaterThanOrEqual(400);
  const bodies = await service.db.rows(
    sql`select body from core__comments where id in (${comment}::bigint, ${ownComment}::bigint)`,
  );
  expect(bodies.map(({ body }) => body).sort()).toEqual(["about Okafor", `about ${SECRET}`]);
});

test("beside a record, too, a limited key tells, stops and hands over nothing beyond it", async () => {
  const lead = await add("crm/leads", { last_name: "Beside" });
  const follower = await addPerson(service, "follower", ["sales_manager"]);
  await service.post(`/crm/leads/follow.json?id=${lead}`, {}, follower.token);
  const followers = async (token: string) =>
    (await service.get(`/crm/leads/followers.json?id=${lead}`, token)).body.data.followers;
  expect(await followers(key)).toEqual([{ id: follower.id, name: "follower" }]);
  expect(await followers(looking), "users may not be looked at").toEqual([]);

  const opened = await service.post("/crm/leads/share.json", { id: lead, principal_id: "1", rights: "read" }, admin);
  const [{ id: share }] = opened.body.data.access.shares;
  const bulk = { ids: [lead], data: { leads: { city: "Accra" } } };
  const { body: edited } = await service.post("/crm/leads/edit_selected.json", bulk, admin);
  const workflow = await service.db.row(sql`
    select id::text as id from core__workflows where organization_id = 1 and controller = 'crm/leads'`);
  const leaver = await addPerson(service, "leaver", ["sales_rep"]);
  const [left = ""] = await addRows(service, "crm/leads", [{ last_name: "Left", owned_by: leaver.id }]);
  const limits = { "access_controls/users": ["view", "edit"], "core/workflows": ["view"] };
  const { secret: managing } = await made({ limits });
  const leave = `/access_controls/users/deactivate.json?id=${leaver.id}&hand_over_to=${follower.id}`;
  const refused = {
    unshare: await service.post("/crm/leads/unshare.json", { id: lead, share }, key),
    cancel: await service.post("/core/jobs/cancel.json", { id: edited.job_id }, looking),
    handOver: await service.post(leave, {}, managing),
    count: await service.get(`/core/workflows/older_records.json?id=${workflow?.id}`, managing),
  };
  for (const [what, answer] of Object.entries(refused))
    expect.soft(answer, what).toMatchObject({ status: 403, body: { error_code: "key_limited" } });
  const row = await service.db.row(sql`
    select l.owned_by::text as owner, u.is_active::text as active from crm__leads l
    join access_controls__users u on u.id = ${leaver.id}::bigint where l.id = ${left}::bigint`);
  expect(row).toEqual({ owner: leaver.id, active: "1" });
});

test("a job that was started with a key stays within it, and ends when the key is revoked", async () => {
  const rows = Array.from({ length: 1_500 }, (_, index) => ({ last_name: `Bulk ${index}` }));
  const limits = { "crm/leads": ["write"] };
  const { secret, id } = await made({ limits });
  const started = await service.post("/crm/leads/add_many.json", { data: { leads: rows } }, secret);
  expect(started.body.job_id, JSON.stringify(started.body)).toMatch(/^\d+$/);
  const status = async (one: string) =>
    (await service.get(`/core/jobs/view.json?id=${one}`, admin)).body.data.jobs.status;
  await expect.poll(() => status(started.body.job_id), { timeout: 20_000 }).toBe("done");
  const bulk = { all_matching: "1", data: { leads: { city: "Lagos" } } };
  // As one that was queued before the key was limited further.
  const other = await service.db.row(sql`
    with job as (
      insert into core__jobs (organization_id, kind, title, controller, status, total, done, failed, input, owned_by, created_by, modified_by, acl_id)
      select organization_id, 'edit', 'Edit', 'crm/companies', 'queued', 1, 0, 0,
        jsonb_build_object('atomic', false, 'byKey', ${id}::text), owned_by, created_by, modified_by, acl_id
      from core__jobs where id = ${started.body.job_id}::bigint returning organization_id, id
    ) insert into core__job_queue (organization_id, job_id) select organization_id, id from job returning job_id::text as id`);
  await expect.poll(() => status(other?.id ?? ""), { timeout: 20_000 }).toBe("failed");
  // Queued within a transaction that no runner sees before the key is gone.
  const next = await service.db.transaction(async (transaction) => {
    await transaction.run(sql`lock table core__job_queue in share row exclusive mode`);
    await transaction.run(sql`update access_controls__api_keys set revoked = now() where id = ${id}::bigint`);
    const row = await transaction.row(sql`
      insert into core__jobs (organization_id, kind, title, controller, status, total, done, failed, input, owned_by, created_by, modified_by, acl_id)
      select organization_id, 'edit', 'Edit', controller, 'queued', 1, 0, 0,
        jsonb_build_object('atomic', false, 'byKey', ${id}::text), owned_by, created_by, modified_by, acl_id
      from core__jobs where id = ${started.body.job_id}::bigint returning id::text as id, organization_id::text as organization`);
    await transaction.run(sql`
      insert into core__job_queue (organization_id, job_id) values (${row?.organization ?? ""}::bigint, ${row?.id ?? ""}::bigint)`);
    return row?.id ?? "";
  });
  await expect.poll(() => status(next), { timeout: 20_000 }).toBe("failed");
  const ended = await service.get(`/core/jobs/view.json?id=${next}`, admin);
  expect(JSON.stringify(ended.body.data.jobs.result)).toContain("was revoked");
  expect((await service.post("/crm/leads/edit_selected.json", bulk, secret)).status).toBe(401);
});

test("a key works from its networks alone, and says so elsewhere without telling whose it is", async () => {
  const here = await made({ networks: "127.0.0.0/8, ::1" });
  expect(here.networks).toBe("127.0.0.0/8 ::1");
  // The same address, written as one of IPv6.
  const mapped = await made({ networks: "::ffff:7f00:1" });
  expect((await service.get("/crm/leads/index.json", mapped.secret)).status).toBe(200);
  expect(await probe(service, here.secret)).toBe(200);
  const elsewhere = await made({ networks: "203.0.113.7\n2001:db8::/32" });
  const refused = await service.get("/crm/leads/index.json", elsewhere.secret);
  expect(refused).toMatchObject({ status: 403, body: { error_code: "key_address_refused" } });
  expect(JSON.stringify(refused.body)).not.toContain('user_fullname":"');
  // What a client claims of itself counts only behind a proxy that is trusted.
  const claimed = await fetch(`${service.url}/crm/leads/index.json`, {
    headers: { authorization: `Bearer ${elsewhere.secret}`, "x-forwarded-for": "203.0.113.7" },
  });
  expect(claimed.status).toBe(403);
});

test("what a key cannot be limited to is refused, with the field", async () => {
  const refusals: readonly [string, unknown][] = [
    ["limits", "crm/leads"],
    ["limits", "{}"],
    ["limits", { "crm/none": ["read"] }],
    ["limits", { "crm/leads": ["fly"] }],
    ["limits", { "crm/leads": [] }],
    ["limits", { "crm/leads": [["read"]] }],
    ["limits", ["crm/leads"]],
    ["networks", "10.0.0.0/33"],
    ["networks", "300.1.1.1"],
    ["networks", "localhost"],
    ["networks", "::ffff:1.2.3.4/96"],
    ["networks", "1.2.3.4,".repeat(101)],
    ["user_id", "999999"],
  ];
  for (const [field, value] of refusals) {
    const sent = { data: { api_keys: { name: "a key", [field]: value } } };
    const { status, body } = await service.post("/access_controls/api_keys/add.json", sent, admin);
    expect(status, JSON.stringify(body)).toBe(422);
    expect(Object.keys(body.errors_by_field)).toEqual([`api_keys.${field}`]);
  }
});

test("no key makes keys, or changes its own limits, its user's password, codes or email address", async () => {
  const full = await made({});
  const limited = await made({ limits: { "*": ["write"] } });
  const me = (await service.get("/access_controls/users/profile.json", admin)).body.data.users.id;
  for (const { secret } of [full, limited]) {
    const attempts = [
      await service.post("/access_controls/api_keys/add.json", { data: { api_keys: { name: "more" } } }, secret),
      await service.post("/access_controls/api_keys/add_many.json", { data: { api_keys: [{ name: "more" }] } }, secret),
      await service.post(
        "/access_controls/api_keys/edit.json",
        { data: { api_keys: { id: keyId, limits: "" }, action } },
        secret,
      ),
      await service.post(
        "/access_controls/api_keys/edit_selected.json",
        { ids: [keyId], data: { api_keys: { limits: "" } } },
        secret,
      ),
      await service.post("/access_controls/api_keys/revoke.json", { id: keyId }, secret),
      await service.post(
        "/access_controls/users/change_password.json",
        { data: { users: { user_password: "x" } } },
        secret,
      ),
      await service.post("/access_controls/users/begin_mfa.json", {}, secret),
      await service.post(
        "/core/email_addresses/add.json",
        {
          data: {
            email_addresses: { related_type: "access_controls/users", related_id: me, email: "thief@x.example" },
            action,
          },
        },
        secret,
      ),
      await service.post(
        "/access_controls/users/edit.json",
        { data: { users: { id: me, email_addresses: [{ email: "thief@x.example", type: "work" }] }, action } },
        secret,
      ),
    ];
    for (const [index, { status, body }] of attempts.entries()) {
      expect(status, `${index}: ${JSON.stringify(body)}`).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
  }
  const thief = await service.db.rows(sql`select 1 as found from core__email_addresses where email like 'thief%'`);
  expect(thief).toEqual([]);
  // Nor does somebody signed in make a key that is never shown.
  const many = await service.post(
    "/access_controls/api_keys/add_many.json",
    { data: { api_keys: [{ name: "more", user_id: "999" }] } },
    admin,
  );
  expect([many.status, many.body.errors[0]]).toEqual([409, expect.stringContaining("Create API keys one at a time")]);
});

test("a service account has no password and no mail, comes in by keys of administrators, and never is the last one", async () => {
  const role = await service.db.row(sql`select id from access_controls__roles where code = 'administrator'`);
  const roles_users = [{ role_id: role?.id }];
  const users = { user_name: "sync", last_name: "Sync", is_service_account: "1", roles_users };
  const added = await service.post("/access_controls/users/add.json", { data: { users, action } }, admin);
  expect(added.status, JSON.stringify(added.body)).toBe(200);
  expect(added.body).not.toHaveProperty("invitation_links");
  const id = added.body.id;
  const forgotten = { data: { users: { user_name: "sync" } } };
  await service.post("/access_controls/users/activate_forgotten_password.json", forgotten);
  const tokens = await service.db.rows(sql`
    select 1 as found from access_controls__secrets where subject = ${id} and kind = 'password'`);
  expect(tokens).toEqual([]);
  const accounts = await openAccounts(service.db);
  // Even with a password that came by another way.
  await service.db.run(sql`
    insert into access_controls__secrets (organization_id, kind, subject, hash)
    select organization_id, 'password', ${id}, hash from access_controls__secrets
    where kind = 'password' and subject = ${await accounts.add("rep")}`);
  await expect(logIn(service, "sync")).rejects.toThrow();
  const rep = (await logIn(service, "rep", PASSWORD)).access;

  const { secret, id: keyOfSync } = await made({ user_id: id, limits: { "crm/leads": ["read"] } });
  expect((await service.get("/crm/leads/index.json", secret)).body.user_id).toBe(id);
  const others = await service.post(
    "/access_controls/api_keys/add.json",
    { data: { api_keys: { name: "x", user_id: id } } },
    rep,
  );
  expect(others.status).toBe(422);
  const switched = (to: string) => service.post(`/access_controls/users/${to}.json?id=${id}`, {}, admin);
  expect((await switched("deactivate")).status).toBe(200);
  const late = { data: { api_keys: { name: "late", user_id: id } } };
  expect((await service.post("/access_controls/api_keys/add.json", late, admin)).status).toBe(422);
  expect((await switched("activate")).status).toBe(200);
  const mine = (await service.get("/access_controls/users/profile.json", rep)).body.data.users.id;
  const forPerson = { data: { api_keys: { name: "x", user_id: mine } } };
  expect((await service.post("/access_controls/api_keys/add.json", forPerson, admin)).status).toBe(422);
  for (const change of [
    { id, is_service_account: "0" },
    { id: mine, is_service_account: "1" },
  ]) {
    const edited = await service.post("/access_controls/users/edit.json", { data: { users: change, action } }, admin);
    expect(edited.status, JSON.stringify(edited.body)).toBe(422);
  }
  // Seen and revoked by administrators of the organization, and by nobody else.
  const seen = await service.get("/access_controls/api_keys/index.json?limit=100", admin);
  expect(JSON.stringify(seen.body.paginate.data)).toContain(`"api_keys.id":"${keyOfSync}"`);
  const other = await accounts.found("Elsewhere");
  await accounts.add("chief", ["administrator"], other);
  const chief = (await logIn(service, "chief")).access;
  for (const token of [rep, chief]) {
    expect((await service.post("/access_controls/api_keys/revoke.json", { id: keyOfSync }, token)).status).toBe(404);
    expect(JSON.stringify((await service.get("/access_controls/api_keys/index.json", token)).body)).not.toContain(
      `"${keyOfSync}"`,
    );
  }
  expect((await service.get("/crm/leads/index.json", secret)).status).toBe(200);
  expect((await service.post("/access_controls/api_keys/revoke.json", { id: keyOfSync }, admin)).status).toBe(200);
  expect((await service.get("/crm/leads/index.json", secret)).status).toBe(401);
  // An organization is run by people: one who cannot sign in does not count.
  const me = (await service.get("/access_controls/users/profile.json", admin)).body.data.users.id;
  const own = await service.db.row(
    sql`select id::text as id from access_controls__roles_users where user_id = ${me}::bigint`,
  );
  const resigned = await service.post(
    "/access_controls/roles_users/delete.json",
    { id: own?.id, is_confirm: "1" },
    admin,
  );
  expect(resigned.status, JSON.stringify(resigned.body)).toBe(409);
});

test("what was answered under an Idempotency-Key is not told to a key that may do less", async () => {
  const { secret } = await made({ limits: { "crm/leads": ["write"] } });
  const sent = { data: { leads: { last_name: "Once" }, action } };
  const add = (token: string) => service.post("/crm/leads/add.json", sent, token, { "idempotency-key": "told-once" });
  const { body } = await add(admin);
  expect([body.errors, (await add(admin)).body.id]).toEqual([[], body.id]);
  expect((await add(secret)).status).toBe(409);
});

test("the last use of a key is noted beside the request", async () => {
  const { id, secret } = await made({});
  await probe(service, secret);
  const used = async () =>
    (await service.db.row(sql`select last_used from access_controls__api_keys where id = ${id}::bigint`))?.last_used;
  await expect.poll(used).toEqual(expect.any(String));
});
