// Whoever is named in a share, a policy or a workflow exists in the organization; anybody else is refused by name.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let rep: Person;
let lead: string;

const save = (type: string, operation: string, values: object, token = admin) =>
  service.post(
    `/${type}/${operation}.json`,
    { data: { [type.split("/")[1] ?? ""]: values, action: { save_continue: "1" } } },
    token,
  );
const principalOf = async (table: string, id: string) =>
  (
    await service.db.row(
      table === "users"
        ? sql`select principal_id::text as p from access_controls__users where id = ${id}::bigint`
        : sql`select principal_id::text as p from access_controls__groups where id = ${id}::bigint`,
    )
  )?.p ?? "";
const shares = async () => {
  const row = await service.db.row(sql`select count(*)::text as n from access_controls__shares where deleted = 0`);
  return row?.n;
};

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  rep = await addPerson(service, "rep", ["sales_rep"]);
  [lead = ""] = await addRows(service, "crm/leads", [
    { last_name: "Shared", name: "Shared", owned_by: rep.id, status: "new" },
  ]);
});
afterAll(() => service.stop());

describe("a share", () => {
  const refusal = { "shares.principal_id": ["Choose a user or group of your organization"] };

  test("with nobody, somebody of another organization or somebody who is gone is refused", async () => {
    const stranger = await addOrganization(service, "stranger");
    const gone = await addPerson(service, "gone", ["sales_rep"]);
    const group = (await save("access_controls/groups", "add", { name: "Dissolved" })).body.id;
    const goneOnes = [await principalOf("users", gone.id), await principalOf("groups", group)];
    for (const [type, id] of [
      ["users", gone.id],
      ["groups", group],
    ]) {
      await service.post(`/access_controls/${type}/delete.json?id=${id}&is_confirm=1`, {}, admin);
    }
    const nobody = ["0", "-1", "987654", "2147483648", "9223372036854775807"];
    const foreign = await principalOf("users", stranger.id);
    for (const principal_id of [...nobody, foreign, ...goneOnes]) {
      const shared = await service.post(`/crm/leads/share.json?id=${lead}`, { principal_id }, rep.token);
      expect([principal_id, shared.status, shared.body.errors_by_field]).toEqual([principal_id, 422, refusal]);
      const related = { related_type: "crm/leads", related_id: lead, principal_id, rights: "read" };
      const added = await save("access_controls/shares", "add", related, rep.token);
      expect([principal_id, added.status, added.body.errors_by_field]).toEqual([principal_id, 422, refusal]);
    }
    expect(await shares()).toBe("0");
  });

  test("is not moved to somebody who does not exist, nor restored for somebody who is gone", async () => {
    const friend = await addPerson(service, "friend", ["sales_rep"]);
    const principal_id = await principalOf("users", friend.id);
    const shared = await service.post(`/crm/leads/share.json?id=${lead}`, { principal_id }, rep.token);
    const { id } = shared.body.data.access.shares[0];
    const moved = await save("access_controls/shares", "edit", { id, principal_id: "987654" }, rep.token);
    expect([moved.status, moved.body.errors_by_field]).toEqual([422, refusal]);
    await service.post(`/crm/leads/unshare.json?id=${lead}&share=${id}`, {}, rep.token);
    await service.post(`/access_controls/users/delete.json?id=${friend.id}&is_confirm=1`, {}, admin);
    expect((await service.post(`/access_controls/shares/restore.json?id=${id}`, {}, admin)).status).not.toBe(200);
    expect(await shares()).toBe("0");
  });
});

describe("a policy", () => {
  const policy = (role: string) => JSON.stringify({ read: ["owner", role], edit: ["owner"], delete: [], comment: [] });

  test("names roles that exist", async () => {
    const wrong = await save("access_controls/policies", "add", {
      record_type: "crm/leads",
      policy: policy("role:sales_repp"),
    });
    expect([wrong.status, wrong.body.errors_by_field]).toEqual([
      422,
      { "policies.policy": ["Policy read: the role sales_repp does not exist in your organization"] },
    ]);
    const good = await save("access_controls/policies", "add", {
      record_type: "crm/leads",
      policy: policy("role:sales_rep"),
    });
    expect([good.status, good.body.errors]).toEqual([200, []]);
    // There is one of a record type: which one it is, and that it can be edited, is told.
    const again = await save("access_controls/policies", "add", { record_type: "crm/leads", policy: policy("owner") });
    const other = await save("access_controls/policies", "add", {
      record_type: "crm/companies",
      policy: policy("owner"),
    });
    const moved = await save("access_controls/policies", "edit", { id: other.body.id, record_type: "crm/leads" });
    const told = `Leads already have an access policy. Edit that policy instead (ID ${good.body.id})`;
    for (const { status, body } of [again, moved]) {
      expect([status, body.errors_by_field]).toEqual([409, { "policies.record_type": [told] }]);
    }
    const edited = await save("access_controls/policies", "edit", { id: good.body.id, policy: policy("role:nobody") });
    expect([edited.status, Object.keys(edited.body.errors_by_field)]).toEqual([422, ["policies.policy"]]);
  });
});

describe("a workflow", () => {
  const definition = (who: { actors?: string[]; by?: string[]; to?: string[] }) =>
    JSON.stringify({
      stages: [
        { key: "open", name: "Open", kind: "start", actors: who.actors ?? [] },
        { key: "closed", name: "Closed", kind: "end" },
      ],
      transitions: [
        {
          name: "close",
          label: "Close",
          from: "open",
          to: "closed",
          ...(who.by ? { by: who.by } : {}),
          effects: who.to ? [{ notify: { to: who.to, text: "Closed" } }] : [],
        },
      ],
    });

  test("names actors that exist in the organization", async () => {
    const stranger = await addOrganization(service, "passer-by");
    for (const actor of ["role:nobody", "group:987654", "user:987654", `user:${stranger.id}`]) {
      for (const who of [{ actors: [actor] }, { by: [actor] }, { to: [actor] }]) {
        const added = await save("core/workflows", "add", {
          name: "Closing",
          controller: "crm/companies",
          definition: definition(who),
        });
        expect([added.status, added.body.errors_by_field]).toEqual([
          422,
          { "workflows.definition": [`Definition ${actor} does not exist`] },
        ]);
      }
    }
  });
});
