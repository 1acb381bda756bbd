import { expect, test } from "vitest";
import { documentChanges } from "./document-changes.ts";

const changes = (before: unknown, after: unknown) => documentChanges(JSON.stringify(before), JSON.stringify(after));
const none = { added: [], removed: [], changed: [] };

test("parts of a form and of a workflow are told by their names", () => {
  const form = (more: readonly object[], field: object = { field: "size" }) => ({
    sections: [{ section: "All", elements: [{ field: "name" }, field] }, ...more],
  });
  expect(changes(form([]), form([]))).toEqual(none);
  expect(changes(form([]), form([{ section: "Costs", elements: [{ field: "price" }] }]))).toEqual({
    ...none,
    added: ["Costs", "price"],
  });
  expect(changes(form([]), form([], { field: "size", label: "Extent" }))).toEqual({ ...none, changed: ["Extent"] });
  const flow = (stages: readonly object[]) => ({ stages, transitions: [] });
  const [open, shut] = [
    { key: "open", name: "Open" },
    { key: "shut", name: "Shut" },
  ];
  expect(changes(flow([open, shut]), flow([{ ...open, name: "Begun" }]))).toEqual({
    added: [],
    removed: ["Shut"],
    changed: ["Begun"],
  });
});

test("rights of a policy are told; what is no document has no parts", () => {
  const policy = { read: ["owner"], edit: ["owner"] };
  expect(changes(policy, { ...policy, edit: ["organization"] })).toEqual({ ...none, changed: ["edit"] });
  expect(documentChanges("{", "")).toEqual(none);
});
