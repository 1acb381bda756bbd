import { expect, test } from "vitest";
import { checkDefinition } from "./definition-schema.ts";

const good = {
  module: "lab",
  controller: "things",
  label: "Thing",
  plural: "Things",
  displayField: "name",
  fields: [{ name: "name", type: "short-text" }],
  access: { read: ["organization", "role:sales_rep"], edit: ["owner"], delete: [], comment: [] },
};

test("a definition of the right shape is taken as it is", () => {
  expect(checkDefinition(good)).toEqual({ ok: true, definition: good });
});

const bad: readonly { what: string; input: unknown; at: string }[] = [
  { what: "nothing at all", input: null, at: "definition" },
  { what: "a list", input: [], at: "definition" },
  { what: "a module with capitals", input: { ...good, module: "Lab" }, at: "module" },
  { what: "a module that leads elsewhere", input: { ...good, module: "../lab" }, at: "module" },
  { what: "a controller with a quote", input: { ...good, controller: 'x"; drop table' }, at: "controller" },
  { what: "a controller longer than 40", input: { ...good, controller: "c".repeat(41) }, at: "controller" },
  {
    what: "a module with a doubled underscore, which tables use between names",
    input: { ...good, module: "a__b" },
    at: "module",
  },
  { what: "a module that ends in an underscore", input: { ...good, module: "a_" }, at: "module" },
  { what: "a controller with a doubled underscore", input: { ...good, controller: "a__b" }, at: "controller" },
  { what: "no label", input: { ...good, label: " " }, at: "label" },
  { what: "no fields", input: { ...good, fields: [] }, at: "fields" },
  {
    what: "a field of an unknown type",
    input: { ...good, fields: [{ name: "a", type: "colour" }] },
    at: "fields.0.type",
  },
  {
    what: "a field whose name starts with _",
    input: { ...good, fields: [{ name: "_a", type: "date" }] },
    at: "fields.0.name",
  },
  {
    what: "a permission that is none",
    input: { ...good, fields: [{ name: "a", type: "date", permission: 3 }] },
    at: "fields.0.permission",
  },
  { what: "an unknown key", input: { ...good, colour: "red" }, at: "definition" },
  {
    what: "an unknown key of a field",
    input: { ...good, fields: [{ name: "a", type: "date", x: 1 }] },
    at: "fields.0",
  },
  {
    what: "a policy without comment",
    input: { ...good, access: { read: [], edit: [], delete: [] } },
    at: "access.comment",
  },
  {
    what: "a policy for somebody unknown",
    input: { ...good, access: { ...good.access, read: ["anybody"] } },
    at: "access.read.0",
  },
  {
    what: "a policy for a role without a code",
    input: { ...good, access: { ...good.access, read: ["role:"] } },
    at: "access.read.0",
  },
  {
    what: "an association of an unknown kind",
    input: { ...good, associations: [{ kind: "has-some" }] },
    at: "associations.0.kind",
  },
  { what: "an id of an unknown kind", input: { ...good, idKind: "text" }, at: "idKind" },
];

test.each(bad)("$what is refused, and the error says where it is", ({ input, at }) => {
  const checked = checkDefinition(input);
  expect(checked.ok).toBe(false);
  expect(checked.ok ? [] : checked.faults.map((fault) => fault.at)).toContain(at);
});
