import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { InjectOptions } from "fastify";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import { UploadedFile } from "../request/tree.ts";
import { bearer, openTestApp, type TestApp } from "./test-app.ts";

let service: TestApp;
beforeAll(async () => {
  service = await openTestApp();
});
afterAll(() => service.close());

interface Scenario {
  readonly name: string;
  readonly request: InjectOptions;
  readonly status: number;
  readonly content?: Record<string, unknown>;
  readonly headers?: Record<string, unknown>;
}

const html = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const form = { ...bearer, "content-type": "application/x-www-form-urlencoded" };
const json = { ...bearer, "content-type": "application/json" };
const multipart = { ...bearer, "content-type": "multipart/form-data; boundary=B" };
const post = (
  headers: Record<string, string>,
  payload: string | Buffer,
  url = "/crm/leads/add.json",
): InjectOptions => ({
  method: "POST",
  url,
  headers,
  payload,
});

async function check(scenario: Scenario) {
  const response = await service.app.inject(scenario.request);
  expect(response.statusCode, response.body).toBe(scenario.status);
  const body = response.json();
  const envelope = body.jsonrpc ? body.result : body;
  expect(envelope).toMatchObject({ errors: expect.any(Array), message: expect.any(Array) });
  if (scenario.status >= 400) {
    expect(envelope.errors.length).toBeGreaterThan(0);
    expect(envelope.request_id).toBe(response.headers["x-request-id"]);
  } else expect(envelope.errors).toEqual([]);
  if (scenario.content) expect(body).toMatchObject(scenario.content);
  if (scenario.headers) expect(response.headers).toMatchObject(scenario.headers);
}

describe("answers", () => {
  const ada = { organization_id: "1", organization_name: "Engines", user_id: "7", user_fullname: "Ada Lovelace" };
  const data = { leads: { name: "Ada", amount: "1.10" } };
  const rpc = (id: string, method = "crm.leads.add") =>
    `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{"data":{"leads":{"name":"Ada","amount":1.10}}}}`;
  const scenarios: Scenario[] = [
    {
      name: "a call",
      request: { url: "/crm/leads/index.json?ids[]=1&ids[]=2", headers: bearer },
      status: 200,
      content: { ...ada, message: ["This job has already finished"], parameters: { ids: ["1", "2"] } },
    },
    { name: "a call without suffix", request: { url: "/crm/leads/index", headers: bearer }, status: 200 },
    {
      name: "a call with too many slashes",
      request: { url: "//crm//leads/index.json/", headers: bearer },
      status: 200,
    },
    {
      name: "a page's address with .json as data",
      request: { url: "/crm/leads/index.json", headers: { ...bearer, accept: html } },
      status: 200,
    },
    {
      name: "urlencoded bodies",
      request: post(form, "data[leads][name]=Ada&data[leads][amount]=1.10"),
      status: 200,
      content: { data },
    },
    {
      name: "JSON bodies",
      request: post(json, '{"data":{"leads":{"name":"Ada","amount":1.10}}}'),
      status: 200,
      content: { data },
    },
    {
      name: "multipart bodies",
      request: post(
        multipart,
        '--B\r\nContent-Disposition: form-data; name="data[leads][name]"\r\n\r\nAda\r\n--B--\r\n',
      ),
      status: 200,
      content: { data: { leads: { name: "Ada" } } },
    },
    {
      name: "no body",
      request: { method: "POST", url: "/crm/leads/add.json", headers: bearer },
      status: 200,
      content: { data: {} },
    },
    { name: "an empty body of any type", request: post({ ...bearer, "content-type": "text/plain" }, ""), status: 200 },
    {
      name: "JSON-RPC",
      request: post(json, rpc("1")),
      status: 200,
      content: { jsonrpc: "2.0", id: 1, result: { data } },
    },
    { name: "JSON-RPC with a text for an id", request: post(json, rpc('"x"')), status: 200, content: { id: "x" } },
    {
      name: "JSON-RPC with a ready list",
      request: post(json, rpc("1", "crm.leads.raw"), "/crm/leads/raw.json"),
      status: 200,
      content: { id: 1, result: { errors: [] } },
    },
    {
      name: "operations without a prefix, type in the body",
      request: post(form, "controller=crm/leads&ids=1,2", "/edit_selected"),
      status: 200,
      content: { parameters: { ids: "1,2" } },
    },
    {
      name: "operations without a prefix, type in the query",
      request: { url: "/delete_selected.json?controller=crm/leads&ids[]=1", headers: bearer },
      status: 200,
    },
    {
      name: "open operations without a token",
      request: post({ "content-type": "application/json" }, "{}", "/crm/leads/login.json"),
      status: 200,
    },
    {
      name: "open operations with a bad token and a cookie",
      request: post(
        { authorization: "Bearer bad", cookie: "a=b", "content-type": "application/json" },
        "{}",
        "/crm/leads/login",
      ),
      status: 200,
    },
    {
      name: "read-only keys that read",
      request: { url: "/crm/leads/index.json", headers: { authorization: "bearer read-key" } },
      status: 200,
    },
    { name: "whether it is alive", request: { url: "/healthz" }, status: 200, content: { status: "alive" } },
    { name: "whether it is ready", request: { url: "/readyz" }, status: 200, content: { status: "ready" } },
  ];
  test.each(scenarios)("$name", check);

  test("a tag that the caller already has with 304", async () => {
    const headers = { ...bearer, "if-none-match": 'W/"v0", W/"v1"' };
    const response = await service.app.inject({ url: "/crm/leads/tagged.json", headers });
    expect(response.statusCode).toBe(304);
    expect(response.body).toBe("");
  });

  test("with timings, an id and headers that bind browsers", async () => {
    const headers = { ...bearer, "x-request-id": "proxy-1" };
    const response = await service.app.inject({ url: "/crm/leads/slow.json", headers });
    expect(response.headers["server-timing"]).toMatch(
      /^authenticate;dur=[\d.]+, body;dur=[\d.]+, sleep;dur=[\d.]+, total;dur=[\d.]+$/,
    );
    expect(response.headers).toMatchObject({
      "x-request-id": "proxy-1",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    const policy = response.headers["content-security-policy"];
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(response.headers).not.toHaveProperty("strict-transport-security");
    const insane = await service.app.inject({ url: "/healthz", headers: { "x-request-id": "a b" } });
    expect(insane.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("refuses", () => {
  const keys = Array.from({ length: 6_000 }, (_, index) => `a[${index}]=x`).join("&");
  const file = (content: string) =>
    `--B\r\nContent-Disposition: form-data; name="f[]"; filename="a.txt"\r\n\r\n${content}`;
  const scenarios: Scenario[] = [
    {
      name: "no token",
      request: { url: "/crm/leads/index.json" },
      status: 401,
      content: { errors: ["Client need to login to access this URL"], error_code: "login_required" },
      headers: { "www-authenticate": "Bearer" },
    },
    {
      name: "a bad token",
      request: { url: "/crm/leads/index.json", headers: { authorization: "Bearer bad" } },
      status: 401,
    },
    {
      name: "another scheme",
      request: { url: "/crm/leads/index.json", headers: { authorization: "Basic Z29vZA==" } },
      status: 401,
    },
    {
      name: "a token in a cookie, reading",
      request: { url: "/crm/leads/index.json", headers: { cookie: "access_token=good" } },
      status: 401,
    },
    {
      name: "a token in a cookie, deleting",
      request: { url: "/crm/leads/delete.json?id=1&is_confirm=1", headers: { cookie: "access_token=good" } },
      status: 403,
      content: { error_code: "cookie_refused" },
    },
    {
      name: "a token in a cookie, deleting many",
      request: { url: "/delete_selected?controller=crm/leads", headers: { cookie: "access_token=good" } },
      status: 403,
      content: { error_code: "cookie_refused" },
    },
    { name: "a token in the query", request: { url: "/crm/leads/index.json?access_token=good" }, status: 401 },
    {
      name: "a read-only key that writes",
      request: post({ authorization: "Bearer read-key" }, ""),
      status: 403,
      content: { error_code: "read_only_key" },
    },
    {
      name: "what the matrix forbids",
      request: { url: "/crm/leads/forbidden.json", headers: bearer },
      status: 403,
      content: { error_code: "operation_forbidden", user_id: "7" },
    },
    {
      name: "an unknown module",
      request: { url: "/nope/leads/index.json" },
      status: 404,
      content: { error_code: "unknown_module", errors: ["Module nope not found"] },
    },
    {
      name: "an unknown controller",
      request: { url: "/crm/nope/index.json" },
      status: 404,
      content: { error_code: "unknown_controller" },
    },
    {
      name: "an unknown operation",
      request: { url: "/crm/leads/nope.json" },
      status: 404,
      content: { error_code: "unknown_operation", errors: ["crm/leads has no operation nope"] },
    },
    {
      name: "an inherited name as an operation",
      request: { url: "/crm/leads/__proto__.json", headers: bearer },
      status: 404,
    },
    {
      name: "upper case",
      request: { url: "/CRM/leads/index.json", headers: bearer },
      status: 404,
      content: { error_code: "unknown_address" },
    },
    {
      name: "any other address",
      request: { url: "/nothing" },
      status: 404,
      content: { error_code: "unknown_address" },
    },
    {
      name: "an address with .json in a browser",
      request: { url: "/nothing/here.json", headers: { accept: html } },
      status: 404,
    },
    {
      name: "bad percent-encoding in the address",
      request: { url: "/crm/%zz/index.json", headers: bearer },
      status: 400,
      content: { error_code: "malformed_path" },
    },
    {
      name: "bad percent-encoding in the query",
      request: { url: "/crm/leads/index.json?a=%zz", headers: bearer },
      status: 400,
      content: { error_code: "malformed_parameter" },
    },
    {
      name: "another method",
      request: { method: "GET", url: "/crm/leads/add.json", headers: bearer },
      status: 405,
      content: { error_code: "wrong_method" },
      headers: { allow: "POST" },
    },
    {
      name: "methods that nothing uses",
      request: { method: "DELETE", url: "/crm/leads/index.json", headers: bearer },
      status: 405,
      headers: { allow: "GET, POST, HEAD" },
    },
    {
      name: "a wrong media type",
      request: post({ ...bearer, "content-type": "text/xml" }, "<a/>"),
      status: 415,
      content: { error_code: "wrong_media_type" },
    },
    {
      name: "a compressed body",
      request: post({ ...json, "content-encoding": "gzip" }, gzipSync('{"data":{}}')),
      status: 415,
      content: { error_code: "wrong_media_type" },
    },
    { name: "a media type that is none", request: post({ ...bearer, "content-type": "nonsense" }, "x"), status: 415 },
    {
      name: "a body without a type",
      request: { method: "POST", url: "/crm/leads/add.json", headers: { ...bearer, "content-type": "" }, payload: "x" },
      status: 415,
    },
    {
      name: "prototype keys",
      request: post(form, "data[leads][__proto__][x]=1"),
      status: 400,
      content: { error_code: "malformed_parameter" },
    },
    { name: "prototype keys in JSON", request: post(json, '{"data":{"leads":{"__proto__":{"x":1}}}}'), status: 400 },
    {
      name: "the same JSON key twice",
      request: post(json, '{"data":{},"data":{}}'),
      status: 400,
      content: { error_code: "malformed_body" },
    },
    { name: "broken JSON", request: post(json, '{"data":'), status: 400, content: { error_code: "malformed_body" } },
    {
      name: "broken JSON of nobody as nobody's",
      request: post({ "content-type": "application/json" }, '{"data":'),
      status: 401,
    },
    { name: "6,000 keys", request: post(form, keys), status: 400, content: { error_code: "too_many_keys" } },
    {
      name: "6,000 keys in the query",
      request: { url: `/crm/leads/index.json?${keys}`, headers: bearer },
      status: 400,
      content: { error_code: "too_many_keys" },
    },
    {
      name: "nesting of 20",
      request: post(form, `a${"[b]".repeat(20)}=1`),
      status: 400,
      content: { error_code: "too_deep" },
    },
    {
      name: "JSON nesting of 20",
      request: post(json, '{"a":'.repeat(20)),
      status: 400,
      content: { error_code: "too_deep" },
    },
    {
      name: "invalid UTF-8",
      request: post(json, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])),
      status: 400,
      content: { error_code: "malformed_body" },
    },
    {
      name: "invalid UTF-8 in multipart",
      request: post(
        multipart,
        Buffer.from('--B\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xff\r\n--B--', "latin1"),
      ),
      status: 400,
    },
    { name: "NUL", request: post(form, "a=%00"), status: 400 },
    {
      name: "truncated multipart",
      request: post(multipart, file("half")),
      status: 400,
      content: { error_code: "malformed_body" },
    },
    {
      name: "multipart without its boundary",
      request: post({ ...bearer, "content-type": "multipart/form-data" }, "x"),
      status: 400,
    },
    {
      name: "21 files",
      request: post(multipart, `${file("x\r\n").repeat(21)}--B--`),
      status: 413,
      content: { error_code: "too_large" },
    },
    {
      name: "a file over 25 MiB",
      request: post(multipart, `${file("x".repeat(25 * 1024 * 1024 + 1))}\r\n--B--`),
      status: 413,
    },
    {
      name: "JSON over 10 MiB",
      request: post(json, `{"a":"${"x".repeat(10 * 1024 * 1024)}"}`),
      status: 413,
      content: { error_code: "too_large" },
    },
    { name: "a batch", request: post(json, '[{"jsonrpc":"2.0","id":1,"method":"crm.leads.add"}]'), status: 400 },
    {
      name: "JSON-RPC for another method, in its encoding",
      request: post(json, '{"jsonrpc":"2.0","id":5,"method":"crm.leads.edit"}'),
      status: 400,
      content: { jsonrpc: "2.0", id: 5, result: { error_code: "malformed_rpc" } },
    },
    {
      name: "JSON-RPC without a token, in its encoding",
      request: post({ "content-type": "application/json" }, '{"jsonrpc":"2.0","id":5,"method":"crm.leads.add"}'),
      status: 401,
      content: { id: 5, result: { error_code: "login_required" } },
    },
    {
      name: "prefixless operations without a type",
      request: post(form, "ids=1", "/edit_selected"),
      status: 400,
      content: { error_code: "malformed_parameter" },
    },
    {
      name: "invalid values, by field",
      request: { url: "/crm/leads/invalid.json", headers: bearer },
      status: 422,
      content: { errors_by_field: { "leads.name": ["is required"] }, data: { leads: {} } },
    },
    {
      name: "in vain to tell internals",
      request: { url: "/crm/leads/crash.json", headers: { ...bearer, "x-request-id": "r1" } },
      status: 500,
      content: {
        error_code: "internal",
        errors: ["Something went wrong. Give your administrator the request ID r1"],
      },
    },
  ];
  test.each(scenarios)("$name", check);

  test("without leaving a file or calling an operation twice", async () => {
    expect(await readdir(path.join(service.dataDir, "tmp")).catch(() => [])).toEqual([]);
    expect(service.calls.every(({ caller, call }) => caller !== undefined || call.operation === "login")).toBe(true);
  });

  test.each(["40001", "40P01", "55P03"])(
    "what waited for somebody else in vain (%s), to be sent again",
    async (code) => {
      const run = () => {
        throw Object.assign(new pg.DatabaseError("deadlock detected", 0, "error"), { code });
      };
      const busy = await openTestApp({ operations: { add: { run, reads: false } } });
      const response = await busy.app.inject(post(json, "{}"));
      expect([response.statusCode, response.json().errors]).toEqual([
        409,
        ["Someone else was changing the same records. Nothing was saved; try again"],
      ]);
      await busy.close();
    },
  );

  test("everything while not ready", async () => {
    const starting = await openTestApp({ dependencies: { ready: async () => false } });
    for (const url of ["/crm/leads/index.json", "/readyz"]) {
      const response = await starting.app.inject({ url, headers: bearer });
      expect(response.statusCode).toBe(503);
      expect(response.json()).toMatchObject({ error_code: "not_ready" });
      expect(response.headers["retry-after"]).toBe("1");
    }
    expect((await starting.app.inject("/healthz")).statusCode).toBe(200);
    await starting.close();
  });
});

test("hands files over, and removes them when the answer is given", async () => {
  let seen: { content: string; file: UploadedFile } | undefined;
  const uploading = await openTestApp({
    operations: {
      upload: {
        async run({ call }) {
          const [file] = call.files;
          if (!file) throw new Error("no file");
          seen = { file, content: await readFile(file.path, "utf8") };
          expect(Object.keys(call.data.users ?? {})).toEqual(["images"]);
          return { body: {} };
        },
      },
    },
  });
  const body = new FormData();
  body.append("data[users][images][name]", new Blob(["picture"], { type: "image/png" }), "größe.png");
  body.append("data[users][empty]", new Blob([]), "");
  const encoded = new Response(body);
  const headers = { ...bearer, "content-type": encoded.headers.get("content-type") ?? "" };
  // Browsers send an empty file input with an empty file name; Node's FormData does not.
  const payload = (await encoded.text()).replace('name="data[users][empty]"', '$&; filename=""');
  const response = await uploading.app.inject({ method: "POST", url: "/crm/leads/upload.json", headers, payload });
  expect(response.statusCode, response.body).toBe(200);
  expect(seen).toMatchObject({ content: "picture", file: { fileName: "größe.png", mimeType: "image/png", size: 7 } });
  expect(seen?.file).toBeInstanceOf(UploadedFile);
  expect(await readdir(path.join(uploading.dataDir, "tmp"))).toEqual([]);
  await uploading.close();
});

describe("the rate limit", () => {
  test("is per user, else per address, and spares health and pages", async () => {
    const limited = await openTestApp({ environment: { RATE_LIMIT: "3" } });
    const call = (authorization?: string) =>
      limited.app.inject({ url: "/crm/leads/index.json", headers: authorization ? { authorization } : {} });
    for (let index = 0; index < 3; index += 1) expect((await call("Bearer good")).statusCode).toBe(200);
    const refused = await call("Bearer good");
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.json()).toMatchObject({
      error_code: "too_many_requests",
      errors: [expect.stringContaining("Try again")],
    });
    // Another token of the same user has no allowance of its own; another user has.
    expect((await call("Bearer read-key")).statusCode).toBe(429);
    const other = await call("Bearer colleague");
    expect(other.statusCode).toBe(200);
    expect(other.headers).toMatchObject({
      "ratelimit-policy": '"caller";q=3;w=60',
      ratelimit: expect.stringMatching(/^"caller";r=2;t=\d+$/),
    });
    for (let index = 0; index < 3; index += 1) expect((await call()).statusCode).toBe(401);
    expect((await call()).statusCode).toBe(429);
    expect((await call("Bearer colleague")).statusCode).toBe(200);
    for (let index = 0; index < 10; index += 1) {
      expect((await limited.app.inject("/healthz")).statusCode).toBe(200);
      expect((await limited.app.inject({ url: "/crm/leads/index", headers: { accept: html } })).statusCode).toBe(200);
    }
    await limited.close();
  });

  test("cannot be escaped by claiming addresses behind a proxy", async () => {
    const limited = await openTestApp({ environment: { RATE_LIMIT: "1", TRUST_PROXY: "1" } });
    const from = async (forwarded: string) => {
      const headers = { "x-forwarded-for": forwarded };
      return (await limited.app.inject({ url: "/crm/leads/index.json", headers })).statusCode;
    };
    expect(await from("10.0.0.1, 198.51.100.7")).toBe(401);
    expect(await from("10.0.0.2, 198.51.100.7")).toBe(429);
    expect(await from("10.0.0.2, 198.51.100.8")).toBe(401);
    await limited.close();
  });

  test("cannot be escaped by inventing tokens", async () => {
    const limited = await openTestApp({ environment: { RATE_LIMIT: "3" } });
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      const headers = { authorization: `Bearer invented${index}` };
      statuses.push((await limited.app.inject({ url: "/crm/leads/index.json", headers })).statusCode);
    }
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    // Nor where nobody looks at the token: an open operation, and what is not there.
    for (const url of ["/crm/leads/login.json", "/no/such/thing.json"]) {
      const strangers = await openTestApp({ environment: { RATE_LIMIT: "3" } });
      const refusals: boolean[] = [];
      for (let index = 0; index < 5; index += 1) {
        const headers = { authorization: `Bearer invented${index}` };
        refusals.push((await strangers.app.inject({ method: "POST", url, headers })).statusCode === 429);
      }
      expect(refusals, url).toEqual([false, false, false, true, true]);
      await strangers.close();
    }
    // A service that can't look at tokens refuses nobody for it.
    const authenticate = () => Promise.reject(new Failure("database_unavailable"));
    const down = await openTestApp({ environment: { RATE_LIMIT: "3" }, dependencies: { authenticate } });
    for (let index = 0; index < 5; index += 1) {
      const headers = { authorization: "Bearer good" };
      expect((await down.app.inject({ url: "/crm/leads/index.json", headers })).statusCode).toBe(503);
    }
    await down.close();
    // Who sits behind the same address with a good one does not pay for it.
    const good = { authorization: "Bearer good" };
    expect((await limited.app.inject({ url: "/crm/leads/index.json", headers: good })).statusCode).toBe(200);
    await limited.close();
  });
});

describe("the web app", () => {
  let built: TestApp;
  beforeAll(async () => {
    built = await openTestApp();
    await mkdir(path.join(built.webRoot, "assets"), { recursive: true });
    await writeFile(path.join(built.webRoot, "index.html"), "<!doctype html><title>app</title>");
    await writeFile(path.join(built.webRoot, "favicon.svg"), "<svg/>");
    await writeFile(path.join(built.webRoot, "assets", "main-1a2b.js"), "1");
    await writeFile(path.join(built.webRoot, "..", "secret.txt"), "secret");
  });
  afterAll(() => built.close());

  test.each([
    ["/", html],
    ["/", "*/*"],
    ["/crm/leads/view?id=7", html],
    ["/crm/leads", html],
    ["/no/such/page/at/all", html],
    ["/edit_selected", html],
  ])("is the page at %s for %s", async (url, accept) => {
    const response = await built.app.inject({ url, headers: { accept } });
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(response.headers["cache-control"]).toBe("no-cache");
    expect(response.body).toContain("<title>app</title>");
  });

  test("keeps hashed assets for ever and asks again for other files", async () => {
    const asset = await built.app.inject("/assets/main-1a2b.js");
    expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(asset.headers["content-type"]).toContain("javascript");
    const icon = await built.app.inject("/favicon.svg");
    expect(icon.headers).toMatchObject({ "cache-control": "no-cache", "content-type": "image/svg+xml" });
    const again = await built.app.inject({
      url: "/favicon.svg",
      headers: { "if-none-match": String(icon.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });

  test.each([
    "/assets/../../secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/assets/",
    "/assets/none.js",
    "/none.svg",
  ])("has nothing at %s", async (url) => {
    const response = await built.app.inject(url);
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(response.body).not.toContain("secret\n");
    expect(response.json().errors).toHaveLength(1);
  });

  test("says how to build it when it is not built", async () => {
    const response = await service.app.inject({ url: "/crm/leads/index", headers: { accept: html } });
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain("npm run build");
  });
});

describe("browsers of other origins", () => {
  test("are served only when configured", async () => {
    const open = await openTestApp({
      environment: { CORS_ORIGINS: "https://a.example, https://b.example", TRUST_PROXY: "1" },
    });
    const preflight = (origin: string, app = open.app) =>
      app.inject({
        method: "OPTIONS",
        url: "/crm/leads/add.json",
        headers: { origin, "access-control-request-method": "POST" },
      });
    expect((await preflight("https://b.example")).headers["access-control-allow-origin"]).toBe("https://b.example");
    expect((await preflight("https://evil.example")).headers).not.toHaveProperty("access-control-allow-origin");
    const closed = await preflight("https://a.example", service.app);
    expect(closed.statusCode).toBe(204);
    expect(closed.headers).not.toHaveProperty("access-control-allow-origin");
    const secure = await open.app.inject({ url: "/healthz", headers: { "x-forwarded-proto": "https" } });
    expect(secure.headers["strict-transport-security"]).toContain("max-age");
    await open.close();
  });
});

describe("what is written down", () => {
  test("is one line per request, without query, headers or body", async () => {
    const quiet = await openTestApp();
    await quiet.app.inject(
      post(
        { ...json, cookie: "c=cookie-secret" },
        '{"data":{"x":"body-secret"}}',
        "/crm/leads/add.json?q=query-secret",
      ),
    );
    await quiet.app.inject({ url: "/crm/leads/crash.json?q=query-secret", headers: bearer });
    const lines = quiet.logLines.filter((line) => line.msg === "request");
    expect(lines).toMatchObject([
      {
        method: "POST",
        path: "/crm/leads/add.json",
        status: 200,
        user: "7",
        id: expect.any(String),
        ms: expect.any(Number),
      },
      { path: "/crm/leads/crash.json", status: 500 },
    ]);
    const all = JSON.stringify(quiet.logLines);
    expect(all).not.toMatch(/query-secret|body-secret|cookie-secret|Bearer/);
    expect(quiet.logLines.find((line) => line.msg === "internal")).toMatchObject({
      error: { message: "secret internals", stack: expect.any(String) },
    });
    await quiet.close();
  });

  test("is counted by operation and status, unknown addresses as one", async () => {
    const counted = await openTestApp();
    for (const url of ["/crm/leads/index.json", "/nope/a/b.json", "/nope/c/d.json"])
      await counted.app.inject({ url, headers: bearer });
    const { body, headers } = await counted.app.inject("/metrics");
    expect(headers["content-type"]).toContain("text/plain");
    expect(body).toContain('dossier_request_duration_seconds_count{operation="index",status="200"} 1');
    expect(body).toContain('dossier_request_duration_seconds_count{operation="unknown",status="404"} 2');
    expect(body).toContain("process_resident_memory_bytes");
    expect(body).not.toContain("nope");
    await counted.close();
  });
});

describe("what a stranger sends", () => {
  let strangers: TestApp;
  beforeAll(async () => {
    strangers = await openTestApp();
  });
  afterAll(() => strangers.close());
  const login = (headers: Record<string, string>, payload: string) =>
    strangers.app.inject({ method: "POST", url: "/crm/leads/login.json", headers, payload });

  test("is short, and holds no files", async () => {
    const long = "x".repeat(300 * 1024);
    const form = (name: string) =>
      `--b\r\ncontent-disposition: form-data; name="${name}"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n`;
    const asForm = { "content-type": "multipart/form-data; boundary=b" };
    const answers = [
      await login({ "content-type": "application/json" }, JSON.stringify({ long })),
      await login({ "content-type": "application/x-www-form-urlencoded" }, `long=${long}`),
      await login(asForm, `--b\r\ncontent-disposition: form-data; name="long"\r\n\r\n${long}\r\n--b--\r\n`),
      await login(asForm, form("file")),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ statusCode: 413 });
    expect(strangers.calls).toEqual([]);
    expect((await login({ "content-type": "application/json" }, "{}")).statusCode).toBe(200);
  });
});

describe("metrics", () => {
  const read = (metered: TestApp, headers: Record<string, string> = {}, remoteAddress = "127.0.0.1") =>
    metered.app.inject({ url: "/metrics", headers, remoteAddress });

  test("are read from this machine alone, and not by way of a proxy", async () => {
    for (const environment of [{}, { TRUST_PROXY: "1" }]) {
      const metered = await openTestApp({ environment });
      expect((await read(metered)).statusCode).toBe(200);
      expect((await read(metered, {}, "::1")).statusCode).toBe(200);
      expect((await read(metered, {}, "::ffff:127.0.0.1")).statusCode).toBe(200);
      for (const answer of [
        await read(metered, {}, "203.0.113.9"),
        await read(metered, { authorization: "Bearer good" }, "203.0.113.9"),
        await read(metered, { "x-forwarded-for": "203.0.113.9" }),
        await read(metered, { "x-forwarded-for": "127.0.0.1" }),
        await read(metered, { forwarded: "for=203.0.113.9" }),
      ]) {
        expect(answer.statusCode).toBe(403);
        expect(answer.json()).toMatchObject({ error_code: "metrics_forbidden" });
      }
      await metered.close();
    }
  });

  test("are read by whoever has the token, where one is set, and say which process counted", async () => {
    const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });
    const open = await openTestApp({ environment: { METRICS_TOKEN: "a-token-of-metrics", DOSSIER_WORKER: "3" } });
    expect((await read(open)).statusCode).toBe(403);
    expect((await read(open, bearerOf("another-token-of-metrics"))).statusCode).toBe(403);
    const told = await read(open, bearerOf("a-token-of-metrics"), "203.0.113.9");
    expect(told.statusCode).toBe(200);
    const series = told.body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(series.filter((line) => !line.includes('worker="3"'))).toEqual([]);
    await open.close();
  });
});

test.each(["ENOSPC", "EDQUOT"])("a full disk (%s) is told as such", async (code) => {
  const full = await openTestApp({
    operations: {
      save: {
        run: () => {
          throw Object.assign(new Error("write"), { code });
        },
      },
    },
  });
  const answer = await full.app.inject({ url: "/crm/leads/save.json", headers: bearer });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ error_code: "disk_full", errors: [expect.stringContaining("disk space")] });
  await full.close();
});
