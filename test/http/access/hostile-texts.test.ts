// Texts that are made to keep a matcher busy for minutes: each is answered, and others are answered meanwhile.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../service.ts";

let service: TestService;
let chosen: { readonly role_id: string; readonly currency_id: string };
beforeAll(async () => {
  service = await startService();
  const { body } = await service.get("/access_controls/users/signup.json");
  chosen = { role_id: body.signup_roles[0].value, currency_id: body.currencies[0].value };
});
afterAll(() => service.stop());

const signup = (users: Record<string, string>, picture?: string) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(users)) form.append(`data[users][${name}]`, value);
  if (picture !== undefined) form.append("data[users][images][name]", new Blob([picture]), "me.png");
  return service.post("/access_controls/users/signup.json", form);
};

const sound = (user_name: string) => ({
  user_name,
  last_name: "Stranger",
  user_password: "a long enough secret",
  confirm_password: "a long enough secret",
  is_license_agreement_accepted: "1",
  ...chosen,
  "organizations][name": `Strange ${user_name}`,
});

const pictures = {
  "comments without end": `${"<!---->".repeat(140)}x`,
  "comments and spaces": `${"<!---->  ".repeat(110)}x`,
  "comments after a declaration": `<?xml>${"<!-- -->".repeat(120)}x`,
  "comments that never close": "<!--".repeat(250),
  doctypes: `${"<!doctype svg>".repeat(70)}x`,
};

test.each(Object.entries(pictures))("a picture of %s is refused by what it is", async (what, picture) => {
  const answer = await signup(sound(`hostile-${what.length}`), picture);
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors_by_field)).toEqual(["users.images.0.mime_type"]);
});

test("a picture is not looked at while anything else is wrong", async () => {
  const { user_password, ...rest } = sound("careless");
  const answer = await signup({ ...rest, user_password: `${user_password} mistyped` }, pictures.doctypes);
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors_by_field)).toEqual(["users.confirm_password"]);
});

test.each(["<", "<a", "< ", "\u00ad", " \u2028", "&#"])("a name of nothing but %j is answered", async (piece) => {
  const answer = await signup({
    ...sound("named"),
    last_name: piece.repeat(200_000 / Buffer.byteLength(piece)),
    is_license_agreement_accepted: "0",
  });
  expect(answer.status).toBe(422);
});

test.each(["<", "</", "<a href=", "<p ", "<br/", '<a href="https://x" '])(
  "terms of nothing but %j are answered",
  async (piece) => {
    const agreement = { title: "Terms", text: piece.repeat(30_000) };
    const token = await service.login();
    const sent = { data: { license_agreements: agreement, action: { save_continue: "Save" } } };
    const answer = await service.post("/access_controls/license_agreements/add.json", sent, token);
    expect(answer.status).toBe(422);
  },
);

test("what is asked of a list is read at once, however it is written", async () => {
  const token = await service.login();
  const spaces = " ".repeat(7_000);
  for (const q of [
    { order: [`id${spaces}x`] },
    { fields: [`count(${spaces}`] },
    { where: { name: `{{${"A".repeat(20_000)}` } },
    { where: { amount: `${"0".repeat(20_000)}x` } },
  ]) {
    const answer = await service.post("/crm/opportunities/index.json", { q: JSON.stringify(q) }, token);
    expect(answer.status).toBeLessThan(500);
  }
});
