// What a copy of a record starts with.
import { expect, test } from "vitest";
import type { FormElement, RecordView } from "../../../client/records/records.ts";
import { copiedValues, copyOf } from "./copied-values.ts";

const element = (name: string, more: Partial<FormElement> = {}) => ({
  name: ["quotes", name],
  __name: `quotes.${name}`,
  label: name,
  template: "input",
  method: "text",
  permission: 2,
  ...more,
});

const formOf = (...children: object[]) =>
  // Only what is asked for here.
  ({
    name: ["quotes"],
    __name: "quotes",
    children: [{ template: "section", __name: "s", label: "", children }],
  }) as unknown as RecordView["form"];

const record = {
  name: "Tarn",
  city: "",
  score: "9",
  owned_by: "7",
  account: "12",
  __account: "Tarn Mills",
  terms: "30 days",
  status: "sent",
  paper: { id: "5", name: "quote.pdf" },
  place: { city: "Ulm", street: null },
  emails: [],
};
const workflow = { stages: [{ name: "Draft" }, { name: "Sent" }], fixed: ["terms"] } as unknown as NonNullable<
  RecordView["workflow"]
>;

test("the form of a new record decides what is copied, not what may be edited", () => {
  const form = formOf(
    ...["name", "city", "owned_by", "account", "terms", "paper", "place"].map((name) => element(name)),
    element("score", { permission: 4 }),
    element("emails", { template: "grid" }),
    element("status", { options: [{ value: "sent", text: "Sent" }] as unknown as NonNullable<FormElement["options"]> }),
  );
  expect(copiedValues(form, copyOf("3", record, workflow))).toEqual({
    name: { value: "Tarn" },
    account: { value: "12", text: "Tarn Mills" },
    terms: { value: "30 days" },
    place: { value: { city: "Ulm", street: null } },
  });
});
