// Writes a page of rows as JSON bytes, from the bytes that the database sent, with a writer that is put together once
// per list of columns. The hottest loop of the service.
import type { AclView } from "../../access/acl-directory.ts";
import { jsonRoom, type TextRows, textAt, writeJson } from "../../database/text-rows.ts";
import { sharedBytes } from "../../lib/memory/shared-bytes.ts";
import { currencyKey } from "../../plan/currency.ts";
import type { ListColumn, ListPlan } from "../../plan/plan-list.ts";
import type { ReadablePlan } from "../../plan/readable-plan.ts";
import { fixedColumns } from "../../query/compile-list.ts";
import type { Rates } from "./exchange-rates.ts";

/** The display text of a referenced record. */
export type NameOf = (id: string) => string | null;

/** What one column adds to a row, its comma included. */
interface Writer {
  /** Position among the row's columns. */
  readonly index: number;
  readonly prefix: Buffer;
  readonly displayPrefix: Buffer | undefined;
  readonly target: string | undefined;
  /** Written from the row's access set. */
  readonly actors: boolean;
  /** Of an amount: what stands before the code of its currency, and which column tells it, unless the organization does. */
  readonly currency?: { readonly prefix: Buffer; readonly index: number | undefined };
}

interface RowWriter {
  readonly idPrefix: Buffer;
  readonly deletedPrefix: Buffer;
  readonly writers: readonly Writer[];
}

/** Rows of list views carry their bare names as well, for clients that read them so. */
const bareNames = (plan: ListPlan): boolean => plan.scope.type.key === "core/listviews";

const known = new WeakMap<readonly ListColumn[], RowWriter>();

function rowWriter(plan: ListPlan): RowWriter {
  let found = known.get(plan.columns);
  if (!found) {
    const { alias } = plan.scope.type;
    found = {
      idPrefix: sharedBytes(`{${JSON.stringify(`${alias}.id`)}:`),
      deletedPrefix: sharedBytes(`,${JSON.stringify(`${alias}.deleted`)}:`),
      writers: writersOf(plan),
    };
    known.set(plan.columns, found);
  }
  return found;
}

/** A column's members of a row; the fixed ones stand elsewhere in it. */
function writersOf(plan: ListPlan): Writer[] {
  const { alias } = plan.scope.type;
  const member = (key: string) => sharedBytes(`,${JSON.stringify(key)}:`);
  const writers: Writer[] = [];
  plan.columns.forEach((column, position) => {
    if (column.key === `${alias}.id` || column.key === `${alias}.deleted`) return;
    const index = fixedColumns.first + position;
    writers.push({
      index,
      prefix: member(column.key),
      displayPrefix: column.displayKey === undefined ? undefined : member(column.displayKey),
      target: column.target?.key,
      actors: column.actors === true,
      ...currencyOf(plan, column, member),
    });
    if (bareNames(plan) && column.key.startsWith(`${alias}.`)) {
      const bare = column.key.slice(alias.length + 1);
      writers.push({ index, prefix: member(bare), displayPrefix: undefined, target: undefined, actors: false });
    }
  });
  return writers;
}

function currencyOf(
  { columns, currencies }: ListPlan,
  { key, currency }: ListColumn,
  member: (key: string) => Buffer,
): Pick<Writer, "currency"> {
  if (!currency || currency.kind === "hidden") return {};
  const place = currency.kind === "field" ? currencies.findIndex(({ name }) => name === currency.ref.name) : undefined;
  const index = place === undefined ? undefined : fixedColumns.first + columns.length + place;
  return { currency: { prefix: member(currencyKey(key)), index } };
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

/** What a row says of access, by access set; made once per caller's view of the sets. */
const fragmentsOf = new WeakMap<AclView, Map<string, Buffer>>();

function fragmentBytes(acl: AclView, aclId: string, bare: boolean, alias: string): Buffer {
  let fragments = fragmentsOf.get(acl);
  if (!fragments) {
    fragments = new Map();
    fragmentsOf.set(acl, fragments);
  }
  let bytes = fragments.get(aclId);
  if (!bytes) {
    const text = acl.fragment(aclId);
    bytes = sharedBytes(bare ? `,${text},${bareAcl(text, alias)}` : `,${text}`);
    fragments.set(aclId, bytes);
  }
  return bytes;
}

const undeletableFragment = (usual: Buffer): Buffer =>
  Buffer.from(usual.toString().replace('"is_delete":true', '"is_delete":false'));

/** Whom the records of an access set wait for; made once per caller's view of the sets. */
const waitingOf = new WeakMap<AclView, Map<string, Buffer>>();

function actorsBytes(acl: AclView, aclId: string): Buffer {
  let texts = waitingOf.get(acl);
  if (!texts) {
    texts = new Map();
    waitingOf.set(acl, texts);
  }
  let bytes = texts.get(aclId);
  if (!bytes) {
    bytes = sharedBytes(JSON.stringify(acl.actors(aclId)));
    texts.set(aclId, bytes);
  }
  return bytes;
}

const bareAcl = (fragment: string, alias: string): string =>
  fragment.split(',"is_edit"')[0]?.replaceAll(`"${alias}.`, '"') ?? "";

const BARE_ID = Buffer.from(',"id":');
const DISPLAY_NAME = Buffer.from(',"record_display_name":');
const NULL = Buffer.from("null");
/** What the code of a currency takes at the most: a few letters, in quotes, each escaped. */
const CODE_ROOM = 32;
const SMALL = 256 * 1024;
/** Scratch space that a large page made larger is given back. */
const MOST_SCRATCH = 4 * 1024 * 1024;

/** Bytes that grow as they are written. One page is written at a time, without a pause. */
let scratch = Buffer.allocUnsafe(SMALL);

function room(used: number, more: number): Buffer {
  if (used + more > scratch.length) {
    const grown = Buffer.allocUnsafe(Math.max(scratch.length * 2, used + more));
    scratch.copy(grown, 0, 0, used);
    scratch = grown;
  }
  return scratch;
}

/** Copies a constant: for a few dozen bytes a loop beats a call into the runtime. */
function put(part: Buffer, out: Buffer, at: number): number {
  const { length } = part;
  if (length > 64) {
    part.copy(out, at);
    return at + length;
  }
  for (let index = 0; index < length; index += 1) out[at + index] = part[index] ?? 0;
  return at + length;
}

/** What the constants of one row come to at the most. */
const constantsOf = ({ idPrefix, deletedPrefix, writers }: RowWriter): number =>
  idPrefix.length +
  BARE_ID.length +
  deletedPrefix.length +
  DISPLAY_NAME.length +
  writers.reduce(
    (sum, { prefix, displayPrefix, currency }) =>
      sum + prefix.length + (displayPrefix?.length ?? 0) + (currency?.prefix.length ?? 0) + CODE_ROOM,
    0,
  ) +
  16;

/** What rows are written with beside their values. */
export interface WrittenWith {
  readonly rates?: Rates | undefined;
  /** Ids of records that cannot be deleted, whatever their sets say. */
  readonly kept?: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

export function writeRows(
  plan: ReadablePlan,
  rows: TextRows,
  names: ReadonlyMap<string, NameOf>,
  { rates, kept = none }: WrittenWith = {},
): Buffer {
  const { alias } = plan.scope.type;
  const { view: acl } = plan.access;
  const bare = bareNames(plan);
  const writer = rowWriter(plan);
  const { idPrefix, deletedPrefix, writers } = writer;
  const constants = constantsOf(writer);
  const jsonNameOf = new Map([...names].map(([key, nameOf]) => [key, jsonNames(nameOf)]));
  const jsonCodeOf = jsonNames((id) => rates?.currencies.get(id)?.code ?? null);
  const ownId = rates?.own?.id ?? "";
  const { positions, columns, length } = rows;
  let at = 0;
  room(at, 2)[at++] = 0x5b;
  for (let row = 0; row < length; row += 1) {
    const bytes = rows.bytes(row);
    const base = row * columns;
    const start = positions[base] ?? 0;
    const last = positions[base + columns - 1] ?? start;
    const aclId = rows.text(row, fixedColumns.aclId) ?? "0";
    const usual = fragmentBytes(acl, aclId, bare, alias);
    const isKept = kept.size > 0 && kept.has(rows.text(row, fixedColumns.id) ?? "");
    const fragment = isKept ? undeletableFragment(usual) : usual;
    // Every value of the row, some of them twice (bare names, id), each at its longest.
    const values = jsonRoom(last - start + 4 + Math.max(0, bytes.readInt32BE(last))) * (bare ? 2 : 1) + 8 * columns;
    let out = room(at, constants + fragment.length + values);
    if (row > 0) out[at++] = 0x2c;
    at = put(idPrefix, out, at);
    const id = positions[base + fixedColumns.id] ?? 0;
    at = writeJson(bytes, id, out, at);
    if (bare) at = writeJson(bytes, id, out, put(BARE_ID, out, at));
    for (const { index, prefix, displayPrefix, target, actors, currency } of writers) {
      if (actors) {
        const text = actorsBytes(acl, aclId);
        out = room(at, constants + fragment.length + values + text.length);
        at = put(text, out, put(prefix, out, at));
        continue;
      }
      const position = positions[base + index] ?? 0;
      at = writeJson(bytes, position, out, put(prefix, out, at));
      if (currency) {
        const id = currency.index === undefined ? null : textAt(bytes, positions[base + currency.index] ?? 0);
        at = put(jsonCodeOf(id ?? ownId), out, put(currency.prefix, out, at));
      }
      if (displayPrefix === undefined) continue;
      at = put(displayPrefix, out, at);
      const reference = textAt(bytes, position);
      const nameOf = target === undefined ? undefined : jsonNameOf.get(target);
      const name = reference === null || nameOf === undefined ? NULL : nameOf(reference);
      out = room(at, constants + fragment.length + values + name.length);
      at = put(name, out, at);
    }
    at = put(fragment, out, at);
    at = writeJson(bytes, positions[base + fixedColumns.deleted] ?? 0, out, put(deletedPrefix, out, at));
    at = writeJson(bytes, positions[base + fixedColumns.display] ?? 0, out, put(DISPLAY_NAME, out, at));
    out[at++] = 0x7d;
  }
  room(at, 1)[at++] = 0x5d;
  const written = Buffer.from(scratch.subarray(0, at));
  if (scratch.length > MOST_SCRATCH) scratch = Buffer.allocUnsafe(SMALL);
  return written;
}
