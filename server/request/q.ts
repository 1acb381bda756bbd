// Takes the text of a `q`; gives what it asks for, or a 400 that names the key, its range and what was sent.
// Syntax only: no metadata, no rights, nothing that costs more than reading 32 KiB.

import { Failure } from "../../contract/failures.ts";
import { isMessage, say } from "../../contract/messages.ts";
import { parseJson } from "./json/json.ts";
import { limits } from "./limits.ts";
import { readColumn, readField, readOrder } from "./q-column.ts";
import { type Q, type QField, qLimits, refuseKey, refuseQ, sent } from "./q-types.ts";
import { parseWhere } from "./q-where.ts";
import { emptyTree, isTree, shown, type Tree, type TreeValue, textAt } from "./tree.ts";

export { qToJson } from "./q-json.ts";
export type { Aggregate, Period, Q, QCondition, QField, QOrder } from "./q-types.ts";
export { aggregates, periods, qLimits } from "./q-types.ts";
export { parseWhere } from "./q-where.ts";

/** Keys of a saved view's query beyond those of q. */
export const viewKeys: ReadonlySet<string> = new Set([
  "columns",
  "ui_helper",
  "chart",
  "sections",
  "row_height",
  "colors",
]);

/** Two per AND, OR and NOT, and what lies around and within them. */
export const Q_LEVELS = 2 * qLimits.depth + 8;

/** The longest list that `in` takes, and everything else. */
const JSON_VALUES = qLimits.values + limits.keys;

/** `more`: the further keys that are let through, as a saved view has. */
export function parseQ(text: string, more: ReadonlySet<string> = new Set()): Q {
  const bytes = Buffer.byteLength(text);
  if (bytes > qLimits.bytes) refuseQ(say("q_too_long", { max: qLimits.bytes, bytes }));
  const value = readJson(text);
  if (!isTree(value)) refuseQ(say("must_be_object_not", { sent: sent(value) }));
  return readQ(value, more);
}

function readJson(text: string): TreeValue {
  try {
    return parseJson(text, Q_LEVELS, JSON_VALUES).value;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "too_deep") refuseQ(say("q_too_deep", { max: qLimits.depth }));
    if (error.code === "too_many_keys") {
      const { limit = "" } = error.said.params;
      refuseQ(say("q_too_many_values", { limit, max: qLimits.values }));
    }
    const { reason } = error.said.params;
    // Of a value that could not be read, not of the body as a whole.
    return refuseQ(error.code === "malformed_body" && isMessage(reason) ? say("unreadable", { reason }) : error.said);
  }
}

/** A parameter that holds a q: as text, or in a JSON body as it is. */
export function queryAt(parameters: Tree, name: string, more?: ReadonlySet<string>): Q | undefined {
  const value = parameters[name];
  if (isTree(value)) return readQ(value, more);
  const text = textAt(parameters, name);
  return text === undefined ? undefined : parseQ(text, more);
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] };

/** What each key does to the q that is being read. */
const keys: Readonly<Record<string, (q: Mutable<Q>, value: TreeValue, key: string) => void>> = {
  method: (q, value, key) => {
    const method = oneText(value, key).toLowerCase();
    if (method !== "find" && method !== "count")
      refuseKey(key, say("must_be_one_of_not", { options: ["find", "count"], sent: sent(value) }));
    q.method = method;
  },
  fields: (q, value, key) => {
    q.fields = value === "*" ? [{ kind: "all" }] : distinct(list(value, key, qLimits.fields).map(readField));
  },
  where: (q, value) => {
    q.where = parseWhere(value);
  },
  group: (q, value, key) => {
    q.group = list(value, key, qLimits.orders).map((item) => readColumn(oneText(item, key), key));
  },
  having: (q, value) => {
    q.having = parseWhere(value, "having");
  },
  order: (q, value, key) => {
    q.order = list(typeof value === "string" ? [value] : value, key, qLimits.orders).map(readOrder);
  },
  page: (q, value, key) => {
    q.page = whole(value, key, qLimits.page);
  },
  limit: (q, value, key) => {
    q.limit = value === "-1" ? -1 : whole(value, key, qLimits.pageSize, "page_size");
  },
  search_basic: (q, value, key) => {
    q.search = oneText(value, key);
  },
  pheader: (q, value, key) => {
    if (value !== "0" && value !== "1")
      refuseKey(key, say("must_be_one_of_not", { options: ["0", "1"], sent: sent(value) }));
    q.header = value === "1";
  },
  related_model_class: (q, value, key) => {
    q.relatedModelClass = oneText(value, key);
  },
  show_has_many_records: (q, value, key) => {
    q.showHasManyRecords = oneText(value, key);
  },
};

/** A q that is a tree already. */
export function readQ(tree: Tree, more: ReadonlySet<string> = new Set()): Q {
  const q: Mutable<Q> = { header: true };
  const further = emptyTree();
  for (const [key, value] of Object.entries(tree)) {
    const read = Object.hasOwn(keys, key) ? keys[key] : undefined;
    // null says nothing, as it does in form-data.
    if (read) value === null || read(q, value, key);
    else if (more.has(key)) further[key] = value;
    else refuseQ(say("q_unknown_key", { key: shown(key), keys: [...Object.keys(keys), ...more] }));
  }
  if (Object.keys(further).length > 0) q.more = further;
  return q;
}

function oneText(value: TreeValue, key: string): string {
  return typeof value === "string" ? value : refuseKey(key, say("must_be_text_not", { sent: sent(value) }));
}

function list(value: TreeValue, key: string, most: number): readonly TreeValue[] {
  if (!Array.isArray(value)) refuseKey(key, say("must_be_array_not", { sent: sent(value) }));
  const items: readonly TreeValue[] = value;
  return items.length > most ? refuseKey(key, say("at_most_not", { max: most, count: items.length })) : items;
}

function whole(value: TreeValue, key: string, most: number, kind: "page_size" | "number" = "number"): number {
  const number = typeof value === "string" && /^[1-9]\d{0,9}$/u.test(value) ? Number(value) : 0;
  if (number >= 1 && number <= most) return number;
  const range = { max: most, sent: sent(value) };
  return refuseKey(key, kind === "number" ? say("must_be_whole_not", range) : say("must_be_page_size_not", range));
}

function distinct(fields: readonly QField[]): readonly QField[] {
  const taken = new Set<string>();
  for (const field of fields) {
    if (field.kind === "all" || field.alias === undefined) continue;
    if (taken.has(field.alias)) refuseKey("fields", say("alias_twice", { alias: field.alias }));
    taken.add(field.alias);
  }
  return fields;
}
