import { expect, test } from "vitest";
import type { Column } from "../columns/columns.ts";
import { cardFields } from "./card-fields.ts";

const column = (name: string, type: string) => ({ name: `leads.${name}`, field: { type } }) as Column;
const fieldsOf = (...columns: readonly Column[]) => cardFields(columns, "leads.name");
const named = (found: Column | undefined) => found?.name.slice("leads.".length);

test("a card has the name, the amount, the state, two details and how to reach somebody", () => {
  const columns = [
    column("company_name", "short-text"),
    column("name", "short-text"),
    column("status", "choice"),
    column("rating", "choice"),
    column("score", "integer"),
    column("amount", "money"),
    column("mobile", "phone"),
    column("phone", "phone"),
    column("email", "email"),
  ];
  const { title, amount, state, phone, mail, details } = fieldsOf(...columns);
  expect([title, amount, state, phone, mail].map(named)).toEqual(["name", "amount", "status", "mobile", "email"]);
  expect(details.map(named)).toEqual(["company_name", "rating"]);
});

test("the stage of a workflow comes before a choice; what is not there is left out", () => {
  expect(
    named(fieldsOf(column("name", "short-text"), column("type", "choice"), column("current_stage", "reference")).state),
  ).toBe("current_stage");
  expect(named(fieldsOf(column("name", "short-text"), column("deal.current_stage", "reference")).state)).toBe(
    undefined,
  );
  expect(fieldsOf(column("name", "short-text"))).toMatchObject({
    amount: undefined,
    phone: undefined,
    details: [],
    due: [],
  });
  expect(fieldsOf().title).toBeUndefined();
});

test("a record is called by its name, whatever column stands first", () => {
  const [name, status, created] = [column("name", "short-text"), column("status", "choice"), column("created", "date")];
  const frozen = fieldsOf(status, name);
  expect([frozen.title, frozen.state].map(named)).toEqual(["name", "status"]);
  const nameless = fieldsOf(created, status);
  expect([nameless.title, nameless.state, ...nameless.details].map(named)).toEqual([undefined, "status", "created"]);
});
