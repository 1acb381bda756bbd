import { expect, test } from "vitest";
import { auditLines } from "./audit-words.ts";

const words: Readonly<Record<string, string>> = {
  operation: "Action",
  operation_edit: "Edited",
  reason: "Why",
  reason_quota: "Too many",
  index_added: "Index",
  index_automatic: "Automatic index",
  index_none: "No index",
};

const dictionary = {
  detail: (name: string) => words[name],
  code: (name: string, code: string) => words[`${name}_${code}`],
};

test("changes are told with what was before, everything else as it is, and nothing as a dash", () => {
  const changes = {
    is_signup_role: { from: "0", to: "1" },
    name: { from: null, to: "Support" },
    title: { from: "x", to: null },
  };
  expect(auditLines({ operation: "edit", changes, records: { "crm/leads": 3 }, reason: "quota" }, dictionary)).toEqual([
    { label: "Action", to: "Edited" },
    { label: "Is signup role", from: "0", to: "1" },
    { label: "Name", from: undefined, to: "Support" },
    { label: "Title", from: "x", to: "–" },
    { label: "Records", to: "crm/leads: 3" },
    { label: "Why", to: "Too many" },
  ]);
  expect(auditLines({ reason: "unheard of" }, dictionary)).toEqual([{ label: "Why", to: "unheard of" }]);
  expect(auditLines({}, dictionary)).toEqual([]);
});

test("an index of a field is told in words", () => {
  const line = (from: unknown, to: unknown) => auditLines({ changes: { score: { from, to } } }, dictionary)[0];
  expect(line("automatic index", "index")).toEqual({ label: "Score", from: "Automatic index", to: "Index" });
  expect(line(null, "index")).toEqual({ label: "Score", from: undefined, to: "Index" });
  expect(line("index", null)).toEqual({ label: "Score", from: "Index", to: "No index" });
  expect(line("index", "card")).toEqual({ label: "Score", from: "index", to: "card" });
  expect(line(null, null)).toEqual({ label: "Score", from: undefined, to: "–" });
});
