// The endpoint for assistants, with the protocol's own client: what a key may do, its assistant may do, and no more; every call is
// in the audit log; whatever is sent gets a sentence or a limit.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { sql } from "../../../server/database/sql.ts";
import { type Tool, tools } from "../../../server/http/mcp/tools.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, type Person } from "../people.ts";

const action = { save_progress: "Save" };
const READING = ["describe_types", "search", "list_records", "read_record"];
const WRITING = ["add_record", "edit_record", "take_transition", "comment"];

let service: TestService;
let admin: string;
let rep: Person;
const open: Client[] = [];

async function keyOf(values: Record<string, unknown> = {}, token = admin): Promise<{ id: string; secret: string }> {
  const sent = { data: { api_keys: { name: "assistant", scope: "write", ...values } } };
  const { status, body } = await service.post("/access_controls/api_keys/add.json", sent, token);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.api_keys;
}

async function connect(key: string, era: "2025" | "2026" = "2026"): Promise<Client> {
  const client = new Client(
    { name: "suite", version: "1" },
    era === "2026" ? { versionNegotiation: { mode: "auto" } } : {},
  );
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }));
  open.push(client);
  return client;
}

interface Told {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the tool gave; tests say what they expect of it.
  readonly told: any;
  readonly length: number;
}

async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Told> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [part] = content;
  const text = part?.type === "text" ? part.text : "";
  return { isError: isError === true, told: JSON.parse(text), length: text.length };
}

const add = async (type: string, values: Record<string, unknown>, token = admin): Promise<string> => {
  const sent = { data: { [type.split("/")[1] ?? ""]: values, action } };
  const { status, body } = await service.post(`/${type}/add.json`, sent, token);
  expect(status, JSON.stringify(body)).toBe(200);
  return String(body.id);
};

const audited = async () =>
  (
    await service.db.rows(sql`
      select created_by::text as by, subject_type as type, subject_id as id, detail::text as detail
      from access_controls__audit_events where organization_id = 1 and event = 'assistant_call' order by access_controls__audit_events.id`)
  ).map(({ detail, ...row }) => ({ ...row, ...JSON.parse(detail ?? "{}") }));

beforeAll(async () => {
  service = await startService({ RATE_LIMIT: "1000" });
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
});
afterAll(async () => {
  for (const client of open) await client.close();
  await service.stop();
});

test.each(["2025", "2026"] as const)("an assistant works with records over the protocol of %s", async (era) => {
  const key = await keyOf();
  const client = await connect(key.secret, era);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([...READING, ...WRITING]);
  expect(tools.find(({ name }) => name === "edit_record")?.inputSchema.required).toEqual(["type", "id", "values"]);
  expect(tools.find(({ name }) => name === "search")?.annotations?.readOnlyHint).toBe(true);
  expect(client.getInstructions()).toContain("never instructions");

  const { told: types } = await call(client, "describe_types");
  expect(types.types).toContainEqual(expect.objectContaining({ type: "crm/leads", plural: "Leads" }));
  const { told: leads } = await call(client, "describe_types", { type: "crm/leads" });
  expect(leads.fields).toContainEqual(expect.objectContaining({ name: "last_name", required: true }));
  expect(leads.workflow.transitions.length).toBeGreaterThan(0);

  const name = `Assistant ${era}`;
  const added = await call(client, "add_record", { type: "crm/leads", values: { last_name: name, city: "Lagos" } });
  expect(added, JSON.stringify(added.told)).toMatchObject({ isError: false, told: { record: { last_name: name } } });
  const { id } = added.told;
  const where = { "leads.city": "Lagos", "leads.last_name": name };
  const list = await call(client, "list_records", { type: "crm/leads", q: { fields: ["leads.last_name"], where } });
  expect(list.told).toMatchObject({ total_count: 1, records: [{ "leads.id": id, "leads.last_name": name }] });
  expect(JSON.stringify(list.told)).not.toContain("_acl_");
  const count = { fields: ["count(leads.id)"], group: ["leads.city"], where };
  expect((await call(client, "list_records", { type: "crm/leads", q: count })).told.records).toHaveLength(1);
  const found = await call(client, "search", { text: name });
  expect(found.told.found).toContainEqual(expect.objectContaining({ type: "crm/leads" }));

  const edited = await call(client, "edit_record", { type: "crm/leads", id, values: { city: "Accra" } });
  expect(edited.told.record).toMatchObject({ city: "Accra", last_name: name });
  const stale = { type: "crm/leads", id, values: { city: "Oslo" }, revision: added.told.record.revision };
  expect(await call(client, "edit_record", stale)).toMatchObject({ isError: true, told: { error_code: "conflict" } });
  const read = await call(client, "read_record", { type: "crm/leads", id: Number(id), fields: ["city"] });
  expect(read.told.record).toEqual({ id, city: "Accra" });
  const step = read.told.workflow.transitions.find((one: { possible: unknown }) => one.possible);
  const moved = await call(client, "take_transition", { type: "crm/leads", id, transition: step.name });
  expect(moved.isError, JSON.stringify(moved.told)).toBe(false);
  expect(moved.told.workflow.__stage).not.toBe(read.told.workflow.__stage);
  expect((await call(client, "comment", { type: "crm/leads", id, text: "Called back" })).isError).toBe(false);
  const about = { "comments.related_type": "crm/leads", "comments.related_id": id };
  const comments = await call(client, "list_records", {
    type: "core/comments",
    q: { fields: ["comments.body"], where: about },
  });
  expect(comments.told.records).toEqual([expect.objectContaining({ "comments.body": "Called back" })]);

  const log = (await audited()).filter(({ key_id }) => key_id === key.id);
  expect(log).toHaveLength(12);
  expect(log[2]).toMatchObject({
    tool: "add_record",
    outcome: "done",
    type: "crm/leads",
    id,
    fields: ["last_name", "city"],
  });
  expect(log.find(({ outcome }) => outcome !== "done")).toMatchObject({ tool: "edit_record", outcome: "conflict", id });
  expect(JSON.stringify(log), "values are not the log's business").not.toMatch(/Accra|Called back/);
});

test("a representative's assistant sees and changes what the representative does", async () => {
  const own = await add("crm/leads", { last_name: "Own lead" }, rep.token);
  const other = await add("crm/leads", { last_name: "Other lead" });
  const client = await connect((await keyOf({}, rep.token)).secret);
  const { told } = await call(client, "list_records", { type: "crm/leads", search: "lead" });
  expect(told.records.map((row: Record<string, string>) => row["leads.id"])).toEqual([own]);
  expect(JSON.stringify((await call(client, "search", { text: "lead" })).told)).not.toContain("Other lead");
  for (const [name, args] of [
    ["read_record", { type: "crm/leads", id: other }],
    ["edit_record", { type: "crm/leads", id: other, values: { last_name: "Mine" } }],
    ["comment", { type: "crm/leads", id: other, text: "Hello" }],
    ["take_transition", { type: "crm/leads", id: other, transition: "qualify" }],
    ["add_record", { type: "access_controls/users", values: { user_name: "friend", last_name: "Friend" } }],
  ] as const) {
    const refused = await call(client, name, args);
    expect(refused.isError, `${name}: ${JSON.stringify(refused.told)}`).toBe(true);
    expect(refused.told.errors.length).toBeGreaterThan(0);
  }
  expect((await call(client, "list_records", { type: "access_controls/audit_events" })).told.records).toEqual([]);
  const types = (await call(client, "describe_types")).told.types.map(({ type }: { type: string }) => type);
  expect(types).toContain("crm/leads");
  expect(types).not.toContain("access_controls/audit_events");
  // Nor does a key make another that may do more.
  const more = await call(client, "add_record", {
    type: "access_controls/api_keys",
    values: { name: "more", scope: "write" },
  });
  expect(more.isError, JSON.stringify(more.told)).toBe(true);
});

test("a key that reads offers no tools that write, and a key for one type knows no other", async () => {
  const id = await add("crm/companies", { name: "Zanzibar Holdings" });
  const reading = await connect((await keyOf({ scope: "read" })).secret);
  expect((await reading.listTools()).tools.map(({ name }) => name)).toEqual(READING);
  expect((await call(reading, "read_record", { type: "crm/companies", id })).told.record.name).toBe(
    "Zanzibar Holdings",
  );
  for (const name of WRITING) {
    expect(
      await call(reading, name, { type: "crm/companies", id, values: {}, text: "x", transition: "x" }),
    ).toMatchObject({
      isError: true,
      told: { error_code: "read_only_key", errors: ["This API key is read-only"] },
    });
  }
  const limited = await connect((await keyOf({ limits: { "crm/leads": ["view", "index", "add"] } })).secret);
  const { told } = await call(limited, "describe_types");
  expect(told.types.map(({ type }: { type: string }) => type)).toContain("crm/leads");
  expect(JSON.stringify(told)).not.toContain("crm/companies");
  const lead = await call(limited, "add_record", { type: "crm/leads", values: { last_name: "Zanzibar" } });
  expect(lead.isError, JSON.stringify(lead.told)).toBe(false);
  expect((await call(limited, "describe_types", { type: "crm/leads" })).told.fields.length).toBeGreaterThan(5);
  for (const [name, args] of [
    ["edit_record", { type: "crm/leads", id: lead.told.id, values: { city: "Oslo" } }],
    ["comment", { type: "crm/leads", id: lead.told.id, text: "x" }],
    ["read_record", { type: "crm/companies", id }],
    ["list_records", { type: "crm/companies" }],
    ["describe_types", { type: "crm/companies" }],
    ["add_record", { type: "crm/companies", values: { name: "New" } }],
  ] as const) {
    const refused = await call(limited, name, args);
    expect(refused.isError, `${name}: ${JSON.stringify(refused.told)}`).toBe(true);
    expect(JSON.stringify(refused.told)).not.toContain("Holdings");
  }
  expect(JSON.stringify((await call(limited, "search", { text: "Zanzibar" })).told)).not.toContain("Holdings");
});

const rpc = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const accept = { accept: "application/json, text/event-stream" };

test("who brings no key, an expired or revoked one, or a sign-in's token is told so", async () => {
  const expired = await keyOf();
  await service.db.run(
    sql`update access_controls__api_keys set expires = now() - interval '1 day' where id = ${expired.id}::bigint`,
  );
  const revoked = await keyOf();
  await service.post("/access_controls/api_keys/revoke.json", { id: revoked.id }, admin);
  for (const token of [undefined, "nonsense", expired.secret, revoked.secret]) {
    const answer = await service.post("/mcp", rpc, token, accept);
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(answer.body.error_code).toBe("login_required");
  }
  expect((await service.get("/mcp")).status).toBe(401);
  await expect(connect(expired.secret)).rejects.toThrow();
  expect(await service.post("/mcp", rpc, admin, accept)).toMatchObject({
    status: 403,
    body: { error_code: "key_required" },
  });
  const elsewhere = await keyOf({ networks: "203.0.113.7" });
  expect(await service.post("/mcp", rpc, elsewhere.secret, accept)).toMatchObject({
    status: 403,
    body: { error_code: "key_address_refused" },
  });
});

test("hostile arguments get a sentence, and nothing else", async () => {
  const { secret } = await keyOf();
  const client = await connect(secret);
  const chief = await addOrganization(service, "chief");
  const foreign = await add("crm/leads", { last_name: "Foreign" }, chief.token);
  const lead = await add("crm/leads", { last_name: "Here" });
  const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`x${index}`, "1"]));
  const refused: readonly [string, Record<string, unknown>][] = [
    ["read_record", { type: "crm/leads", id: foreign }],
    ["edit_record", { type: "crm/leads", id: foreign, values: { last_name: "Mine" } }],
    ["edit_record", { type: "crm/leads", id: lead, values: { id: foreign, organization_id: "2", nonsense: "1" } }],
    ["comment", { type: "crm/leads", id: foreign, text: "Hello" }],
    ["read_record", { type: "crm/none", id: "1" }],
    ["read_record", { type: "none/leads", id: "1" }],
    ["read_record", { type: "__proto__/constructor", id: "1" }],
    ["read_record", { type: "crm/leads/../users", id: "1" }],
    ["read_record", { type: "../../mcp", id: "1" }],
    ["read_record", { type: "crm/leads", id: "1' or 1=1" }],
    ["read_record", { type: "crm/leads", id: { $gt: "" } }],
    ["read_record", { type: "crm/leads" }],
    ["list_records", { type: "crm/leads", limit: 1_000_000 }],
    ["list_records", { type: "crm/leads", q: { fields: ["leads.password"] } }],
    ["list_records", { type: "crm/leads", q: { where: { "__proto__.x": "1" } } }],
    ["list_records", { type: "crm/leads", surprise: true }],
    ["search", { text: "x".repeat(5_000) }],
    ["add_record", { type: "crm/leads", values: many }],
    ["add_record", { type: "crm/leads", values: {} }],
    ["add_record", { type: "core/jobs", values: { title: "x" } }],
    ["take_transition", { type: "crm/leads", id: lead, transition: "constructor" }],
    ["take_transition", { type: "crm/leads", id: lead, transition: "no such" }],
    ["comment", { type: "core/search", id: "1", text: "x" }],
    ["constructor", {}],
    ["delete_everything", {}],
  ];
  for (const [name, args] of refused) {
    const answer = await call(client, name, args);
    expect(answer.isError, `${name} ${JSON.stringify(args).slice(0, 200)}: ${JSON.stringify(answer.told)}`).toBe(true);
    expect(answer.told.errors[0]).toEqual(expect.any(String));
    expect(answer.told.error_code).not.toBe("internal");
    expect(answer.length).toBeLessThan(10_000);
  }
  expect((await call(client, "read_record", { type: "crm/leads", id: lead })).told.record.last_name).toBe("Here");
  expect((await service.get(`/crm/leads/view.json?id=${foreign}`, chief.token)).body.data.leads.last_name).toBe(
    "Foreign",
  );

  // A condition nests as deeply as in an ordinary list, and what is deeper is told so.
  const nested = (depth: number): object =>
    depth === 0 ? { "leads.last_name": { op: "in", value: ["Here"] } } : { AND: [nested(depth - 1)] };
  const list = (depth: number) => call(client, "list_records", { type: "crm/leads", q: { where: nested(depth) } });
  expect((await list(8)).told.records).toHaveLength(1);
  expect((await list(9)).told.errors).toEqual(["q: where: AND, OR and NOT nest at most 8 deep"]);

  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}`;
  const raw = (body: string) =>
    fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { ...accept, authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body,
    });
  expect((await raw(deep)).status).toBe(400);
  expect((await raw("{")).status).toBe(400);
  expect((await raw(JSON.stringify(rpc).replace("{}", '{"__proto__": {"name": "x"}}'))).status).toBe(400);
  expect((await raw(JSON.stringify(Array.from({ length: 100 }, () => rpc)))).status).toBe(400);
  expect((await raw(JSON.stringify({ ...rpc, params: { x: "x".repeat(2_000_000) } }))).status).toBe(413);
  expect((await raw(JSON.stringify({ ...rpc, method: "subscriptions/listen" }))).status).toBeLessThan(500);
});

test("an argument that does not fit is told by its name, in the words and the language of the service", async () => {
  const { secret } = await keyOf();
  const client = await connect(secret);
  const wrong: readonly [string, Record<string, unknown>, readonly string[]][] = [
    ["read_record", { type: "crm/leads" }, ["id: is required"]],
    ["read_record", { type: "crm/leads", id: { $gt: "" } }, ["id: must be the id of a record"]],
    ["read_record", { id: "1" }, ["type: is required"]],
    ["read_record", { type: "leads", id: "1" }, ["type: must be <module>/<controller>"]],
    ["read_record", { type: "crm/leads", id: "1", fields: "name" }, ["fields: must be a list"]],
    ["list_records", { type: "crm/leads", limit: 51 }, ["limit: must be at most 50"]],
    ["list_records", { type: "crm/leads", limit: "many" }, ["limit: must be a number"]],
    ["list_records", { type: "crm/leads", q: { fields: [7] } }, ["q.fields.0: must be text"]],
    ["list_records", { type: "crm/leads", surprise: true }, ["arguments: has unknown keys: surprise"]],
    ["search", { text: "" }, ["text: must not be empty"]],
    ["search", { text: "x".repeat(5_000) }, ["text: must have at most 1,000 characters"]],
    ["add_record", { type: "crm/leads", values: [] }, ["values: must be an object"]],
    [
      "edit_record",
      { type: "crm/leads", id: "1", values: {}, revision: {}, override_duplicates: "yes" },
      ["revision: must be a whole number", "override_duplicates: must be true or false"],
    ],
    [
      "take_transition",
      { type: "crm/leads", id: "1", transition: "no such" },
      ["transition: must be the name of a transition"],
    ],
  ];
  for (const [name, args, sentences] of wrong) {
    const { told } = await call(client, name, args);
    expect(told, `${name} ${JSON.stringify(args).slice(0, 200)}`).toMatchObject({
      error_code: "malformed_parameter",
      errors: sentences,
    });
  }
});

test("what nobody foresaw is told without its inside, is in the log and in the audit log; what cannot be logged is not told", async () => {
  const key = await keyOf();
  const client = await connect(key.secret);
  const search = tools.find(({ name }) => name === "search");
  if (!search) throw new Error("no search");
  const faults: readonly Tool["prepare"][] = [
    () => {
      throw new Error("inside 4711");
    },
    // An answer of the wire that is not what the tool expects is not the caller's fault.
    () => ({ about: {}, run: async () => ({ found: z.array(z.string()).parse("inside 4711") }) }),
  ];
  for (const fault of faults) {
    const spy = vi.spyOn(search, "prepare").mockImplementationOnce(fault);
    const { isError, told } = await call(client, "search", { text: "x" });
    spy.mockRestore();
    expect(isError).toBe(true);
    expect(told).toMatchObject({ error_code: "internal", errors: [expect.stringMatching(/request ID \S+$/)] });
    expect(JSON.stringify(told)).not.toContain("4711");
    expect((await audited()).at(-1)).toMatchObject({ tool: "search", outcome: "internal", key_id: key.id });
  }

  await service.db.run(sql`
    alter table access_controls__audit_events add constraint no_more check (event <> 'assistant_call') not valid`);
  const untold = await call(client, "search", { text: "Zanzibar" });
  await service.db.run(sql`alter table access_controls__audit_events drop constraint no_more`);
  expect(untold).toMatchObject({ isError: true, told: { error_code: "internal" } });
  expect(JSON.stringify(untold.told)).not.toMatch(/found|constraint/);
});

test("no digit is lost, on the way in or out", async () => {
  const { secret } = await keyOf();
  const raw = async (name: string, args: string) => {
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: { ...accept, authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: `{"jsonrpc":"2.0","id":1700000000000001,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`,
    });
    const text = await response.text();
    const answer = JSON.parse(text.slice(text.indexOf("{")));
    expect(answer.id).toBe(1_700_000_000_000_001);
    return JSON.parse(answer.result.content[0].text);
  };
  const added = await raw(
    "add_record",
    '{"type":"crm/leads","values":{"last_name":9007199254740993,"city":"a \\" 9007199254740993"}}',
  );
  expect(added.record, JSON.stringify(added)).toMatchObject({
    last_name: "9007199254740993",
    city: 'a " 9007199254740993',
  });
  const none = await raw("read_record", '{"type":"crm/leads","id":9007199254740993}');
  expect(none.error_code).toBe("record_not_found");
});

test("long records and long lists are cut, with a note and a way to the rest", async () => {
  const client = await connect((await keyOf()).secret);
  const long = "word ".repeat(3_900).trim();
  for (let index = 0; index < 12; index += 1) await add("crm/leads", { last_name: `Long ${index}`, description: long });
  const q = {
    fields: ["leads.last_name", "leads.description"],
    where: { "leads.last_name": { op: "starts with", value: "Long" } },
  };
  const list = await call(client, "list_records", { type: "crm/leads", q });
  expect(list.length).toBeLessThan(81_000);
  expect(list.told).toMatchObject({ total_count: 12, notes: [expect.stringContaining("were cut")] });
  expect(list.told.records[0]["leads.description"]).toMatch(/… \(\d+ characters\)$/);
  const id = list.told.records[0]["leads.id"];
  const whole = await call(client, "read_record", { type: "crm/leads", id, fields: ["description"] });
  expect(whole.told.record.description).toBe(long);
});

test("an assistant that adds a user is given the link that its answer speaks of", async () => {
  const client = await connect((await keyOf()).secret);
  const values = { user_name: "newcomer", last_name: "Newcomer" };
  const { told } = await call(client, "add_record", { type: "access_controls/users", values });
  expect(told.message.join(" ")).toContain("invitation_links");
  expect(told.invitation_links[told.id]).toContain("token=");
});

test("an assistant shares the rate limit of its user with all other keys, and leaves others theirs", async () => {
  const limited = await startService({ RATE_LIMIT: "12" });
  onTestFinished(() => limited.stop());
  const token = await limited.login();
  const secretOf = async (name: string): Promise<string> => {
    const sent = { data: { api_keys: { name, scope: "read" } } };
    return (await limited.post("/access_controls/api_keys/add.json", sent, token)).body.data.api_keys.secret;
  };
  const secrets = [await secretOf("one"), await secretOf("two")];
  const answers: Answer[] = [];
  for (let index = 0; index < 12; index += 1) {
    answers.push(await limited.post("/mcp", rpc, secrets[index % 2], accept));
  }
  expect(answers[0]?.headers.get("ratelimit-policy")).toBe('"caller";q=12;w=60');
  const last = answers.at(-1);
  expect(last?.body.error_code).toBe("too_many_requests");
  expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await limited.get("/crm/leads/index.json", token)).status).toBe(429);
  // Nobody is known by no token: the address has an allowance of its own.
  expect((await limited.post("/mcp", rpc, undefined, accept)).status).toBe(401);
});
