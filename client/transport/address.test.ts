import { expect, test } from "vitest";
import { readMenuUrl, wireAddress } from "./address.ts";

test("builds the JSON address and leaves out what is not given", () => {
  expect(wireAddress("crm/leads/index")).toBe("/crm/leads/index.json");
  expect(wireAddress("/crm/leads/view/", { id: 7, q: undefined, page: null })).toBe("/crm/leads/view.json?id=7");
  expect(wireAddress("a/b/c", { on: true, text: "a&b=c" })).toBe("/a/b/c.json?on=1&text=a%26b%3Dc");
});

test("reads the address in a menu entry", () => {
  expect(readMenuUrl("crm/leads/index")).toEqual({ module: "crm", controller: "leads", operation: "index" });
  expect(readMenuUrl("/crm//leads/index.json?x=1")).toEqual({ module: "crm", controller: "leads", operation: "index" });
  expect(readMenuUrl("crm/leads")).toEqual({ module: "crm", controller: "leads", operation: "index" });
  expect(readMenuUrl("crm")).toBeUndefined();
  expect(readMenuUrl("a/b/c/d")).toBeUndefined();
});
