// The description of the interface: true for whoever asks, complete, and of use to programs that never saw us before.
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describedOperations } from "../../../server/controllers/metadata/openapi/describe-operations.ts";
import { describedCalls } from "../../../server/controllers/metadata/openapi/described-calls.ts";
import { ownOperations } from "../../../server/controllers/operations.ts";
import { sql } from "../../../server/database/sql.ts";
import { operations } from "../../../server/operations/index.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson } from "../people.ts";

let service: TestService;
let admin: string;

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
});
afterAll(() => service.stop());

const read = async (token: string) => (await service.get("/openapi.json", token)).body;

describe("/openapi.json", () => {
  test("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    expect(await validator.validate(await read(admin))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  test("describes every operation of a record type, and none that is not there", async () => {
    expect(Object.keys(describedOperations).sort()).toEqual(Object.keys(operations).sort());
    for (const [name, { body }] of Object.entries(describedOperations)) {
      expect([name, operations[name]?.methods]).toEqual([name, expect.arrayContaining([body ? "POST" : "GET"])]);
    }
    for (const [controller, calls] of Object.entries(describedCalls)) {
      for (const [name, { body }] of Object.entries(calls)) {
        const methods = ownOperations[controller]?.[name]?.methods;
        expect([controller, name, methods]).toEqual([
          controller,
          name,
          expect.arrayContaining([body ? "POST" : "GET"]),
        ]);
      }
    }
  });

  test("has what the caller can use: no operation, type or field that its roles keep from it", async () => {
    const nobody = await addPerson(service, "nobody", []);
    expect(Object.keys((await read(nobody.token)).paths)).not.toContain("/crm/leads/index.json");
    const rep = await addPerson(service, "rep", ["sales_rep"]);
    const role = await service.db.row(
      sql`select id::text as id from access_controls__roles where organization_id = 1 and code = 'sales_rep'`,
    );
    const roles = { id: role?.id, fields: [{ record_type: "crm/leads", field: "score", permission: "1" }] };
    const answer = await service.post(
      "/access_controls/roles/edit.json",
      { data: { roles, action: { save_progress: "Save" } } },
      admin,
    );
    expect(answer.body.errors).toEqual([]);
    const [own, all] = [await read(rep.token), await read(admin)];
    expect(Object.keys(own.paths)).toContain("/crm/leads/add.json");
    expect(JSON.stringify(own.components.schemas)).not.toContain("leads.score");
    expect(Object.keys(all.components.schemas["crm.leads.record"].properties)).toContain("score");
    expect(Object.keys(own.components.schemas["crm.leads.input"].properties)).not.toContain("score");
  });

  test("needs a login", async () => {
    expect((await service.get("/openapi.json")).status).toBe(401);
  });
});

test("a program that knows nothing but the description signs in, adds, lists, edits and deletes", async () => {
  const document = await read(admin);
  const call = async (
    operationId: string,
    sent: { headers?: object; query?: Record<string, string>; body?: object },
  ) => {
    for (const [path, item] of Object.entries<Record<string, { operationId: string }>>(document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        if (operation.operationId !== operationId) continue;
        const response = await fetch(`${service.url}${path}?${new URLSearchParams(sent.query)}`, {
          method,
          headers: { "content-type": "application/json", ...sent.headers },
          ...(sent.body ? { body: JSON.stringify(sent.body) } : {}),
        });
        expect([operationId, response.status]).toEqual([operationId, 200]);
        return response.json();
      }
    }
    throw new Error(`${operationId} is not described`);
  };
  const { userName: user_name, password: user_password } = service.admin;
  const { access_token: token } = await call("access_controls_users_login", {
    body: { data: { users: { user_name, user_password } } },
  });
  const headers = { authorization: `Bearer ${token}` };
  const action = { save_progress: "Save" };
  const added = await call("crm_leads_add", { headers, body: { data: { leads: { last_name: "Described" }, action } } });
  const leads = { id: added.id, city: "Ulm" };
  await call("crm_leads_edit", { headers, body: { data: { leads, action } } });
  const listed = await call("crm_leads_index", { headers, query: { search_basic: "Described", limit: "5" } });
  expect(listed.paginate.data).toHaveLength(1);
  const viewed = await call("crm_leads_view", { headers, query: { id: added.id } });
  expect(viewed.data.leads).toMatchObject({ city: "Ulm", last_name: "Described" });
  await call("crm_leads_delete", { headers, body: { id: added.id, is_confirm: "1" } });
});
