// The feed of changes on the wire: every committed change of what a caller may read, once, in order per record, and nothing that
// appears behind a cursor that was handed out; what comes into sight and goes out of it; waiting, streams and cursors that are no good.
import { setMaxListeners } from "node:events";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Queryable } from "../../../server/database/database.ts";
import { forgetEvents, publishAllEvents } from "../../../server/database/events/publish-events.ts";
import { tellToListAgain } from "../../../server/database/events/write-events.ts";
import { sql } from "../../../server/database/sql.ts";
import { requireType } from "../../../server/metadata/snapshot.ts";
import { insertRows } from "../../../server/records/save/insert-rows.ts";
import { runs } from "../../runs.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, type Person, snapshot } from "../people.ts";

type Values = Record<string, unknown>;
const SAVE = { save_progress: "Save" };

interface Change {
  readonly operation: string;
  readonly controller: string | null;
  readonly id: string | null;
  readonly revision?: string;
  readonly cursor: string;
  readonly changes?: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
}

let service: TestService;
let admin: string;
let rep: Person;
let other: Person;

const save = (type: string, operation: string, values: Values, token: string, action: Values = SAVE) =>
  service.post(`/${type}/${operation}.json`, { data: { [type.split("/")[1] ?? ""]: values, action } }, token);
const done = async (answer: Promise<{ readonly body: { errors: unknown; id: string } }>): Promise<string> => {
  const { body } = await answer;
  expect(body.errors).toEqual([]);
  return body.id;
};
const ask = (query: string, token: string) => service.get(`/core/changes/index.json?${query}`, token);
const now = async (token: string): Promise<string> => (await ask("", token)).body.cursor;
/** Everything since a cursor, page by page. */
async function since(cursor: string, token: string, query = "controller=crm/leads", limit = 100): Promise<Change[]> {
  const found: Change[] = [];
  for (let after = cursor; ; ) {
    const { status, body } = await ask(`after=${after}&limit=${limit}&${query}`, token);
    expect([status, body.errors]).toEqual([200, []]);
    expect(body.data.changes.length).toBeLessThanOrEqual(limit);
    found.push(...body.data.changes);
    after = body.cursor;
    if (body.more === 0) return found;
  }
}
const told = (changes: readonly Change[]) => changes.map(({ operation, id }) => [operation, id]);

beforeAll(async () => {
  service = await startService({ RATE_LIMIT: "0" });
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  other = await addPerson(service, "other", ["sales_rep"]);
});
afterAll(() => service.stop());

describe("a record's changes", () => {
  test("are told in order, with what changed from what to what", async () => {
    const cursor = await now(rep.token);
    const id = await done(save("crm/leads", "add", { last_name: "Feed", score: "7" }, rep.token));
    await done(save("crm/leads", "edit", { id, score: "42" }, rep.token));
    await done(save("crm/leads", "edit", { id }, rep.token, { qualify: "Qualify" }));
    await done(service.post("/crm/leads/delete.json", { id, is_confirm: "1" }, admin));
    await done(service.post("/crm/leads/restore.json", { id }, admin));
    const changes = await since(cursor, rep.token);
    expect(told(changes)).toEqual(
      ["add", "edit", "transition", "delete", "restore"].map((operation) => [operation, id]),
    );
    expect(changes[1]).toMatchObject({
      controller: "crm/leads",
      revision: "2",
      created_by: rep.id,
      __created_by: "rep",
      changes: [{ field: "score", from: "7", to: "42" }],
    });
    expect(await since(changes[1]?.cursor ?? "", rep.token)).toEqual(changes.slice(2));
    expect(await since(cursor, rep.token, "controller=crm/leads", 1)).toEqual(changes);
  });

  test("keep their order where positions and revisions get one digit more", async () => {
    await service.db.run(sql`update core__event_heads set position = 9996 where organization_id = 1`);
    const cursor = await now(rep.token);
    const id = await done(save("crm/leads", "add", { last_name: "Digits" }, rep.token));
    for (let score = 1; score <= 11; score += 1) {
      await done(save("crm/leads", "edit", { id, score: String(score) }, rep.token));
    }
    const numbers = Array.from({ length: 12 }, (_, index) => String(index + 1));
    for (const limit of [100, 5, 1]) {
      const found = (await since(cursor, rep.token, "controller=crm/leads", limit)).filter((one) => one.id === id);
      expect(found.map(({ revision }) => revision)).toEqual(numbers);
      const places = found.map((one) => Number(one.cursor.split(".")[2]));
      expect(places).toEqual([...places].sort((one, next) => one - next));
      expect([places[0], places.at(-1)]).toEqual([9997, 10_008]);
    }
    const { body } = await service.get(`/crm/leads/revisions.json?id=${id}&limit=50`, rep.token);
    expect(body.data.revisions.map(({ revision }: { revision: string }) => revision)).toEqual(numbers.reverse());
  });

  test("a page of very long texts ends early, and the next one goes on", async () => {
    const cursor = await now(rep.token);
    const id = await done(save("crm/leads", "add", { last_name: "Long" }, rep.token));
    await service.db.run(sql`
      insert into core__revisions (organization_id, related_type, related_id, number, operation, changes, created, modified, created_by, modified_by, owned_by, acl_id)
      select organization_id, related_type, related_id, n, 'edit',
        jsonb_build_object('description', jsonb_build_object('from', null, 'to', repeat('long ', 300000))), created, modified, created_by, modified_by, owned_by, acl_id
      from core__revisions, generate_series(2, 8) n where related_type = 'crm/leads' and related_id = ${id}`);
    await service.db.run(sql`
      insert into core__pending_events (organization_id, record_type, record_id, operation, revision, acl_before, acl_after)
      select organization_id, 'crm/leads', id::text, 'edit', n, acl_id, acl_id from crm__leads, generate_series(2, 8) n where id = ${id}::bigint`);
    const pages: number[] = [];
    const revisions: (string | undefined)[] = [];
    for (let [after, more] = [cursor, 1]; more === 1; ) {
      const { body } = await ask(`after=${after}&limit=1000&controller=crm/leads`, rep.token);
      const mine = body.data.changes.filter((one: Change) => one.id === id);
      pages.push(mine.length);
      revisions.push(...mine.map((one: Change) => one.revision));
      ({ cursor: after, more } = body);
    }
    expect(revisions).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
    expect(pages.length).toBeGreaterThan(1);
  });

  test("a purge leaves a trace, and nothing of what the record said", async () => {
    const cursor = await now(admin);
    const id = await done(save("crm/leads", "add", { last_name: "Purged away" }, admin));
    await done(service.post("/crm/leads/delete.json", { id, is_confirm: "1" }, admin));
    await done(service.post("/crm/leads/purge.json", { id, is_confirm: "1" }, admin));
    const changes = await since(cursor, admin);
    expect(told(changes)).toEqual(["add", "delete", "purge"].map((operation) => [operation, id]));
    expect(JSON.stringify(changes)).not.toContain("Purged away");
  });

  test("of many at once are there one by one, bulk deletion and undo included", async () => {
    const cursor = await now(rep.token);
    const rows = ["One", "Two", "Three"].map((last_name) => ({ last_name }));
    const added = await service.post("/crm/leads/add_many.json", { data: { leads: rows, action: SAVE } }, rep.token);
    const ids: string[] = added.body.data.leads.map(({ id }: { id: string }) => id);
    const job = await service.post(
      "/crm/leads/edit_selected.json",
      { ids, data: { leads: { city: "Ulm" } } },
      rep.token,
    );
    expect(job.body.errors).toEqual([]);
    const undone = await service.post(`/core/jobs/undo.json?id=${job.body.job_id}`, {}, rep.token);
    expect(undone.body.errors).toEqual([]);
    const changes = await since(cursor, rep.token);
    expect(told(changes)).toEqual(["add", "edit", "edit"].flatMap((operation) => ids.map((id) => [operation, id])));
  });

  test("of a job are told to who started it, and to nobody else", async () => {
    const id = await done(save("crm/leads", "add", { last_name: "In a job" }, rep.token));
    const [mine, theirs] = [await now(rep.token), await now(other.token)];
    const sent = { ids: [id], data: { leads: { city: "Ulm" } } };
    const { body } = await service.post("/crm/leads/edit_selected.json", sent, rep.token);
    expect(body.errors).toEqual([]);
    const jobs = "controller=core/jobs";
    expect(told(await since(mine, rep.token, jobs))).toContainEqual(["edit", body.job_id]);
    expect(await since(theirs, other.token, jobs)).toEqual([]);
  });

  test("are nobody else's: of a record that one may not read nothing is told, however one asks", async () => {
    const [own, theirs] = [await now(rep.token), await now(other.token)];
    const id = await done(save("crm/leads", "add", { last_name: "Mine" }, rep.token));
    await done(save("crm/leads", "edit", { id, score: "9" }, rep.token));
    expect(await since(own, rep.token)).toHaveLength(2);
    expect(await since(theirs, other.token)).toEqual([]);
    expect(await since(theirs, other.token, "")).toEqual([]);
  });
});

describe("what comes into sight and goes out of it", () => {
  test("by a change of hands", async () => {
    const id = await done(save("crm/leads", "add", { last_name: "Handed" }, rep.token));
    const [mine, theirs] = [await now(rep.token), await now(other.token)];
    await done(save("crm/leads", "edit", { id, score: "10" }, admin));
    await done(save("crm/leads", "edit", { id, owned_by: other.id }, admin));
    await done(save("crm/leads", "edit", { id, score: "11" }, admin));
    const left = await since(mine, rep.token);
    expect(left).toMatchObject([
      { operation: "edit", id },
      { operation: "invisible", id },
    ]);
    // What changed while it was theirs to read is not theirs any more.
    expect(left[0]?.changes).toBeUndefined();
    const changes = await since(theirs, other.token);
    expect(changes).toMatchObject([
      { operation: "visible", id },
      { operation: "edit", id },
    ]);
    expect(changes[0]?.changes).toBeUndefined();
  });

  test("by a share, and by its end", async () => {
    const id = await done(save("crm/leads", "add", { last_name: "Shared" }, rep.token));
    const cursor = await now(other.token);
    const principal = await service.db.row(
      sql`select principal_id::text as id from access_controls__users where id = ${other.id}::bigint`,
    );
    const share = { related_type: "crm/leads", related_id: id, principal_id: principal?.id, rights: "read" };
    const shareId = await done(save("access_controls/shares", "add", share, rep.token));
    expect(told(await since(cursor, other.token))).toEqual([["visible", id]]);
    await done(service.post("/access_controls/shares/delete.json", { id: shareId, is_confirm: "1" }, rep.token));
    expect(told(await since(cursor, other.token))).toEqual(
      ["visible", "invisible"].map((operation) => [operation, id]),
    );
  });

  test("by a group or a role: whoever follows is told to list again", async () => {
    const cursor = await now(other.token);
    const role = await service.db.row(
      sql`select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_manager'`,
    );
    const added = { user_id: other.id, role_id: role?.id };
    const id = await done(save("access_controls/roles_users", "add", added, admin));
    expect((await since(cursor, other.token))[0]).toMatchObject({ operation: "reset", controller: null, id: null });
    await done(service.post("/access_controls/roles_users/delete.json", { id, is_confirm: "1" }, admin));
    // Whom it does not concern is told nothing.
    const [mine, theirs] = [await now(rep.token), await now(other.token)];
    const own = await service.db.row(
      sql`select principal_id::text as id from access_controls__users where id = ${rep.id}::bigint`,
    );
    await service.db.transaction((transaction) => tellToListAgain(transaction, "1", "crm/leads", [Number(own?.id)]));
    expect((await since(mine, rep.token)).map(({ operation }) => operation)).toEqual(["reset"]);
    expect(await since(theirs, other.token)).toEqual([]);
  });
});

test("what operations of their own change is told as well", async () => {
  const cursor = await now(admin);
  const made = await service.post(
    "/access_controls/api_keys/add.json",
    { data: { api_keys: { name: "Told" } } },
    admin,
  );
  const key = await done(Promise.resolve(made));
  expect((await service.post("/access_controls/api_keys/revoke.json", { id: key }, admin)).body.errors).toEqual([]);
  const role = await service.db.row(
    sql`select id::text as id from access_controls__roles where organization_id = 1 and code = 'support'`,
  );
  const values = { email: "told@x.example", role_id: role?.id };
  const invitation = await done(save("access_controls/invitations", "add", values, admin));
  const revoke = `/access_controls/invitations/revoke.json?id=${invitation}`;
  expect((await service.post(revoke, {}, admin)).body.errors).toEqual([]);
  const operations = async (type: string) =>
    (await since(cursor, admin, `controller=access_controls/${type}`)).map(({ operation, id }) => [operation, id]);
  expect(await operations("api_keys")).toEqual([
    ["add", key],
    ["edit", key],
  ]);
  expect((await operations("invitations")).at(-1)).toEqual(["edit", invitation]);
});

describe("a cursor", () => {
  test.each([
    ["that is none", "after=7", 400, "malformed_parameter"],
    ["of another era", "after=1.000000000000.0.000000000000", 410, "changes_forgotten"],
    ["of another organization", "after=99.000000000000.0.000000000000", 400, "malformed_parameter"],
  ])("%s is refused", async (_, query, status, code) => {
    expect(await ask(query, rep.token)).toMatchObject({ status, body: { error_code: code } });
  });

  test("from the future, or from before what is still known, says to start over", async () => {
    const [organization, era, position = "0", rights] = (await now(rep.token)).split(".");
    const at = (place: bigint) => `after=${organization}.${era}.${place}.${rights}`;
    expect(await ask(at(BigInt(position) + 1n), rep.token)).toMatchObject({ status: 410 });
    await done(save("crm/leads", "add", { last_name: "Old" }, rep.token));
    const old = await now(rep.token);
    await service.db.run(sql`update core__events set at = at - interval '31 days'`);
    await forgetEvents(service.db, 30);
    expect(await ask(at(BigInt(position)), rep.token)).toMatchObject({
      status: 410,
      body: { error_code: "changes_forgotten", errors: [expect.stringContaining("list the records again")] },
    });
    expect(await since(old, rep.token)).toEqual([]);
  });

  test.each([
    ["limit=0", "limit: must be a whole number from 1 to 1,000"],
    ["limit=1001", "limit: must be a whole number from 1 to 1,000"],
    ["wait=61", "wait: must be a whole number from 0 to 60"],
    ["controller=crm/nothing", "controller: there is no record type crm/nothing"],
    ["controller=;", "controller: there is no record type ;"],
    ["after=1.nonsense.7.x", "after: must be a cursor from an earlier answer"],
  ])("%s is refused", async (query, reason) => {
    const { status, body } = await ask(query, rep.token);
    expect([status, body.errors[0]]).toEqual([400, expect.stringContaining(reason)]);
  });

  test("of a neighbor's organization shows nothing of ours", async () => {
    const neighbor = await addOrganization(service, "neighbor");
    const cursor = await now(neighbor.token);
    await done(save("crm/leads", "add", { last_name: "Ours" }, rep.token));
    expect(await since(cursor, neighbor.token, "")).toEqual([]);
    expect(await ask(`after=${await now(rep.token)}`, neighbor.token)).toMatchObject({
      status: 400,
      body: { errors: ["after: this cursor belongs to another organization"] },
    });
    // A semicolon too many does no harm.
    expect(await since(cursor, neighbor.token, "controller=crm/leads;")).toEqual([]);
  });

  test("gives each reader the types that it asks for, also of two who ask at the same place", async () => {
    const cursor = await now(rep.token);
    const id = await done(save("crm/leads", "add", { last_name: "Wanted" }, rep.token));
    expect(await since(cursor, rep.token, "controller=crm/companies")).toEqual([]);
    expect(told(await since(cursor, rep.token, "controller=crm/leads"))).toEqual([["add", id]]);
    expect(await since(cursor, rep.token, "controller=crm/companies")).toEqual([]);
  });

  test("is no way past the role matrix", async () => {
    const nobody = await addPerson(service, "nobody", []);
    const cursor = await now(nobody.token);
    await done(save("crm/leads", "add", { last_name: "Theirs", owned_by: nobody.id }, admin));
    expect(await since(cursor, nobody.token, "")).toEqual([]);
    expect(await ask("controller=crm/leads", nobody.token)).toMatchObject({ status: 400 });
  });

  test("needs a login", async () => {
    expect((await service.get("/core/changes/index.json")).status).toBe(401);
  });
});

describe("waiting", () => {
  test("ends with the first change that one may read", async () => {
    const cursor = await now(rep.token);
    const waiting = ask(`after=${cursor}&wait=60`, rep.token);
    const id = await done(save("crm/leads", "add", { last_name: "Awaited" }, rep.token));
    const { body } = await waiting;
    expect(told(body.data.changes)).toContainEqual(["add", id]);
    expect(body).toMatchObject({ user_id: rep.id, errors: [] });
  });

  test("a stream goes on from Last-Event-ID, and ends with its session", async () => {
    const person = await addPerson(service, "listener", ["sales_rep"]);
    const cursor = await now(person.token);
    const first = await done(save("crm/leads", "add", { last_name: "Before" }, person.token));
    const gone = new AbortController();
    const response = await fetch(`${service.url}/core/changes/index.json?controller=crm/leads`, {
      headers: {
        authorization: `Bearer ${person.token}`,
        accept: "text/event-stream",
        "last-event-id": cursor,
        "accept-encoding": "gzip",
      },
      signal: gone.signal,
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const events = eventsOf(response);
    expect(await events.next()).toMatchObject({ value: { event: "change", data: { operation: "add", id: first } } });
    await done(save("crm/leads", "edit", { id: first, score: "5" }, person.token));
    const { value } = await events.next();
    expect(value).toMatchObject({ event: "change", data: { operation: "edit", id: first } });
    expect(value).toMatchObject({ id: expect.stringContaining("."), data: { cursor: value?.id } });
    await service.post("/access_controls/users/logout.json", {}, person.token);
    await done(save("crm/leads", "edit", { id: first, score: "6" }, admin));
    expect(await events.next()).toMatchObject({ value: { event: "failure", data: { error_code: "login_required" } } });
    expect(await events.next()).toMatchObject({ done: true });
    gone.abort();
  });

  test("one person has only so many streams at once", async () => {
    const person = await addPerson(service, "many", ["sales_rep"]);
    const gone = new AbortController();
    setMaxListeners(0, gone.signal);
    const open = () =>
      fetch(`${service.url}/core/changes/index.json`, {
        headers: { authorization: `Bearer ${person.token}`, accept: "text/event-stream" },
        signal: gone.signal,
      });
    const opened = await Promise.all(Array.from({ length: 20 }, open));
    expect(opened.every(({ status }) => status === 200)).toBe(true);
    const refused = await open();
    const told = {
      error_code: "too_many_streams",
      errors: ["You already follow changes over 20 connections. Close one first"],
    };
    expect([refused.status, await refused.json()]).toEqual([429, expect.objectContaining(told)]);
    expect(refused.headers.get("retry-after")).toBe("5");
    // What is too long for an address is sent by POST.
    const { status, body } = await service.post(
      "/core/changes/index.json",
      { controller: "crm/leads", limit: "1" },
      person.token,
    );
    expect([status, body.data.changes, typeof body.cursor]).toEqual([200, [], "string"]);
    gone.abort();
    await Promise.all(opened.map((response) => response.text().catch(() => undefined)));
    // Their places are free again, and so are those of clients that were gone before anything was sent.
    for (let tried = 0; tried < 25; tried += 1) {
      await fetch(`${service.url}/core/changes/index.json`, {
        headers: { authorization: `Bearer ${person.token}`, accept: "text/event-stream" },
        signal: AbortSignal.timeout(tried),
      }).then(
        (response) => response.body?.cancel(),
        () => undefined,
      );
    }
    const after = new AbortController();
    const again = async () => {
      const { status } = await fetch(`${service.url}/core/changes/index.json`, {
        headers: { authorization: `Bearer ${person.token}`, accept: "text/event-stream" },
        signal: after.signal,
      });
      return status;
    };
    await expect.poll(again).toBe(200);
    after.abort();
  });
});

test("whoever waits with the design of the last answer is told that a record type changed", async () => {
  const { cursor, design } = (await ask("", rep.token)).body;
  const waiting = ask(`after=${cursor}&wait=60&design=${design}`, rep.token);
  await expect.poll(async () => (await ask(`after=${cursor}&design=${design}`, rep.token)).body.design).toBe(design);
  const definition = {
    module: "crm",
    controller: "told",
    label: "Told",
    plural: "Told",
    displayField: "name",
    fields: [{ name: "name", type: "short-text" }],
    access: { read: ["organization"], edit: ["organization"], delete: [], comment: [] },
  };
  const saved = await service.post(
    "/metadata/record_types/save.json",
    { definition: JSON.stringify(definition) },
    admin,
  );
  expect(saved.body.errors).toEqual([]);
  const from = performance.now();
  const { body } = await waiting;
  // Well before the sign of life that looks again anyway.
  expect(performance.now() - from).toBeLessThan(5_000);
  expect(body).toMatchObject({ cursor, data: { changes: [] } });
  expect(Number(body.design)).toBeGreaterThan(Number(design));
  // Who knows more than this process does not ask again and again.
  const ahead = await ask(`after=${cursor}&wait=1&design=${Number(body.design) + 1}`, rep.token);
  expect(ahead.body).toMatchObject({ design: body.design, data: { changes: [] } });
  const { status, body: refused } = await ask("design=now", rep.token);
  expect([status, refused.errors.join()]).toEqual([400, expect.stringContaining("the design of an earlier answer")]);
});

describe("who else is at a record", () => {
  const place = (id: string) => `record=crm/leads/${id}`;
  const names = (present: readonly { name: string; doing: string }[]) =>
    present.map(({ name, doing }) => `${name} ${doing}`);

  test("is told to those who may read it, of those who may, and of nobody else", async () => {
    const id = await done(save("crm/leads", "add", { last_name: "Looked at" }, rep.token));
    const cursor = await now(admin);
    const alone = await ask(`after=${cursor}&wait=0&${place(id)}`, admin);
    expect(alone.body).toMatchObject({ present: "none", data: { present: [] } });
    const gone = new AbortController();
    const look = async (query: string) =>
      (await ask(`after=${cursor}&wait=60&controller=crm/companies&${query}`, admin)).body;

    // Somebody who may not read it learns nothing, and is not seen.
    const stranger = await addOrganization(service, "looker");
    for (const token of [other.token, stranger.token]) {
      const { body } = await ask(`${place(id)}&tab=x`, token);
      expect(body).toMatchObject({ present: "none", data: { present: [] } });
    }
    const waiting = look(`${place(id)}&present=none`);
    await fetch(`${service.url}/core/changes/index.json?${place(id)}&doing=edit&tab=a`, {
      headers: { authorization: `Bearer ${rep.token}`, accept: "text/event-stream" },
      signal: gone.signal,
    });
    const first = await waiting;
    expect(names(first.data.present)).toEqual(["rep edit"]);
    expect((await ask(`${place(id)}`, other.token)).body.data.present).toEqual([]);
    // A key that may not read people is not told of them.
    const { body: made } = await service.post(
      "/access_controls/api_keys/add.json",
      { data: { api_keys: { name: "few", scope: "read", limits: { "crm/leads": ["view", "index"] } } } },
      admin,
    );
    const limited = await ask(place(id), made.data.api_keys.secret);
    expect(limited.body, JSON.stringify(limited.body)).toMatchObject({ present: "none", data: { present: [] } });

    // Who closes the tab is gone a moment later; the one who waits is told.
    const after = look(`${place(id)}&present=${first.present}`);
    gone.abort();
    expect(await after).toMatchObject({ present: "none", data: { present: [], changes: [] } });

    const dotted = await ask("tab=a.b", rep.token);
    expect(dotted.body.errors.join()).toContain("at most 40 letters, digits, - or _");

    // Who moves on is no longer there at once, and who may no longer read it is not shown.
    await ask(`${place(id)}&tab=b`, rep.token);
    expect(names((await ask(place(id), admin)).body.data.present)).toEqual(["rep view"]);
    await ask("tab=b", rep.token);
    expect((await ask(place(id), admin)).body.data.present).toEqual([]);
    await ask(`${place(id)}&tab=b`, rep.token);
    await done(save("crm/leads", "edit", { id, owned_by: other.id }, admin));
    expect((await service.get(`/crm/leads/view.json?id=${id}`, rep.token)).status).toBe(404);
    expect((await ask(place(id), admin)).body.data.present).toEqual([]);
  });

  test("is not told by a name that the reader may not see", async () => {
    const operations = ["crm/leads", "access_controls/users"].map((record_type) => ({
      record_type,
      operations: "index;view;edit",
    }));
    const fields = [{ record_type: "access_controls/users", field: "user_name", permission: "1" }];
    const values = { name: "Nameless", code: "nameless", operations };
    const role = await done(save("access_controls/roles", "add", values, admin));
    const reader = await addPerson(service, "nameless", ["nameless"]);
    const id = await done(save("crm/leads", "add", { last_name: "Seen", owned_by: reader.id }, admin));
    await ask(`${place(id)}&tab=n`, admin);
    const shown = async () => names((await ask(place(id), reader.token)).body.data.present);
    expect(await shown()).toEqual(["Administrator view"]);
    // Whoever has no name is called by their user name, and by nothing where that is hidden.
    await done(save("access_controls/roles", "edit", { id: role, fields }, admin));
    const called = (name: string | null) =>
      service.db.run(sql`update access_controls__users set name = ${name} where organization_id = 1 and id = 1`);
    await called(null);
    expect(await shown()).toEqual([]);
    await called("Administrator");
    expect(await shown()).toEqual(["Administrator view"]);
    const hidden = { record_type: "access_controls/users", field: "name", permission: "1" };
    await done(save("access_controls/roles", "edit", { id: role, fields: [hidden] }, admin));
    expect(await shown()).toEqual([]);
  });

  test("comes in a stream as well", async () => {
    const id = await done(save("crm/leads", "add", { last_name: "Streamed" }, rep.token));
    const gone = new AbortController();
    const response = await fetch(`${service.url}/core/changes/index.json?controller=crm/companies&${place(id)}`, {
      headers: { authorization: `Bearer ${admin}`, accept: "text/event-stream" },
      signal: gone.signal,
    });
    const events = eventsOf(response);
    expect(await events.next()).toMatchObject({ value: { event: "presence", data: { present: [] } } });
    await ask(`${place(id)}&doing=edit`, rep.token);
    expect(await events.next()).toMatchObject({
      value: { event: "presence", data: { present: [{ id: rep.id, name: "rep", doing: "edit" }] } },
    });
    gone.abort();
  });

  test.each([
    ["record=crm/leads", 400],
    ["record=crm/none/1", 400],
    ["record=/", 400],
    ["record=core/changes/1", 400],
    ["record=crm/leads/1'%20or%201=1", 404],
    ["record=crm/leads/1&doing=delete", 400],
    ["record=crm/leads/1&tab=%3Cscript%3E", 400],
    [`record=crm/leads/1&tab=${"x".repeat(500)}`, 400],
  ])("%s is refused with a sentence", async (query, status) => {
    const answer = await ask(query, rep.token);
    expect([answer.status, answer.body.errors.length]).toEqual([status, 1]);
  });
});

/** What a stream brings, event by event. */
async function* eventsOf(response: Response) {
  let text = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields = new Map(
        text
          .slice(0, end)
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)] as const),
      );
      text = text.slice(end + 2);
      const data = fields.get("data");
      if (data !== undefined) yield { id: fields.get("id"), event: fields.get("event"), data: JSON.parse(data) };
    }
  }
}

function promised<T>(): { readonly promise: Promise<T>; resolve(value: T): void } {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value) => settle(value) };
}

describe("under many writers", () => {
  type Step =
    | { readonly kind: "begin" | "commit" | "rollback"; readonly writer: number }
    | { readonly kind: "read"; readonly reader: number }
    /** Somebody commits, and somebody publishes, while somebody reads. */
    | { readonly kind: "all at once"; readonly reader: number; readonly writer: number };
  const step = fc.oneof(
    fc.record({ kind: fc.constantFrom("begin" as const, "commit" as const, "rollback" as const), writer: fc.nat(3) }),
    fc.record({ kind: fc.constant("read" as const), reader: fc.nat(2) }),
    fc.record({ kind: fc.constant("all at once" as const), reader: fc.nat(2), writer: fc.nat(3) }),
  );

  test("each reader is given each committed change once, whatever order transactions commit in", async () => {
    const leads = requireType(snapshot, "crm/leads");
    const rows = ["w", "x"].map((last_name) => ({ last_name, owned_by: rep.id }));
    const write = (transaction: Queryable) => insertRows(transaction, snapshot, leads, "1", rows);
    // Their access set is there from now on: nobody waits for another to make it.
    await service.db.transaction(write);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps: readonly Step[]) => {
        const begun = await now(admin);
        const cursors = [begun, begun, begun];
        const seen: string[][] = [[], [], []];
        const committed: string[] = [];
        const open = new Map<
          number,
          { readonly ids: Promise<string[]>; readonly end: (commit: boolean) => Promise<void> }
        >();
        const begin = (): { ids: Promise<string[]>; end: (commit: boolean) => Promise<void> } => {
          const written = promised<string[]>();
          const gate = promised<boolean>();
          const over = service.db
            .transaction(async (transaction: Queryable) => {
              written.resolve(await write(transaction));
              if (!(await gate.promise)) throw new Error("rolled back");
            })
            .catch(() => undefined);
          return {
            ids: written.promise,
            end: async (commit) => {
              gate.resolve(commit);
              await over;
            },
          };
        };
        const read = async (reader: number): Promise<void> => {
          const { body } = await ask(`after=${cursors[reader]}&limit=3&controller=crm/leads`, admin);
          seen[reader]?.push(...body.data.changes.map(({ id }: Change) => id ?? ""));
          cursors[reader] = body.cursor;
          if (body.more === 1) await read(reader);
        };
        const finish = async (writer: number, commit: boolean): Promise<void> => {
          const one = open.get(writer);
          if (!one) return;
          open.delete(writer);
          const ids = await one.ids;
          await one.end(commit);
          if (commit) committed.push(...ids);
        };
        for (const one of steps) {
          if (one.kind === "read") await read(one.reader);
          else if (one.kind === "all at once") {
            const published = finish(one.writer, true).then(() => publishAllEvents(service.db));
            await Promise.all([read(one.reader), published]);
          } else if (one.kind !== "begin") await finish(one.writer, one.kind === "commit");
          else if (!open.has(one.writer)) {
            open.set(one.writer, begin());
            await open.get(one.writer)?.ids;
          }
        }
        for (const writer of [...open.keys()]) await finish(writer, true);
        for (const reader of [0, 1, 2]) await read(reader);
        for (const ids of seen) expect([...ids].sort()).toEqual([...committed].sort());
      }),
      { numRuns: runs(15) },
    );
  });

  test("in order per record, while several people edit the same few", async () => {
    const ids = await Promise.all(["a", "b"].map((last_name) => done(save("crm/leads", "add", { last_name }, admin))));
    const cursor = await now(admin);
    const EDITS = 30;
    let writing = true;
    const followed: Change[] = [];
    const following = (async () => {
      for (let after = cursor; ; ) {
        const last = !writing;
        const { body } = await ask(`after=${after}&controller=crm/leads`, admin);
        followed.push(...body.data.changes);
        after = body.cursor;
        if (last && body.more === 0) return;
      }
    })();
    await Promise.all(
      Array.from({ length: EDITS }, (_, number) =>
        save("crm/leads", "edit", { id: ids[number % ids.length], score: String(number) }, admin),
      ),
    );
    writing = false;
    await following;
    for (const id of ids) {
      const revisions = followed.filter((one) => one.id === id).map(({ revision }) => Number(revision));
      expect(revisions).toEqual(revisions.map((_, index) => index + 2));
      const [stored] = await service.db.rows(
        sql`select revision::text as last from crm__leads where id = ${id}::bigint`,
      );
      expect(revisions.at(-1)).toBe(Number(stored?.last));
    }
  });
});
