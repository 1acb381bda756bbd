// Takes the columns of a list; gives the form from which a client builds a filter: an element per column that can be
// compared, with the name that q knows it by and the operators that its type has. It is 40 kB and the same for most people:
// each of them holds the same bytes.
import { createHash } from "node:crypto";
import { Recent } from "../lib/memory/recent.ts";
import { actorsValue } from "../plan/actors-column.ts";
import type { ColumnRef } from "../plan/column.ts";
import { valueTypeOf } from "../plan/value.ts";

interface FilterColumn {
  readonly ref: ColumnRef;
  readonly label: string;
  /** Whom the record waits for: told by its access set, compared with users. */
  readonly actors?: true;
}

/** The same columns, resolved once per caller and view, have the same form. */
const written = new WeakMap<readonly FilterColumn[], Buffer>();

const shared = new Recent<string, Buffer>(200);

export const NO_FILTER_FORM = Buffer.from("[]");

/** As JSON. */
export function filterForm(alias: string, columns: readonly FilterColumn[]): Buffer {
  let bytes = written.get(columns);
  if (bytes === undefined) {
    bytes = share(write(alias, columns));
    written.set(columns, bytes);
  }
  return bytes;
}

function share(bytes: Buffer): Buffer {
  const digest = createHash("sha256").update(bytes).digest("base64");
  const same = shared.get(digest) ?? bytes;
  shared.set(digest, same);
  return same;
}

function write(alias: string, columns: readonly FilterColumn[]): Buffer {
  const children = columns.flatMap((column) => elementOf(column) ?? []);
  if (children.length === 0) return NO_FILTER_FORM;
  const name = `${alias}.filter`;
  const form = { name, __name: name, label: "Filter", template: "form", method: "filter", not_empty: "0", children };
  return Buffer.from(JSON.stringify(form));
}

function elementOf({ ref, label, actors }: FilterColumn) {
  const { type, field } = actors ? actorsValue(ref) : valueTypeOf(ref);
  if (type.operators.length === 0) return undefined;
  const name = ref.name.split(".");
  return {
    name,
    __name: ref.name,
    label,
    template: type.input.template,
    method: type.input.method,
    /** What a person chooses by, and what stands for it in q. */
    text: label,
    value: ref.name,
    operators: type.operators,
    data_type: type.dataType,
    type: field.type,
    permission: 2,
    not_empty: "0",
    rules: [],
    roles: {},
    ...type.inputSettings?.(field),
  };
}
