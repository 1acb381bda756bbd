// Takes a list's rows; gives the response as JSON text, written by a serialiser that was put together once for the
// view. No value is parsed on its way from the database to the client.

import type { Caller } from "../access/caller.ts";
import { jsonRoom, next, textAt, writeJson } from "../database/text-rows.ts";
import { filterForm, NO_FILTER_FORM } from "../forms/filter-form.ts";
import { typeOf } from "../metadata/compile.ts";
import type { ListColumn, ListPlan } from "../plan/plan-list.ts";
import { fixedColumns } from "../query/compile-list.ts";
import type { ColumnTotals } from "./column-totals.ts";
import { ENVELOPE_HEAD, envelopeTail } from "./list-envelope.ts";
import type { ListResult, ListSources } from "./run-list.ts";

type NameOf = (id: string) => string | null;

/** What one column adds to a row, its comma included. */
interface Writer {
  /** Position among the row's columns. */
  readonly index: number;
  readonly prefix: Buffer;
  readonly displayPrefix: Buffer | undefined;
  readonly nameOf: ((id: string) => Buffer) | undefined;
}

/** Rows of list views carry their bare names as well, for clients that read them so. */
const bareNames = (plan: ListPlan): boolean => plan.scope.type.key === "core/listviews";

/** A column's members of a row; the fixed ones stand elsewhere in it. */
function writersOf(plan: ListPlan, names: ReadonlyMap<string, NameOf>): Writer[] {
  const { alias } = plan.scope.type;
  const member = (key: string) => Buffer.from(`,${JSON.stringify(key)}:`);
  const writers: Writer[] = [];
  plan.columns.forEach((column, position) => {
    if (column.key === `${alias}.id` || column.key === `${alias}.deleted`) return;
    const index = fixedColumns.first + position;
    const nameOf = column.target && names.get(column.target.key);
    writers.push({
      index,
      prefix: member(column.key),
      displayPrefix: column.displayKey === undefined ? undefined : member(column.displayKey),
      nameOf: nameOf && jsonNames(nameOf),
    });
    if (bareNames(plan) && column.key.startsWith(`${alias}.`)) {
      const bare = column.key.slice(alias.length + 1);
      writers.push({ index, prefix: member(bare), displayPrefix: undefined, nameOf: undefined });
    }
  });
  return writers;
}

/** The same few names stand in many rows: each is written once. */
function jsonNames(nameOf: NameOf): (id: string) => Buffer {
  const written = new Map<string, Buffer>();
  return (id) => {
    let bytes = written.get(id);
    if (!bytes) {
      bytes = Buffer.from(JSON.stringify(nameOf(id)));
      written.set(id, bytes);
    }
    return bytes;
  };
}

/** Bytes that grow as they are written. */
let scratch = Buffer.allocUnsafe(256 * 1024);

function room(used: number, more: number): void {
  if (used + more <= scratch.length) return;
  const grown = Buffer.allocUnsafe(Math.max(scratch.length * 2, used + more));
  scratch.copy(grown, 0, 0, used);
  scratch = grown;
}

/** Scratch space that a large page made large is given back. */
const MOST_SCRATCH = 4 * 1024 * 1024;

export function presentRows(plan: ListPlan, result: ListResult, names: ReadonlyMap<string, NameOf>): Buffer {
  const { alias } = plan.scope.type;
  const { rows, acl } = result;
  const bare = bareNames(plan);
  const writers = writersOf(plan, names);
  const idPrefix = Buffer.from(`{${JSON.stringify(`${alias}.id`)}:`);
  const bareIdPrefix = Buffer.from(',"id":');
  const deletedPrefix = Buffer.from(`,${JSON.stringify(`${alias}.deleted`)}:`);
  const displayPrefix = Buffer.from(',"record_display_name":');
  const fragments = new Map<string, Buffer>();
  const positions: number[] = [];
  let at = 0;
  const put = (part: Buffer) => {
    room(at, part.length);
    part.copy(scratch, at);
    at += part.length;
  };
  const value = (bytes: Buffer, position: number) => {
    room(at, jsonRoom(Math.max(0, bytes.readInt32BE(position))));
    at = writeJson(bytes, position, scratch, at);
  };
  room(0, 1);
  scratch[at++] = 0x5b;
  for (let row = 0; row < rows.length; row += 1) {
    const { bytes, start } = rows.at(row);
    const count = bytes.readInt16BE(start - 2);
    let position = start;
    for (let column = 0; column < count; column += 1) {
      positions[column] = position;
      position = next(bytes, position);
    }
    const positionOf = (column: number) => positions[column] ?? start;
    if (row > 0) {
      room(at, 1);
      scratch[at++] = 0x2c;
    }
    put(idPrefix);
    value(bytes, positionOf(fixedColumns.id));
    if (bare) {
      put(bareIdPrefix);
      value(bytes, positionOf(fixedColumns.id));
    }
    for (const { index, prefix, displayPrefix: shown, nameOf } of writers) {
      put(prefix);
      value(bytes, positionOf(index));
      if (shown === undefined) continue;
      put(shown);
      const id = textAt(bytes, positionOf(index));
      put(id === null || nameOf === undefined ? NULL : nameOf(id));
    }
    const aclId = textAt(bytes, positionOf(fixedColumns.aclId)) ?? "0";
    let fragment = fragments.get(aclId);
    if (!fragment) {
      const text = acl.fragment(aclId);
      fragment = Buffer.from(bare ? `,${text},${bareAcl(text, alias)}` : `,${text}`);
      fragments.set(aclId, fragment);
    }
    put(fragment);
    put(deletedPrefix);
    value(bytes, positionOf(fixedColumns.deleted));
    put(displayPrefix);
    value(bytes, positionOf(fixedColumns.display));
    room(at, 1);
    scratch[at++] = 0x7d;
  }
  room(at, 1);
  scratch[at++] = 0x5d;
  const written = Buffer.from(scratch.subarray(0, at));
  if (scratch.length > MOST_SCRATCH) scratch = Buffer.allocUnsafe(256 * 1024);
  return written;
}

const HEAD = Buffer.from(ENVELOPE_HEAD);
const NULL = Buffer.from("null");

const bareAcl = (fragment: string, alias: string): string =>
  fragment.split(',"is_edit"')[0]?.replaceAll(`"${alias}.`, '"') ?? "";

/** The display texts of every reference column's page of ids. */
export async function readNames(
  sources: ListSources,
  plan: ListPlan,
  result: ListResult,
): Promise<Map<string, NameOf>> {
  const wanted = new Map<string, { column: ListColumn; ids: Set<string> }>();
  plan.columns.forEach((column, position) => {
    if (!column.target) return;
    const entry = wanted.get(column.target.key) ?? { column, ids: new Set<string>() };
    for (let row = 0; row < result.rows.length; row += 1) {
      const id = result.rows.text(row, fixedColumns.first + position);
      if (id !== null) entry.ids.add(id);
    }
    wanted.set(column.target.key, entry);
  });
  const names = new Map<string, NameOf>();
  for (const [key, { column, ids }] of wanted) {
    if (!column.target) continue;
    const version = result.versions.targets.get(key) ?? "";
    names.set(key, await sources.names.namesOf(plan.scope.caller, column.target, version, ids));
  }
  return names;
}

export function headerOf(plan: ListPlan, { byKey, complete }: ColumnTotals, total: number): Record<string, unknown>[] {
  return plan.columns.map(({ key, ref, label, displayKey, properties }) => ({
    field_type: ref.steps.length === 0 ? "Data-Field" : "Joined-Field",
    ...(displayKey === undefined && key === ref.name ? {} : { alias: displayKey ?? key }),
    sortable: ref.field.sortable,
    searchable: ref.field.searchable,
    is_invisible: properties.invisible ? "1" : "0",
    clickable_link: properties.link ? "1" : "0",
    compute_column_total: properties.total ? "1" : "0",
    column_name: ref.name,
    name: ref.field.name,
    data_type: typeOf(ref.field).dataType,
    type: ref.field.type,
    width: properties.width ?? null,
    visible: properties.invisible ? 0 : 1,
    column_total: Number(byKey.get(key) ?? 0),
    column_total_text: byKey.get(key) ?? null,
    ...(complete ? {} : { column_total_is_exact: 0 }),
    total_count: total,
    label,
  }));
}

export function presentList(
  plan: ListPlan,
  result: ListResult,
  rows: Buffer,
  totals: ColumnTotals,
  caller: Caller,
  message: readonly string[],
): Buffer {
  const { type } = plan.scope;
  const tail = envelopeTail({
    type,
    view: plan.view,
    caller,
    message,
    page: plan.page,
    limit: plan.limit,
    method: plan.method,
    total: result.total,
    exact: result.exact,
    columns: plan.columns,
    condition: plan.condition,
    order: plan.order.map(({ ref, descending }) => `${ref.name} ${descending ? "DESC" : "ASC"}`),
    group: [],
    header: plan.withHeader ? headerOf(plan, totals, result.total) : [],
    filterForm: plan.withHeader ? filterForm(type.alias, plan.columns) : NO_FILTER_FORM,
  });
  return Buffer.concat([HEAD, rows, Buffer.from(tail)]);
}
