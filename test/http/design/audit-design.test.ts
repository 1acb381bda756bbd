// The audit log: every change of a design, by every way, is in it with who, when and what; so are purges and failed codes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { designTypes } from "../../../server/controllers/audited.ts";
import { stepAt, totpCode } from "../../../server/lib/secrets/totp.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addPerson, snapshot } from "../people.ts";

let service: TestService;
let admin: string;

const SAVE = { save_progress: "Save" };
const post = (type: string, operation: string, values: object, query = ""): Promise<Answer> =>
  service.post(
    `/${type}/${operation}.json${query}`,
    { data: { [type.split("/")[1] ?? ""]: values, action: SAVE } },
    admin,
  );

interface Entry {
  readonly event: string;
  readonly user: string;
  readonly subject: string;
  readonly operation: string;
  readonly step: string | undefined;
  readonly setting: string | undefined;
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
}

/** Newest first. */
async function entries(): Promise<readonly Entry[]> {
  const fields = ["event", "user_name", "subject_type", "subject_id", "detail"].map((name) => `audit_events.${name}`);
  const q = encodeURIComponent(JSON.stringify({ fields, order: ["audit_events.id DESC"], limit: 50 }));
  const { body } = await service.get(`/access_controls/audit_events/index.json?q=${q}`, admin);
  return body.paginate.data.map((row: Record<string, string>) => {
    const detail = JSON.parse(row["audit_events.detail"] ?? "{}");
    return {
      event: row["audit_events.event"],
      user: row["audit_events.user_name"],
      subject: `${row["audit_events.subject_type"]} ${row["audit_events.subject_id"]}`,
      operation: detail.operation,
      step: detail.step,
      setting: detail.setting,
      changes: detail.changes ?? {},
    };
  });
}

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
});
afterAll(() => service.stop());

const workflow = {
  stages: [
    { key: "new", name: "New", kind: "start" },
    { key: "done", name: "Done", kind: "end" },
  ],
  transitions: [{ name: "finish", label: "Finish", from: "new", to: "done" }],
};

const roleId = async () =>
  (await service.get("/access_controls/roles/index.json", admin)).body.paginate.data.find(
    (row: Record<string, string>) => row.record_display_name === "Sales representative",
  )["roles.id"];

/** What is added, what is changed then, and the event. Types that cannot be added start from one that is there. */
const designs: Record<string, { add?: () => Promise<object>; edit: object; event: string; field: string }> = {
  "core/forms": {
    add: async () => ({
      name: "Short",
      controller: "crm/leads",
      definition: JSON.stringify({
        tabs: [{ tab: "A", sections: [{ section: "B", elements: [{ field: "last_name" }] }] }],
      }),
    }),
    edit: { name: "Shorter" },
    event: "form_changed",
    field: "name",
  },
  "core/workflows": {
    add: async () => ({ name: "Way", controller: "crm/quotes", is_active: "0", definition: JSON.stringify(workflow) }),
    edit: { name: "Another way" },
    event: "workflow_changed",
    field: "name",
  },
  "core/listviews": {
    add: async () => ({ name: "Ours", controller: "crm/leads", is_personal: "0", query: "{}" }),
    edit: { name: "All of ours" },
    event: "view_changed",
    field: "name",
  },
  "core/webhooks": {
    add: async () => ({ name: "Out", address: "https://example.com/", record_types: "crm/leads", is_active: "0" }),
    edit: { name: "Out there" },
    event: "webhook_changed",
    field: "name",
  },
  "access_controls/roles": {
    add: async () => ({ name: "Clerk", code: "clerk" }),
    edit: { name: "Head clerk" },
    event: "role_changed",
    field: "name",
  },
  "access_controls/policies": {
    add: async () => ({
      record_type: "crm/quotes",
      policy: JSON.stringify({ read: ["owner"], edit: ["owner"], delete: ["owner"], comment: ["owner"] }),
    }),
    edit: {
      policy: JSON.stringify({ read: ["organization"], edit: ["owner"], delete: ["owner"], comment: ["owner"] }),
    },
    event: "permission_changed",
    field: "policy",
  },
  "access_controls/groups": {
    add: async () => ({ name: "North" }),
    edit: { name: "Far north" },
    event: "group_changed",
    field: "name",
  },
  "access_controls/role_fields": {
    add: async () => ({ role_id: await roleId(), record_type: "crm/leads", field: "amount", permission: "1" }),
    edit: { permission: "4" },
    event: "permission_changed",
    field: "permission",
  },
  "access_controls/organizations": { edit: { name: "Renamed" }, event: "organization_changed", field: "name" },
  "development_base/menus": { edit: { label: "Renamed" }, event: "menu_changed", field: "label" },
  "development_base/modules": { edit: { label: "Renamed" }, event: "menu_changed", field: "label" },
};
/** Watched over in scenarios of their own: people, and what is attached to roles and groups. */
const elsewhere = [
  "access_controls/users",
  "access_controls/roles_users",
  "access_controls/role_operations",
  "access_controls/shares",
  "access_controls/group_members",
];

test("every type that decides how things look or who may do what is walked here or elsewhere", () => {
  expect([...Object.keys(designs), ...elsewhere].sort()).toEqual([...designTypes].sort());
});

describe.each(Object.entries(designs))("%s", (type, { add, edit, event, field }) => {
  test("each change is in the log, with who, what and from what to what", async () => {
    const alias = type.split("/")[1] ?? "";
    const last = async () => (await entries()).find(({ subject }) => subject === `${type} ${id}`);
    const added = add && (await post(type, "add", await add()));
    if (added) expect(added.body.errors).toEqual([]);
    const listed = await service.get(`/${type}/index.json?limit=1`, admin);
    const id: string = added?.body.id ?? listed.body.paginate.data[0]?.[`${alias}.id`];
    if (added) expect(await last()).toMatchObject({ event, user: "admin", operation: "add" });

    const edited = await post(type, "edit", { id, ...edit });
    expect(edited.body.errors).toEqual([]);
    const change = await last();
    expect(change).toMatchObject({ event, user: "admin", operation: "edit" });
    expect(Object.keys(change?.changes ?? {})).toContain(field);

    if (!add || snapshot.types.get(type)?.refuses.delete !== undefined) return;
    const deleted = await service.get(`/${type}/delete.json?id=${id}&is_confirm=1`, admin);
    expect(deleted.body.errors).toEqual([]);
    expect(await last()).toMatchObject({ event, operation: "delete" });
    const restored = await service.post(`/${type}/restore.json?id=${id}`, {}, admin);
    if (restored.status === 200) expect(await last()).toMatchObject({ event, operation: "restore" });
  });
});

test("what is saved together with its role is in the log by its own id", async () => {
  const field = { record_type: "crm/leads", field: "industry", permission: "1" };
  const added = await post("access_controls/roles", "add", { name: "Auditor", code: "auditor", fields: [field] });
  expect(added.body.errors).toEqual([]);
  const role = { id: added.body.id };
  const seen = await service.get(`/access_controls/roles/view.json?id=${role.id}`, admin);
  const [{ id }] = seen.body.data.roles.fields;
  const edited = await post("access_controls/roles", "edit", { ...role, fields: [{ id, permission: "4" }] });
  expect(edited.body.errors).toEqual([]);
  const removed = await post("access_controls/roles", "edit", { ...role, fields: [{ id, deleted: "1" }] });
  expect(removed.body.errors).toEqual([]);
  const own = (await entries()).filter(({ subject }) => subject === `access_controls/role_fields ${id}`);
  expect(own.map(({ event, operation }) => [event, operation])).toEqual(
    ["delete", "edit", "add"].map((operation) => ["permission_changed", operation]),
  );
  expect(own[1]?.changes).toMatchObject({ permission: { from: "1", to: "4" } });
});

test("a view of one's own is nobody's business, until it is shared", async () => {
  const added = await post("core/listviews", "add", { name: "Mine", controller: "crm/leads", query: "{}" });
  const subject = `core/listviews ${added.body.id}`;
  expect((await entries()).filter((one) => one.subject === subject)).toEqual([]);
  await post("core/listviews", "edit", { id: added.body.id, is_personal: "0" });
  expect((await entries()).filter((one) => one.subject === subject)).toMatchObject([{ event: "view_changed" }]);
});

test("a record type is in the log from its first field to its end", async () => {
  const save = (fields: object[]) =>
    service.post(
      "/metadata/record_types/save.json",
      {
        definition: JSON.stringify({
          module: "crm",
          controller: "tickets",
          label: "Ticket",
          plural: "Tickets",
          displayField: "name",
          access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
          fields: [{ name: "name", type: "short-text", required: true }, ...fields],
        }),
        discard: "size",
      },
      admin,
    );
  const last = async () => (await entries()).find(({ subject }) => subject === "metadata/record_types crm/tickets");
  expect((await save([{ name: "size", type: "integer" }])).body.errors).toEqual([]);
  expect(await last()).toMatchObject({ event: "record_type_changed", operation: "add", user: "admin" });
  expect((await save([{ name: "color", type: "short-text" }])).body.errors).toEqual([]);
  expect(await last()).toMatchObject({
    operation: "edit",
    changes: { size: { from: "integer", to: null }, color: { from: null, to: "short-text" } },
  });
  await service.post("/metadata/record_types/remove.json", { key: "crm/tickets", is_confirm: "1" }, admin);
  expect(await last()).toMatchObject({ operation: "delete" });
});

test("a change of a record type that cannot be written down does not happen", async () => {
  const key = "crm/unwritten";
  const definition = {
    module: "crm",
    controller: "unwritten",
    label: "Unwritten",
    plural: "Unwritten",
    displayField: "name",
    access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
    fields: [{ name: "name", type: "short-text", required: true }],
  };
  const save = () =>
    service.post("/metadata/record_types/save.json", { definition: JSON.stringify(definition) }, admin);
  const remove = () => service.post("/metadata/record_types/remove.json", { key, is_confirm: "1" }, admin);
  const isThere = async () => (await service.get(`/${key}/index.json`, admin)).status === 200;
  const refuseEntries = () =>
    service.db.script(`
      create or replace function refuse_entries() returns trigger language plpgsql as $$
      begin if new.event = 'record_type_changed' then raise exception 'no room'; end if; return new; end $$;
      create trigger refuse_entries before insert on access_controls__audit_events
      for each row execute function refuse_entries()`);
  const takeEntries = () => service.db.script("drop trigger refuse_entries on access_controls__audit_events");

  await refuseEntries();
  expect((await save()).status).toBe(500);
  expect(await isThere()).toBe(false);
  await takeEntries();
  expect((await save()).status).toBe(200);
  await refuseEntries();
  expect((await remove()).status).toBe(500);
  expect(await isThere()).toBe(true);
  await takeEntries();
});

test("a wrong password for a security setting is in the log, by the setting", async () => {
  const bo = await addPerson(service, "bo.mistyped", ["sales_rep"]);
  const secret = "another long secret";
  const wrong = { user_password: "a wrong guess", otp: "000000" };
  const sent = {
    begin_mfa: wrong,
    end_mfa: wrong,
    renew_recovery_codes: wrong,
    change_password: { old_password: "a wrong guess", user_password: secret, confirm_password: secret },
  };
  for (const [operation, users] of Object.entries(sent)) {
    const answer = await service.post(`/access_controls/users/${operation}.json`, { data: { users } }, bo.token);
    expect([operation, answer.status]).toEqual([operation, 422]);
  }
  const failures = (await entries()).filter(({ event }) => event === "password_check_failed");
  expect(failures.map(({ user, setting }) => [user, setting])).toEqual(
    Object.keys(sent)
      .reverse()
      .map((operation) => ["bo.mistyped", operation]),
  );
  expect(JSON.stringify(failures)).not.toContain("a wrong guess");
});

test("a purge and a wrong code of the second step are in the log; what was purged is not named", async () => {
  const added = await post("crm/leads", "add", { last_name: "Erased" });
  await service.get(`/crm/leads/delete.json?id=${added.body.id}&is_confirm=1`, admin);
  await service.post(`/crm/leads/purge.json?id=${added.body.id}&is_confirm=1`, {}, admin);
  const [purged] = (await entries()).filter(({ event }) => event === "record_purged");
  expect(purged).toMatchObject({ user: "admin", subject: `crm/leads ${added.body.id}` });
  expect(JSON.stringify(purged)).not.toContain("Erased");

  const ada = await addPerson(service, "ada.coded", ["sales_rep"]);
  const { password } = service.admin;
  const begun = await service.post(
    "/access_controls/users/begin_mfa.json",
    { data: { users: { user_password: password } } },
    ada.token,
  );
  const otp = totpCode(begun.body.data.mfa.secret, stepAt(Date.now()));
  const tryOut = (operation: string, values: object) =>
    service.post(`/access_controls/users/${operation}.json`, { data: { users: values } }, ada.token);
  const wrongCode = { otp: otp === "000000" ? "111111" : "000000" };
  expect((await tryOut("confirm_mfa", wrongCode)).status).toBe(422);
  await service.post("/access_controls/users/confirm_mfa.json", { data: { users: { otp } } }, ada.token);
  const wrong = { user_name: "ada.coded", user_password: password, ...wrongCode };
  await service.post("/access_controls/users/login.json", { data: { users: wrong } });
  for (const operation of ["end_mfa", "renew_recovery_codes"]) {
    expect((await tryOut(operation, { user_password: password, ...wrongCode })).status).toBe(422);
  }
  const failures = (await entries()).filter(({ event }) => event === "mfa_failed");
  expect(failures.map(({ user, step }) => [user, step])).toEqual(
    ["renew_recovery_codes", "end_mfa", "code", "confirm_mfa"].map((step) => ["ada.coded", step]),
  );
});
