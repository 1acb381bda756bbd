import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../server/database/sql.ts";
import { type Answer, startService, startTwoServices, type TestService, type TwoServices } from "../service.ts";
import { type Accounts, openAccounts, PASSWORD } from "./accounts.ts";

/** Failures that cost a name, and an address, nothing. */
const FREE_BY_NAME = 5;
const FREE_BY_ADDRESS = 20;

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
  expect(answer.body.errors).toEqual([`Too many attempts; try again in ${seconds} s`]);
}

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
