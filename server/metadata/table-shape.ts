// Takes a RecordType; gives the table that should stand behind it: columns, keys, indexes. Pure.
// Every key and index of an organization's table begins with organization_id, so that the table can be spread.
import { createHash } from "node:crypto";
import { quote } from "../database/sql.ts";
import type { Column, Field } from "../fields/field-type.ts";
import { typeOf } from "./compile.ts";
import type { RecordType } from "./record-type.ts";
import { SEARCH_COLUMN, searchText } from "./search-text.ts";
import type { Snapshot } from "./snapshot.ts";

export interface ShapedColumn extends Column {
  /** `not null default …` and the like, for columns of the service's own. */
  readonly constraint: string;
}

export interface ShapedIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly include: readonly string[];
  /** Only rows that are not deleted. */
  readonly live: boolean;
  /** An expression that comes last. */
  readonly expression: string | undefined;
  /** Only rows that have a value in this column. */
  readonly filled?: string;
  /** A GIN index over the trigrams of this column, the last of `columns`. */
  readonly trigram: string | undefined;
}

export interface ShapedForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly table: string;
  readonly references: readonly string[];
}

export interface TableShape {
  readonly table: string;
  readonly columns: readonly ShapedColumn[];
  readonly primaryKey: readonly string[];
  readonly indexes: readonly ShapedIndex[];
  readonly foreignKeys: readonly ShapedForeignKey[];
  /** Absent where rows may change. */
  readonly appendOnly?: true;
}

/** Identifiers end at 63 bytes; a longer name keeps its beginning and gets a digest of the whole. */
export function identifier(...parts: string[]): string {
  const whole = parts.join("__");
  if (whole.length <= 63) return whole;
  return `${whole.slice(0, 52)}__${createHash("sha256").update(whole).digest("hex").slice(0, 9)}`;
}

/** What two values of a field are compared by when duplicates are looked for. */
export const likenessOf = (field: Field, at: (column: string) => string): string =>
  typeOf(field).likeness?.(at(field.name)) ?? at(field.name);

/** The fields of a type whose values are looked up as duplicates, by itself or by a type that owns its records. */
function comparedFields(type: RecordType, snapshot: Snapshot): readonly Field[] {
  const names = new Set<string>();
  for (const other of snapshot.types.values()) {
    if (other.duplicates.length === 0) continue;
    for (const path of other.duplicates.flat()) {
      const [first = "", second] = path.split(".");
      const association = second === undefined ? undefined : other.association.get(first);
      if (second === undefined && other === type) names.add(first);
      else if (association && "type" in association && association.type === type.key) names.add(second ?? "");
    }
  }
  return type.fields.filter((field) => names.has(field.name));
}

/** Authors are kept as plain ids: history must not stand in the way of a purge. Stages are written by the service alone. */
const withoutForeignKey = new Set(["organization_id", "created_by", "modified_by", "current_stage"]);

function shapeIndex(type: RecordType, names: readonly string[], more: Partial<ShapedIndex>): ShapedIndex {
  const prefix = type.scope === "organization" ? ["organization_id"] : [];
  const name = identifier(type.table, ...names, more.unique ? "unique" : "index");
  const plain = { unique: false, include: [], live: false, expression: undefined, trigram: undefined };
  return { name, columns: [...prefix, ...names], ...plain, ...more };
}

/** Along the order for those who may read much; within each access set for those who may read little. */
export function orderIndexes(type: RecordType, field: string): readonly ShapedIndex[] {
  if (type.scope === "shared") return [shapeIndex(type, [field, "id"], { live: true })];
  return [
    shapeIndex(type, ["acl_id", field, "id"], { live: true }),
    shapeIndex(type, [field, "id"], { include: ["acl_id"], live: true }),
  ];
}

/** All that a field has because it is indexed, and loses when it is not. */
export function fieldIndexes(type: RecordType, field: string): readonly ShapedIndex[] {
  const filter = type.indexes.some((names) => isOnly(names, field)) ? undefined : filterIndex(type, [field]);
  return [...orderIndexes(type, field), ...(filter ? [filter] : [])];
}

const isOnly = ([first, ...more]: readonly string[], field: string): boolean => first === field && more.length === 0;

/** A few options have all the records between them: those of one are found in the order that lists have unless asked. */
function filterIndex(type: RecordType, [first = "", ...more]: readonly string[]): ShapedIndex | undefined {
  const field = type.field.get(first);
  if (!field || more.length > 0 || typeOf(field).picks !== "one" || type.scope === "shared") return undefined;
  return shapeIndex(type, [first, "created", "id"], { include: ["acl_id"], live: true });
}

/** Of a type whose records are found by words. */
export function searchColumn(type: RecordType): ShapedColumn | undefined {
  const text = searchText(type);
  if (text === undefined) return undefined;
  return { name: SEARCH_COLUMN, type: "text", constraint: `generated always as (${text}) stored` };
}

/** What a shape was made from; the other parts of a type follow from its fields. */
interface Made {
  readonly type: RecordType;
  readonly compared: readonly Field[];
  readonly targets: readonly string[];
  readonly shape: TableShape;
}

const made = new WeakMap<readonly Field[], Made>();

/** The same object where nothing has changed: all types are shaped anew with every start and every design that is saved. */
export function shapeTable(type: RecordType, snapshot: Snapshot): TableShape {
  const compared = comparedFields(type, snapshot);
  const targets = type.associations.flatMap((association) => {
    const target = association.kind === "belongs-to" ? snapshot.types.get(association.type) : undefined;
    return target ? [`${target.scope} ${target.table}`] : [""];
  });
  const before = made.get(type.fields);
  if (before && isSameType(before.type, type) && isSame(before.compared, compared) && isSame(before.targets, targets))
    return before.shape;
  const shape = newShape(type, snapshot, compared);
  made.set(type.fields, { type, compared, targets, shape });
  return shape;
}

const shaping = [
  "table",
  "scope",
  "hidden",
  "columns",
  "field",
  "associations",
  "unique",
  "indexes",
  "appendOnly",
] as const;

const isSameType = (one: RecordType, other: RecordType): boolean => shaping.every((part) => one[part] === other[part]);

const isSame = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.length === others.length && some.every((one, at) => one === others[at]);

function newShape(type: RecordType, snapshot: Snapshot, compared: readonly Field[]): TableShape {
  const spread = type.scope === "organization";
  const prefix = spread ? ["organization_id"] : [];
  const columns: ShapedColumn[] = type.fields.flatMap((field) =>
    (type.columns.get(field.name) ?? []).map((column) => ({ constraint: "", ...column })),
  );
  const indexes: ShapedIndex[] = [];
  const add = (shaped: ShapedIndex) => {
    if (!indexes.some((other) => other.name === shaped.name)) indexes.push(shaped);
  };
  const index = (names: readonly string[], more: Partial<ShapedIndex> = {}) => add(shapeIndex(type, names, more));

  if (spread) {
    columns.push({ name: "acl_id", type: "integer", constraint: "not null" });
  }
  for (const field of type.fields) {
    if (!field.indexed) continue;
    for (const one of fieldIndexes(type, field.name)) add(one);
  }
  const search = searchColumn(type);
  if (search) {
    columns.push(search);
    index([SEARCH_COLUMN], { trigram: SEARCH_COLUMN });
  }
  for (const names of type.unique) index(names, { unique: true, live: true });
  for (const field of type.fields) if (field.unique) index([field.name], { unique: true, live: true });
  // Costs nothing where there is no workflow.
  if (type.field.get("current_stage")?.system) {
    index(["current_stage", "created"], { filled: "current_stage" });
    // For what is still on its way by an older version.
    index(["workflow_version", "current_stage"], { filled: "current_stage", live: true });
  }

  for (const field of compared) {
    const name = identifier(type.table, field.name, "likeness");
    const plain = { unique: false, include: [], live: true, trigram: undefined };
    indexes.push({ name, columns: prefix, ...plain, expression: likenessOf(field, quote) });
  }

  const foreignKeys: ShapedForeignKey[] = [];
  for (const association of type.associations) {
    if (association.kind !== "belongs-to" || !spread || withoutForeignKey.has(association.via)) continue;
    const target = snapshot.types.get(association.type);
    // Shared tables live beside every shard; a key into them would not begin with organization_id.
    if (target?.scope !== "organization") continue;
    foreignKeys.push({
      name: identifier(type.table, association.via, "reference"),
      columns: ["organization_id", association.via],
      table: target.table,
      references: ["organization_id", "id"],
    });
    // Most references of most records are empty: an entry for each would be written with every change and never looked for.
    index([association.via], { filled: association.via });
  }
  for (const names of type.indexes) add(filterIndex(type, names) ?? shapeIndex(type, names, {}));
  const shape = { table: type.table, columns, primaryKey: [...prefix, "id"], indexes, foreignKeys };
  return type.appendOnly ? { ...shape, appendOnly: true } : shape;
}

const prints = new WeakMap<TableShape, string>();

export function fingerprintOf(shape: TableShape): string {
  const known = prints.get(shape) ?? createHash("sha256").update(JSON.stringify(shape)).digest("hex");
  prints.set(shape, known);
  return known;
}
