import { afterAll, beforeAll, expect, test } from "vitest";
import { startTwoServices, type TestService, type TwoServices } from "../../service.ts";
import { type Accounts, logIn, openAccounts, PASSWORD, probe } from "../accounts.ts";

const CHANGE = "/access_controls/users/change_password.json";
const NEXT = "another long secret";

let both: TwoServices;
let service: TestService;
let second: TestService;
let accounts: Accounts;

beforeAll(async () => {
  both = await startTwoServices();
  ({ service, second } = both);
  accounts = await openAccounts(service.db);
});
afterAll(() => both.stop());

const change = (token: string, old_password: string, user_password: string, confirm_password = user_password) =>
  service.post(CHANGE, { data: { users: { old_password, user_password, confirm_password } } }, token);
const mayLogIn = (userName: string, password: string) =>
  logIn(service, userName, password).then(
    () => true,
    () => false,
  );

test("a changed password ends the user's other sessions in every process, and keeps the calling one", async () => {
  await accounts.add("petra");
  const [mine, other] = [await logIn(service, "petra"), await logIn(second, "petra")];
  expect(await probe(second, other.access)).toBe(200);
  const answer = await change(mine.access, PASSWORD, NEXT);
  expect(answer).toMatchObject({ status: 200, body: { errors: [] } });
  expect(await probe(service, mine.access)).toBe(200);
  expect(await probe(service, other.access)).toBe(401);
  await expect.poll(() => probe(second, other.access)).toBe(401);
  const renew = (refresh_token: string) => service.post("/access_controls/users/access_token.json", { refresh_token });
  expect((await renew(other.refresh)).status).toBe(401);
  expect((await renew(mine.refresh)).status).toBe(200);
  expect(await mayLogIn("petra", PASSWORD)).toBe(false);
  expect(await mayLogIn("petra", NEXT)).toBe(true);
});

test("everything that is wrong with a change is said at once, and nothing changes", async () => {
  await accounts.add("quentin");
  const { access } = await logIn(service, "quentin");
  const other = await logIn(service, "quentin");
  const answer = await change(access, "not the old one", "short", "shorter");
  expect(answer.status).toBe(422);
  expect(answer.body.error_code).toBe("invalid");
  expect(answer.body.errors_by_field).toEqual({
    "users.old_password": ["Incorrect password"],
    "users.user_password": ["New password must have at least 10 characters"],
    "users.confirm_password": ["The passwords don't match"],
  });
  expect(await mayLogIn("quentin", PASSWORD)).toBe(true);
  expect(await probe(service, other.access)).toBe(200);
});

const refused: readonly { what: string; password: string; error: RegExp }[] = [
  { what: "too short", password: "123456789", error: /at least 10 characters/ },
  { what: "missing", password: "", error: /at least 10 characters/ },
  { what: "longer than anybody types", password: "x1y2".repeat(60), error: /at most 200 characters/ },
  { what: "on the list of common ones", password: "1234567890", error: /too common/ },
  { what: "on that list, in capitals", password: "QWERTYUIOP", error: /too common/ },
  { what: "the same few characters", password: "abababababab", error: /too few characters/ },
  { what: "made of the user name", password: "ruth-anne-2025", error: /must not contain the user name/ },
];
test.each(refused)("a new password is refused when it is $what", async ({ password, error }) => {
  if (!(await mayLogIn("ruth-anne", PASSWORD))) await accounts.add("ruth-anne");
  const { access } = await logIn(service, "ruth-anne");
  const answer = await change(access, PASSWORD, password);
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors_by_field)).toEqual(["users.user_password"]);
  expect(answer.body.errors_by_field["users.user_password"].join()).toMatch(error);
  expect(await mayLogIn("ruth-anne", PASSWORD)).toBe(true);
});

test("nobody changes a password without being logged in, or with an API key", async () => {
  await accounts.add("sven");
  expect((await service.post(CHANGE, {})).status).toBe(401);
  const { access } = await logIn(service, "sven");
  const made = await service.post(
    "/access_controls/api_keys/add.json",
    { data: { api_keys: { name: "writes", scope: "write" } } },
    access,
  );
  const answer = await change(made.body.data.api_keys.secret, PASSWORD, NEXT);
  expect(answer.status).toBe(409);
  expect(await mayLogIn("sven", PASSWORD)).toBe(true);
});
