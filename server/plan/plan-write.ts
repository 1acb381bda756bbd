// Takes what was granted and what was sent for a record; gives every field parsed, the children among it, and every fault
// of form and type, by field. What needs the stored record (rights, required fields, references) is for the saving itself.
// Pure; made before the transaction, and never changed after that.
import { about, type Message, type MessagesByField, say } from "../../contract/messages.ts";
import { type FieldMask, fieldMask } from "../access/field-mask.ts";
import { type Grant, grantWithin } from "../access/grant.ts";
import { isEmpty, isFilledIn, type RowValue } from "../fields/field-type.ts";
import { parseRecordId } from "../fields/record-id.ts";
import {
  childTypeOf,
  isOwned,
  isShown,
  type OwnedAssociation,
  referencedBy,
  tiesOf,
} from "../metadata/associations.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { isTree, shown, type Tree, type TreeValue } from "../request/tree.ts";
import { type SentStage, sentStage } from "./sent-stage.ts";

export type FieldErrors = Record<string, Message[]>;

export interface WritePlan {
  readonly grant: Grant;
  /** What errors are keyed by: `leads`, or `leads.addresses.0`. */
  readonly path: string;
  /** Children only: the stored row that is meant. */
  readonly id: string | undefined;
  /** The stored revision that the sender worked on. */
  readonly revision: string | undefined;
  /** Children only: this row is to go. */
  readonly remove: boolean;
  /** Row texts by field: what was sent and can be read. */
  readonly values: ReadonlyMap<string, readonly RowValue[]>;
  readonly children: readonly { readonly association: OwnedAssociation; readonly rows: readonly WritePlan[] }[];
  readonly errors: MessagesByField;
}

/** What one record is to become. */
export interface SavePlan {
  /** Undefined for a new record. */
  readonly id: string | undefined;
  readonly write: WritePlan;
  readonly stage: SentStage;
  /** What a failure gives back. */
  readonly sent: Tree;
}

const MAX_CHILDREN = 1_000;
/** Characters of what is said about a transition. */
const MAX_COMMENT = 10_000;
/** A child is whose the parent is. */
const ofTheParent = ["owned_by", "primary_acl_group", "category_id"];

export function planWrite(snapshot: Snapshot, grant: Grant, sent: Tree): WritePlan {
  const { type, fields } = grant;
  return { grant, ...readRow({ snapshot, grant, type, fields, path: type.alias, sent, association: undefined }) };
}

export interface SentRecord {
  readonly id: string | undefined;
  /** Values by field, children by association. */
  readonly sent: Tree;
  /** What a failure gives back, where it is not `sent`. */
  readonly asSent?: Tree;
}

export function planSave(snapshot: Snapshot, grant: Grant, { id, sent, asSent = sent }: SentRecord): SavePlan {
  const { stage, rest } = sentStage(sent);
  const write = planWrite(snapshot, grant, rest);
  if ((stage.comment?.length ?? 0) <= MAX_COMMENT) return { id, write, stage, sent: asSent };
  const tooLong = { [`${grant.type.alias}.stage_log.comment`]: [say("reason_too_long", { max: MAX_COMMENT })] };
  return { id, write: { ...write, errors: { ...write.errors, ...tooLong } }, stage, sent: asSent };
}

interface SentRow {
  readonly snapshot: Snapshot;
  /** Of the record that it is, or belongs to. */
  readonly grant: Grant;
  readonly type: RecordType;
  readonly fields: FieldMask;
  readonly path: string;
  readonly sent: Tree;
  /** Undefined for the record itself. */
  readonly association: OwnedAssociation | undefined;
  /** The rows before it that were named by their id. */
  readonly seen?: Set<string>;
}

type ReadRow = Omit<WritePlan, "grant">;

function readRow(row: SentRow): ReadRow {
  const { grant, type, path, sent, association, seen } = row;
  const { caller } = grant;
  const { visible, editable } = row.fields;
  const ignored = new Set(association ? [...tiesOf(association), ...ofTheParent] : []);
  const values = new Map<string, readonly RowValue[]>();
  const children: { association: OwnedAssociation; rows: readonly WritePlan[] }[] = [];
  const errors: FieldErrors = {};
  const fail = (name: string, ...messages: Message[]) => {
    errors[`${path}.${shown(name)}`] = messages;
  };
  const parsedId = isEmpty(sent.id) ? undefined : parseRecordId(sent.id, type.idKind);
  const id = parsedId?.ok ? (parsedId.row[0] ?? undefined) : undefined;
  if (id !== undefined && seen?.has(id)) fail("id", say("id_twice"));
  if (id !== undefined) seen?.add(id);
  if (parsedId && !parsedId.ok) fail("id", say("not_found", { field: type.label }));
  if (typeof sent.revision === "object" && sent.revision !== null) fail("revision", say("bad_revision"));

  for (const [sentAs, value] of Object.entries(sent)) {
    const name = type.fieldAliases.get(sentAs) ?? sentAs;
    const field = visible.has(name) || editable.has(name) ? type.field.get(name) : undefined;
    if (field && name !== sentAs && Object.hasOwn(sent, name)) {
      fail(sentAs, say("sent_twice", { field: field.label, name, other: shown(sentAs) }));
      continue;
    }
    if (field) {
      if (isFilledIn(field) || ignored.has(name)) continue;
      const parsed = typeOf(field).parse(value, field, caller);
      if (parsed.ok) values.set(name, parsed.row);
      else fail(sentAs, ...parsed.errors.map((error) => about(field.label, error)));
      continue;
    }
    const owned = association ? undefined : type.association.get(name);
    if (owned && isShown(owned)) {
      if (!(sentRows(value) ?? [["", value]]).every(([, one]) => comesBack(one)))
        fail(name, say("shown_only", { field: owned.label }));
    } else if (owned && isOwned(owned)) {
      const rows = sentRows(value);
      if (rows === undefined) fail(name, say("bad_list", { field: owned.label }));
      else if (rows.length > MAX_CHILDREN) fail(name, say("too_many_rows", { field: owned.label, max: MAX_CHILDREN }));
      else children.push({ association: owned, rows: planChildren(row, owned, rows) });
    } else if (!isCompanion(type, visible, name) && !isEmptyContainer(name, value))
      fail(name, say("unknown_field", { field: shown(name) }));
  }
  return {
    path,
    id,
    revision: typeof sent.revision === "string" && sent.revision !== "" ? sent.revision.trim() : undefined,
    remove: association !== undefined && sent.deleted === "1",
    values,
    children,
    errors,
  };
}

/** `__x` and `x_model` of a field that the caller can see. */
function isCompanion(type: RecordType, visible: ReadonlySet<string>, name: string): boolean {
  if (name.startsWith("__")) return visible.has(name.slice(2));
  const base = name.endsWith("_model") ? name.slice(0, -"_model".length) : "";
  const field = visible.has(base) ? type.field.get(base) : undefined;
  return field !== undefined && referencedBy(type, field) !== undefined;
}

/** A tab or section of a form: programs that send every element that may be edited send these too, without a value. */
const isEmptyContainer = (name: string, value: TreeValue): boolean =>
  /^(?:tab|section)_\d+$/u.test(name) &&
  (isEmpty(value) || (isTree(value) && Object.entries(value).every(([inner, one]) => isEmptyContainer(inner, one))));

/** A row of what a view brings along to be read: who sends all of the record sends it too. */
const comesBack = (row: TreeValue): boolean => isTree(row) && !isEmpty(row.id) && row.deleted !== "1";

/** A list, or an object whose keys are the rows' numbers; nothing where nothing was sent. */
function sentRows(value: TreeValue): readonly (readonly [string, TreeValue])[] | undefined {
  if (isEmpty(value)) return [];
  if (Array.isArray(value)) return value.map((one: TreeValue, index) => [String(index), one]);
  return isTree(value) ? Object.entries(value) : undefined;
}

function planChildren(
  row: SentRow,
  association: OwnedAssociation,
  rows: readonly (readonly [string, TreeValue])[],
): WritePlan[] {
  const type = childTypeOf(row.snapshot, association);
  const { caller, rules } = row.grant;
  const fields = fieldMask(type, caller);
  const seen = new Set<string>();
  return rows.flatMap(([key, sent]): WritePlan[] => {
    const path = `${row.path}.${association.name}.${shown(key)}`;
    const read = isTree(sent) ? readRow({ ...row, type, fields, path, sent, association, seen }) : noRow(type, path);
    // An empty row of a grid is no record: neither is one that was added and removed before it was saved.
    const blank = read.id === undefined && Object.keys(read.errors).length === 0;
    const unset = [...read.values.values()].every((texts) => texts.every((text) => text === null));
    if (blank && (unset || read.remove)) return [];
    const operation = read.id === undefined ? "add" : read.remove ? "delete" : "edit";
    return [{ grant: grantWithin(caller, type, operation, rules), ...read }];
  });
}

const noRow = (type: RecordType, path: string): ReadRow => ({
  path,
  id: undefined,
  revision: undefined,
  remove: false,
  values: new Map(),
  children: [],
  errors: { [path]: [say("bad_row", { field: type.label })] },
});
