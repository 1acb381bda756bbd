import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { secondsFromNow } from "../../../server/lib/instant.ts";
import { startTwoServices, type TestService, type TwoServices } from "../../service.ts";
import { type Accounts, logIn, openAccounts, probe } from "../accounts.ts";

const ADD = "/access_controls/api_keys/add.json";
const MINE = "/access_controls/api_keys/mine.json";
const REVOKE = "/access_controls/api_keys/revoke.json";

let both: TwoServices;
let service: TestService;
let second: TestService;
let accounts: Accounts;
let tina: string;
let tinaId: string;

beforeAll(async () => {
  both = await startTwoServices();
  ({ service, second } = both);
  accounts = await openAccounts(service.db);
  tinaId = await accounts.add("tina");
  tina = (await logIn(service, "tina")).access;
});
afterAll(() => both.stop());

const make = async (values: Record<string, string>, token = tina): Promise<{ id: string; secret: string }> => {
  const { status, body } = await service.post(ADD, { data: { api_keys: { name: "a key", ...values } } }, token);
  expect(status, JSON.stringify(body)).toBe(200);
  return { id: body.data.api_keys.id, secret: body.data.api_keys.secret };
};

test("a key's secret is shown when it is made, and never again", async () => {
  const { id, secret } = await make({ name: "shown once" });
  expect(secret).toMatch(/^dk_/);
  const list = await service.get(MINE, tina);
  const listed = list.body.data.api_keys.find((key: { id: string }) => key.id === id);
  expect(listed).toMatchObject({ name: "shown once", scope: "read", revoked: null });
  expect(Object.keys(listed)).not.toContain("secret");
  expect(JSON.stringify(list.body)).not.toContain(secret);
  expect(JSON.stringify(list.body)).not.toContain(secret.slice(-30));
});

test("no answer with a secret is compressed: its length would tell of it", async () => {
  const packed = { authorization: `Bearer ${tina}`, "accept-encoding": "gzip" };
  const form = await fetch(`${service.url}/crm/leads/add.json`, { headers: packed });
  expect([form.status, form.headers.get("content-encoding")]).toEqual([200, "gzip"]);
  const made = await service.post(ADD, { data: { api_keys: { name: "plain" } } }, tina, { "accept-encoding": "gzip" });
  expect([made.status, made.headers.get("content-encoding")]).toEqual([200, null]);
  expect(made.body.data.api_keys.secret).toMatch(/^dk_/);
});

test("a repeated request with its Idempotency-Key makes no second key, and nothing keeps the secret", async () => {
  const sent = { data: { api_keys: { name: "sent twice", scope: "read" } } };
  const ask = () => service.post(ADD, sent, tina, { "Idempotency-Key": "one-key-only" });
  const [first, again] = [await ask(), await ask()];
  const { id, secret } = first.body.data.api_keys;
  expect(secret).toMatch(/^dk_/);
  expect(first.body.message).toEqual(["This key is shown only once. Store it somewhere safe"]);
  expect(again).toMatchObject({ status: 200, body: { id, data: { api_keys: { id, name: "sent twice" } } } });
  expect(again.body.data.api_keys).not.toHaveProperty("secret");
  expect(again.body.message).toEqual([
    "The secret was shown once, when the key was created. If you lost it, revoke this key and create another",
  ]);
  const { body } = await service.get(MINE, tina);
  expect(body.data.api_keys.filter(({ name }: { name: string }) => name === "sent twice")).toHaveLength(1);
  const kept = await service.db.rows(sql`select answer::text as answer from core__idempotency_keys`);
  expect(kept).toHaveLength(1);
  expect(JSON.stringify(kept)).not.toContain(secret.slice(-38));
  const other = await service.post(ADD, { data: { api_keys: { name: "another" } } }, tina, {
    "Idempotency-Key": "one-key-only",
  });
  expect(other.status).toBe(409);
});

test("every encoding of add answers with the secret, and no later view, list or form has it", async () => {
  const values = { name: "encoded", scope: "read" };
  const action = { save_progress: "Save" };
  const filled = <Form extends FormData | URLSearchParams>(form: Form): Form => {
    form.append("data[api_keys][name]", values.name);
    form.append("data[api_keys][scope]", values.scope);
    form.append("data[action][save_progress]", "Save");
    return form;
  };
  const rpc = { jsonrpc: "2.0", id: 1, method: "access_controls.api_keys.add" };
  const encodings = {
    JSON: { data: { api_keys: values, action } },
    brackets: filled(new URLSearchParams()),
    multipart: filled(new FormData()),
    "JSON-RPC": { ...rpc, params: { data: { api_keys: values, action } } },
  };
  for (const [encoding, sent] of Object.entries(encodings)) {
    const { body } = await service.post(ADD, sent, tina);
    const answer = body.result ?? body;
    const { id, secret } = answer.data.api_keys;
    expect(secret, encoding).toMatch(/^dk_/);
    expect(answer.id, encoding).toBe(id);
    expect(await probe(service, secret), encoding).toBe(200);
    for (const path of ["view", "edit", "index", "history"]) {
      const later = await service.get(`/access_controls/api_keys/${path}.json?id=${id}`, tina);
      expect(JSON.stringify(later.body), `${encoding} ${path}`).not.toContain(secret.slice(-30));
    }
  }
});

test("a key is its owner, in every process", async () => {
  const { secret } = await make({});
  for (const one of [service, second]) {
    expect(await one.get(MINE, secret)).toMatchObject({ status: 200, body: { errors: [], user_id: tinaId } });
  }
});

describe("a key", () => {
  test("that may only read is refused on writes, before anything is looked at", async () => {
    const admin = await service.login();
    const read = await make({ scope: "read" }, admin);
    const write = await make({ scope: "write" }, admin);
    const save = (token: string) => service.post("/metadata/record_types/save.json", { definition: "{}" }, token);
    expect(await save(read.secret)).toMatchObject({ status: 403, body: { error_code: "read_only_key" } });
    expect(await save(write.secret)).toMatchObject({ status: 422, body: { error_code: "definition_refused" } });
  });

  test.each(["read", "write"])("of scope %s cannot make or revoke keys", async (scope) => {
    const { id, secret } = await make({ scope });
    const expected = scope === "read" ? { status: 403 } : { status: 409 };
    expect(await service.post(ADD, { data: { api_keys: { name: "child" } } }, secret)).toMatchObject(expected);
    expect(await service.post(REVOKE, { id }, secret)).toMatchObject(expected);
    expect(await probe(service, secret)).toBe(200);
    const names = (await service.get(MINE, tina)).body.data.api_keys.map((key: { name: string }) => key.name);
    expect(names).not.toContain("child");
  });

  test("has no session to log out of", async () => {
    const { secret } = await make({ scope: "write" });
    expect((await service.post("/access_controls/users/logout.json", {}, secret)).status).toBe(409);
    expect(await probe(service, secret)).toBe(200);
  });

  test("stops working in every process once it is revoked, and can be revoked twice", async () => {
    const { id, secret } = await make({});
    for (const one of [service, second]) expect(await probe(one, secret)).toBe(200);
    const first = await service.post(REVOKE, { id }, tina);
    expect(first.status).toBe(200);
    expect(await probe(service, secret)).toBe(401);
    expect(await probe(second, secret)).toBe(401);
    const again = await service.post(REVOKE, { id }, tina);
    expect(again.body.data.api_keys.revoked).toBe(first.body.data.api_keys.revoked);
  });

  test("stops working when its time has come, even where it was known before", async () => {
    const { secret } = await make({ expires: secondsFromNow(4) });
    for (const one of [service, second]) await probe(one, secret);
    for (const one of [service, second]) await expect.poll(() => probe(one, secret)).toBe(401);
  });

  test("stops working with its owner", async () => {
    const id = await accounts.add("ulf");
    const { secret } = await make({}, (await logIn(service, "ulf")).access);
    expect(await probe(service, secret)).toBe(200);
    await accounts.deactivate(id);
    await expect.poll(() => probe(service, secret)).toBe(401);
  });

  test("is not opened by a changed character of its secret", async () => {
    const { secret } = await make({});
    const changed = secret.slice(0, -1) + (secret.endsWith("A") ? "B" : "A");
    expect(await probe(service, changed)).toBe(401);
    expect(await probe(service, secret.toUpperCase())).toBe(401);
  });
});

test("a key makes, revokes and deletes no keys, by whatever way", async () => {
  const chief = await service.login();
  const made = async (values: Record<string, string>) =>
    (await service.post(ADD, { data: { api_keys: { name: "one", ...values } } }, chief)).body.data.api_keys;
  const { secret } = await made({ scope: "write" });
  const { id } = await made({});
  const controller = "access_controls/api_keys";
  const data = { api_keys: { name: "more", scope: "write" } };
  const answers = [
    await service.post(ADD, { data }, secret),
    await service.post(`/${controller}/add_many.json`, { data: { api_keys: [data.api_keys] } }, secret),
    await service.post(REVOKE, { id }, secret),
    await service.get(`/${controller}/delete.json?id=${id}&is_confirm=1&override=1`, secret),
    await service.post(`/${controller}/delete.json`, { id, is_confirm: "1" }, secret),
    await service.get(`/${controller}/delete_selected.json?ids=${id}&is_confirm=1`, secret),
    await service.post("/delete_selected", { controller, ids: id, is_confirm: "1" }, secret),
    await service.post(`/${controller}/delete_selected.json`, { all_matching: "1", is_confirm: "1" }, secret),
  ];
  for (const answer of answers) {
    expect(answer.body.errors, JSON.stringify(answer.body)).not.toEqual([]);
    expect(answer.status).toBeGreaterThanOrEqual(400);
  }
  const left = await service.db.row(sql`
    select count(*)::text as count from access_controls__api_keys where revoked is null and deleted = 0 and name in ('one', 'more')`);
  expect(left?.count).toBe("2");
  expect((await service.get(`/${controller}/delete.json?id=${id}&is_confirm=1`, chief)).status).toBe(200);
});

test("nobody sees or revokes the keys of somebody else", async () => {
  await accounts.add("vera");
  const vera = (await logIn(service, "vera")).access;
  const { id, secret } = await make({ name: "tina's own" });
  expect((await service.get(MINE, vera)).body.data.api_keys).toEqual([]);
  for (const wrong of [id, "999999", "abc", "", "1 or 1=1", "9".repeat(40)]) {
    expect(await service.post(REVOKE, { id: wrong }, vera)).toMatchObject({ status: 404 });
  }
  expect(await probe(service, secret)).toBe(200);
});

const refusals: readonly { what: string; values: Record<string, string>; field: string }[] = [
  { what: "no name", values: { name: "" }, field: "api_keys.name" },
  { what: "a name of spaces", values: { name: "   " }, field: "api_keys.name" },
  { what: "an unknown scope", values: { scope: "everything" }, field: "api_keys.scope" },
  { what: "an end that is not a date", values: { expires: "soon" }, field: "api_keys.expires" },
];
test.each(refusals)("a key with $what is refused, with what was sent", async ({ values, field }) => {
  const sent = { name: "a key", ...values };
  const { status, body } = await service.post(ADD, { data: { api_keys: sent } }, tina);
  expect(status).toBe(422);
  expect(Object.keys(body.errors_by_field)).toEqual([field]);
  expect(body.data.api_keys).toMatchObject(sent);
});
