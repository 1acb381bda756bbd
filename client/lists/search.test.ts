import { expect, test } from "vitest";
import { type SearchHit, tellingLine } from "./search.ts";

const hit = (id: string, name: string, ...facts: readonly (readonly [string, string])[]): SearchHit => ({
  id,
  name,
  business_key: null,
  facts: facts.map(([label, text]) => ({ label, text })),
});

test("of two of the same name, what differs comes first", () => {
  const [one, other] = [
    hit("1", "Ana Ruiz", ["Company", "Acme"], ["Title", "Buyer"], ["Status", "New"], ["Email", "ana@a.example"]),
    hit("2", "Ana Ruiz", ["Company", "Acme"], ["Title", "Buyer"], ["Status", "New"], ["Email", "ana@b.example"]),
  ];
  expect(tellingLine(one, [one, other])).toBe("ana@a.example · Acme · Buyer");
  expect(tellingLine(one, [one, hit("3", "Ola Reed")])).toBe("Acme · Buyer · New");
  expect(tellingLine(hit("4", "Nobody"), [])).toBe("");
});
