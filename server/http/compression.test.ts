// Answers in the encoding that the client takes: JSON on its way, files as the build compressed them, secrets never.
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodingFor } from "./compression.ts";
import { bearer, openTestApp, type TestApp } from "./test-app.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const long = "long ".repeat(1_000);
const huge = "huge ".repeat(200_000);
let service: TestApp;

beforeAll(async () => {
  const raw = (text: string) => ({ raw: { contentType: JSON_TYPE, content: JSON.stringify({ errors: [], text }) } });
  service = await openTestApp({
    operations: {
      long: { run: async () => ({ headers: { etag: '"v1"' }, body: { text: long } }) },
      huge: { run: async () => raw(huge) },
      short: { run: async () => ({ body: {} }) },
      secret: { authentication: "none", run: async () => ({ body: { text: long } }) },
    },
  });
  const assets = path.join(service.webRoot, "assets");
  await mkdir(assets, { recursive: true });
  await writeFile(path.join(assets, "app.js"), long);
  await writeFile(path.join(assets, "app.js.br"), brotliCompressSync(long));
  await writeFile(path.join(assets, "app.js.gz"), gzipSync(long));
  await writeFile(path.join(assets, "plain.js"), long);
});
afterAll(() => service.close());

const get = (url: string, accept?: string) =>
  service.app.inject({ url, headers: { ...bearer, ...(accept ? { "accept-encoding": accept } : {}) } });

test.each([
  [undefined, undefined],
  ["identity", undefined],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["br;q=0.5, gzip;q=1.0", "gzip"],
  ["br;q=0, gzip;q=0", undefined],
  ["*", "br"],
  ["gzip, *;q=0", "gzip"],
  ["br;q=nonsense", undefined],
  [",;q=1,".repeat(10_000), undefined],
])("Accept-Encoding %j means %j", (accept, encoding) => {
  expect(encodingFor(accept?.slice(0, 60_000), JSON_TYPE, 5_000)).toBe(encoding);
});

test.each([
  "image/png",
  "application/pdf",
  "application/zip",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
])("%s is sent as it is", (type) => {
  expect(encodingFor("br, gzip", type, 5_000)).toBeUndefined();
});

describe("JSON", () => {
  test.each(["long", "huge"])("of a %s answer is whole in every encoding", async (name) => {
    const url = `/crm/leads/${name}.json`;
    const plain = await get(url);
    expect(plain.headers).toMatchObject({ vary: "Accept-Encoding" });
    expect(plain.headers).not.toHaveProperty("content-encoding");
    const [gz, br] = [await get(url, "gzip"), await get(url, "br")];
    expect([gz.headers["content-encoding"], br.headers["content-encoding"]]).toEqual(["gzip", "br"]);
    expect(gunzipSync(gz.rawPayload).toString()).toBe(plain.body);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    expect(br.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
  });

  test("has a weak tag where it is compressed, and either tag is confirmed", async () => {
    const url = "/crm/leads/long.json";
    expect((await get(url)).headers.etag).toBe('"v1"');
    const { etag } = (await get(url, "br")).headers;
    expect(etag).toBe('W/"v1"');
    for (const tag of ['"v1"', 'W/"v1"']) {
      const headers = { ...bearer, "accept-encoding": "br", "if-none-match": tag };
      expect((await service.app.inject({ url, headers })).statusCode).toBe(304);
    }
  });

  test("that is short, or holds what nobody may guess, is not compressed", async () => {
    for (const name of ["short", "secret"]) {
      expect((await get(`/crm/leads/${name}.json`, "br")).headers).not.toHaveProperty("content-encoding");
    }
  });
});

test("files of the web app are sent as the build compressed them", async () => {
  const br = await get("/assets/app.js", "gzip, br");
  expect(br.headers).toMatchObject({ "content-encoding": "br", "content-type": expect.stringContaining("javascript") });
  expect(br.headers.vary).toMatch(/accept-encoding/i);
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(long);
  expect((await get("/assets/app.js")).body).toBe(long);
  expect((await get("/assets/plain.js", "br")).body).toBe(long);
});
