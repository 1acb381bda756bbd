import { expect, test } from "vitest";
import { directionWords, orderNow, readOrder, writeOrder } from "./order.ts";

test("an order is read however it is spelt, and written in one way", () => {
  expect(readOrder("leads.created DESC")).toEqual({ column: "leads.created", descending: true });
  expect(readOrder(" leads.owned_by.name  desc ")).toEqual({ column: "leads.owned_by.name", descending: true });
  expect(readOrder("leads.descent")).toEqual({ column: "leads.descent", descending: false });
  expect(writeOrder(readOrder("leads.name"))).toBe("leads.name ASC");
});

test("the address comes before the view, the view before what the service does untold", () => {
  const view = { order: ["leads.name ASC", "leads.score DESC"] };
  expect(orderNow({ sort: "leads.score", dir: "DESC" }, view, [])).toEqual([
    { column: "leads.score", descending: true },
  ]);
  expect(orderNow({}, view, ["leads.created DESC"]).map(writeOrder)).toEqual(view.order);
  expect(orderNow({}, {}, ["leads.created DESC"]).map(writeOrder)).toEqual(["leads.created DESC"]);
  expect(orderNow({}, {}, [])).toEqual([]);
});

test("days have a newest, numbers a highest, texts a Z, boxes are checked", () => {
  expect([directionWords("date"), directionWords("date-time")]).toEqual(["days", "days"]);
  expect([directionWords("money"), directionWords("integer")]).toEqual(["numbers", "numbers"]);
  expect([directionWords("short-text"), directionWords("reference"), directionWords(undefined)]).toEqual([
    "texts",
    "texts",
    "texts",
  ]);
  expect([directionWords("choice"), directionWords("flag")]).toEqual(["choices", "checks"]);
});
