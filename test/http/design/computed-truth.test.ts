// Computed fields under concurrent writes of two processes, held against a naive recomputation from what people entered: whatever is
// edited, moved, deleted, restored, purged, reverted and undone at the same time, stored values are right once everything is committed.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { runs } from "../../runs.ts";
import { startTwoServices, type TestService, type TwoServices } from "../../service.ts";

type Json = Record<string, unknown>;

let both: TwoServices;
let admin: string;

const access = { read: ["organization"], edit: ["organization"], delete: ["organization"], comment: [] };
const exact = { type: "decimal", settings: { precision: 18, scale: 2 } };
const type = (controller: string, fields: readonly Json[]) => ({
  module: "shop",
  controller,
  label: controller,
  plural: controller,
  displayField: "name",
  fields: [{ name: "name", type: "short-text" }, ...fields],
  access,
});
const reference = (name: string, to: string) => ({ name, type: "reference", settings: { to } });
const customers = [{ name: "city", type: "short-text" }];
const orders = [reference("customer_id", "shop/customers")];
const lines = [
  reference("order_id", "shop/orders"),
  { name: "quantity", type: "integer" },
  { name: "price", ...exact },
  { name: "is_gift", type: "flag" },
];
const rollUp = (of: string, via: string, name: string, field?: string, where?: string) => ({
  kind: "roll-up",
  type: of,
  via,
  function: name,
  ...(field ? { field } : {}),
  ...(where ? { where } : {}),
});
const computed = {
  lines: [
    { name: "amount", ...exact, computed: { kind: "formula", formula: "quantity * price" } },
    {
      name: "city",
      type: "short-text",
      computed: { kind: "lookup", through: ["order_id", "customer_id"], field: "city" },
    },
  ],
  orders: [
    { name: "total", ...exact, computed: rollUp("shop/lines", "order_id", "sum", "amount", "not is_gift") },
    { name: "biggest", ...exact, computed: rollUp("shop/lines", "order_id", "max", "amount") },
    { name: "doubled", ...exact, computed: { kind: "formula", formula: "total * 2" } },
  ],
  customers: [
    { name: "spent", ...exact, computed: rollUp("shop/orders", "customer_id", "sum", "doubled") },
    { name: "count", type: "integer", computed: rollUp("shop/orders", "customer_id", "count") },
  ],
};

const ids: Record<"customers" | "orders" | "lines", string[]> = { customers: [], orders: [], lines: [] };
const action = { save_progress: "Save" };
const serviceOf = (at: number): TestService => (at % 2 === 0 ? both.service : both.second);

beforeAll(async () => {
  both = await startTwoServices();
  admin = await both.service.login();
  const save = async (definition: unknown) => {
    const { body } = await both.service.post(
      "/metadata/record_types/save.json",
      { definition: JSON.stringify(definition) },
      admin,
    );
    expect(body.errors).toEqual([]);
  };
  await save(type("customers", customers));
  await save(type("orders", orders));
  await save(type("lines", lines));
  for (const [controller, count] of [
    ["customers", 2],
    ["orders", 4],
    ["lines", 8],
  ] as const) {
    for (let at = 0; at < count; at += 1) {
      const tied = {
        orders: { customer_id: ids.customers[at % 2] },
        lines: { order_id: ids.orders[at % 4], quantity: "1", price: "2.50" },
        customers: {},
      };
      const values = { name: `${controller} ${at}`, ...tied[controller] };
      const { body } = await both.service.post(
        `/shop/${controller}/add.json`,
        { data: { [controller]: values, action } },
        admin,
      );
      expect(body.errors).toEqual([]);
      ids[controller].push(body.id);
    }
  }
  // For records that are there already.
  await save(type("lines", [...lines, computed.lines[0] ?? {}]));
  await save(type("orders", [...orders, ...computed.orders]));
  await save(type("customers", [...customers, ...computed.customers]));
  await save(type("lines", [...lines, ...computed.lines]));
});
afterAll(() => both.stop());

interface Line {
  readonly order_id: string | null;
  readonly quantity: string | null;
  readonly price: string | null;
  readonly is_gift: string | null;
  readonly deleted: string;
}

const cents = (text: string | null | undefined): number => Math.round(Number(text ?? 0) * 100);
const written = (amount: number | null): string | null => (amount === null ? null : (amount / 100).toFixed(2));

/** Loops over plain rows; says of every stored value that is not the right one. */
async function falseValues(): Promise<string[]> {
  const rows = async <T>(table: string): Promise<(T & Json)[]> => {
    return (await both.service.db.rows(
      table === "lines"
        ? sql`select id::text as id, order_id::text as order_id, quantity::text as quantity, price::text as price, is_gift::text as is_gift,
            deleted::text as deleted, amount::text as amount, city from shop__lines`
        : table === "orders"
          ? sql`select id::text as id, customer_id::text as customer_id, deleted::text as deleted, total::text as total,
              biggest::text as biggest, doubled::text as doubled from shop__orders`
          : sql`select id::text as id, city, spent::text as spent, count::text as count from shop__customers`,
    )) as unknown as (T & Json)[];
  };
  const [allLines, allOrders, allCustomers] = [
    await rows<Line>("lines"),
    await rows<Json>("orders"),
    await rows<Json>("customers"),
  ];
  const wrong: string[] = [];
  const hold = (what: string, is: unknown, right: unknown) => {
    if (is !== right) wrong.push(`${what} is ${is}, not ${right}`);
  };
  const amountOf = ({ quantity, price }: Line) =>
    quantity === null || price === null ? null : Number(quantity) * cents(price);
  const totals = new Map<unknown, number>();
  for (const order of allOrders) {
    const own = allLines.filter((line) => line.order_id === order.id && line.deleted === "0");
    const total = own.filter((line) => line.is_gift !== "1").reduce((sum, line) => sum + (amountOf(line) ?? 0), 0);
    const amounts = own.map(amountOf).filter((one) => one !== null);
    totals.set(order.id, total);
    hold(`total of order ${order.id}`, order.total, written(total));
    hold(`doubled of order ${order.id}`, order.doubled, written(total * 2));
    hold(`biggest of order ${order.id}`, order.biggest, written(amounts.length === 0 ? null : Math.max(...amounts)));
  }
  for (const line of allLines) {
    const order = allOrders.find(({ id }) => id === line.order_id);
    const customer = allCustomers.find(({ id }) => id === order?.customer_id);
    hold(`amount of line ${line.id}`, line.amount, written(amountOf(line)));
    hold(`city of line ${line.id}`, line.city, customer?.city ?? null);
  }
  for (const customer of allCustomers) {
    const own = allOrders.filter((order) => order.customer_id === customer.id && order.deleted === "0");
    hold(`count of customer ${customer.id}`, customer.count, String(own.length));
    const spent = own.reduce((sum, { id }) => sum + 2 * (totals.get(id) ?? 0), 0);
    hold(`spent of customer ${customer.id}`, customer.spent, written(spent));
  }
  return wrong;
}

const among = (controller: keyof typeof ids) =>
  fc.nat({ max: 7 }).map((at) => ids[controller][at % ids[controller].length] ?? "");
const lineValues = fc.oneof(
  fc.record({ quantity: fc.constantFrom("0", "1", "7", null) }),
  fc.record({ price: fc.constantFrom("0.10", "99.99", null), is_gift: fc.constantFrom("0", "1") }),
  fc.record({ order_id: fc.option(among("orders")) }),
);
type Call = { readonly path: string; readonly body: Json };
const edit = (controller: string, id: string, values: Json): Call => ({
  path: `/shop/${controller}/edit.json`,
  body: { data: { [controller]: { id, ...values }, action } },
});
const post = (path: string): Call => ({ path, body: {} });
/** Made when it is tried: the records are only known then. */
const calls = () =>
  fc.oneof(
    fc.tuple(among("lines"), lineValues).map(([id, values]) => edit("lines", id, values)),
    fc
      .tuple(among("customers"), fc.constantFrom("Rome", "Oslo", null))
      .map(([id, city]) => edit("customers", id, { city })),
    fc
      .tuple(among("orders"), fc.option(among("customers")))
      .map(([id, customer_id]) => edit("orders", id, { customer_id })),
    fc.tuple(fc.option(among("orders")), fc.constantFrom("1", "3")).map(([order_id, quantity]) => ({
      path: "/shop/lines/add.json",
      body: { data: { lines: { name: "more", order_id, quantity, price: "1.25" }, action } },
    })),
    fc.tuple(fc.array(among("lines"), { minLength: 2, maxLength: 5 }), lineValues).map(([chosen, values]) => ({
      path: "/shop/lines/edit_selected.json",
      body: { ids: chosen.join(","), data: { lines: values } },
    })),
    fc
      .array(among("lines"), { minLength: 1, maxLength: 3 })
      .map((chosen) => post(`/shop/lines/delete_selected.json?ids=${chosen.join(",")}&is_confirm=1`)),
    fc.tuple(fc.constantFrom("orders", "lines"), fc.nat({ max: 7 })).map(([controller, at]) => {
      const own = ids[controller];
      return post(`/shop/${controller}/delete.json?id=${own[at % own.length]}&is_confirm=1&override=1`);
    }),
    among("lines").map((id) => post(`/shop/lines/restore.json?id=${id}`)),
    among("orders").map((id) => post(`/shop/orders/restore.json?id=${id}`)),
    fc
      .tuple(among("lines"), fc.integer({ min: 1, max: 3 }))
      .map(([id, number]) => post(`/shop/lines/revert.json?id=${id}&revision=${number}`)),
  );

test("what is there already is computed by a job", async () => {
  await expect.poll(falseValues, { timeout: 30_000 }).toEqual([]);
});

test("stored values are right after every round of concurrent writes", { timeout: 240_000 }, async () => {
  const answers = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(calls(), { minLength: 3, maxLength: 10 }), async (round) => {
      const sent = await Promise.all(round.map(({ path, body }, at) => serviceOf(at).post(path, body, admin)));
      for (const { status } of sent) answers.set(status, (answers.get(status) ?? 0) + 1);
      expect(sent.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
      const jobs = sent.flatMap(({ body }) => (typeof body.job_id === "string" ? [body.job_id] : []));
      expect(await falseValues()).toEqual([]);
      await Promise.all(jobs.slice(0, 2).map((id) => both.service.post(`/core/jobs/undo.json?id=${id}`, {}, admin)));
      expect(await falseValues()).toEqual([]);
    }),
    { numRuns: runs(8), endOnFailure: true },
  );
  // Most of them were changes.
  expect(answers.get(200) ?? 0).toBeGreaterThan(10);
});

test("what is purged is counted no more", async () => {
  const order = ids.orders[0] ?? "";
  await both.service.post(`/shop/orders/restore.json?id=${order}`, {}, admin);
  const { body } = await both.service.post(
    "/shop/lines/add.json",
    { data: { lines: { name: "gone", order_id: order, quantity: "5", price: "1" }, action } },
    admin,
  );
  await both.service.post(`/shop/lines/delete.json?id=${body.id}&is_confirm=1`, {}, admin);
  const purged = await both.service.post(`/shop/lines/purge.json?id=${body.id}&is_confirm=1`, {}, admin);
  expect(purged.body.errors).toEqual([]);
  expect(await falseValues()).toEqual([]);
});
