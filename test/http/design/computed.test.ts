// Computed fields on the wire: orders with lines, formulas over both, values of the customer looked up.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foldChanges } from "../../../server/database/changes.ts";
import { sql } from "../../../server/database/sql.ts";
import { startService, type TestService } from "../../service.ts";

type Json = Record<string, unknown>;

let service: TestService;
let admin: string;

const action = { save_progress: "Save" };
const open = { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] };
const type = (controller: string, fields: readonly Json[], more: Json = {}) => ({
  module: "shop",
  controller,
  label: controller.slice(0, -1),
  plural: controller,
  displayField: "name",
  fields: [{ name: "name", type: "short-text" }, ...fields],
  access: open,
  ...more,
});
const money = { settings: { precision: 18, scale: 2 } };
const customers = type("customers", [
  { name: "city", type: "short-text" },
  { name: "discount", type: "percent" },
]);
const lineFields = [
  { name: "order_id", type: "reference", settings: { to: "shop/orders" } },
  { name: "quantity", type: "integer" },
  { name: "price", type: "decimal", ...money },
  { name: "is_gift", type: "flag" },
  { name: "amount", type: "decimal", ...money, computed: { kind: "formula", formula: "quantity * price" } },
];
const plainOrders = type("orders", [
  { name: "customer_id", type: "reference", settings: { to: "shop/customers" } },
  { name: "ordered", type: "date" },
]);
const lines = type("lines", lineFields);
const orders = type(
  "orders",
  [
    { name: "customer_id", type: "reference", settings: { to: "shop/customers" } },
    { name: "ordered", type: "date" },
    {
      name: "total",
      type: "decimal",
      ...money,
      computed: {
        kind: "roll-up",
        type: "shop/lines",
        via: "order_id",
        function: "sum",
        field: "amount",
        where: "not is_gift",
      },
    },
    {
      name: "line_count",
      type: "integer",
      computed: { kind: "roll-up", type: "shop/lines", via: "order_id", function: "count" },
    },
    { name: "city", type: "short-text", computed: { kind: "lookup", through: ["customer_id"], field: "city" } },
    {
      name: "net",
      type: "decimal",
      ...money,
      computed: { kind: "formula", formula: "total * (100 - coalesce(discount, 0)) / 100" },
    },
    { name: "discount", type: "percent", computed: { kind: "lookup", through: ["customer_id"], field: "discount" } },
    { name: "due", type: "date", computed: { kind: "formula", formula: "ordered + 14" } },
  ],
  { associations: [{ kind: "has-many", name: "lines", type: "shop/lines", via: "order_id", owned: true }] },
);

const save = (definition: unknown, more: Record<string, string> = {}) =>
  service.post("/metadata/record_types/save.json", { definition: JSON.stringify(definition), ...more }, admin);
const faultsOf = async (definition: unknown): Promise<string[]> => {
  const { status, body } = await save(definition);
  expect(status).toBe(422);
  return body.errors;
};
const add = async (controller: string, values: Json): Promise<string> => {
  const { body } = await service.post(
    `/shop/${controller}/add.json`,
    { data: { [controller]: values, action } },
    admin,
  );
  expect(body.errors).toEqual([]);
  return body.id;
};
const edit = (controller: string, id: string, values: Json) =>
  service.post(`/shop/${controller}/edit.json`, { data: { [controller]: { id, ...values }, action } }, admin);
const view = async (controller: string, id: string, token = admin): Promise<Json> =>
  (await service.get(`/shop/${controller}/view.json?id=${id}`, token)).body.data[controller];
const list = async (controller: string, q: Json, token = admin) =>
  service.get(`/shop/${controller}/index.json?q=${encodeURIComponent(JSON.stringify(q))}`, token);

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  for (const one of [customers, plainOrders, lines, orders]) expect((await save(one)).body.errors).toEqual([]);
});
afterAll(() => service.stop());

describe("computed fields", () => {
  test("follow the record, its lines and what it refers to", async () => {
    const customer = await add("customers", { name: "Ada", city: "London", discount: "10" });
    const order = await add("orders", {
      name: "O1",
      customer_id: customer,
      ordered: "2026-11-16",
      lines: [
        { name: "a", quantity: "2", price: "10.50" },
        { name: "b", quantity: "1", price: "5" },
      ],
    });
    expect(await view("orders", order)).toMatchObject({
      total: "26.00",
      line_count: "2",
      city: "London",
      discount: "10.00",
      net: "23.40",
      due: "2026-11-30",
    });
    const before = await view("orders", order);
    const line = await add("lines", { name: "c", order_id: order, quantity: "3", price: "1" });
    expect(await view("lines", line)).toMatchObject({ amount: "3.00" });
    const after = await view("orders", order);
    expect(after).toMatchObject({ total: "29.00", line_count: "3", net: "26.10" });
    // Nobody changed the order.
    expect([after.revision, after.modified]).toEqual([before.revision, before.modified]);
    await edit("lines", line, { is_gift: "1" });
    expect(await view("orders", order)).toMatchObject({ total: "26.00", line_count: "3" });
    await edit("customers", customer, { city: "Paris", discount: null });
    expect(await view("orders", order)).toMatchObject({ city: "Paris", discount: null, net: "26.00" });
    await service.get(`/shop/lines/delete.json?id=${line}&is_confirm=1`, admin);
    expect(await view("orders", order)).toMatchObject({ line_count: "2" });
    await service.post(`/shop/lines/restore.json?id=${line}`, {}, admin);
    expect(await view("orders", order)).toMatchObject({ line_count: "3" });
  });

  test("are filtered, sorted, grouped and exported like any other, and nobody writes them", async () => {
    const order = await add("orders", { name: "O2", lines: [{ name: "x", quantity: "7", price: "1000" }] });
    const found = await list("orders", {
      fields: ["orders.total"],
      where: { "orders.total": { op: ">", value: "5000" } },
    });
    expect(found.body.paginate.data).toMatchObject([{ "orders.id": order, "orders.total": "7000.00" }]);
    const sorted = await list("orders", { fields: ["orders.name"], order: ["orders.total DESC"] });
    expect(sorted.body.paginate.data[0]).toMatchObject({ "orders.id": order });
    const grouped = await list("orders", {
      fields: ["orders.line_count", "count(orders.id) as n"],
      group: ["orders.line_count"],
    });
    expect(grouped.body.errors).toEqual([]);
    const file = await service.get(
      `/shop/orders/export.json?format=csv&q=${encodeURIComponent(JSON.stringify({ fields: ["orders.name", "orders.total"] }))}`,
      admin,
    );
    expect(file.status).toBe(200);
    const sent = await edit("orders", order, { total: "1", name: "O2b" });
    expect(sent.body.errors).toEqual([]);
    expect(await view("orders", order)).toMatchObject({ total: "7000.00", name: "O2b" });
    const history = await service.get(`/shop/orders/revisions.json?id=${order}`, admin);
    expect(JSON.stringify(history.body)).not.toContain("7000");
  });

  test("follow lines that move to another order, and those that are purged", async () => {
    const [one, two] = [await add("orders", { name: "one" }), await add("orders", { name: "two" })];
    expect(await view("orders", one)).toMatchObject({ total: "0.00", line_count: "0" });
    const line = await add("lines", { name: "l", order_id: one, quantity: "1", price: "8" });
    await edit("lines", line, { order_id: two });
    expect([(await view("orders", one)).total, (await view("orders", two)).total]).toEqual(["0.00", "8.00"]);
    await edit("lines", line, { order_id: null });
    expect((await view("orders", two)).total).toBe("0.00");
  });

  test("are worked out for the records that are there, by a job that tells how far it is", async () => {
    const order = await add("orders", { name: "later", ordered: "2026-01-01" });
    await foldChanges(service.db);
    const there = await service.db.row(
      sql`select count(*)::text as total from shop__orders where organization_id = 1 and deleted = 0`,
    );
    const changed = {
      ...orders,
      fields: orders.fields.map((field) =>
        field.name === "due" ? { ...field, computed: { kind: "formula", formula: "ordered + 30" } } : field,
      ),
    };
    expect((await save(changed)).body.errors).toEqual([]);
    await expect.poll(async () => (await view("orders", order)).due).toBe("2026-01-31");
    await expect
      .poll(
        async () =>
          (await service.get("/metadata/record_types/view.json?key=shop/orders", admin)).body.data.record_types
            .computing,
      )
      .toEqual([]);
    const work = await service.db.row(sql`
      select total::text as total from core__computed_work
      where organization_id = 1 and record_type = 'shop/orders' and fields @> '{due}' order by id desc limit 1`);
    expect(work).toEqual(there);
    expect((await save(orders)).body.errors).toEqual([]);
  });
});

describe("what would take too long for whoever waits", () => {
  test("is looked up by very many records soon after", async () => {
    const customer = await add("customers", { name: "Large", city: "Bonn" });
    const order = await add("orders", { name: "first", customer_id: customer });
    await service.db.run(sql`
      insert into shop__orders (organization_id, name, customer_id, acl_id)
      select organization_id, 'more ' || n, customer_id, acl_id from shop__orders, generate_series(1, 1200) n where id = ${order}::bigint`);
    expect((await edit("customers", customer, { city: "Kiel" })).body.errors).toEqual([]);
    const cities = async () =>
      (
        await service.db.rows(sql`
          select city, count(*)::text as count from shop__orders where customer_id = ${customer}::bigint group by city`)
      ).map(({ city, count }) => `${city} ${count}`);
    await expect.poll(cities, { timeout: 20_000 }).toEqual(["Kiel 1201"]);
  });

  test("is rolled up from very many records soon after, and again after more of them", async () => {
    const order = await add("orders", { name: "long" });
    const line = await add("lines", { name: "first", order_id: order, quantity: "1", price: "1" });
    await service.db.run(sql`
      insert into shop__lines (organization_id, name, order_id, amount, acl_id)
      select organization_id, 'more ' || n, order_id, amount, acl_id from shop__lines, generate_series(1, 10000) n where id = ${line}::bigint`);
    await add("lines", { name: "last", order_id: order, quantity: "2", price: "1" });
    await expect.poll(async () => (await view("orders", order)).total, { timeout: 20_000 }).toBe("10003.00");
    await edit("lines", line, { quantity: "5" });
    await expect.poll(async () => (await view("orders", order)).total, { timeout: 20_000 }).toBe("10007.00");
  });

  test("goes on where a process was killed", async () => {
    const order = await add("orders", { name: "left", ordered: "2026-03-01" });
    await service.db.run(sql`update shop__orders set due = null where id = ${order}::bigint`);
    await service.db.run(sql`
      insert into core__computed_work (organization_id, record_type, fields, source, reached, done, total)
      values (1, 'shop/orders', '{due}', '{}', ${String(Number(order) - 1)}, 5, 6)`);
    await expect.poll(async () => (await view("orders", order)).due, { timeout: 20_000 }).toBe("2026-03-15");
  });
});

describe("a design", () => {
  const withField = (field: Json) => type("lines", [...lineFields, field]);
  const formula = (source: string, more: Json = {}) =>
    withField({ name: "extra", type: "decimal", computed: { kind: "formula", formula: source }, ...more });

  test.each([
    ["quantity * nothing", "there is no field nothing, at position 12"],
    ["quantity *", "at the end"],
    ['quantity + "a"', "this must be a number, not text, at position 12"],
    ["name", "this must be a number, not text, at position 1"],
    ["order_id + 1", "order_id can't be used in a formula, at position 1"],
    ["today() + 1", "today() changes over time"],
    ["extra + 1", "circular reference between computed fields"],
    [`${"(".repeat(40)}1${")".repeat(40)}`, "nested more than 32 levels deep"],
    [Array(150).fill("quantity").join("+"), "the formula is too long (at most 200 parts)"],
    ["round(price, 99)", "the number of decimal places must be 0 to 12, at position 14"],
  ])("refuses the formula %s", async (source, words) => {
    expect((await faultsOf(formula(source))).join("\n")).toContain(words);
  });

  test("refuses circles over several record types, naming the way", async () => {
    const spent = (formula: string) => ({ name: "spent", type: "decimal", computed: { kind: "formula", formula } });
    const ofCustomer = { kind: "lookup", through: ["customer_id"], field: "spent" };
    const all = { kind: "roll-up", type: "shop/orders", via: "customer_id", function: "sum", field: "spent" };
    const customerFields = customers.fields.slice(1);
    const withSpent = {
      ...orders,
      fields: [...orders.fields, { name: "spent", type: "decimal", computed: ofCustomer }],
    };
    expect((await save(type("customers", [...customerFields, spent("discount")]))).body.errors).toEqual([]);
    expect((await save(withSpent)).body.errors).toEqual([]);
    const ring = [...customerFields, spent("everything"), { name: "everything", type: "decimal", computed: all }];
    expect((await faultsOf(type("customers", ring))).join("\n")).toContain(
      "order: Spent → customer: Spent → customer: Everything → order: Spent",
    );
    for (const one of [orders, customers]) expect((await save(one)).body.errors).toEqual([]);
  });

  test("refuses lookups through five references, and amounts that lead nowhere", async () => {
    const far = withField({
      name: "extra",
      type: "short-text",
      computed: { kind: "lookup", through: ["order_id", "a", "b", "c", "d"], field: "name" },
    });
    expect((await faultsOf(far)).join("\n")).toContain("follows 5 references. At most 3 are allowed");
    const nowhere = withField({
      name: "extra",
      type: "short-text",
      computed: { kind: "lookup", through: ["name"], field: "name" },
    });
    expect((await faultsOf(nowhere)).join("\n")).toContain("name doesn't refer to another record");
  });

  test("keeps what a computed field needs, and says which one needs it", async () => {
    const { fields, ...rest } = lines;
    const without = (name: string) => ({ ...rest, fields: fields.filter((field) => field.name !== name) });
    expect((await faultsOf(without("price"))).join("\n")).toMatch(/fields\.amount\.computed.*there is no field price/);
    expect((await faultsOf(without("is_gift"))).join("\n")).toMatch(/Is gift is used by the roll-up Total of orders/i);
    const retyped = {
      ...rest,
      fields: fields.map((field) => (field.name === "price" ? { ...field, type: "short-text", settings: {} } : field)),
    };
    expect((await faultsOf(retyped)).join("\n")).toMatch(/fields\.amount\.computed.*must be a number/);
  });

  test("keeps amounts of money in one currency, and apart from plain numbers", async () => {
    const deals = (formula: string, settings: Json = {}) =>
      type("deals", [
        { name: "currency_id", type: "reference", settings: { to: "masters/currencies" } },
        { name: "price", type: "money", settings: { currencyField: "currency_id" } },
        { name: "fee", type: "money" },
        { name: "quantity", type: "integer" },
        { name: "total", type: "money", settings, computed: { kind: "formula", formula } },
      ]);
    const told = async (formula: string, settings: Json = {}) => (await faultsOf(deals(formula, settings))).join("\n");
    expect(await told("price + fee")).toContain("price and fee are amounts in different currencies");
    expect(await told("price + quantity")).toContain("price is an amount of money and quantity a plain number");
    expect(await told("price * quantity")).toContain("Choose Currency as the currency of the result");
    expect(await told("fee * quantity", { currencyField: "currency_id" })).toContain(
      "Clear the currency field of the result",
    );
    expect((await save(deals("quantity * price", { currencyField: "currency_id" }))).body.errors).toEqual([]);
    // A design that was in force elsewhere is taken as it is.
    const stored = { ...deals("price + quantity"), controller: "offers" };
    const files = { "record_types/shop.offers.json": stored };
    const design = JSON.stringify({ format: "dossier-design", version: 1, name: "Offers", files });
    expect((await service.post("/metadata/designs/apply.json", { design }, admin)).body.errors).toEqual([]);
    const labeled = stored.fields.map((one) => (one.name === "total" ? { ...one, label: "In all" } : one));
    expect((await save({ ...stored, fields: labeled })).body.errors).toEqual([]);
    // So is one whose fields get other names; another formula beside that is not.
    const renamed = (formula: string) => ({
      ...stored,
      fields: labeled.map((one) => {
        if (one.name === "quantity") return { ...one, name: "pieces", aliases: ["quantity"] };
        return one.name === "total" ? { ...one, computed: { kind: "formula", formula } } : one;
      }),
    });
    expect((await faultsOf(renamed("price - pieces"))).join("\n")).toContain("price is an amount of money");
    expect((await save(renamed("price + pieces"))).body.errors).toEqual([]);
  });

  test("does not write over what people have filled in", async () => {
    const changed = type("customers", [
      { name: "city", type: "short-text", computed: { kind: "formula", formula: 'name & "!"' } },
      { name: "discount", type: "percent" },
    ]);
    expect((await faultsOf(changed)).join("\n")).toContain("city has values that people entered");
  });

  test("lets a computed field go without asking", async () => {
    expect((await save(formula("quantity + 1"))).body.errors).toEqual([]);
    expect((await save(lines)).body.errors).toEqual([]);
    const column = await service.db.row(sql`
      select 1 as found from pg_attribute where attrelid = 'shop__lines'::regclass and attname = 'extra' and not attisdropped`);
    expect(column).toBeUndefined();
  });

  test("extends built-in types the same way", async () => {
    const { body } = await service.get("/metadata/record_types/view.json?key=crm/companies", admin);
    const definition = JSON.parse(body.data.record_types.definition);
    definition.fields.push(
      { name: "x_shout", type: "short-text", computed: { kind: "formula", formula: 'name & " 🎉"' } },
      {
        name: "x_people",
        type: "integer",
        computed: { kind: "roll-up", type: "crm/peoples", via: "company_id", function: "count" },
      },
    );
    const saved = await save(definition);
    expect(saved.body.errors).toEqual([]);
    const company = await service.post(
      "/crm/companies/add.json",
      { data: { companies: { name: "Acme" }, action } },
      admin,
    );
    expect(company.body.errors).toEqual([]);
    expect(company.body.data.companies).toMatchObject({ x_shout: "Acme 🎉", x_people: "0" });
  });
});
