// The description of the interface: true for whoever asks, complete, and of use to programs that never saw us before.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { build } from "esbuild";
import { generate } from "openapi-typescript-codegen";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describedOperations } from "../../../server/controllers/metadata/openapi/describe-operations.ts";
import { describedCalls } from "../../../server/controllers/metadata/openapi/described-calls.ts";
import { ownOperations } from "../../../server/controllers/operations.ts";
import { sql } from "../../../server/database/sql.ts";
import { root } from "../../../server/lib/root.ts";
import { operations } from "../../../server/operations/index.ts";
import { startService, type TestService } from "../../service.ts";
import { addPerson, snapshot } from "../people.ts";

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

  test("describes every operation that a single controller has", () => {
    const missing = Object.entries(ownOperations).flatMap(([controller, table]) =>
      Object.keys(table)
        .filter((name) => describedCalls[controller]?.[name] === undefined)
        // Those that every record type has are described with it.
        .filter((name) => !(snapshot.types.has(controller) && describedOperations[name]))
        .map((name) => `${controller}/${name}`),
    );
    expect(missing).toEqual([]);
    for (const [controller, calls] of Object.entries(describedCalls)) {
      for (const [name, { isOpen = false }] of Object.entries(calls)) {
        const needs = ownOperations[controller]?.[name]?.authentication;
        expect([controller, name, needs]).toEqual([controller, name, isOpen ? "none" : "required"]);
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
    expect(Object.keys(own.paths)).not.toContain("/metadata/record_types/save.json");
    expect(Object.keys(all.paths)).toContain("/metadata/record_types/save.json");
    expect(JSON.stringify(own.components.schemas)).not.toContain("leads.score");
    expect(Object.keys(all.components.schemas["crm.leads.record"].properties)).toContain("score");
    expect(Object.keys(own.components.schemas["crm.leads.input"].properties)).not.toContain("score");
  });

  test("has no import and no transition where nothing can be imported or moved", async () => {
    const made = await service.post(
      "/access_controls/api_keys/add.json",
      { data: { api_keys: { name: "all", scope: "write" } } },
      admin,
    );
    const paths = Object.keys((await read(made.body.data.api_keys.secret)).paths);
    const calls = ["import", "import_columns", "transition", "undo_transition"];
    expect(calls.filter((name) => paths.includes(`/core/feed_links/${name}.json`))).toEqual([]);
    expect(calls.filter((name) => paths.includes(`/crm/leads/${name}.json`))).toEqual(calls);
  });

  test("needs a login", async () => {
    expect((await service.get("/openapi.json")).status).toBe(401);
  });
});

describe("docs/api.md and the description", () => {
  const page = readFileSync(path.join(root, "docs/api.md"), "utf8");
  const [anyType] = snapshot.types.values();
  if (!anyType) throw new Error("there is no record type");

  /** What each operation takes, in its address or its body: `view` of every record type, `core/jobs/undo` of one. */
  const described = new Map<string, ReadonlySet<string>>();
  const takes = (name: string, parameters: object = {}, body: { readonly properties?: object } = {}) =>
    described.set(name, new Set([...Object.keys(parameters), ...Object.keys(body.properties ?? {})]));
  for (const [name, { parameters, body }] of Object.entries(describedOperations)) {
    takes(name, parameters, body?.(anyType));
  }
  for (const [controller, calls] of Object.entries(describedCalls)) {
    for (const [name, { parameters, body }] of Object.entries(calls)) takes(`${controller}/${name}`, parameters, body);
  }

  /** What the page writes as an address with parameters: `GET …/view.json?id=&form=`. */
  const addresses = (): { readonly name: string; readonly parameters: readonly string[] }[] =>
    page.split("`").flatMap((span, index) => {
      const [address = "", query] = span.replaceAll(/[[\]]/g, "").split("?");
      const [, place = "", name = ""] = /(?:^| )(\S*)\/([a-z_]+)(?:\.json)?$/.exec(address) ?? [];
      if (index % 2 === 0 || query === undefined || name === "") return [];
      const isEvery = place === "\u2026" || place.includes("{");
      const parameters = query.split("&").map((one) => one.split("=", 1)[0] ?? "");
      return [{ name: isEvery ? name : `${place.slice(1)}/${name}`, parameters }];
    });

  /** The first cells of the table whose heading is `parameter`, behind a heading of the page. */
  function table(heading: string): readonly string[] {
    const [, section = ""] = page.split(`\n## ${heading}\n`);
    const [, rows = ""] = section.split(/^\| parameter \|.*\n\|[-|]+\n/m);
    const [own = ""] = rows.split("\n\n");
    return own
      .split("\n")
      .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
  }

  test("no address of the page has a parameter that is not described", () => {
    const known = addresses().filter(({ name }) => described.has(name));
    expect(known.length).toBeGreaterThan(20);
    const unknown = known.flatMap(({ name, parameters }) =>
      parameters.filter((one) => !described.get(name)?.has(one)).map((one) => `${name}: ${one}`),
    );
    expect(unknown).toEqual([]);
  });

  test.each([
    ["Lists", "index"],
    ["Import", "import"],
    ["Following changes", "core/changes/index"],
  ])("the parameters under %s are those of %s", (heading, name) => {
    const told = table(heading);
    expect(told.length).toBeGreaterThan(3);
    expect(told.filter((one) => !described.get(name)?.has(one))).toEqual([]);
  });

  test("every parameter that is described is explained on the page", () => {
    const told = new Set([
      ...[...page.matchAll(/`([a-z_]+)(?:`|=)/g)].map(([, name = ""]) => name),
      ...[...page.matchAll(/[?&[|]([a-z_]+)(?:=|\]|\\|&|`)/g)].map(([, name = ""]) => name),
    ]);
    const missing = [...described].flatMap(([name, parameters]) =>
      [...parameters].filter((one) => !told.has(one)).map((one) => `${name}: ${one}`),
    );
    expect(missing).toEqual([]);
  });

  test("tell the same failures with the same statuses", async () => {
    const [, section = ""] = page.split("\n## Failures\n");
    const told = [...section.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)].map(([, code = "", status]) => [
      code,
      Number(status),
    ]);
    const { refused, failed } = (await read(admin)).components.responses;
    expect(Object.fromEntries(told)).toEqual({ ...refused["x-statuses"], ...failed["x-statuses"] });
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

describe("a client that a generator made of the description", () => {
  /** As the generator names things: an object per tag, a method per operation. */
  type Generated = Record<string, Record<string, (sent: object) => Promise<Record<string, unknown>>>>;
  type Connect = new (options: { readonly BASE: string; readonly TOKEN: string }) => Generated;

  const definition = {
    module: "shop",
    controller: "orders",
    label: "Order",
    plural: "Orders",
    displayField: "name",
    fields: [
      { name: "name", type: "short-text", required: true },
      { name: "count", type: "integer" },
      {
        name: "state",
        type: "choice",
        settings: { options: ["open", "paid"].map((value) => ({ value, label: value.toUpperCase() })) },
      },
    ],
    access: { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] },
  };

  /** A buyer, whose role knows orders alone: what is generated is small. */
  async function buyer() {
    const saved = await service.post(
      "/metadata/record_types/save.json",
      { definition: JSON.stringify(definition) },
      admin,
    );
    expect(saved.body.errors).toEqual([]);
    const operations = [{ record_type: "shop/orders", operations: "index;view;add;edit;delete" }];
    const roles = { name: "Buyer", code: "buyer", operations };
    const role = await service.post(
      "/access_controls/roles/add.json",
      { data: { roles, action: { save_progress: "Save" } } },
      admin,
    );
    expect(role.body.errors).toEqual([]);
    return addPerson(service, "buyer", ["buyer"]);
  }

  test("lists, adds and edits records of a type that was made here", async () => {
    const { token } = await buyer();
    const folder = mkdtempSync(path.join(tmpdir(), "dossier-generated-"));
    try {
      const document = await read(token);
      await generate({ input: document, output: folder, clientName: "Dossier", useOptions: true });
      const outfile = path.join(folder, "client.mjs");
      await build({
        entryPoints: [path.join(folder, "index.ts")],
        outfile,
        bundle: true,
        format: "esm",
        logLevel: "error",
      });
      const { Dossier, ApiError } = (await import(outfile)) as { Dossier: Connect; ApiError: new () => Error };
      const { shopOrders: orders = {} } = new Dossier({ BASE: service.url, TOKEN: token });
      const action = { save_progress: "Save" };
      const requestBody = (values: object) => ({ requestBody: { data: { orders: values, action } } });
      const added = await orders.shopOrdersAdd?.(requestBody({ name: "Ten bolts", count: 10, state: "open" }));
      expect(added).toMatchObject({ errors: [], data: { orders: { name: "Ten bolts", count: "10" } } });
      await orders.shopOrdersEdit?.({ ...requestBody({ id: added?.id, state: "paid" }), idempotencyKey: "paid-once" });
      const q = JSON.stringify({ fields: ["orders.name", "orders.state"], where: { "orders.state": "paid" } });
      expect(await orders.shopOrdersIndex?.({ limit: 5, q })).toMatchObject({
        paginate: { total_count: 1, data: [{ "orders.name": "Ten bolts", "orders.state": "paid" }] },
      });
      const refused = orders.shopOrdersEdit?.(requestBody({ id: added?.id, state: "stolen" }));
      await expect(refused).rejects.toBeInstanceOf(ApiError);
      await expect(refused).rejects.toMatchObject({
        status: 422,
        body: { error_code: "invalid", errors_by_field: { "orders.state": [expect.any(String)] } },
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
