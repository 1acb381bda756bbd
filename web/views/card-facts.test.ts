import { expect, test } from "vitest";
import type { RecordTypeSchema } from "../../client/design/record-types.ts";
import type { Column } from "../screens/list/columns/columns.ts";
import { cardFacts, furtherFields } from "./card-facts.ts";

const field = (name: string, type: string, more: object = {}) => ({
  name,
  column_name: `deals.${name}`,
  type,
  permission: 2,
  ...more,
});
const fields = [
  field("name", "short-text"),
  field("amount", "money"),
  field("list_price", "money"),
  field("close", "date", { settings: { due: 1 } }),
  field("owned_by", "reference", { system: true }),
  field("created_by", "reference", { system: true }),
  field("source", "choice"),
];
const schema = (more: readonly object[] = fields) => ({ fields: more }) as unknown as RecordTypeSchema;
const columns = (...names: readonly string[]) =>
  names.map((name, index) => {
    const own = fields.find((one) => one.name === name);
    return { name: `deals.${name}`, own, field: { type: own?.type }, opens: index === 0 } as unknown as Column;
  });

test("an owner, an amount and a due day are asked for where the view shows none", () => {
  expect(furtherFields(schema(), ["deals.name"], {})).toEqual(["deals.owned_by", "deals.amount", "deals.close"]);
  expect(furtherFields(schema(), ["deals.list_price", "deals.close", "deals.owned_by"], {})).toEqual([]);
  expect(furtherFields(schema(), ["deals.owned_by", "deals.close"], { worth: "deals.list_price" })).toEqual([
    "deals.list_price",
  ]);
});

test("what is hidden from the reader is not asked for, and what colors compare is", () => {
  const hidden = fields.map((one) =>
    one.name === "amount" || one.name === "list_price" ? { ...one, permission: 1 } : one,
  );
  const colors = [{ where: { "deals.source": "web" }, color: "red", paint: "row" }] as const;
  expect(furtherFields(schema(hidden), ["deals.owned_by", "deals.close"], { colors })).toEqual(["deals.source"]);
});

test("a card has an amount, an owner and a due day by what the columns are, and two details", () => {
  const all = columns("name", "source", "close", "amount", "created_by", "owned_by", "list_price");
  const { amount, owner, due, details } = cardFacts(all, ["deals.stage"], undefined);
  expect([amount, owner, due].map((one) => one?.name)).toEqual(["deals.amount", "deals.owned_by", "deals.close"]);
  expect(details.map(({ name }) => name)).toEqual(["deals.source", "deals.list_price"]);
  // What its lane says is not said again on the card.
  const told = cardFacts(all, ["deals.stage", "deals.source"], "deals.list_price");
  expect([told.amount?.name, told.details.map(({ name }) => name)]).toEqual(["deals.list_price", ["deals.amount"]]);
});
