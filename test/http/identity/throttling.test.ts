import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { newOneTimeToken } from "../../../server/identity/one-time-tokens.ts";
import { type Answer, startService, startTwoServices, type TestService, type TwoServices } from "../../service.ts";
import { type Accounts, openAccounts, PASSWORD } from "../accounts.ts";

/** Failures that cost a name, and an address, nothing: the next one makes them wait. */
const FREE_BY_NAME = 4;
const FREE_BY_ADDRESS = 19;

let both: TwoServices;
let service: TestService;
let second: TestService;
let accounts: Accounts;

beforeAll(async () => {
  both = await startTwoServices({ RATE_LIMIT: "100000" });
  ({ service, second } = both);
  accounts = await openAccounts(service.db);
  await accounts.add("wanda");
  await accounts.add("xaver");
});
afterAll(() => both.stop());
beforeEach(() => service.db.script("truncate access_controls__throttles"));

const attempt = (user_name: string, user_password: string, by: TestService = service): Promise<Answer> =>
  by.post("/access_controls/users/login.json", { data: { users: { user_name, user_password } } });
const right = (userName: string, by?: TestService) => attempt(userName, PASSWORD, by);
const wrong = (userName: string, by?: TestService) => attempt(userName, "a wrong password", by);

/** As if there had been more failures before: the next wait is then long enough for a slow machine to look into. */
const pretend = (failures: number) =>
  service.db.run(sql`update access_controls__throttles set failures = failures + ${failures}`);
/** As if the wait were over. */
const letTimePass = () =>
  service.db.run(sql`update access_controls__throttles set until = (now() at time zone 'utc') - interval '1 second'`);

function expectRefusal(answer: Answer): void {
  expect(answer).toMatchObject({ status: 429, body: { error_code: "too_many_attempts", message: [] } });
  const seconds = Number(answer.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(answer.body.errors).toEqual([`Too many attempts. Try again in ${seconds} s`]);
}

test("what no longer slows anybody down is swept; a wait, and attempts of the last hour, stay", async () => {
  await service.db.run(sql`
    insert into access_controls__throttles (key, failures, until, touched)
    select key, 7, now() at time zone 'utc' + left_over, now() at time zone 'utc' - age
    from (values ('old', interval '-1 hour', interval '61 minutes'), ('older', interval '-1 day', interval '1 day'),
      ('waits', interval '5 minutes', interval '61 minutes'), ('recent', interval '-1 minute', interval '59 minutes')
    ) as given(key, left_over, age)`);
  const left = async () =>
    (await service.db.rows(sql`select key from access_controls__throttles order by key`)).map(({ key }) => key);
  const third = await startService({}, both.database);
  onTestFinished(() => third.stop());
  await expect.poll(left).toEqual(["recent", "waits"]);
});

test("addresses of one IPv6 network count as one", async () => {
  const proxied = await startService({ RATE_LIMIT: "100000", TRUST_PROXY: "1" });
  onTestFinished(() => proxied.stop());
  const from = (host: number) =>
    proxied.post(
      "/access_controls/users/login.json",
      { data: { users: { user_name: `nobody${host}`, user_password: "a wrong password" } } },
      undefined,
      { "x-forwarded-for": `2001:db8:1:2::${host.toString(16)}` },
    );
  for (let host = 1; host <= FREE_BY_ADDRESS; host += 1) expect((await from(host)).status).toBe(401);
  await proxied.db.run(sql`update access_controls__throttles set failures = failures + 5`);
  expect((await from(98)).status).toBe(401);
  expectRefusal(await from(99));
});

describe("failures of one name", () => {
  const failUntilThrottled = async () => {
    for (let count = 0; count < FREE_BY_NAME; count += 1) expect((await wrong("wanda")).status).toBe(401);
    await pretend(4);
    expect((await wrong("wanda")).status).toBe(401);
  };

  test("make it wait, the right password too, however it is spelt and whichever process is asked", async () => {
    await failUntilThrottled();
    expectRefusal(await wrong("wanda"));
    expectRefusal(await right("wanda"));
    expectRefusal(await right("WANDA"));
    expectRefusal(await right("wanda", second));
  });

  test("do not keep another name of the same address out", async () => {
    await failUntilThrottled();
    expect((await right("xaver")).status).toBe(200);
  });

  test("never lock it for good: after the wait the right password is let in, and all is forgiven", async () => {
    await failUntilThrottled();
    await letTimePass();
    expect((await right("wanda")).status).toBe(200);
    for (let count = 0; count < FREE_BY_NAME; count += 1) expect((await wrong("wanda")).status).toBe(401);
    expect((await right("wanda")).status).toBe(200);
  });

  test("never make it wait longer than half a minute, or an attacker could keep its owner out", async () => {
    await wrong("wanda");
    await service.db.run(sql`update access_controls__throttles set failures = 15`);
    await wrong("wanda");
    const answer = await right("wanda");
    expectRefusal(answer);
    expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(30);
  });

  test("of more than an hour ago count for nothing", async () => {
    await wrong("wanda");
    await pretend(50);
    await service.db.run(sql`
      update access_controls__throttles set until = 'epoch', touched = (now() at time zone 'utc') - interval '61 minutes'`);
    expect((await wrong("wanda")).status).toBe(401);
    expect((await right("wanda")).status).toBe(200);
  });

  test("cost nothing as long as they are few", async () => {
    for (let count = 0; count < FREE_BY_NAME; count += 1) expect((await wrong("wanda")).status).toBe(401);
    expect((await right("wanda")).status).toBe(200);
  });
});

test("failures of many names slow their address down", async () => {
  await wrong("nobody.1");
  await pretend(FREE_BY_ADDRESS + 5);
  await wrong("nobody.2");
  expectRefusal(await right("xaver"));
});

test("a right password does not make an address forget the failures of other names", async () => {
  await wrong("nobody.1");
  await pretend(FREE_BY_ADDRESS - 1);
  await letTimePass();
  expect((await right("xaver")).status).toBe(200);
  await wrong("nobody.2");
  expectRefusal(await right("xaver"));
});

const counted = async () =>
  service.db.row(sql`
    select sum(failures)::text as failures, count(*) filter (where until > touched)::text as waits
    from access_controls__throttles`);

test("what is refused for an address is not counted against the name", async () => {
  await wrong("nobody.1");
  await pretend(FREE_BY_ADDRESS + 5);
  await wrong("nobody.2");
  const before = await counted();
  expect(before).toMatchObject({ waits: "1" });
  expectRefusal(await right("xaver"));
  expect(await counted()).toEqual(before);
});

test("a right password with which an address would begin to wait leaves no wait behind", async () => {
  await wrong("nobody.1");
  await service.db.run(sql`update access_controls__throttles set failures = ${FREE_BY_ADDRESS}`);
  expect((await right("xaver")).status).toBe(200);
  expect(await counted()).toMatchObject({ waits: "0" });
});

const tally = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const many = (count: number, ask: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)));

describe("attempts at the same moment", () => {
  /** Long enough for the slowest machine: what is counted first waits from the start. */
  const longWaits = () =>
    service.db.script(`
      create or replace function long_waits() returns trigger language plpgsql as $$
      begin if new.until > now() at time zone 'utc' then new.until := new.until + interval '1 hour'; end if; return new; end $$;
      create or replace trigger long_waits before insert or update on access_controls__throttles
      for each row execute function long_waits()`);
  beforeAll(longWaits);
  afterAll(() => service.db.script("drop trigger long_waits on access_controls__throttles"));

  test("are counted one by one: five of sixty are evaluated for a name, over two processes", async () => {
    const answers = await many(60, (index) => wrong("wanda", index % 2 === 0 ? service : second));
    expect(tally(answers)).toEqual({ 401: 5, 429: 55 });
  });

  test("twenty of sixty for an address, whatever the names", async () => {
    expect(tally(await many(60, (index) => wrong(`nobody.${index}`)))).toEqual({ 401: 20, 429: 40 });
  });

  test("a whole office that logs in at once is let in, and nothing is held against it", async () => {
    expect(tally(await many(50, () => right("xaver")))).toEqual({ 200: 50 });
    for (let count = 0; count < FREE_BY_NAME; count += 1) expect((await wrong("xaver")).status).toBe(401);
    expect((await right("xaver")).status).toBe(200);
    const left = await service.db.row(
      sql`select coalesce(sum(failures), 0)::text as failures from access_controls__throttles`,
    );
    expect(left?.failures).toBe(String(FREE_BY_NAME));
  });

  test("five of sixty for the old password, and for the password that turns the second step on", async () => {
    const { access_token } = (await right("wanda")).body;
    const change = {
      old_password: "a guess",
      user_password: "another long secret",
      confirm_password: "another long secret",
    };
    const operations = [
      { name: "change_password", users: change },
      { name: "begin_mfa", users: { user_password: "a guess" } },
    ];
    for (const { name, users } of operations) {
      await service.db.script("truncate access_controls__throttles");
      const ask = () => service.post(`/access_controls/users/${name}.json`, { data: { users } }, access_token);
      expect(tally(await many(60, ask)), name).toEqual({ 422: 5, 429: 55 });
    }
  });

  test("five of sixty requests for a link, and five signups, for a name", async () => {
    const link = () =>
      service.post("/access_controls/users/activate_forgotten_password.json", {
        data: { users: { user_name: "wanda" } },
      });
    expect(tally(await many(60, link))).toEqual({ 200: 5, 429: 55 });
    const signup = () => service.post("/access_controls/users/signup.json", { data: { users: { user_name: "yara" } } });
    expect(tally(await many(60, signup))).toEqual({ 422: 5, 429: 55 });
  });

  test("bad links are refused after twenty; a good one of the same address is not", async () => {
    const reset = (token: string) => {
      const users = { token, user_password: "yet another secret", confirm_password: "yet another secret" };
      return service.post("/access_controls/users/reset_forgotten_password.json", { data: { users } });
    };
    const userId = await accounts.add("zoe");
    const row = await service.db.row(
      sql`select organization_id from access_controls__users where id = ${userId}::bigint`,
    );
    const about = { organizationId: row?.organization_id ?? "", subject: userId };
    const token = await newOneTimeToken(service.db, "password", about, 600);
    expect(tally(await many(60, (index) => reset(`${token.slice(0, -4)}${1000 + index}`)))).toEqual({
      422: 20,
      429: 40,
    });
    expect((await reset(token)).status).toBe(200);
  });
});

test("guessing the old password by changing it is slowed down as well", async () => {
  const { body } = await right("wanda");
  const change = () => {
    const users = {
      old_password: "a guess",
      user_password: "another long secret",
      confirm_password: "another long secret",
    };
    return service.post("/access_controls/users/change_password.json", { data: { users } }, body.access_token);
  };
  for (let count = 0; count < FREE_BY_NAME; count += 1) expect((await change()).status).toBe(422);
  await pretend(4);
  expect((await change()).status).toBe(422);
  expectRefusal(await change());
});

test("calls past the allowance of a minute are refused with the time to wait, per caller", async () => {
  const limited = await startService({ RATE_LIMIT: "8" }, both.database);
  try {
    const answers: Answer[] = [];
    for (let count = 0; count < 40; count += 1) answers.push(await limited.get("/access_controls/api_keys/mine.json"));
    const refused = answers.find(({ status }) => status === 429);
    expect(answers[0]?.status).toBe(401);
    expect(refused?.body).toMatchObject({ error_code: "too_many_requests" });
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await limited.get("/healthz")).status).toBe(200);
  } finally {
    await limited.stop();
  }
});
