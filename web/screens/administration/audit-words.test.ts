import { expect, test } from "vitest";
import { auditLines } from "./audit-words.ts";

test("changes are told with what was before, everything else as it is, and nothing as a dash", () => {
  const changes = {
    is_signup_role: { from: "0", to: "1" },
    name: { from: null, to: "Support" },
    title: { from: "x", to: null },
  };
  expect(auditLines({ operation: "edit", changes, records: { "crm/leads": 3 } })).toEqual([
    { label: "Is signup role", from: "0", to: "1" },
    { label: "Name", from: undefined, to: "Support" },
    { label: "Title", from: "x", to: "–" },
    { label: "Records", to: "crm/leads: 3" },
  ]);
  expect(auditLines({})).toEqual([]);
});
