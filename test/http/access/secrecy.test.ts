import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../../server/config.ts";
import { sql } from "../../../server/database/sql.ts";
import { stepAt, totpCode } from "../../../server/lib/secrets/totp.ts";
import { openService, type Service } from "../../../server/service.ts";
import { type TestDatabase, testDatabase } from "../../database.ts";
import { openAccounts, PASSWORD } from "../accounts.ts";

const WRONG = "a wrong password that nobody must read";
const NEXT = "the next password that nobody must read";
const TOKEN_SECRET = "the signing key that nobody must ever read";

let database: TestDatabase;
let dataDir: string;
let service: Service;
let log = "";
/** Everything that the service answered, by what was asked. */
const answers: { asked: string; text: string }[] = [];

beforeAll(async () => {
  database = await testDatabase("prepared");
  dataDir = mkdtempSync(path.join(tmpdir(), "dossier-secrecy-"));
  const written = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  const environment = { PORT: "0", DATABASE_URL: "given", DATA_DIR: dataDir, RATE_LIMIT: "0", TOKEN_SECRET };
  service = await openService(readConfig(environment), pino({ level: "trace" }, written), database.connection);
  await (await openAccounts(database.db)).add("yara", ["administrator"]);
});
afterAll(async () => {
  await service.close();
  await database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function ask(asked: string, address: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(service.url + address, init);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const text = await response.text();
  answers.push({ asked, text: `${headers}\n${text}` });
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const post = (asked: string, address: string, body: unknown, token?: string) =>
  ask(asked, address, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const get = (asked: string, address: string, token: string) =>
  ask(asked, address, { headers: { authorization: `Bearer ${token}` } });

test("no password, hash, token or key is in any answer but the one that hands it out, and none is in the log", async () => {
  const users = (user_password: string, more = {}) => ({
    data: { users: { user_name: "yara", user_password, ...more } },
  });
  const LOGIN = "/access_controls/users/login.json";
  const first = await post("login", LOGIN, users(PASSWORD));
  const [access, refresh] = [String(first.access_token), String(first.refresh_token)];
  const renewed = await post("refresh", "/access_controls/users/access_token.json", { refresh_token: refresh });
  const second = [String(renewed.access_token), String(renewed.refresh_token)];
  const made = await post(
    "new key",
    "/access_controls/api_keys/add.json",
    { data: { api_keys: { name: "k" } } },
    access,
  );
  // Whatever the answer holds; the type is the test's expectation of it.
  const { secret: key = "" } = (made.data as { api_keys?: { secret?: string } }).api_keys ?? {};
  expect([access, refresh, ...second, key].every((text) => text.length > 40)).toBe(true);

  // Everything that could echo what was sent: refusals, malformed bodies, wrong places, every encoding.
  await post("wrong password", LOGIN, users(WRONG));
  await post("malformed JSON", LOGIN, `{"data":{"users":{"user_password":"${WRONG}"`);
  await post("duplicated value", LOGIN, { data: { users: { user_name: ["yara"], user_password: { a: WRONG } } } });
  await post("rpc", LOGIN, { jsonrpc: "2.0", id: 1, method: "access_controls.users.login", params: users(WRONG) });
  await post("rpc of another method", LOGIN, { jsonrpc: "2.0", id: 1, method: WRONG, params: {} });
  await ask("wrong media type", LOGIN, { method: "POST", body: WRONG, headers: { "content-type": "text/plain" } });
  await ask("password in the query", `${LOGIN}?data[users][user_password]=${encodeURIComponent(WRONG)}`);
  await ask("token in the query", `/access_controls/api_keys/mine.json?access_token=${access}`);
  await ask("token in a cookie", "/access_controls/api_keys/mine.json", { headers: { cookie: `t=${access}` } });
  const change = { old_password: WRONG, user_password: "short", confirm_password: NEXT };
  await post("refused change", "/access_controls/users/change_password.json", { data: { users: change } }, access);
  const good = { old_password: PASSWORD, user_password: NEXT, confirm_password: NEXT };
  await post("change", "/access_controls/users/change_password.json", { data: { users: good } }, access);
  const begun = await post("begin mfa", "/access_controls/users/begin_mfa.json", users(NEXT), access);
  const { secret: factor = "", otpauth_url = "" } = (begun.data as { mfa?: Record<string, string> }).mfa ?? {};
  const otp = totpCode(factor, stepAt(Date.now()));
  const on = await post("confirm mfa", "/access_controls/users/confirm_mfa.json", { data: { users: { otp } } }, access);
  const { recovery_codes = [] } = (on.data as { mfa?: { recovery_codes?: string[] } }).mfa ?? {};
  expect([factor.length, recovery_codes.length]).toEqual([32, 10]);
  await post("login with a used code", LOGIN, users(NEXT, { otp }));
  await get("state of mfa", "/access_controls/users/mfa.json", access);
  await get("audit log", "/access_controls/audit_events/index.json?limit=100", access);
  await get("export of users", "/access_controls/users/export.json?format=csv", access);
  await post("refresh with a bad token", "/access_controls/users/access_token.json", { refresh_token: `${refresh}x` });
  await get("keys", "/access_controls/api_keys/mine.json", access);
  await get("keys by key", "/access_controls/api_keys/mine.json", key);
  await get("who may", "/access_controls/roles/who_may.json?controller=access_controls/users", access);
  for (const type of ["users", "sessions", "api_keys"]) {
    await get(`schema of ${type}`, `/metadata/schema/index.json?search_controller=access_controls/${type}`, access);
    await get(`list of ${type}`, `/access_controls/${type}/index.json`, access);
  }
  await get("own user", `/access_controls/users/view.json?id=${first.user_id}`, access);
  await get("edit of own user", `/access_controls/users/edit.json?id=${first.user_id}`, access);
  await get("metrics", "/metrics", access);
  await post("spent refresh token", "/access_controls/users/access_token.json", { refresh_token: refresh });
  await post("logout", "/access_controls/users/logout.json", {}, access);

  const hashes = await database.db.rows<{ hash: string }>(sql`
    select hash from access_controls__secrets union all select hash from access_controls__refresh_tokens
    union all select hash from access_controls__recovery_codes union all select secret from access_controls__second_factors`);
  // A token signed twice within a second is the same token.
  const handedOut: readonly (readonly [secret: string, by: string])[] = [
    [access, "login"],
    [refresh, "login"],
    [second[0] ?? "", "refresh"],
    [second[1] ?? "", "refresh"],
    [key, "new key"],
    [factor, "begin mfa"],
    [otpauth_url, "begin mfa"],
    ...recovery_codes.map((code) => [code, "confirm mfa"] as const),
  ];
  const secrets = new Set([PASSWORD, WRONG, NEXT, TOKEN_SECRET, "$argon2"]);
  for (const { hash } of hashes) secrets.add(hash);
  for (const [secret] of handedOut) secrets.add(secret);
  const leaks: string[] = [];
  for (const secret of secrets) {
    for (const spelling of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
      if (log.includes(spelling)) leaks.push(`the log holds ${spelling.slice(0, 20)}…`);
      for (const { asked, text } of answers) {
        if (!text.includes(spelling) || handedOut.some(([own, by]) => own === secret && by === asked)) continue;
        leaks.push(`the answer of "${asked}" holds ${spelling.slice(0, 20)}…`);
      }
    }
  }
  expect(leaks).toEqual([]);
  // The log was not simply off.
  expect(log.match(/"path":"\/access_controls\/users\/login.json"/g)?.length).toBeGreaterThan(4);
});
