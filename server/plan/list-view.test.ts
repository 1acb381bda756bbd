import { expect, test } from "vitest";
import { compileRecordType } from "../metadata/compile.ts";
import { generatedView } from "./list-view.ts";

test("the list of a type that has no view shows what the type is about, and then what every record has", () => {
  const type = compileRecordType(
    {
      module: "lab",
      controller: "machines",
      label: "Machine",
      plural: "Machines",
      displayField: "name",
      categories: true,
      fields: [
        { name: "name", type: "short-text" },
        { name: "inventory", type: "auto-number" },
        { name: "notes", type: "long-text" },
        { name: "site", type: "short-text" },
        { name: "secret", type: "short-text", permission: 1 },
      ],
      access: { read: ["organization"], edit: ["owner"], delete: [], comment: [] },
    },
    () => undefined,
    "run-time",
  );
  const shown = generatedView(type).query.fields?.flatMap((field) => (field.kind === "column" ? [field.column] : []));
  expect(shown).toEqual(
    ["name", "inventory", "site", "owned_by", "primary_acl_group", "category_id", "created"].map(
      (name) => `machines.${name}`,
    ),
  );
});
