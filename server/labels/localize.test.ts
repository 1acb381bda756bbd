// What a label is called in German: by what ships where it ships, by what a company translated everywhere else.
import { expect, test } from "vitest";
import type { RecordTypeDefinition } from "../../contract/record-type.ts";
import { buildSnapshot, requireType } from "../metadata/snapshot.ts";
import { builtInTypes } from "../modules/index.ts";
import { localize } from "./localize.ts";

const rate = { name: "x_rate", label: "Rate", type: "decimal" } as const;
const open = { read: ["organization"], edit: ["organization"], delete: [], comment: [] } as const;
const typeOf = (key: string, label: string, fields: RecordTypeDefinition["fields"]): RecordTypeDefinition => {
  const [module = "", controller = ""] = key.split("/");
  return { module, controller, label, plural: `${label}s`, displayField: "name", fields, access: open };
};
const results = [
  { value: "open", label: "Open" },
  { value: "won", label: "Won" },
];
const own = typeOf("safety/checks", "Lead", [
  { name: "name", label: "Name", type: "short-text" },
  rate,
  { name: "x_state", label: "Status", type: "choice", help: "Title", settings: { options: results } },
]);
const template = typeOf("maintenance/assets", "Asset", [
  { name: "name", label: "Name", type: "short-text" },
  { name: "serial_number", type: "short-text" },
  rate,
]);
const types = builtInTypes.map((type) =>
  type.controller === "leads" ? { ...type, fields: [...type.fields, rate] } : type,
);
const snapshot = buildSnapshot(types, [own, template], "test");
const labelsOf = (type: string, glossary?: Parameters<typeof localize>[2]) => {
  const { label, fields } = requireType(localize(snapshot, "de", glossary), type);
  return [label, Object.fromEntries(fields.map((field) => [field.name, field.label]))];
};

test("what ships translates built-in types, templates and what every type has", () => {
  expect(labelsOf("masters/exchange_rates")[1]).toMatchObject({ rate: "Kurs" });
  expect(labelsOf("crm/leads")).toMatchObject(["Lead", { source: "Quelle", owned_by: "Verantwortlich" }]);
  expect(labelsOf("maintenance/assets")).toMatchObject(["Anlage", { serial_number: "Seriennummer" }]);
  expect(labelsOf("safety/checks")[1]).toMatchObject({ created_by: "Erstellt von" });
});

test("labels of a company's own types and fields are translated by the company alone", () => {
  const ours = { x_rate: "Rate" };
  expect(labelsOf("crm/leads")[1]).toMatchObject(ours);
  expect(labelsOf("maintenance/assets")[1]).toMatchObject(ours);
  expect(labelsOf("safety/checks")).toMatchObject(["Lead", { ...ours, x_state: "Status" }]);
  const field = requireType(localize(snapshot, "ar"), "safety/checks").field.get("x_state");
  expect([field?.label, field?.help, field?.settings]).toMatchObject(["Status", "Title", { options: results }]);
  const labels = new Map([["de", new Map([["Rate", "Quote"]])]] as const);
  expect(labelsOf("safety/checks", { version: "1", labels })[1]).toMatchObject({ x_rate: "Quote" });
});
