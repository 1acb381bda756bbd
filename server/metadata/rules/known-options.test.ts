import { describe, expect, test } from "vitest";
import { Failure } from "../../../contract/failures.ts";
import { writeAll } from "../../../contract/texts/write.ts";
import type { FieldDefinition, RecordTypeDefinition } from "../record-type.ts";
import { buildSnapshot, requireType } from "../snapshot.ts";
import { policyOptionFaults, requireKnownOptions } from "./known-options.ts";

const choice = (name: string, type: FieldDefinition["type"], ...values: string[]): FieldDefinition => ({
  name,
  type,
  settings: { options: values.map((value) => ({ value, label: value })) },
});
const access = { read: ["organization"], edit: ["owner"], delete: [], comment: [] } as const;
const machines: RecordTypeDefinition = {
  module: "lab",
  controller: "machines",
  label: "Machine",
  plural: "Machines",
  displayField: "name",
  fields: [
    { name: "name", type: "short-text" },
    choice("status", "choice", "active", "retired"),
    choice("sites", "multiple-choice", "north", "south"),
  ],
  access,
};
const orders: RecordTypeDefinition = {
  ...machines,
  controller: "orders",
  label: "Order",
  plural: "Orders",
  fields: [
    { name: "name", type: "short-text" },
    choice("urgency", "choice", "low", "high"),
    { name: "machine_id", type: "reference", settings: { to: "lab/machines" } },
  ],
};

function faultsOf(part: Partial<RecordTypeDefinition>, stored?: RecordTypeDefinition): readonly string[] {
  const design = { ...orders, ...part, fields: [...orders.fields, ...(part.fields ?? [])] };
  const { types } = buildSnapshot([machines, design], [], "test");
  try {
    requireKnownOptions(types, "lab/orders", design, stored);
  } catch (error) {
    if (error instanceof Failure) return writeAll(error.detail.errors ?? [], "en");
    throw error;
  }
  return [];
}
const rule = (formula: string) => ({ rules: [{ name: "sound", formula, message: "No" }] });
const picker = (where: string) => ({
  fields: [{ name: "spare_id", type: "reference", settings: { to: "lab/machines" }, where } as const],
});

describe("a condition that names an option a choice does not have is refused", () => {
  test.each<[string, Partial<RecordTypeDefinition>, readonly string[]]>([
    ["in a rule", rule('urgency != "hihg"'), ["rules.sound.formula: Urgency has no option hihg"]],
    [
      "within other parts",
      rule('not (name = "x" or urgency in ("low", "mid"))'),
      ["rules.sound.formula: Urgency has no option mid"],
    ],
    ["the other way round", rule('"mid" = urgency'), ["rules.sound.formula: Urgency has no option mid"]],
    [
      "of the records to choose from",
      picker('status = "activ"'),
      ["fields.spare_id.where: Status has no option activ"],
    ],
    [
      "of the record itself",
      picker('status = "active" and record.urgency = "mid"'),
      ["fields.spare_id.where: Urgency has no option mid"],
    ],
    ["of several", picker('sites = "north;east"'), ["fields.spare_id.where: Sites has no option east"]],
    [
      "in a formula",
      {
        fields: [
          { name: "rush", type: "flag", computed: { kind: "formula", formula: 'if(urgency = "hi", "1", "0") = "1"' } },
        ],
      },
      ["fields.rush.computed.formula: Urgency has no option hi"],
    ],
    [
      "in a policy",
      { access: { ...access, read: [{ to: "organization", when: 'urgency = "mid"' }] } },
      ["access.read: Urgency has no option mid"],
    ],
    ["but not one that it has", picker('status in ("active", "retired") and sites = "south"'), []],
    ["nor an empty one", rule('urgency != ""'), []],
    ["nor a threshold", rule('urgency > "m"'), []],
    ["nor a text", rule('name != "mid"'), []],
  ])("%s", (_, part, faults) => expect(faultsOf(part)).toEqual(faults));

  test("of a picker that a field of the service is given", () => {
    const { types } = buildSnapshot([machines, orders], [], "test");
    const limited = { fields: [], changed: { machine_id: { where: 'status = "activ"' } } };
    expect(() => requireKnownOptions(types, "lab/orders", limited)).toThrow(Failure);
    requireKnownOptions(types, "lab/orders", limited, limited);
  });

  test("but not one that is stored in the same words", () => {
    const wrong = rule('urgency != "gone"');
    const stored = { ...orders, ...wrong };
    expect(faultsOf(wrong, stored)).toEqual([]);
    expect(faultsOf(rule('urgency != "gone" and name is not empty'), stored)).toHaveLength(1);
  });
});

test("a policy of an organization is held to the same, unless it says so already", () => {
  const type = requireType(buildSnapshot([machines, orders], [], "test"), "lab/orders");
  const policy = { ...access, edit: ["owner" as const, { to: "everyone" as const, when: 'urgency = "mid"' }] };
  expect(policyOptionFaults(type, policy).map(({ right }) => right)).toEqual(["edit"]);
  expect(policyOptionFaults(type, policy, policy)).toEqual([]);
});
