// A reference to a record of another type, stored and sent as its id. That the record exists is checked on saving.

import { z } from "zod";
import { generatedViewId } from "../../contract/generated-view.ts";
import { fault } from "../../contract/messages.ts";
import { coded } from "../lib/issue-message.ts";
import { memberOperators } from "./columns/operator-sets.ts";
import { singleColumn } from "./columns/single-column.ts";
import type { FieldType } from "./field-type.ts";
import { idColumnType, parseRecordId } from "./record-id.ts";

const settings = z.strictObject({
  to: z.string(coded("must_be_chosen")).regex(/^[a-z][a-z0-9_]*\/[a-z][a-z0-9_]*$/u, coded("bad_target")),
  idKind: z.enum(["integer", "uuid"]).default("integer"),
});

/** All records to choose from, whichever view of them the caller looked at last. */
const candidatesAt = (to: string): string => `/${to}/index.json?current_listview=${generatedViewId(to)}&track_open=0`;

/** Settings of a field, or what a definition says they are. */
const targetIn = (settings: unknown): string | undefined =>
  typeof settings === "object" && settings !== null && "to" in settings && typeof settings.to === "string"
    ? settings.to
    : undefined;

export const reference: FieldType<z.output<typeof settings>> = {
  ...singleColumn,
  id: "reference",
  label: "Reference",
  input: { template: "reference", method: "picker" },
  // An id that is a UUID is read as a reference to nothing.
  inputSettings: ({ settings: { to } }) => (to ? { controller: to, href: candidatesAt(to) } : {}),
  rules: ({ settings: { to } }) => [{ rule: "exists", params: [to], message: fault("not_found") }],
  references: ([id], { settings: { to } }) => (id == null ? [] : [{ type: to, id }]),
  target: targetIn,
  findWord: () => ({ by: "name" }),
  dataType: "LONGLONG",
  settings,
  sortable: true,
  searchable: false,
  operators: memberOperators,
  columns: (field) => [{ name: field.name, type: idColumnType[field.settings.idKind] }],
  parse: (input, field) => parseRecordId(input, field.settings.idKind),
  examples: {
    settings: { to: "crm/leads" },
    good: [
      { sent: "42", wire: "42" },
      { sent: 7, wire: "7" },
      { sent: "9223372036854775807", wire: "9223372036854775807" },
    ],
    bad: ["0", -1, "9223372036854775808", "1.5", "crm/leads", "0198c5a0-7a3c-7cc2-8b1e-3f6d2c4e5a60", [1], { id: 1 }],
  },
};
