// Feed links on the wire: a calendar, RSS and CSV under a secret address, with the rights of whoever made it, until it is revoked.
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { writeCalendar } from "../../../server/lib/writing/icalendar.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, type Person } from "../people.ts";

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };

let service: TestService;
let admin: string;
let rep: Person;

beforeAll(async () => {
  service = await startService({ PUBLIC_URL: "https://dossier.example" });
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
});
afterAll(() => service?.stop());

const save = (type: string, values: Values, token = admin) =>
  service.post(`/${type}/add.json`, { data: { [type.split("/")[1] ?? ""]: values, action: SAVE } }, token);
const viewNamed = async (name: string) =>
  (
    await service.db.row(sql`
      select id::text as id from core__listviews where organization_id = 1 and controller = 'crm/leads' and name = ${name}`)
  )?.id;
async function link(name: string, view: string, format: string, values: Values = {}, token = admin) {
  const { body } = await save(
    "core/feed_links",
    { name, listview_id: await viewNamed(view), format, ...values },
    token,
  );
  expect(body.errors).toEqual([]);
  return { id: String(body.id), address: String(body.feed_address) };
}
const read = async (address: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(service.url + address, { headers });
  return {
    status: answer.status,
    type: answer.headers.get("content-type"),
    headers: answer.headers,
    text: await answer.text(),
  };
};
const year = new Date().getUTCFullYear();

test("a list is a calendar, a feed and a table for whoever has its address, and for nobody once it is revoked", async () => {
  const hostile = 'Ada, "Countess"; of <Lovelace> & \\Co';
  const lead = { last_name: hostile, rating: "hot", next_follow_up: `${year}-12-24` };
  const { body: added } = await save("crm/leads", lead);
  expect(added.errors).toEqual([]);
  const calendar = await link("Follow-ups, mine", "Follow-ups", "calendar");
  expect(calendar.address).toMatch(/^\/feeds\/calendar\.ics\?key=df_1_\d+_[\w-]{43}$/);
  const ics = await read(calendar.address);
  expect([ics.status, ics.type]).toEqual([200, "text/calendar; charset=utf-8"]);
  const unfolded = ics.text.replaceAll("\r\n ", "");
  expect(unfolded).toContain("X-WR-CALNAME:Follow-ups\\, mine\r\n");
  expect(unfolded).toMatch(new RegExp(`DTSTART(;VALUE=DATE)?:${year}1224`));
  expect(unfolded).toContain('SUMMARY:Ada\\, "Countess"\\; of <Lovelace> & \\\\Co\r\n');
  expect(unfolded).toContain(`URL:https://dossier.example/crm/leads/view?id=${added.id}\r\n`);
  expect(ics.text.split("\r\n").filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  const etag = ics.headers.get("etag") ?? "";
  expect((await read(calendar.address, { "if-none-match": etag })).status).toBe(304);

  const rss = await link("Hot & new", "All leads", "rss");
  const feed = await read(rss.address);
  expect([feed.status, feed.type]).toEqual([200, "application/rss+xml; charset=utf-8"]);
  expect(feed.text).toContain("<title>Hot &amp; new</title>");
  expect(feed.text).toContain("<title>Ada, &quot;Countess&quot;; of &lt;Lovelace&gt; &amp; \\Co</title>");
  expect(feed.text).toContain(`<link>https://dossier.example/crm/leads/view?id=${added.id}</link>`);
  // Where nobody says how people reach the service, its links lead to where the feed was read from.
  const bare = await startService({}, { ...service, close: () => Promise.resolve() });
  const there = await (await fetch(`${bare.url}${rss.address}`)).text();
  await bare.stop();
  expect(there).toContain(`<link>${bare.url}/crm/leads/index</link>`);
  expect(there).toContain(`<link>${bare.url}/crm/leads/view?id=${added.id}</link>`);
  const csv = await link("Table", "All leads", "csv");
  const table = await read(csv.address);
  expect([table.status, table.type]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(table.text).toContain("Countess");

  // The address is told once, and is nowhere else.
  const key = calendar.address.split("key=")[1] ?? "";
  for (const page of [`core/feed_links/view.json?id=${calendar.id}`, "core/feed_links/index.json"]) {
    expect(JSON.stringify((await service.get(`/${page}`, admin)).body)).not.toContain(key);
  }
  // Forged, of another record, of another organization, of another kind.
  for (const wrong of [
    key.replace(/.$/, key.endsWith("A") ? "B" : "A"),
    key.replace("df_1", "df_2"),
    `dk${key.slice(2)}`,
    "",
    "df",
  ]) {
    expect((await read(`/feeds/calendar.ics?key=${wrong}`)).status, wrong).toBe(404);
  }
  expect((await service.get("/crm/leads/index.json", key)).status).toBe(401);
  const gone = await service.post("/core/feed_links/delete.json", { id: calendar.id, is_confirm: "1" }, admin);
  expect(gone.body.errors).toEqual([]);
  expect((await read(calendar.address)).status).toBe(404);
  await service.db.run(
    sql`update core__feed_links set expires = now() at time zone 'utc' - interval '1 day' where id = ${rss.id}::bigint`,
  );
  const ended = await read(rss.address);
  expect([ended.status, ended.text]).toEqual([404, expect.stringContaining("This feed address is not valid.")]);
});

test("it shows what the user who made it may see at that moment, and nothing in place of a view that is gone", async () => {
  const reader = await addPerson(service, "reader", ["read_only"]);
  const refused = await save(
    "core/feed_links",
    { name: "x", listview_id: await viewNamed("All leads"), format: "csv" },
    reader.token,
  );
  expect(refused.status).toBe(403);
  await save("crm/leads", { last_name: "Of the rep" }, rep.token);
  const { id, address } = await link("Mine", "All leads", "csv", {}, rep.token);
  const { text } = await read(address);
  expect(text).toContain("Of the rep");
  expect(text).not.toContain("Countess");
  // Without the right to feed links their addresses show nothing, and work again with it.
  const withRight = async (deleted: number) => {
    await service.db.run(sql`
      update access_controls__role_operations o set deleted = ${deleted}::smallint from access_controls__roles r
      where r.organization_id = o.organization_id and r.id = o.role_id and r.code = 'sales_rep' and o.record_type = 'core/feed_links'`);
    await service.db.run(sql`select pg_notify('dossier_access', '1')`);
  };
  await withRight(1);
  await expect.poll(async () => (await read(address)).status).toBe(404);
  await withRight(0);
  await expect.poll(async () => (await read(address)).status).toBe(200);
  // An administrator sees that it is there, and comes by no address.
  const seen = await service.get(`/core/feed_links/view.json?id=${id}`, admin);
  expect([seen.status, JSON.stringify(seen.body).includes("feed_address")]).toEqual([200, false]);
  expect((await save("core/feed_links", { name: "x", user_id: "1" }, rep.token)).status).toBe(422);
  const bad = async (values: Values) =>
    JSON.stringify((await save("core/feed_links", { name: "Bad", format: "rss", ...values })).body.errors);
  expect(await bad({ listview_id: await viewNamed("All leads"), format: "calendar" })).toContain(
    "Choose a calendar view",
  );
  expect(await bad({ listview_id: await viewNamed("All leads"), expires: "2020-01-01 00:00:00" })).toContain(
    "in the future",
  );
  const key = await service.post(
    "/access_controls/api_keys/add.json",
    { data: { api_keys: { name: "program", scope: "write" } } },
    admin,
  );
  const byKey = { name: "x", listview_id: await viewNamed("All leads"), format: "csv" };
  expect((await save("core/feed_links", byKey, key.body.data.api_keys.secret)).status).toBe(409);

  const own = { name: "Own", controller: "crm/leads", is_personal: "1", query: '{"fields":["leads.name"]}' };
  const { body: view } = await save("core/listviews", own, rep.token);
  const fed = await save("core/feed_links", { name: "Own", listview_id: view.id, format: "csv" }, rep.token);
  expect((await read(fed.body.feed_address)).status).toBe(200);
  await service.post("/core/listviews/delete.json", { id: view.id, is_confirm: "1" }, rep.token);
  expect((await read(fed.body.feed_address)).status).toBe(404);
  await service.post(`/access_controls/users/deactivate.json?id=${rep.id}`, {}, admin);
  expect((await read(address)).status).toBe(404);
});

test("a share that has ended shows nothing more, though nobody has signed in since", async () => {
  const guest = await addPerson(service, "guest", ["sales_rep"]);
  const { body: lent } = await save("crm/leads", { last_name: "Lent for a time" });
  const principal = await service.db.row(sql`
    select principal_id::text as id from access_controls__users where id = ${guest.id}::bigint`);
  const until = "2099-01-01 00:00:00";
  const share = { id: lent.id, principal_id: principal?.id, rights: "read", until };
  expect((await service.post("/crm/leads/share.json", share, admin)).body.errors).toEqual([]);
  const { address } = await link("Lent", "All leads", "csv", {}, guest.token);
  expect((await read(address)).text).toContain("Lent for a time");
  await service.db.run(sql`
    update core__acl_sets set recipe = replace(recipe, ${until}, '2020-01-01 00:00:00'), valid_until = '2020-01-01'
    where organization_id = 1 and valid_until = ${until}::timestamp`);
  expect((await read(address)).text).not.toContain("Lent for a time");
});

test("no text of a record ends a line of a calendar, or cuts a character in two", () => {
  const summary = `${`\u{1f600}`.repeat(60)}\r\nATTENDEE:mailto:x@example.com\u2028\u0000END`;
  const entry = { uid: "a", start: "2026-02-01 10:00:00", summary, modified: "2026-01-01 00:00:00", url: undefined };
  const text = writeCalendar("x", [{ ...entry, isYearly: true }]);
  expect(text.split("\r\n").filter((line) => line.startsWith("ATTENDEE"))).toEqual([]);
  expect(text.replaceAll("\r\n ", "")).toContain(
    `SUMMARY:${"\u{1f600}".repeat(60)}\\nATTENDEE:mailto:x@example.com\\nEND\r\n`,
  );
  expect(text).toContain("DTSTART:20260201T100000Z\r\nRRULE:FREQ=YEARLY\r\n");
  expect(text.split("\r\n").every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
});
