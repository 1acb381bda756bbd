// What the types that hold a file share: the file's id, and what there is to know of it, kept beside the id so that lists
// and forms need not look it up. A sent value names a file; the rest is filled in from the file itself when it is saved.
import { fault } from "../../../contract/messages.ts";
import { accept, type Column, type FieldType, isEmpty, nothing, refuse } from "../field-type.ts";
import { idColumnType, parseRecordId } from "../record-id.ts";
import { presenceOperators } from "./operator-sets.ts";
import { peoplesCollation } from "./plain-text.ts";

export const megabyte = 1024 * 1024;

/** The parts of the wire value, in the order of the columns. */
export const filePartNames = ["id", "name", "type", "size", "width", "height"] as const;

const columnsOf = (name: string): readonly Column[] => [
  { name, type: idColumnType.integer },
  { name: `${name}_name`, type: "text", collation: peoplesCollation },
  { name: `${name}_type`, type: "text" },
  { name: `${name}_size`, type: "bigint" },
  { name: `${name}_width`, type: "integer" },
  { name: `${name}_height`, type: "integer" },
];

export const storedFile = {
  dataType: "VAR_STRING",
  isLong: true,
  sortable: false,
  searchable: true,
  operators: presenceOperators,
  columns: (field) => columnsOf(field.name),
  parse(input) {
    if (isEmpty(input)) return nothing(filePartNames.length);
    const sent = typeof input === "object" && input !== null && "id" in input ? input.id : input;
    if (isEmpty(sent)) return nothing(filePartNames.length);
    const parsed = parseRecordId(sent);
    if (!parsed.ok) return refuse(fault("bad_file"));
    return accept(parsed.row[0] ?? null, ...Array<null>(filePartNames.length - 1).fill(null));
  },
  select: (field, at) => `coalesce(${at(`${field.name}_name`)}, ${at(field.name)}::text)`,
  present: (row) =>
    row[0] == null ? null : Object.fromEntries(filePartNames.map((part, index) => [part, row[index] ?? null])),
  display: (wire) => (typeof wire === "object" && wire !== null ? (wire.name ?? wire.id ?? null) : wire),
  /** A file never changes: it is the same file or another. */
  same: (a, b) => (a[0] ?? null) === (b[0] ?? null),
} as const satisfies Partial<FieldType>;

const unknown = { name: null, type: null, size: null, width: null, height: null };

export const fileExamples = {
  good: [
    { sent: "12", wire: { id: "12", ...unknown }, text: "12" },
    { sent: 345, wire: { id: "345", ...unknown }, text: "345" },
    { sent: { id: "12", name: "a.png" }, wire: { id: "12", ...unknown }, text: "12" },
  ],
  bad: ["0", "-1", "photo.png", "1.5", [12], { name: "photo.png" }],
};
