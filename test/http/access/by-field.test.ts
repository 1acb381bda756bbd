// Access that follows a record's own fields and conditions: whoever is named sees and edits it from the commit on that names them, and no
// longer; what a policy asks for is known of every record, whichever way it was written.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, type Person } from "../people.ts";

type Json = Record<string, unknown>;

let service: TestService;
let admin: string;
let owner: Person;
let tech: Person;
let other: Person;
/** Does not see who the technician is. */
let narrow: Person;
let team: string;

const action = { save_progress: "Save" };
const post = (path: string, body: Json, token: string) => service.post(path, body, token);
const save = (key: string, operation: string, values: Json, token = admin) =>
  post(`/${key}/${operation}.json`, { data: { [key.split("/")[1] ?? ""]: values, action } }, token);
const done = async (answer: ReturnType<typeof post>): Promise<string> => {
  const { body } = await answer;
  expect(body.errors).toEqual([]);
  return body.id;
};
const design = (definition: unknown, more: Json = {}) =>
  post("/metadata/record_types/save.json", { definition: JSON.stringify(definition), ...more }, admin);
const reference = (name: string, to: string) => ({
  name,
  type: "reference",
  settings: { to: `access_controls/${to}` },
});
const plainAccess = { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: ["owner"] };
const lines = {
  module: "yard",
  controller: "lines",
  label: "Line",
  plural: "Lines",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text" },
    { name: "order_id", type: "reference", settings: { to: "yard/orders" } },
  ],
  access: { ...plainAccess, read: ["organization"] },
};
const orderFields: readonly Json[] = [
  { name: "name", type: "short-text", searchable: true },
  reference("technician_id", "users"),
  reference("team_id", "groups"),
  reference("duty_id", "roles"),
  {
    name: "status",
    type: "choice",
    settings: { options: ["draft", "published"].map((value) => ({ value, label: value })) },
  },
  { name: "urgency", type: "integer" },
  { name: "is_urgent", type: "flag", computed: { kind: "formula", formula: "urgency >= 5" } },
];
const orders = {
  module: "yard",
  controller: "orders",
  label: "Order",
  plural: "Orders",
  displayField: "name",
  allowComments: true,
  fields: orderFields,
  access: plainAccess,
};
const counted = {
  ...orders,
  fields: [
    ...orderFields,
    {
      name: "line_count",
      type: "integer",
      computed: { kind: "roll-up", type: "yard/lines", reveals: true, via: "order_id", function: "count" },
    },
  ],
};

let policyId: string | undefined;
const setPolicy = async (policy: Json) => {
  const values = { record_type: "yard/orders", policy: JSON.stringify({ ...plainAccess, ...policy }) };
  const sent = policyId === undefined ? values : { ...values, id: policyId };
  return save("access_controls/policies", policyId === undefined ? "add" : "edit", sent);
};
const enact = async (policy: Json) => {
  policyId = await done(setPolicy(policy));
};
const seen = async (person: Person, search = ""): Promise<string[]> => {
  const { status, body } = await service.get(`/yard/orders/index.json?limit=100${search}`, person.token);
  expect(status).toBe(200);
  return body.paginate.data.map((row: Json) => row["orders.id"]).sort();
};
const sees = async (person: Person, id: string): Promise<boolean> => {
  const { status } = await service.get(`/yard/orders/view.json?id=${id}`, person.token);
  const inList = (await seen(person)).includes(id);
  expect(inList).toBe(status === 200);
  return inList;
};
const add = (values: Json) => done(save("yard/orders", "add", values, owner.token));
const role = async (code: string, hidden: readonly string[]) => {
  const all = "index;view;add;edit;delete;comment;export;bulk;import";
  const operations = ["yard/orders", "yard/lines", "core/comments"].map((record_type) => ({
    record_type,
    operations: all,
  }));
  operations.push({ record_type: "*", operations: "index;view" });
  const fields = hidden.map((field) => ({ record_type: "yard/orders", field, permission: "1" }));
  return done(save("access_controls/roles", "add", { code, name: code, operations, fields }));
};
let duty: string;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT: "0" });
  admin = await service.login();
  await done(design(orders));
  await done(design(lines));
  await done(design(counted));
  duty = await role("yard", []);
  owner = await addPerson(service, "owner", ["yard"]);
  tech = await addPerson(service, "tech", ["yard"]);
  other = await addPerson(service, "other", ["yard"]);
  team = await done(save("access_controls/groups", "add", { name: "Team", members: [{ user_id: tech.id }] }));
});
afterAll(() => service.stop());

describe("a policy that grants to a field", () => {
  test("opens the records that were there before, as soon as they are gone through", async () => {
    const [named, unnamed] = [await add({ name: "Named", technician_id: tech.id }), await add({ name: "Nobody's" })];
    expect([await sees(tech, named), await sees(tech, unnamed)]).toEqual([false, false]);
    await enact({ read: ["owner", "field:technician_id", "field:team_id"], edit: ["owner", "field:technician_id"] });
    await expect.poll(() => sees(tech, named)).toBe(true);
    expect([await sees(tech, unnamed), await sees(other, named)]).toEqual([false, false]);
    expect((await save("yard/orders", "edit", { id: named, name: "Mine to edit" }, tech.token)).body.errors).toEqual(
      [],
    );
    expect((await save("yard/orders", "edit", { id: named, name: "Not mine" }, other.token)).status).toBe(404);
  });

  test("follows the field through saves, bulk changes, undo, reverting, deletion and import, and tells the feed", async () => {
    const cursor = async (person: Person) => (await service.get("/core/changes/index.json?", person.token)).body.cursor;
    const told = async (after: string, person: Person, id: string) => {
      const { body } = await service.get(
        `/core/changes/index.json?after=${after}&controller=yard/orders`,
        person.token,
      );
      return body.data.changes.filter((one: Json) => one.id === id).map((one: Json) => one.operation);
    };
    const before = await cursor(tech);
    const id = await add({ name: "Passed around", technician_id: tech.id });
    expect(await sees(tech, id)).toBe(true);
    await done(save("yard/orders", "edit", { id, technician_id: other.id }, owner.token));
    expect([await sees(tech, id), await sees(other, id)]).toEqual([false, true]);
    const away = await told(before, tech, id);
    expect([away[0], away.at(-1)]).toEqual(["add", "invisible"]);

    const bulk = { ids: [id], data: { orders: { technician_id: tech.id } } };
    const changed = await post("/yard/orders/edit_selected.json", bulk, owner.token);
    expect(changed.body.data.changed).toEqual([id]);
    expect([await sees(tech, id), await sees(other, id)]).toEqual([true, false]);
    const undone = await post("/core/jobs/undo.json", { id: changed.body.job_id }, owner.token);
    expect(undone.body.data.changed).toEqual([id]);
    expect([await sees(tech, id), await sees(other, id)]).toEqual([false, true]);
    await done(post(`/yard/orders/revert.json?id=${id}&revision=1`, {}, owner.token));
    expect([await sees(tech, id), await sees(other, id)]).toEqual([true, false]);

    await done(post("/yard/orders/delete.json", { id, is_confirm: "1" }, owner.token));
    await done(post("/yard/orders/restore.json", { id }, owner.token));
    expect([await sees(tech, id), await sees(other, id)]).toEqual([true, false]);
    await done(save("yard/orders", "edit", { id, technician_id: null, team_id: team }, owner.token));
    expect([await sees(tech, id), await sees(other, id)]).toEqual([true, false]);
    await done(
      post(
        "/yard/orders/add_many.json",
        { data: { orders: [{ name: "Many", technician_id: other.id }] } },
        owner.token,
      ),
    );
    expect(await seen(other, "&search_basic=Many")).toHaveLength(1);
    expect(await seen(tech, "&search_basic=Many")).toHaveLength(0);
  });

  test("is the reader's reason for comments, counts, exports, mentions and who_may alike", async () => {
    const id = await add({ name: "Whispered", technician_id: tech.id });
    await done(
      save("core/comments", "add", { related_type: "yard/orders", related_id: id, body: "psst" }, owner.token),
    );
    const comments = async (person: Person) =>
      (await service.get("/core/comments/index.json?limit=100", person.token)).body.paginate.data.length;
    const before = [await comments(tech), await comments(other)];
    await done(save("yard/orders", "edit", { id, technician_id: other.id }, owner.token));
    expect([await comments(tech), await comments(other)]).toEqual([(before[0] ?? 0) - 1, (before[1] ?? 0) + 1]);
    const count = async (person: Person) =>
      (await service.get("/yard/orders/index.json?limit=1&search_basic=Whispered", person.token)).body.paginate
        .total_count;
    expect(await count(tech)).not.toBe(await count(other));
    const csv = await service.get("/yard/orders/export.csv?search_basic=Whispered", tech.token);
    expect(JSON.stringify(csv.body)).not.toContain("Whispered");
    const access = (await service.get(`/yard/orders/access.json?id=${id}`, owner.token)).body.data.access;
    const mine = access.holders.find((one: Json) => one.name === "other");
    expect(mine.reasons.map((one: Json) => [one.right, one.reason])).toContainEqual(["edit", "field:technician_id"]);
    const who = (await service.get("/access_controls/roles/who_may.json?controller=yard/orders", owner.token)).body
      .data;
    expect(who.policy.edit).toContainEqual({
      grantee: "field:technician_id",
      label: expect.stringMatching(/^Technician/),
    });
  });

  test("names roles too, and forgets what a field said while no policy asked for it", async () => {
    await enact({ read: ["owner", "field:duty_id"] });
    const id = await add({ name: "On duty", duty_id: duty, technician_id: tech.id });
    expect([await sees(tech, id), await sees(other, id)]).toEqual([true, true]);
    await done(save("yard/orders", "edit", { id, duty_id: null, technician_id: other.id }, owner.token));
    expect([await sees(tech, id), await sees(other, id)]).toEqual([false, false]);
    const stale = (await seen(owner)).length;
    await enact({ read: ["owner", "field:technician_id"] });
    await expect.poll(() => sees(other, id)).toBe(true);
    expect(await sees(tech, id)).toBe(false);
    expect((await seen(owner)).length).toBe(stale);
  });
});

describe("a policy with a condition", () => {
  test("opens records for as long as it holds, by values that are typed, computed or counted", async () => {
    const published = { to: "organization", when: 'status = "published"' };
    const urgent = { to: "field:technician_id", when: "is_urgent" };
    const long = { to: "role:yard", when: "line_count >= 2" };
    await enact({ read: ["owner", published], edit: ["owner", urgent], comment: [long], delete: [long] });
    const id = await add({ name: "Conditional", status: "draft", technician_id: tech.id, urgency: "1" });
    expect([await sees(tech, id), await sees(other, id)]).toEqual([false, false]);
    await done(save("yard/orders", "edit", { id, status: "published" }, owner.token));
    expect([await sees(tech, id), await sees(other, id)]).toEqual([true, true]);
    expect((await save("yard/orders", "edit", { id, name: "No" }, tech.token)).status).toBe(403);
    const bulk = { ids: [id], data: { orders: { urgency: "9" } } };
    expect((await post("/yard/orders/edit_selected.json", bulk, owner.token)).body.data.changed).toEqual([id]);
    await done(save("yard/orders", "edit", { id, name: "Yes" }, tech.token));
    await done(save("yard/orders", "edit", { id, status: "draft" }, owner.token));
    expect([await sees(tech, id), await sees(other, id)]).toEqual([true, false]);
    const first = await done(save("yard/lines", "add", { name: "1", order_id: id }, owner.token));
    await done(save("yard/lines", "add", { name: "2", order_id: id }, owner.token));
    expect(await sees(other, id)).toBe(true);
    await done(post("/yard/lines/delete.json", { id: first, is_confirm: "1" }, owner.token));
    expect(await sees(other, id)).toBe(false);
    const who = (await service.get("/access_controls/roles/who_may.json?controller=yard/orders", owner.token)).body
      .data;
    expect(who.policy.read[1]).toEqual({ grantee: "organization", label: expect.any(String), when: published.when });
  });

  test.each([
    [{ read: ["field:nowhere"] }, "nowhere"],
    [{ read: ["field:status"] }, "status"],
    [{ read: ["field:modified_by"] }, "modified_by"],
    [{ read: [{ to: "everyone", when: "date(today()) = created" }] }, "today()"],
    [{ read: [{ to: "everyone", when: "technician_id = me()" }] }, ""],
    [{ read: [{ to: "everyone", when: "revision > 3" }] }, "revision"],
    [{ read: [{ to: "everyone", when: "urgency" }] }, "yes"],
    [{ read: [{ to: "everyone", when: 'status = "publishd"' }] }, "publishd"],
    [{ read: [{ to: "everyone", when: "urgency > " }] }, ""],
    [{ read: [{ to: "role:unknown_role", when: "urgency > 1" }] }, "unknown_role"],
    [{ read: [{ to: "everyone", when: "urgency > 1", more: 1 }] }, "Policy read"],
    [{ read: Array.from({ length: 9 }, (_, n) => ({ to: "everyone", when: `urgency > ${n}` })) }, "8"],
  ])("is refused where nothing could decide it: %j", async (policy, named) => {
    const { status, body } = await setPolicy(policy);
    expect(status).toBe(422);
    expect(JSON.stringify(body.errors)).toContain(named);
  });

  test("is not for what follows other records or is written by the service", async () => {
    for (const record_type of ["core/comments", "core/revisions"]) {
      const policy = JSON.stringify({ ...plainAccess, read: ["field:created_by"] });
      const { status } = await save("access_controls/policies", "add", { record_type, policy });
      expect(status).toBe(422);
    }
  });

  test("keeps the fields that it uses from going or becoming something else", async () => {
    const without = (name: string) => ({ ...counted, fields: counted.fields.filter((field) => field.name !== name) });
    for (const name of ["status", "technician_id", "is_urgent", "line_count"]) {
      const { status, body } = await design(without(name), { discard: name });
      expect([name, status]).toEqual([name, 422]);
      expect(JSON.stringify(body)).toContain("access policy for Orders");
    }
    const retyped = {
      ...counted,
      fields: counted.fields.map((field) => (field.name === "status" ? { name: "status", type: "short-text" } : field)),
    };
    expect((await design(retyped, { convert: "status" })).status).toBe(422);
    const own = { ...lines, access: { ...plainAccess, read: ["field:nobody"] } };
    expect((await design(own)).status).toBe(422);
  });
});

describe("whoever may not write the field", () => {
  test("does not make themselves the technician by any way", async () => {
    await role("narrow", ["technician_id"]);
    await enact({
      read: ["owner", "role:narrow"],
      edit: ["owner", "role:narrow"],
      delete: ["owner", "field:technician_id"],
    });
    narrow = await addPerson(service, "narrow", ["narrow"]);
    const id = await add({ name: "Guarded", technician_id: tech.id });
    await save("yard/orders", "edit", { id, name: "Renamed", technician_id: narrow.id }, narrow.token);
    await post(
      "/yard/orders/edit_selected.json",
      { ids: [id], data: { orders: { technician_id: narrow.id } } },
      narrow.token,
    );
    await post("/yard/orders/edit_many.json", { data: { orders: [{ id, technician_id: narrow.id }] } }, narrow.token);
    await post(`/yard/orders/revert.json?id=${id}&revision=1`, {}, narrow.token);
    expect((await post("/yard/orders/delete.json", { id, is_confirm: "1" }, narrow.token)).status).toBe(403);
    const { body } = await service.get(`/yard/orders/view.json?id=${id}`, owner.token);
    expect(body.data.orders.technician_id).toBe(tech.id);
  });

  test("and nobody names people of another organization", async () => {
    const stranger = await addOrganization(service, "elsewhere");
    const { status } = await save("yard/orders", "add", { name: "Abroad", technician_id: stranger.id }, owner.token);
    expect(status).toBe(422);
    expect((await service.get("/yard/orders/index.json", stranger.token)).body.paginate.data).toEqual([]);
  });
});

describe("what a change would mean", () => {
  const ask = async (controller: string, sent: Json, token = admin) =>
    post(`/access_controls/${controller}/consequences.json`, sent, token);
  const told = async (controller: string, sent: Json) => {
    const { status, body } = await ask(controller, sent);
    expect([status, body.errors]).toEqual([200, []]);
    return body.data.consequences.find((one: Json) => one.record_type === "yard/orders");
  };
  const people = () => [owner, tech, other, narrow];
  /** By person, what appeared and what went, as lists show it. */
  const difference = async (change: () => Promise<unknown>) => {
    const before = await Promise.all(people().map((one) => seen(one)));
    await change();
    const after = await Promise.all(people().map((one) => seen(one)));
    return people().map((_, index) => ({
      came: (after[index] ?? []).filter((id) => !before[index]?.includes(id)),
      went: (before[index] ?? []).filter((id) => !after[index]?.includes(id)),
    }));
  };
  const settled = () =>
    expect
      .poll(async () => (await service.db.rows(sql`select 1 from core__computed_work where round = 1`)).length)
      .toBe(0);
  type Difference = Awaited<ReturnType<typeof difference>>;
  const numbersOf = (rows: Difference, which: "came" | "went") => ({
    records: new Set(rows.flatMap((row) => row[which])).size,
    people: rows.filter((row) => row[which].length > 0).length,
  });

  test("is what becomes of it: a policy that asks for what no record told yet, and one that takes it back", async () => {
    await enact({});
    await add({ name: "Far", status: "published" });
    await add({ name: "Near", technician_id: tech.id });
    const next = { read: ["owner", "field:technician_id", { to: "organization", when: 'status = "published"' }] };
    for (const policy of [next, { read: [] }]) {
      const sent = {
        record_type: "yard/orders",
        policy: JSON.stringify({ ...plainAccess, edit: [], delete: [], ...policy }),
      };
      const foretold = await told("policies", sent);
      const was = await difference(async () => {
        await enact({ edit: [], delete: [], ...policy });
        await settled();
      });
      expect([policy, foretold.about]).toEqual([policy, 0]);
      for (const [effect, which] of [
        ["visible", "came"],
        ["invisible", "went"],
      ] as const) {
        const { records, people: count } = foretold[effect];
        expect([effect, { records, people: count }]).toEqual([effect, numbersOf(was, which)]);
      }
      const names = [...foretold.visible.names, ...foretold.invisible.names].map((one: Json) => one.name);
      expect(names).toContain("other");
      expect(foretold.visible.examples.length + foretold.invisible.examples.length).toBeGreaterThan(0);
    }
  });

  test("is told of groups and of a role's matrix too, with nothing changed by asking", async () => {
    await enact({ read: ["owner", "field:team_id"] });
    await add({ name: "Team's", team_id: team });
    // Whoever can't sign in any more sees nothing more, and nothing less.
    const gone = await addPerson(service, "gone", ["yard"]);
    expect((await post(`/access_controls/users/deactivate.json?id=${gone.id}`, {}, admin)).body.errors).toEqual([]);
    const both = [{ user_id: tech.id }, { user_id: other.id }, { user_id: gone.id }];
    const joined = await told("groups", { id: team, members: JSON.stringify(both) });
    expect(joined.visible.names.map((one: Json) => one.name)).toEqual(["other"]);
    const left = await told("groups", { id: team, members: "[]" });
    expect(left.invisible).toMatchObject({ people: 1, names: [{ name: "tech" }] });
    const none = await told("roles", { id: duty, operations: "[]" });
    expect(none.invisible.names.map((one: Json) => one.name).sort()).toEqual(["owner", "tech"]);
    expect(none.visible.records).toBe(0);
    expect((await seen(other, "&search_basic=Team")).length).toBe(0);
  });

  test("is for administrators, and of a policy that makes sense", async () => {
    const sent = { record_type: "yard/orders", policy: JSON.stringify(plainAccess) };
    expect((await ask("policies", sent, owner.token)).status).toBe(403);
    for (const policy of ["{", "[]", JSON.stringify({ ...plainAccess, read: ["field:nowhere"] })]) {
      expect((await ask("policies", { ...sent, policy })).status).toBe(400);
    }
    expect((await ask("roles", { id: duty, operations: '[{"record_type":"*","operations":["fly"]}]' })).status).toBe(
      400,
    );
    expect((await ask("groups", { id: team, members: "7" })).status).toBe(400);
  });
});

describe("a record type's own policy", () => {
  test("may speak of fields and conditions, for organizations that are there and that come", async () => {
    const access = { ...plainAccess, read: ["owner", "field:created_by", { to: "organization", when: "is_open" }] };
    const fields = [
      { name: "name", type: "short-text" },
      { name: "is_open", type: "flag" },
    ];
    const notes = {
      module: "yard",
      controller: "notes",
      label: "Note",
      plural: "Notes",
      displayField: "name",
      fields,
      access,
    };
    await done(design(notes));
    const late = await addOrganization(service, "latecomer");
    await done(save("access_controls/groups", "add", { name: "First" }, late.token));
    for (const token of [admin, late.token]) {
      const id = await done(save("yard/notes", "add", { name: "Open", is_open: "1" }, token));
      const { body } = await service.get(`/access_controls/roles/who_may.json?controller=yard/notes&id=${id}`, token);
      expect(body.data.record.holders.read.map((one: Json) => one.kind)).toContain("organization");
    }
  });
});
