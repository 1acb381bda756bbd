// Attacks on somebody else's sign-in: guesses must not keep the owner of a name out, and a user name that looks like
// somebody's email address must not stand between that person and their account.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { writtenMails } from "../../mail/mail-server.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { type Accounts, openAccounts, PASSWORD } from "../accounts.ts";

const [HOME, ATTACKER] = ["198.51.100.7", "203.0.113.9"];

let service: TestService;
let accounts: Accounts;
beforeAll(async () => {
  service = await startService({ RATE_LIMIT: "100000", TRUST_PROXY: "1" });
  accounts = await openAccounts(service.db);
  await accounts.add("victim");
});
afterAll(() => service.stop());
beforeEach(() => service.db.script("truncate access_controls__throttles"));

const signIn = (user_name: string, user_password: string, address: string): Promise<Answer> =>
  service.post("/access_controls/users/login.json", { data: { users: { user_name, user_password } } }, undefined, {
    "x-forwarded-for": address,
  });
/** As if there had been more failures before. */
const pretend = (failures: number) =>
  service.db.run(sql`update access_controls__throttles set failures = failures + ${failures}`);

describe("guesses at a name", () => {
  test("make their own address wait, not the owner's, whatever the spelling", async () => {
    await signIn("victim", "a wrong guess", ATTACKER);
    await pretend(9);
    await signIn("VICTIM", "a wrong guess", ATTACKER);
    expect((await signIn("victim", "a wrong guess", ATTACKER)).status).toBe(429);
    expect((await signIn("victim", PASSWORD, ATTACKER)).status).toBe(429);
    expect((await signIn("victim", PASSWORD, HOME)).status).toBe(200);
    // A right password somewhere else is no pardon for the guesses.
    expect((await signIn("victim", "a wrong guess", ATTACKER)).status).toBe(429);
  });

  test("from many addresses are slowed down together, except where the owner has signed in before", async () => {
    expect((await signIn("victim", PASSWORD, HOME)).status).toBe(200);
    await signIn("victim", "a wrong guess", "192.0.2.1");
    await service.db.run(sql`update access_controls__throttles set failures = 500 where failures = 1`);
    await signIn("victim", "a wrong guess", "192.0.2.2");
    expect((await signIn("victim", "a wrong guess", "192.0.2.3")).status).toBe(429);
    expect((await signIn("victim", PASSWORD, "192.0.2.4")).status).toBe(429);
    expect((await signIn("victim", PASSWORD, HOME)).status).toBe(200);
  });

  test("of a name that nobody has are slowed down just the same", async () => {
    const statuses = async (name: string) => {
      await service.db.script("truncate access_controls__throttles");
      const seen: number[] = [];
      for (let count = 0; count < 7; count += 1) seen.push((await signIn(name, "a wrong guess", ATTACKER)).status);
      return seen;
    };
    expect(await statuses("nobody")).toEqual(await statuses("victim"));
  });

  test("leave no more of a long name in the log than the log shows", async () => {
    const name = "nobody.".repeat(1_000);
    expect((await signIn(name, "a wrong guess", ATTACKER)).status).toBe(401);
    const logged = await service.db.row(sql`
      select user_name from access_controls__audit_events where event = 'login_failed' order by id desc limit 1`);
    expect(logged?.user_name).toBe(name.slice(0, 255));
  });
});

describe("a user name that is somebody else's address", () => {
  const EMAIL = "owner@x.example";
  const OWNERS_PASSWORD = "quite a different secret";
  let owner: string;
  let squatter: string;

  beforeAll(async () => {
    // The name was taken before its owner confirmed the address.
    squatter = await accounts.add(EMAIL);
    owner = await accounts.add("owner");
    const { access_token } = (await signIn("owner", PASSWORD, HOME)).body;
    const users = { old_password: PASSWORD, user_password: OWNERS_PASSWORD, confirm_password: OWNERS_PASSWORD };
    const changed = await service.post(
      "/access_controls/users/change_password.json",
      { data: { users } },
      access_token,
    );
    expect(changed.status).toBe(200);
    await service.db.run(sql`
      insert into core__email_addresses (organization_id, related_type, related_id, email, is_primary, is_confirmed, acl_id)
      select u.organization_id, 'access_controls/users', u.id::text, ${EMAIL}, 1, 1, u.acl_id
      from access_controls__users u where u.id = ${owner}::bigint`);
    await service.db.run(sql`
      insert into access_controls__login_emails (email, organization_id, user_id) values (${EMAIL}, 1, ${owner}::bigint)`);
  });

  test("does not keep the owner of the address out, and lets nobody into an account that is not theirs", async () => {
    expect((await signIn("Owner@X.example", OWNERS_PASSWORD, HOME)).body.user_id).toBe(owner);
    expect((await signIn(EMAIL, PASSWORD, ATTACKER)).body.user_id).toBe(squatter);
    expect((await signIn(EMAIL, "a wrong guess", ATTACKER)).status).toBe(401);
  });

  test("gives no second allowance of guesses at the owner's password", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      statuses.push((await signIn(count % 2 === 0 ? EMAIL : "owner", "a wrong guess", ATTACKER)).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  });

  test("does not receive the owner's link to choose a new password", async () => {
    await service.post("/access_controls/users/activate_forgotten_password.json", {
      data: { users: { user_name: EMAIL } },
    });
    const mail = () => writtenMails(service.dataDir).findLast(({ to }) => to.some((one) => one.includes(EMAIL)));
    await expect.poll(() => mail()?.text).toContain("token=");
    const token = /token=(\S+)/.exec(mail()?.text ?? "")?.[1];
    const users = { token, user_password: "yet another secret", confirm_password: "yet another secret" };
    await service.post("/access_controls/users/reset_forgotten_password.json", { data: { users } });
    expect((await signIn("owner", "yet another secret", HOME)).body.user_id).toBe(owner);
  });
});
