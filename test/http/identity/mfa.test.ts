// The second step of a login, on the wire: turned on and off, codes that work once, recovery codes, help by an administrator.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { stepAt, totpCode } from "../../../server/lib/secrets/totp.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let person: Person;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT: "100000" });
  admin = await service.login();
});
afterAll(() => service.stop());

let count = 0;
beforeEach(async () => {
  await service.db.script("truncate access_controls__throttles");
  count += 1;
  person = await addPerson(service, name(), ["sales_rep"]);
});

const name = () => `person${count}`;
const post = (operation: string, users: Record<string, unknown>, token?: string): Promise<Answer> =>
  service.post(`/access_controls/users/${operation}.json`, { data: { users } }, token);
const password = () => ({ user_password: service.admin.password });
const login = (more: Record<string, unknown> = {}) => post("login", { user_name: name(), ...password(), ...more });
const codeOf = (secret: string) => totpCode(secret, stepAt(Date.now()));
/** A code counts again, as it would half a minute later. */
const later = () => service.db.run(sql`update access_controls__second_factors set last_step = 0`);
const events = async (event: string) => {
  const fields = ["audit_events.user_name", "audit_events.subject_id", "audit_events.detail"];
  const q = encodeURIComponent(JSON.stringify({ fields, where: { event }, order: ["audit_events.id DESC"] }));
  const { body } = await service.get(`/access_controls/audit_events/index.json?q=${q}`, admin);
  return body.paginate.data;
};

async function turnOn(): Promise<{ secret: string; recovery: string[] }> {
  const { secret } = (await post("begin_mfa", password(), person.token)).body.data.mfa;
  const { body } = await post("confirm_mfa", { otp: codeOf(secret) }, person.token);
  expect(body.errors).toEqual([]);
  await later();
  return { secret, recovery: body.data.mfa.recovery_codes };
}

test("is on once a code confirms it; then a login needs one, and no code is taken twice", async () => {
  const other = (await login()).body.access_token;
  expect((await post("begin_mfa", { user_password: "a guess" }, person.token)).body.errors_by_field).toHaveProperty(
    "users.user_password",
  );
  const begun = await post("begin_mfa", password(), person.token);
  const { secret, otpauth_url } = begun.body.data.mfa;
  expect(new URL(otpauth_url).searchParams.get("secret")).toBe(secret);
  // Nothing is asked for yet.
  expect((await login()).status).toBe(200);
  expect((await post("confirm_mfa", { otp: "000000" }, person.token)).status).toBe(422);
  const on = await post("confirm_mfa", { otp: codeOf(secret) }, person.token);
  expect(on.body.data.mfa.recovery_codes).toHaveLength(10);
  expect((await service.get("/access_controls/users/mfa.json", other)).status).toBe(401);
  const state = await service.get("/access_controls/users/mfa.json", person.token);
  expect(state.body.data.mfa).toMatchObject({ is_on: "1", recovery_codes_left: "10" });
  expect((await post("begin_mfa", password(), person.token)).status).toBe(409);
  await later();

  const asked = await login();
  expect(asked).toMatchObject({ status: 401, body: { error_code: "otp_required", message: ["Login failed"] } });
  expect(asked.body).not.toHaveProperty("access_token");
  // A wrong password is told apart by nothing, whatever the code.
  const wrongPassword = await login({ user_password: "not the password", otp: codeOf(secret) });
  const wrongCode = await login({ otp: codeOf(secret) === "123456" ? "654321" : "123456" });
  expect(wrongPassword.body).toMatchObject({ error_code: "login_failed", errors: wrongCode.body.errors });
  const otp = codeOf(secret);
  expect((await login({ otp })).body.access_token).toEqual(expect.any(String));
  expect((await login({ otp })).body.error_code).toBe("login_failed");
  expect((await events("mfa_failed"))[0]["audit_events.detail"]).toContain("code");
  expect(await events("mfa_turned_on")).toMatchObject([{ "audit_events.user_name": name() }]);
});

test("of ten who bring the same code at once, one gets in", async () => {
  const { secret } = await turnOn();
  const otp = codeOf(secret);
  const answers = await Promise.all(Array.from({ length: 10 }, () => login({ otp })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a recovery code opens once, however it is typed, and new ones void the old", async () => {
  const { secret, recovery } = await turnOn();
  const [first = "", second = ""] = recovery;
  expect(first).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  const inside = await login({ otp: ` ${first.toLowerCase().replaceAll("-", "")} ` });
  expect(inside.status).toBe(200);
  expect((await login({ otp: first })).status).toBe(401);
  expect(await events("recovery_code_used")).toHaveLength(1);
  const token = inside.body.access_token;
  const left = await service.get("/access_controls/users/mfa.json", token);
  expect(left.body.data.mfa.recovery_codes_left).toBe("9");
  expect((await post("renew_recovery_codes", { ...password(), otp: "000000" }, token)).status).toBe(422);
  const renewed = await post("renew_recovery_codes", { ...password(), otp: codeOf(secret) }, token);
  expect(renewed.body.data.mfa.recovery_codes).toHaveLength(10);
  expect((await login({ otp: second })).status).toBe(401);
  expect((await login({ otp: renewed.body.data.mfa.recovery_codes[0] })).status).toBe(200);
  const kept = await service.db.rows<{ hash: string }>(sql`select hash from access_controls__recovery_codes`);
  expect(kept.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
});

test("is turned off with password and code together, by a person", async () => {
  const { secret, recovery } = await turnOn();
  const otp = codeOf(secret);
  expect((await post("end_mfa", { ...password(), otp: "" }, person.token)).body.errors_by_field).toHaveProperty(
    "users.otp",
  );
  const guessed = await post("end_mfa", { user_password: "a guess", otp }, person.token);
  expect(guessed.body.errors_by_field).toHaveProperty("users.user_password");
  const key = { data: { api_keys: { name: "k", scope: "write" } } };
  const made = await service.post("/access_controls/api_keys/add.json", key, person.token);
  expect((await post("end_mfa", { ...password(), otp }, made.body.data.api_keys.secret)).status).toBe(409);
  expect((await post("end_mfa", { ...password(), otp }, person.token)).status).toBe(200);
  expect((await login()).status).toBe(200);
  const rest = await service.db.rows(sql`
    select 1 as found from access_controls__recovery_codes where user_id = ${person.id}::bigint`);
  expect([rest.length, recovery.length]).toEqual([0, 10]);
});

test("an administrator resets it for somebody else of the organization, and that is written down", async () => {
  await turnOn();
  const reset = (token: string, id = person.id) =>
    service.post(`/access_controls/users/reset_mfa.json?id=${id}`, {}, token);
  expect((await reset(person.token)).status).toBe(403);
  const stranger = await addOrganization(service, `elsewhere${count}`);
  expect((await reset(stranger.token)).status).toBe(404);
  expect((await service.get("/access_controls/users/mfa_users.json", person.token)).status).toBe(403);
  const on = await service.get("/access_controls/users/mfa_users.json", admin);
  expect(on.body.data.users.map(({ id }: { id: string }) => id)).toContain(person.id);
  expect((await login()).status).toBe(401);
  expect((await reset(admin)).status).toBe(200);
  expect((await login()).status).toBe(200);
  expect((await events("mfa_reset"))[0]).toMatchObject({ "audit_events.subject_id": person.id });
  const { body } = await service.get("/access_controls/users/profile.json", admin);
  expect((await reset(admin, body.user_id)).status).toBe(409);
});

test("codes cannot be guessed at leisure", async () => {
  const { secret } = await turnOn();
  const wrong = () => login({ otp: codeOf(secret) === "111111" ? "222222" : "111111" });
  for (let tries = 0; tries < 5; tries += 1) expect((await wrong()).status).toBe(401);
  const refused = await login({ otp: codeOf(secret) });
  expect(refused).toMatchObject({ status: 429, body: { error_code: "too_many_attempts" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  await service.db.script("truncate access_controls__throttles");
  expect((await login({ otp: codeOf(secret) })).status).toBe(200);
});

test("of a hundred codes that are guessed at once five are looked at", async () => {
  await turnOn();
  // However slow the machine: no wait is over before the last of them was refused.
  await service.db.script(`
    create function long_waits() returns trigger language plpgsql as $$
    begin if new.until > now() at time zone 'utc' then new.until := new.until + interval '1 hour'; end if; return new; end $$;
    create trigger long_waits before insert or update on access_controls__throttles for each row execute function long_waits()`);
  const answers = await Promise.all(Array.from({ length: 100 }, (_, guess) => login({ otp: String(100_000 + guess) })));
  const looked = answers.filter(({ status }) => status !== 429);
  expect(looked.length).toBe(5);
  await service.db.script(`
    drop trigger long_waits on access_controls__throttles; drop function long_waits; truncate access_controls__throttles`);
});

test("a secret that was copied to another user's row, or sealed under another key, opens nothing", async () => {
  const { secret } = await turnOn();
  const stored = await service.db.row(sql`
    select secret from access_controls__second_factors where user_id = ${person.id}::bigint`);
  expect(stored?.secret).not.toContain(secret);
  count += 1;
  const thief = await addPerson(service, name(), ["sales_rep"]);
  await service.db.run(sql`
    insert into access_controls__second_factors (organization_id, user_id, secret, confirmed)
    values (1, ${thief.id}::bigint, ${stored?.secret ?? ""}, now() at time zone 'utc')`);
  expect((await login({ otp: codeOf(secret) })).body.error_code).toBe("login_failed");
});
