// What the types that hold an attachment share: the column with the attachment's id. The bytes are kept, and
// held against the settings, where files are received.
import type { FieldType } from "./field-type.ts";
import { equalityOperators } from "./operator-sets.ts";
import { idColumnType, parseRecordId } from "./record-id.ts";
import { singleColumn } from "./single-column.ts";

export const megabyte = 1024 * 1024;

export const attachment = {
  ...singleColumn,
  dataType: "LONGLONG",
  sortable: false,
  searchable: false,
  operators: equalityOperators,
  columns: (field) => [{ name: field.name, type: idColumnType.integer }],
  parse: (input) => parseRecordId(input),
  references: ([id]) => (id == null ? [] : [{ type: "core/attachments", id }]),
} as const satisfies Partial<FieldType>;

export const attachmentExamples = {
  good: [
    { sent: "12", wire: "12" },
    { sent: 345, wire: "345" },
  ],
  bad: ["0", "-1", "photo.png", "1.5", [12], { id: 12 }],
};
