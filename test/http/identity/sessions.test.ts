import { createHash } from "node:crypto";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { type TestDatabase, testDatabase } from "../../database.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { type Accounts, logIn, openAccounts, PASSWORD, probe } from "../accounts.ts";

const SECRET = "the signing key of this very test file";
const LOGIN = "/access_controls/users/login.json";
const REFRESH = "/access_controls/users/access_token.json";
const MINE = "/access_controls/api_keys/mine.json";
const loginRequired = ["Client need to login to access this URL"];

let database: TestDatabase;
let service: TestService;
let second: TestService;
let accounts: Accounts;
let rosaId: string;

beforeAll(async () => {
  database = await testDatabase("prepared");
  service = await startService({ TOKEN_SECRET: SECRET }, database);
  second = await startService({ TOKEN_SECRET: SECRET }, database);
  accounts = await openAccounts(database.db);
  rosaId = await accounts.add("rosa");
});
afterAll(async () => {
  await service.stop();
  await second.stop();
  await database.close();
});

const inForm = <Form extends FormData | URLSearchParams>(form: Form, users: Record<string, string>): Form => {
  for (const [name, value] of Object.entries(users)) form.append(`data[users][${name}]`, value);
  return form;
};

/** Each way to say the same call. */
const encodings: readonly {
  encoding: string;
  send: (users: Record<string, string>) => unknown;
  result: (answer: Answer) => Answer["body"];
}[] = [
  { encoding: "form-data", send: (users) => inForm(new FormData(), users), result: ({ body }) => body },
  { encoding: "urlencoded", send: (users) => inForm(new URLSearchParams(), users), result: ({ body }) => body },
  { encoding: "JSON", send: (users) => ({ data: { users } }), result: ({ body }) => body },
  {
    encoding: "JSON-RPC",
    send: (users) => ({ jsonrpc: "2.0", id: 7, method: "access_controls.users.login", params: { data: { users } } }),
    result: ({ body }) => {
      expect(body).toMatchObject({ jsonrpc: "2.0", id: 7 });
      return body.result;
    },
  },
];

describe("login", () => {
  test.each(encodings)("gives a pair of tokens and the user, asked in $encoding", async ({ send, result }) => {
    const answer = await service.post(LOGIN, send({ user_name: "rosa", user_password: PASSWORD }));
    expect(answer.status).toBe(200);
    const body = result(answer);
    expect(body).toMatchObject({
      errors: [],
      message: ["login successfully"],
      expires_in: 3600,
      user_id: rosaId,
      user_fullname: "Test rosa",
      organization_name: "Test organization",
      data: { users: { id: rosaId, user_name: "rosa", first_name: "Test", last_name: "rosa" } },
    });
    expect(await probe(service, body.access_token)).toBe(200);
    const claims = decodeJwt(body.access_token);
    expect(claims).toMatchObject({ iss: "dossier", sub: rosaId, user_id: rosaId, sid: expect.any(String) });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3600);
    expect(claims.nbf).toBe(claims.iat);
  });

  test("takes a user name without regard to case", async () => {
    const users = { user_name: "RoSa", user_password: PASSWORD };
    expect((await service.post(LOGIN, { data: { users } })).status).toBe(200);
  });

  test("refuses everybody in the same words, whichever part was wrong", async () => {
    await accounts.deactivate(await accounts.add("gone"));
    const attempts = [
      { user_name: "rosa", user_password: "not her password" },
      { user_name: "nobody.at.all", user_password: PASSWORD },
      { user_name: "gone", user_password: PASSWORD },
      { user_name: "rosa", user_password: "" },
      { user_name: "", user_password: "" },
      { user_name: "rosa", user_password: PASSWORD.toUpperCase() },
      { user_name: "rosa", user_password: `${PASSWORD} ` },
      { user_name: "' or 1=1 --", user_password: "' or 1=1 --" },
    ];
    const answers = await Promise.all(attempts.map((users) => service.post(LOGIN, { data: { users } })));
    for (const { status, body } of answers) {
      expect(status).toBe(401);
      const { request_id, ...rest } = body;
      expect(request_id).toEqual(expect.any(String));
      expect(rest).toEqual({
        errors: ["Incorrect user name or password"],
        message: ["Login failed"],
        error_code: "login_failed",
      });
    }
  });

  test("is not called by GET, and says how it is called", async () => {
    const answer = await service.get(`${LOGIN}?data[users][user_name]=rosa`);
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
  });
});

describe("a call without a token that counts", () => {
  const key = (secret: string) => createHash("sha256").update(secret).digest();
  const hour = 3600;
  const now = () => Math.floor(Date.now() / 1000);

  /** Rosa's own claims, changed and signed anew. */
  const craft = async (changes: Record<string, unknown>, secret = SECRET, alg = "HS256"): Promise<string> => {
    const { access } = await logIn(service, "rosa");
    const claims = { ...decodeJwt(access), ...changes };
    return new SignJWT(claims).setProtectedHeader({ alg, typ: "JWT" }).sign(key(secret));
  };

  test("is accepted when it is crafted with the right key and claims, so that the refusals below mean something", async () => {
    expect(await probe(service, await craft({}))).toBe(200);
  });

  const bad: readonly { what: string; token: () => Promise<string> | string }[] = [
    { what: "nothing", token: () => "" },
    { what: "garbage", token: () => "garbage" },
    { what: "garbage of three parts", token: () => "a.b.c" },
    { what: "a token that has run out", token: () => craft({ iat: now() - 2 * hour, exp: now() - hour }) },
    { what: "a token that is not valid yet", token: () => craft({ nbf: now() + hour }) },
    { what: "a token without an end", token: () => craft({ exp: undefined }) },
    { what: "a token signed with another key", token: () => craft({}, "some other secret") },
    { what: "a token of another issuer", token: () => craft({ iss: "somebody else" }) },
    { what: "a token signed in another way", token: () => craft({}, SECRET, "HS384") },
    {
      what: "a token that is not signed",
      token: async () => {
        const [, payload] = (await craft({})).split(".");
        return `${Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url")}.${payload}.`;
      },
    },
    { what: "a token of another user's session", token: () => craft({ sub: "1", user_id: "1" }) },
    { what: "a token of another organization", token: () => craft({ org: "2" }) },
    {
      what: "a token of a session that never was",
      token: () => craft({ sid: "01980000-0000-7000-8000-000000000000" }),
    },
    { what: "a refresh token", token: async () => (await logIn(service, "rosa")).refresh },
    { what: "an API key that never was", token: () => `dk_1_1_${"x".repeat(43)}` },
    { what: "an API key with a number that no key has", token: () => `dk_1_${"9".repeat(30)}_${"x".repeat(43)}` },
    { what: "an API key of an organization past all numbers", token: () => `dk_${"9".repeat(18)}_1_${"x".repeat(43)}` },
  ];

  test.each(bad)("is refused: $what", async ({ token }) => {
    const answer = await service.get(MINE, await token());
    expect(answer.body).toMatchObject({ errors: loginRequired, error_code: "login_required" });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("is refused when the token travels anywhere but in the header", async () => {
    const { access } = await logIn(service, "rosa");
    const cookie = { cookie: `access_token=${access}` };
    const read = await fetch(service.url + MINE, { headers: cookie });
    expect(read.status).toBe(401);
    const write = await service.post("/access_controls/users/change_password.json", {}, undefined, cookie);
    expect(write).toMatchObject({ status: 403, body: { error_code: "cookie_refused" } });
    expect((await service.get(`${MINE}?access_token=${access}`)).status).toBe(401);
    const basic = await fetch(service.url + MINE, { headers: { authorization: `Basic ${access}` } });
    expect(basic.status).toBe(401);
  });
});

describe("refreshing", () => {
  const refresh = (token: string, by: TestService = service) => by.post(REFRESH, { refresh_token: token });

  test("gives a new pair, and the next refresh takes the new one", async () => {
    const first = await logIn(service, "rosa");
    const answer = await refresh(first.refresh);
    expect(answer).toMatchObject({ status: 200, body: { errors: [], expires_in: 3600, user_id: rosaId } });
    expect(answer.body.refresh_token).not.toBe(first.refresh);
    expect(await probe(service, answer.body.access_token)).toBe(200);
    expect(await probe(service, first.access)).toBe(200);
    expect((await refresh(answer.body.refresh_token, second)).status).toBe(200);
  });

  test.each(encodings)("takes its token in $encoding too", async ({ encoding, result }) => {
    const { refresh: refresh_token } = await logIn(service, "rosa");
    const sent = {
      "form-data": inForm(new FormData(), { refresh_token }),
      urlencoded: new URLSearchParams({ refresh_token }),
      JSON: { refresh_token },
      "JSON-RPC": { jsonrpc: "2.0", id: 7, method: "access_controls.users.access_token", params: { refresh_token } },
    }[encoding];
    expect(result(await service.post(REFRESH, sent))).toMatchObject({ errors: [], user_id: rosaId });
  });

  test("ends the whole session when a spent token comes again", async () => {
    const first = await logIn(service, "rosa");
    const other = await logIn(service, "rosa");
    const renewed = (await refresh(first.refresh)).body;
    const again = await refresh(first.refresh);
    expect(again).toMatchObject({ status: 401, body: { error_code: "token_refused" } });
    expect(await probe(service, renewed.access_token)).toBe(401);
    expect(await probe(service, first.access)).toBe(401);
    expect((await refresh(renewed.refresh_token)).status).toBe(401);
    expect(await probe(service, other.access)).toBe(200);
  });

  describe("under an Idempotency-Key", () => {
    const under = (refresh_token: string, key: string, on = service) =>
      on.post(REFRESH, { refresh_token }, undefined, { "idempotency-key": key });
    const KEY = "0123456789abcdef";

    test("gives whoever did not get the answer the same refresh token again, in every process", async () => {
      const first = await logIn(service, "rosa");
      const lost = (await under(first.refresh, KEY)).body;
      const again = await under(first.refresh, KEY, second);
      expect(again).toMatchObject({ status: 200, body: { user_id: rosaId, refresh_token: lost.refresh_token } });
      expect(await probe(service, again.body.access_token)).toBe(200);
      expect((await under(again.body.refresh_token, KEY)).status).toBe(200);
    });

    test("gives both of two at once the same", async () => {
      const first = await logIn(service, "rosa");
      const answers = await Promise.all([under(first.refresh, KEY), under(first.refresh, KEY, second)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
      expect((await refresh(answers[0]?.body.refresh_token)).status).toBe(200);
    });

    const strangers: readonly { what: string; come: (spent: string, next: string) => Promise<Answer> }[] = [
      { what: "without the key", come: (spent) => refresh(spent) },
      { what: "under another key", come: (spent) => under(spent, `${KEY}0`) },
      { what: "under a key that is part of it", come: (spent) => under(spent, KEY.slice(0, 4)) },
      {
        what: "once what it was spent for is spent too",
        come: async (spent, next) => {
          await refresh(next);
          return under(spent, KEY);
        },
      },
    ];
    test.each(strangers)("ends the session when a spent token comes again $what", async ({ come }) => {
      const first = await logIn(service, "rosa");
      const renewed = (await under(first.refresh, KEY)).body;
      expect((await come(first.refresh, renewed.refresh_token)).status).toBe(401);
      expect(await probe(service, renewed.access_token)).toBe(401);
    });

    test("that could be guessed is none", async () => {
      const first = await logIn(service, "rosa");
      await under(first.refresh, "1");
      expect((await under(first.refresh, "1")).status).toBe(401);
    });
  });

  test("lets one of two who present the same token at once through, and then ends the session", async () => {
    const first = await logIn(service, "rosa");
    const answers = await Promise.all([refresh(first.refresh), refresh(first.refresh, second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    await expect.poll(() => probe(service, first.access)).toBe(401);
  });

  const wrong: readonly { what: string; token: () => Promise<string> | string }[] = [
    { what: "nothing", token: () => "" },
    { what: "garbage", token: () => "garbage" },
    { what: "an access token", token: async () => (await logIn(service, "rosa")).access },
    {
      what: "a token with another secret",
      token: async () => (await logIn(service, "rosa")).refresh.replace(/.{43}$/, "x".repeat(43)),
    },
    {
      what: "a token that has run out",
      token: async () => {
        const { refresh: token } = await logIn(service, "rosa");
        const hash = createHash("sha256").update(token).digest("hex");
        await service.db.run(
          sql`update access_controls__refresh_tokens set expires = now() - interval '2 days' where hash = ${hash}`,
        );
        return token;
      },
    },
    {
      what: "a token of somebody who was deactivated",
      token: async () => {
        const id = await accounts.add("leaving");
        const { refresh: token } = await logIn(service, "leaving");
        await accounts.deactivate(id);
        return token;
      },
    },
  ];
  test.each(wrong)("refuses $what", async ({ token }) => {
    const answer = await refresh(await token());
    expect(answer).toMatchObject({ status: 401, body: { error_code: "token_refused" } });
    expect(answer.body.access_token).toBeUndefined();
  });
});

describe("logout", () => {
  test.each(["GET", "POST"])("by %s ends this session's tokens and no other's", async (method) => {
    const mine = await logIn(service, "rosa");
    const other = await logIn(service, "rosa");
    const out = "/access_controls/users/logout.json";
    const answer = await (method === "GET" ? service.get(out, mine.access) : service.post(out, {}, mine.access));
    expect(answer).toMatchObject({ status: 200, body: { errors: [], message: ["Logged out successfully"] } });
    expect(await service.get(MINE, mine.access)).toMatchObject({ status: 401, body: { errors: loginRequired } });
    expect((await service.post(REFRESH, { refresh_token: mine.refresh })).status).toBe(401);
    expect(await probe(service, other.access)).toBe(200);
  });

  test("is seen by another process on the same database, even one that knew the token", async () => {
    const { access } = await logIn(service, "rosa");
    expect(await probe(second, access)).toBe(200);
    await service.post("/access_controls/users/logout.json", {}, access);
    expect(await probe(second, access)).toBe(401);
  });

  test("needs somebody to log out", async () => {
    expect((await service.post("/access_controls/users/logout.json", {})).status).toBe(401);
  });
});

test("a deactivated user's tokens stop working in every process", async () => {
  const id = await accounts.add("fired");
  const { access } = await logIn(service, "fired");
  for (const one of [service, second]) expect(await probe(one, access)).toBe(200);
  await accounts.deactivate(id);
  for (const one of [service, second]) expect(await probe(one, access)).toBe(401);
});
