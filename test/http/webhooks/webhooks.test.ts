// Webhooks on the wire, against a real endpoint that answers in every way: signed, in order per record, tried again, given up, sent
// again; never more than the user it acts as may see, never to where it must not go.
import { createHmac } from "node:crypto";
import dns from "node:dns";
import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { heldBytes } from "../../../server/database/scope.ts";
import { sql } from "../../../server/database/sql.ts";
import { addressRule } from "../../../server/lib/public-address.ts";
import { root } from "../../../server/lib/root.ts";
import { forgetDeliveries } from "../../../server/webhooks/forget-deliveries.ts";
import { post } from "../../../server/webhooks/post.ts";
import { testDatabase } from "../../database.ts";
import { startProcess } from "../../engine/real-process.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";
import { type Endpoint, startEndpoint, well, withStatus } from "./endpoint.ts";

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };

let service: TestService;
let endpoint: Endpoint;
let admin: string;
let rep: Person;

beforeAll(async () => {
  endpoint = await startEndpoint();
  service = await startService({ WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" });
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
});
afterAll(async () => {
  await service?.stop();
  await endpoint?.close();
});

const save = (type: string, operation: string, values: Values, token = admin, action: Values = SAVE) =>
  service.post(`/${type}/${operation}.json`, { data: { [type.split("/")[1] ?? ""]: values, action } }, token);
async function saved(type: string, operation: string, values: Values, token = admin): Promise<string> {
  const { body } = await save(type, operation, values, token);
  expect(body.errors).toEqual([]);
  return body.id;
}
const lead = (last_name: string, values: Values = {}, token = admin) =>
  saved("crm/leads", "add", { last_name, ...values }, token);
const hook = async (name: string, values: Values = {}, token = admin) => {
  const sent = { name, address: `${endpoint.url}/${name}`, record_types: "crm/leads", ...values };
  const { status, body } = await save("core/webhooks", "add", sent, token);
  expect([status, body.errors]).toEqual([200, []]);
  return { id: String(body.id), secret: String(body.webhook_secret), view: body };
};
const view = async (type: string, id: string, token = admin) =>
  (await service.get(`/${type}/view.json?id=${id}`, token)).body.data[type.split("/")[1] ?? ""];
const remove = async (id: string, type = "core/webhooks") => {
  const { body } = await service.post(`/${type}/delete.json`, { id, is_confirm: "1" }, admin);
  expect(body.errors).toEqual([]);
};
const deliveries = async (webhookId: string, token = admin) => {
  const names = "id status operation record_id attempts answer_status problem".split(" ");
  const fields = names.map((name) => `webhook_deliveries.${name}`);
  const where = { "webhook_deliveries.related_id": webhookId };
  const q = { fields, where, order: ["webhook_deliveries.position asc"] };
  const { body } = await service.get(
    `/core/webhook_deliveries/index.json?q=${encodeURIComponent(JSON.stringify(q))}`,
    token,
  );
  const rows: Values[] = body.paginate.data;
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[`webhook_deliveries.${name}`]])));
};
const changes = (path: string) =>
  endpoint.at(path).map(({ body }) => [body.data.change.operation, body.data.change.id]);
/** What waits is due now: nobody waits for the pauses. */
const hurry = async () => {
  await service.db.run(sql`
    update core__webhook_deliveries set next_attempt = now() at time zone 'utc' - interval '1 second' where status = 'waiting'`);
  await service.db.run(sql`update core__webhook_state set retry_at = null`);
};
const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 20_000, interval: 50 });

/** As docs/webhooks.md tells people to. */
async function documentedVerify() {
  const page = await readFile(path.join(root, "docs/webhooks.md"), "utf8");
  const code = /```js\n(.*?)```/s.exec(page)?.[1] ?? "";
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return verify as (secret: string, headers: object, body: string) => unknown;
}

test("a change is signed as the standard says, with the record where that is wished; the secret is told once", async () => {
  const verify = await documentedVerify();
  const { id, secret, view: made } = await hook("signed", { includes_record: "1", events: "add;edit" });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(made.message).toEqual(["Webhook created. Its secret is shown only once. Store it somewhere safe"]);
  const leadId = await lead("Signed");
  await saved("crm/leads", "edit", { id: leadId, last_name: "Signed again" });
  await eventually(() => endpoint.at("/signed").length).toBe(2);
  const [first, second] = endpoint.at("/signed");
  if (!first || !second) throw new Error("both came");
  for (const { headers, text } of [first, second]) {
    expect(verify(secret, headers, text)).toEqual(JSON.parse(text));
    expect(() => verify(secret, headers, `${text} `)).toThrow("not signed");
    expect(() => verify(secret, { ...headers, "webhook-timestamp": "1" }, text)).toThrow("too old");
    expect(headers["content-type"]).toContain("application/json");
  }
  expect(first.headers["webhook-id"]).not.toBe(second.headers["webhook-id"]);
  expect(first.body).toMatchObject({
    type: "crm.leads.add",
    data: { webhook_id: id, change: { operation: "add", controller: "crm/leads", id: leadId } },
  });
  expect(second.body.data.change.changes).toContainEqual(
    expect.objectContaining({ field: "last_name", from: "Signed", to: "Signed again" }),
  );
  expect(second.body.data.record).toMatchObject({ id: leadId, last_name: "Signed again" });
  await eventually(async () => (await deliveries(id)).map(({ status }) => status)).toEqual(["delivered", "delivered"]);
  const [log] = await deliveries(id);
  expect(log).toMatchObject({ operation: "add", record_id: leadId, attempts: "1", answer_status: "204" });

  // Nowhere else: not in the record, its history, its export, the list, the audit log.
  const pages = await Promise.all(
    [
      `core/webhooks/view.json?id=${id}`,
      `core/webhooks/edit.json?id=${id}`,
      `core/webhooks/revisions.json?id=${id}`,
      "core/webhooks/index.json",
      "access_controls/audit_events/index.json",
      "core/changes/index.json?after=",
    ].map(async (page) => JSON.stringify((await service.get(`/${page}`, admin)).body)),
  );
  for (const page of pages) expect(page).not.toContain(secret.slice(6));
  const kept = await service.db.row(sql`select secret from core__webhook_state where webhook_id = ${id}::bigint`);
  expect(kept?.secret).not.toContain(secret.slice(6));

  // A new secret: both sign for a day, the newest first.
  const rotated = await service.post(`/core/webhooks/rotate_secret.json?id=${id}`, {}, admin);
  expect(rotated.body.webhook_secret).not.toBe(secret);
  await lead("After the rotation");
  await eventually(() => endpoint.at("/signed").length).toBe(3);
  const third = endpoint.at("/signed")[2];
  const signatures = [rotated.body.webhook_secret, secret].map((one: string) => {
    const signed = `${third?.headers["webhook-id"]}.${third?.headers["webhook-timestamp"]}.${third?.text}`;
    return `v1,${createHmac("sha256", Buffer.from(one.slice(6), "base64"))
      .update(signed)
      .digest("base64")}`;
  });
  expect(third?.headers["webhook-signature"]).toBe(signatures.join(" "));
  await service.db.run(sql`
    update core__webhook_state set previous_until = now() at time zone 'utc' where webhook_id = ${id}::bigint`);
  // A record that is too large is left out.
  await service.db.run(sql`
    update crm__leads set description = repeat('x', 263168) where organization_id = 1 and id = ${leadId}::bigint`);
  await saved("crm/leads", "edit", { id: leadId, last_name: "A day later" });
  await eventually(() => endpoint.at("/signed").length).toBe(4);
  const fourth = endpoint.at("/signed")[3];
  expect(fourth?.headers["webhook-signature"]).toMatch(/^v1,[^ ]+$/);
  expect(fourth?.body.data.record).toBe(null);
  // What was read for it is not counted against its organization for ever.
  await eventually(() => heldBytes()).toBe(0);
  await remove(id);
});

test("what fails is tried again under the same id, and of one record nothing overtakes anything", async () => {
  const { id } = await hook("ordered");
  endpoint.answer("/ordered", (response, { body }) =>
    body.data.change.id === stuck ? withStatus(500, {}, "x".repeat(5_000))(response, body) : well(response, body),
  );
  let stuck = "";
  stuck = await lead("Stuck");
  await eventually(() => changes("/ordered")).toEqual([["add", stuck]]);
  await saved("crm/leads", "edit", { id: stuck, last_name: "Still stuck" });
  const free = await lead("Free");
  // Another record goes past it; its own edit does not.
  await eventually(() => changes("/ordered")).toContainEqual(["add", free]);
  await eventually(async () => (await deliveries(id)).length).toBe(3);
  const [first] = await deliveries(id);
  expect(first).toMatchObject({ status: "waiting", answer_status: "500", problem: "The endpoint responded with 500" });
  expect((await view("core/webhook_deliveries", String(first?.id))).answer).toBe("x".repeat(1024));
  expect(await view("core/webhooks", id)).toMatchObject({ is_active: "1" });
  await hurry();
  await eventually(() => changes("/ordered").filter(([, one]) => one === stuck).length).toBe(2);
  stuck = "";
  await eventually(async () => {
    await hurry();
    return (await deliveries(id)).map(({ status }) => status);
  }).toEqual(["delivered", "delivered", "delivered"]);
  const ofStuck = endpoint.at("/ordered").filter(({ body }) => body.data.change.id === first?.record_id);
  // Each as often as it took, and as often as the hurry took what was under way for due.
  const told = ofStuck.map(({ body, headers }) => `${body.data.change.operation} ${headers["webhook-id"]}`);
  const [added = "", edited = "", ...more] = new Set(told);
  expect([added.split(" ")[0], edited.split(" ")[0], more]).toEqual(["add", "edit", []]);
  expect(told.lastIndexOf(added)).toBeLessThan(told.indexOf(edited));

  const [, old, waits] = await deliveries(id);
  // Sent again, under the same id.
  const sent = () => endpoint.at("/ordered").filter(({ headers }) => headers["webhook-id"] === `msg_${first?.id}`);
  const before = sent().length;
  const again = await service.post(`/core/webhook_deliveries/send_again.json?id=${first?.id}`, {}, admin);
  expect(again.body.message).toEqual(["Delivery queued"]);
  await eventually(() => sent().length).toBe(before + 1);

  const tested = await service.post(`/core/webhooks/test.json?id=${id}`, {}, admin);
  expect(tested.body.message).toEqual(["Test event queued"]);
  await eventually(() => endpoint.at("/ordered").at(-1)?.body.type).toBe("webhook.test");

  // The log of them is kept for a week, and longer where something still waits.
  const age = (delivery: Values | undefined, days: number, status: string) =>
    service.db.run(sql`
      update core__webhook_deliveries set created = now() at time zone 'utc' - make_interval(days => ${days}::integer),
        status = ${status}, next_attempt = now() at time zone 'utc' + interval '1 day'
      where id = ${String(delivery?.id)}::uuid`);
  await age(old, 8, "delivered");
  await age(waits, 8, "waiting");
  await age(first, 6, "delivered");
  await forgetDeliveries(service.db);
  const kept = (await deliveries(id)).map((one) => one.id);
  expect([kept.includes(old?.id), kept.includes(waits?.id), kept.includes(first?.id)]).toEqual([false, true, true]);
  await remove(id);
});

test("one that is deleted while it is being tried again sends nothing more, and can't be asked to", async () => {
  const { id } = await hook("removed");
  const witness = await hook("witness");
  endpoint.answer("/removed", withStatus(503));
  const late = await lead("Late");
  await eventually(() => changes("/removed")).toEqual([["add", late]]);
  await eventually(async () => (await deliveries(id)).map(({ status, attempts }) => [status, attempts])).toEqual([
    ["waiting", "1"],
  ]);
  const [waiting] = await deliveries(id);
  await remove(id);
  await hurry();
  const again = await service.post(`/core/webhook_deliveries/send_again.json?id=${waiting?.id}`, {}, admin);
  expect(again.status).toBeGreaterThanOrEqual(400);
  // Whoever sends has looked at everything that is due when a later change arrives elsewhere.
  const later = await lead("Later");
  await eventually(() => changes("/witness")).toEqual([
    ["add", late],
    ["add", later],
  ]);
  expect(changes("/removed")).toEqual([["add", late]]);
  await remove(witness.id);
});

test("an endpoint that fails and fails gets one attempt at a time, and past a thousand nothing more waits for one", async () => {
  const struggling = await hook("struggling");
  const full = await hook("full");
  const witness = await hook("beside");
  const due = { next_attempt: "2100-01-01 00:00:00", status: "waiting", attempts: "0" };
  const waits = { related_type: "core/webhooks", related_id: full.id, operation: "add", ...due };
  await addRows(service, "core/webhook_deliveries", Array(1_000).fill(waits));
  const queued = async () =>
    (await service.db.rows(sql`select 1 from core__webhook_deliveries where related_id = ${full.id}`)).length;
  await service.db.run(sql`
    update core__webhook_state set failures = 5 where webhook_id = ${struggling.id}::bigint`);
  // It comes after the others: what it was sent, they would have been sent before.
  await service.db.run(sql`
    update core__webhook_state set served = 'infinity' where webhook_id = ${witness.id}::bigint`);
  const held: ServerResponse[] = [];
  endpoint.answer("/struggling", (response) => void held.push(response));
  const [first, second] = [await lead("First"), await lead("Second")];
  await eventually(() => changes("/struggling")).toEqual([["add", first]]);
  await eventually(async () => (await deliveries(struggling.id)).length).toBe(2);
  const third = await lead("Third");
  await eventually(() => changes("/beside")).toContainEqual(["add", third]);
  const tried = (await deliveries(struggling.id)).map(({ attempts }) => attempts);
  expect([tried.slice(0, 2), await queued()]).toEqual([["1", "0"], 1_000]);
  expect(changes("/struggling")).toEqual([["add", first]]);

  // Once it has taken one, and the other has room, nothing is left out.
  endpoint.answer("/struggling", well);
  for (const response of held) response.writeHead(204).end();
  await service.db.run(sql`
    delete from core__webhook_deliveries where id = (
      select id from core__webhook_deliveries where related_id = ${full.id} order by id limit 1)`);
  const all = [first, second, third].map((id) => ["add", id]);
  const told = (path: string) => [...new Set(changes(path).map((one) => one.join()))].sort();
  for (const path of ["/struggling", "/full"]) {
    await eventually(() => told(path)).toEqual(all.map((one) => one.join()).sort());
  }
  for (const { id } of [struggling, full, witness]) await remove(id);
});

test("an endpoint that redirects, resets, talks without end or wants a pause is judged, and never followed", async () => {
  const problems = async (id: string) => (await deliveries(id)).map(({ problem }) => problem);
  const bad = await Promise.all(["redirecting", "resetting", "endless", "busy"].map((name) => hook(name)));
  const [redirecting, resetting, endless, busy] = bad.map(({ id }) => id) as [string, string, string, string];
  endpoint.answer("/redirecting", withStatus(307, { location: `${endpoint.url}/inside` }));
  endpoint.answer("/resetting", (response) => void response.socket?.resetAndDestroy());
  let isCut = false;
  endpoint.answer("/endless", (response) => {
    response.writeHead(200);
    const piece = Buffer.alloc(64 * 1024, "a");
    const talk = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", talk);
    response.on("close", () => {
      isCut = true;
    });
    talk();
  });
  endpoint.answer("/busy", withStatus(429, { "retry-after": "999999" }));
  await lead("Trouble");
  await eventually(() => problems(redirecting)).toEqual([
    "The endpoint responded with a redirect (307). Redirects aren't followed: enter the final address",
  ]);
  expect(endpoint.at("/inside")).toEqual([]);
  await eventually(() => problems(resetting)).toEqual(["The connection was closed before the response was complete"]);
  await eventually(async () => (await deliveries(endless)).map(({ status }) => status)).toEqual(["delivered"]);
  await eventually(() => isCut).toBe(true);
  await eventually(() => problems(busy)).toEqual(["The endpoint responded with 429"]);
  const pause = await service.db.row(sql`
    select extract(epoch from retry_at - now() at time zone 'utc')::integer as seconds from core__webhook_state
    where webhook_id = ${busy}::bigint`);
  expect(Number(pause?.seconds)).toBeGreaterThan(3_000);
  expect(Number(pause?.seconds)).toBeLessThanOrEqual(3_600);

  // Deleted while it is tried again: nothing more is sent.
  await remove(resetting);
  const count = endpoint.at("/resetting").length;
  await hurry();
  await lead("After it was deleted");
  await eventually(() => changes("/endless").length).toBe(2);
  expect(endpoint.at("/resetting").length).toBe(count);
  const dropped = await service.db.rows(sql`
    select status from core__webhook_deliveries where related_id = ${resetting}`);
  expect(dropped.map(({ status }) => status)).toEqual(["dropped"]);
  for (const id of [redirecting, endless, busy]) await remove(id);
});

test("one that is gone, or fails for a day, is turned off, and its owner is told here and by email", async () => {
  const mails = async () =>
    (await service.db.rows(sql`select kind from core__mails where kind = 'webhook-off'`)).length;
  await service.db.run(sql`
    insert into core__email_addresses (organization_id, related_type, related_id, email, is_primary, acl_id)
    select organization_id, 'access_controls/users', id::text, 'admin@example.com', 1, acl_id from access_controls__users
    where organization_id = 1 and user_name = ${service.admin.userName}`);
  const gone = await hook("gone");
  const failing = await hook("failing");
  endpoint.answer("/gone", withStatus(410));
  endpoint.answer("/failing", withStatus(503));
  await service.db.run(sql`
    update core__webhook_state set failing_since = now() at time zone 'utc' - interval '25 hours', failures = 30
    where webhook_id = ${failing.id}::bigint`);
  await lead("Too late");
  await eventually(async () => (await view("core/webhooks", gone.id)).problem).toBe(
    "Turned off: the endpoint responded with 410 Gone.",
  );
  await eventually(async () => (await view("core/webhooks", failing.id)).problem).toBe(
    "Turned off: the endpoint has failed for a day. Last problem: The endpoint responded with 503.",
  );
  expect((await view("core/webhooks", failing.id)).is_active).toBe("0");
  // What was sent last is told with what it came to; only what still waited was not sent.
  expect((await deliveries(gone.id)).map(({ status, problem }) => [status, problem])).toEqual([
    ["failed", "The endpoint responded with 410 Gone"],
  ]);
  expect((await deliveries(failing.id)).map(({ status }) => status)).toEqual(["failed"]);
  const told = (await service.get("/core/notifications/mine.json", admin)).body.data.notifications;
  expect(JSON.stringify(told)).toContain("Webhook failing. Turned off: the endpoint has failed for a day.");
  expect(await mails()).toBe(2);
  const off = await service.post(`/core/webhooks/test.json?id=${gone.id}`, {}, admin);
  expect([off.status, off.body.errors]).toEqual([409, ["This webhook is turned off. Turn it on first"]]);

  // Turned on again, it tells first that something was missed.
  endpoint.answer("/gone", well);
  const missed = await lead("Missed meanwhile");
  await saved("core/webhooks", "edit", { id: gone.id, is_active: "1" });
  await eventually(() => changes("/gone").at(-1)).toEqual(["reset", null]);
  const later = await lead("Heard of again");
  await eventually(() => changes("/gone").at(-1)).toEqual(["add", later]);
  expect(changes("/gone")).not.toContainEqual(["add", missed]);
  const turnedOff = await service.db.rows(sql`
    select detail->>'reason' as reason from access_controls__audit_events
    where event = 'webhook_changed' and subject_id = ${gone.id} and detail->>'operation' = 'turn_off'`);
  expect(turnedOff).toEqual([{ reason: "Turned off: the endpoint responded with 410 Gone." }]);

  // A database that came back from a backup has other changes under the numbers that were seen.
  await service.db.run(sql`
    update core__webhook_state set era = 'lost', position = position + 1000000 where webhook_id = ${gone.id}::bigint`);
  await eventually(() => changes("/gone").at(-1)).toEqual(["reset", null]);
  for (const { id } of [gone, failing]) await remove(id);
});

test("it sends what the user it acts as may see, matching its condition, and nothing once that user is gone", async () => {
  const where = { where: { "leads.last_name": "Wanted" } };
  const mine = await hook("seen", { user_id: rep.id });
  // A condition is taken as JSON, and as the text of it.
  const some = await hook("some", { condition: where, events: "add;edit;delete;purge" });
  const same = await hook("same", { condition: JSON.stringify(where), events: "add" });
  const kept = await Promise.all([some, same].map(async ({ id }) => (await view("core/webhooks", id)).condition));
  expect(kept[0]).toEqual(kept[1]);
  const hidden = await lead("Hidden from the rep");
  const shown = await lead("Wanted", {}, rep.token);
  await eventually(() => changes("/seen")).toEqual([["add", shown]]);
  await eventually(() => changes("/some")).toEqual([["add", shown]]);
  await eventually(() => changes("/same")).toEqual([["add", shown]]);
  await remove(shown, "crm/leads");
  await remove(hidden, "crm/leads");
  await eventually(() => changes("/some")).toContainEqual(["delete", shown]);
  expect(changes("/some")).toHaveLength(2);
  expect(changes("/seen")).not.toContainEqual(["add", hidden]);
  // Whether what is purged matched nobody can tell any more.
  const purged = await service.post(`/crm/leads/purge.json?id=${shown}&is_confirm=1`, {}, admin);
  expect(purged.body.errors).toEqual([]);
  await eventually(() => changes("/some").at(-1)).toEqual(["purge", shown]);

  // What only that user may read is not what an administrator hears of by choosing them.
  const spying = await hook("spying", { user_id: rep.id, record_types: "core/notifications" });
  await service.db.run(sql`update core__webhook_state set approved_by = approved_by`);
  const noted = await lead("Told of", { owned_by: rep.id });
  await saved("core/comments", "add", { related_type: "crm/leads", related_id: noted, body: "Look, @rep" });
  const marker = await lead("Marker");
  expect(marker).toBeTruthy();
  await eventually(() => changes("/seen")).toContainEqual(["add", noted]);
  expect(endpoint.at("/spying").filter(({ body }) => body.data.change.operation !== "reset")).toEqual([]);

  // Nor does it go on where whoever chose that user is no administrator any more.
  const second = await addPerson(service, "second.admin", ["administrator"]);
  const approved = await hook("approved", { user_id: rep.id }, second.token);
  await service.db.run(sql`
    update access_controls__roles_users set deleted = 1 where organization_id = 1 and user_id = ${second.id}::bigint`);
  const after = await lead("After the administrator", {}, rep.token);
  await eventually(async () => (await view("core/webhooks", approved.id)).is_active).toBe("0");
  expect(changes("/approved")).not.toContainEqual(["add", after]);

  // Nor is a record sent along where that user may list it and not open it.
  const operations = [{ record_type: "crm/leads", operations: "index" }];
  await saved("access_controls/roles", "add", { code: "lister", name: "Lister", operations });
  const lister = await addPerson(service, "lister", ["lister"]);
  const listed = await hook("listed", { user_id: lister.id, includes_record: "1" });
  const theirs = await lead("Theirs", { owned_by: lister.id });
  await eventually(() => changes("/listed")).toEqual([["add", theirs]]);
  expect(endpoint.at("/listed")[0]?.body.data.record).toBeNull();
  await remove(listed.id);

  await service.post(`/access_controls/users/deactivate.json?id=${rep.id}`, {}, admin);
  await lead("After they left");
  await eventually(async () => (await view("core/webhooks", mine.id)).problem).toBe(
    "Turned off: the user it acts as is no longer active.",
  );
  for (const { id } of [mine, some, same, spying, approved]) await remove(id);
});

test("nobody sets one up for more than they may, nor for where it must not go", async () => {
  const errors = async (values: Values, token = admin) => {
    const sent = { name: "Bad", address: `${endpoint.url}/bad`, record_types: "crm/leads", ...values };
    const { status, body } = await save("core/webhooks", "add", sent, token);
    return [status, body.errors_by_field ?? body.byField ?? body.errors];
  };
  for (const address of [
    "http://127.0.0.2/x",
    "http://169.254.169.254/latest/meta-data",
    "https://10.0.0.1/",
    "https://[::ffff:127.0.0.2]/",
    "https://[::1]/",
    "https://2130706434/",
    "https://0x7f.0.0.2/",
    "https://127.0.0.2./",
  ]) {
    const [status, told] = await errors({ address });
    expect([status, JSON.stringify(told)], address).toEqual([422, expect.stringContaining("private network")]);
  }
  expect(JSON.stringify(await errors({ address: "https://example.com:25/" }))).toContain("port");
  expect(JSON.stringify(await errors({ record_types: "crm/nothing" }))).toContain("can't list crm/nothing");
  expect(JSON.stringify(await errors({ record_types: "crm/leads;crm/leads" }))).toContain("only once");
  expect(JSON.stringify(await errors({ condition: '{"where":{"leads.nothing":"1"}}' }))).toContain("condition");
  expect(JSON.stringify(await errors({ condition: { where: { "leads.nothing": "1" } } }))).toContain("condition");
  expect(JSON.stringify(await errors({ condition: '{"fields":["id"]}' }))).toContain("only have the key where");
  // What is never sent can't be asked for, and is not offered.
  const menu = (await service.get("/development_base/menus/app_menu.json?hidden=1", admin)).body.data;
  const offered = Object.values<{ children: Record<string, { controller: string | null; is_followed: number }> }>(menu)
    .flatMap(({ children }) => Object.values(children))
    .filter(({ controller }) => controller !== null);
  for (const { controller, is_followed } of offered) {
    // One more fault, so that none is made.
    const told = await errors({ record_types: String(controller), address: "https://[::1]/" });
    expect([controller, !JSON.stringify(told).includes("are never sent")]).toEqual([controller, is_followed === 1]);
  }
  for (const type of ["core/webhook_deliveries", "access_controls/sessions", "core/revisions"]) {
    expect(JSON.stringify(await errors({ record_types: `crm/leads;${type}` })), type).toContain("are never sent");
  }
  // One that asks for it since an earlier version can be turned off, and hears of jobs.
  const earlier = await service.post(
    "/core/webhooks/add.json",
    {
      data: {
        webhooks: { name: "Earlier", address: "http://127.0.0.1:9999/", record_types: "core/jobs" },
        action: { save_progress: "Save" },
      },
    },
    admin,
  );
  expect([earlier.status, earlier.body.errors]).toEqual([200, []]);
  const { id } = earlier.body;
  await service.db.run(
    sql`update core__webhooks set record_types = 'core/jobs;access_controls/sessions' where id = ${String(id)}::bigint`,
  );
  const off = { data: { webhooks: { id, is_active: "0" }, action: { save_progress: "Save" } } };
  expect((await service.post("/core/webhooks/edit.json", off, admin)).body.errors).toEqual([]);

  // Many at once would have secrets that nobody is told, however they come.
  const many = [{ name: "Many", address: "http://127.0.0.1:9999/", record_types: "crm/leads" }];
  const together = await service.post("/core/webhooks/add_many.json", { data: { webhooks: many } }, admin);
  expect([together.status, JSON.stringify(together.body)]).toEqual([422, expect.stringContaining("one at a time")]);
  // Nor do they change many addresses to where nothing may go.
  const kept = await hook("kept");
  const edits = [{ id: kept.id, address: "http://127.0.0.2/x" }];
  const edited = await service.post("/core/webhooks/edit_many.json", { data: { webhooks: edits } }, admin);
  expect([edited.status, JSON.stringify(edited.body)]).toEqual([422, expect.stringContaining("private network")]);
  await remove(kept.id);

  // A role that may make webhooks makes them for its own people alone.
  const keeper = await addPerson(service, "keeper", ["sales_rep"]);
  expect((await errors({}, keeper.token))[0]).toBe(403);
  const role = await service.db.row(sql`
    select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`);
  await saved("access_controls/role_operations", "add", {
    role_id: role?.id,
    record_type: "core/webhooks",
    operations: "index;view;add;edit;delete",
  });
  const boss = await service.db.row(sql`
    select id::text as id from access_controls__users where organization_id = 1 and user_name = ${service.admin.userName}`);
  expect(JSON.stringify(await errors({ user_id: boss?.id }, keeper.token))).toContain("Only administrators can choose");
  const own = await hook("keeper", {}, keeper.token);
  const taken = await save("core/webhooks", "edit", { id: own.id, user_id: boss?.id }, keeper.token);
  expect(taken.status).toBe(422);
  // One that an administrator made to act as somebody else, and handed over, is not theirs to point elsewhere.
  await saved("core/webhooks", "edit", { id: own.id, user_id: boss?.id });
  const pointed = await save("core/webhooks", "edit", { id: own.id, address: `${endpoint.url}/mine` }, keeper.token);
  expect(pointed.status).toBe(422);
  const rotated = await service.post(`/core/webhooks/rotate_secret.json?id=${own.id}`, {}, keeper.token);
  expect([rotated.status, rotated.body.webhook_secret]).toEqual([409, undefined]);

  const key = await service.post(
    "/access_controls/api_keys/add.json",
    { data: { api_keys: { name: "program", scope: "write" } } },
    admin,
  );
  expect((await errors({}, key.body.data.api_keys.secret))[0]).toBe(409);
  const stranger = await addOrganization(service, "stranger");
  for (const call of ["core/webhooks/view", "core/webhooks/edit"]) {
    expect((await service.get(`/${call}.json?id=${own.id}`, stranger.token)).status).toBe(404);
  }
  const [any] = (await service.db.rows(sql`select id::text as id from core__webhook_deliveries limit 1`)) ?? [];
  expect(
    (await service.post(`/core/webhook_deliveries/send_again.json?id=${any?.id}`, {}, stranger.token)).status,
  ).toBe(404);
  expect((await service.post(`/core/webhooks/test.json?id=${own.id}`, {}, stranger.token)).status).toBe(404);
});

test("a name that resolves to a private address is refused on the connection, and one that never answers is given up", async () => {
  const other = addressRule(["10.0.0.0/8"]);
  const own = addressRule(["127.0.0.0/8", "::1"]);
  if (!other || !own) throw new Error("both are networks");
  const inside = `http://localhost:${endpoint.port}/named`;
  expect((await post(inside, {}, "{}", other)).problem?.code).toBe("webhook_private");
  expect(endpoint.at("/named")).toEqual([]);
  expect(await post(inside, {}, "{}", own)).toMatchObject({ status: 204 });
  // Of several addresses, one that is not allowed is enough.
  const both = ["127.0.0.1", "10.0.0.1"].map((address) => ({ address, family: 4 }));
  const lookUp = vi.spyOn(dns, "lookup").mockImplementation(((...given: unknown[]) => {
    (given.at(-1) as (error: null, addresses: unknown) => void)(null, both);
  }) as typeof dns.lookup);
  syncBuiltinESMExports();
  const mixed = await post(`http://both.example:${endpoint.port}/named`, {}, "{}", own);
  lookUp.mockRestore();
  syncBuiltinESMExports();
  expect([mixed.problem?.code, endpoint.at("/named").length]).toEqual(["webhook_private", 1]);
  endpoint.answer("/silent", () => undefined);
  expect((await post(`${endpoint.url}/silent`, {}, "{}", own, undefined, 200)).problem?.code).toBe("delivery_timeout");
  endpoint.answer("/dripping", (response) => void response.writeHead(200).write("a"));
  expect((await post(`${endpoint.url}/dripping`, {}, "{}", own, undefined, 200)).problem?.code).toBe(
    "delivery_timeout",
  );
  expect((await post("http://127.0.0.1:1/", {}, "{}", own)).problem?.code).toBe("webhook_port");
});

test("what was sent when the service was killed is sent again under the same id by the next", async () => {
  const database = await testDatabase("prepared");
  const environment = {
    WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1",
    TOKEN_SECRET: "a secret that all services of the suite share",
  };
  const { child, url } = await startProcess(database.connection, environment);
  const ask = async (address: string, body: object, token?: string) => {
    const headers = { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(new URL(address, url), { method: "POST", headers, body: JSON.stringify(body) });
    // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service sent; tests say what they expect of it.
    return (await answer.json()) as any;
  };
  const users = { user_name: service.admin.userName, user_password: service.admin.password };
  const { access_token: token } = await ask("/access_controls/users/login.json", { data: { users } });
  const webhooks = { name: "Killed", address: `${endpoint.url}/killed`, record_types: "crm/leads" };
  const hooked = await ask("/core/webhooks/add.json", { data: { webhooks, action: SAVE } }, token);
  endpoint.answer("/killed", () => undefined);
  const { id } = await ask("/crm/leads/add.json", { data: { leads: { last_name: "Once" }, action: SAVE } }, token);
  await eventually(() => changes("/killed")).toEqual([["add", id]]);
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  endpoint.answer("/killed", well);
  // A start forgets what came to its end long ago.
  const old = { related_type: "core/webhooks", related_id: String(hooked.id), operation: "add", status: "delivered" };
  await addRows(database, "core/webhook_deliveries", [old]);
  await database.db.run(sql`
    update core__webhook_deliveries set created = now() at time zone 'utc' - interval '8 days' where status = 'delivered'`);
  const next = await startService(environment, database);
  await database.db.run(
    sql`update core__webhook_deliveries set next_attempt = now() at time zone 'utc' - interval '1 second'`,
  );
  await eventually(() => changes("/killed")).toEqual([
    ["add", id],
    ["add", id],
  ]);
  expect(new Set(endpoint.at("/killed").map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  const left = () => database.db.rows(sql`select status from core__webhook_deliveries`);
  await eventually(left).toEqual([{ status: "delivered" }]);
  await next.stop();
  await database.close();
});
