// The permissions of one role while they are being changed: its operation matrix, and its rules for single fields. Pure.
import type { MatrixRow } from "../../../../client/people/administration.ts";
import type { FieldRule } from "../../../../client/people/roles.ts";
import { type MatrixOperation, matrixOperations } from "../../../../contract/permissions.ts";

/** By record type; a type without an entry follows `*`. */
export type MatrixDraft = ReadonlyMap<string, ReadonlySet<MatrixOperation>>;

export const draftOf = (rows: readonly MatrixRow[]): MatrixDraft =>
  new Map(rows.map(({ recordType, operations }) => [recordType, new Set(operations)]));

export const allowedFor = (draft: MatrixDraft, type: string): ReadonlySet<MatrixOperation> =>
  draft.get(type) ?? draft.get("*") ?? new Set();

/** A type that is changed for the first time starts from what it followed. */
export function toggled(draft: MatrixDraft, type: string, operation: MatrixOperation): MatrixDraft {
  const own = new Set(allowedFor(draft, type));
  if (!own.delete(operation)) own.add(operation);
  return new Map(draft).set(type, own);
}

/** A row of its own, as it was allowed so far. */
export const started = (draft: MatrixDraft, type: string): MatrixDraft =>
  new Map(draft).set(type, new Set(allowedFor(draft, type)));

export function followed(draft: MatrixDraft, type: string): MatrixDraft {
  const next = new Map(draft);
  next.delete(type);
  return next;
}

const textOf = (operations: Iterable<MatrixOperation>): string => {
  const set = new Set(operations);
  return matrixOperations.filter((one) => set.has(one)).join(";");
};

const isSame = (one: ReadonlySet<MatrixOperation> | undefined, other: ReadonlySet<MatrixOperation> | undefined) =>
  one === undefined || other === undefined ? one === other : textOf(one) === textOf(other);

/** Of a row that both changed: each operation that I changed is as I have it, all others as they are stored now. */
const together = (
  was: ReadonlySet<MatrixOperation>,
  is: ReadonlySet<MatrixOperation>,
  mine: ReadonlySet<MatrixOperation>,
): ReadonlySet<MatrixOperation> =>
  new Set(matrixOperations.filter((one) => (mine.has(one) === was.has(one) ? is : mine).has(one)));

/** Whether somebody else has changed the same rows since they were read. */
export function isContradicted(
  before: readonly MatrixRow[],
  now: readonly MatrixRow[],
  changed: readonly MatrixRow[],
): boolean {
  const [was, is] = [draftOf(before), draftOf(now)];
  return changed.some(({ recordType }) => !isSame(was.get(recordType), is.get(recordType)));
}

/** What was changed since `before` stays; all else is as it is stored now. */
export function rebased(before: readonly MatrixRow[], now: readonly MatrixRow[], draft: MatrixDraft): MatrixDraft {
  const [was, is] = [draftOf(before), draftOf(now)];
  return new Map(
    [...new Set([...is.keys(), ...draft.keys()])].flatMap((type): [string, ReadonlySet<MatrixOperation>][] => {
      const [mine, stored] = [draft.get(type), is.get(type)];
      const next = isSame(mine, was.get(type))
        ? stored
        : mine && stored
          ? together(allowedFor(was, type), stored, mine)
          : mine;
      return next ? [[type, next]] : [];
    }),
  );
}

/** What has to be sent: rows that are new or differ, and those that are given up. */
export function changesOf(rows: readonly MatrixRow[], draft: MatrixDraft) {
  const stored = new Map(rows.map((row) => [row.recordType, row]));
  const changed = [...draft].flatMap(([recordType, operations]): MatrixRow[] => {
    const before = stored.get(recordType);
    if (before && textOf(before.operations) === textOf(operations)) return [];
    return [{ id: before?.id, recordType, operations: matrixOperations.filter((one) => operations.has(one)) }];
  });
  const givenUp = rows.flatMap(({ id, recordType }) => (id !== undefined && !draft.has(recordType) ? [id] : []));
  return { changed, givenUp, count: changed.length + givenUp.length };
}

/** Rules that are new or differ, and those that go. */
export function fieldChangesOf(stored: readonly FieldRule[], rules: readonly FieldRule[]) {
  const before = new Map(stored.map((rule) => [rule.id, rule]));
  const fields = rules.filter(({ id, permission }) => id === undefined || before.get(id)?.permission !== permission);
  const kept = new Set(rules.map(({ id }) => id));
  const fieldsGivenUp = stored.flatMap(({ id }) => (id !== undefined && !kept.has(id) ? [id] : []));
  return { fields, fieldsGivenUp, count: fields.length + fieldsGivenUp.length };
}

const ruleKey = ({ recordType, field }: FieldRule): string => `${recordType} ${field}`;

/** The same for rules of fields: those that were made, changed or removed since `before` stay so. */
export function rebasedRules(
  before: readonly FieldRule[],
  now: readonly FieldRule[],
  rules: readonly FieldRule[],
): readonly FieldRule[] {
  const [was, is, mine] = [before, now, rules].map((all) => new Map(all.map((rule) => [ruleKey(rule), rule])));
  return [...new Set([...now, ...rules].map(ruleKey))].flatMap((key) => {
    const [old, stored, own] = [was?.get(key), is?.get(key), mine?.get(key)];
    if (own?.permission === old?.permission) return stored ?? [];
    return own ? { ...own, id: stored?.id } : [];
  });
}

/** A role as it is stored. */
export interface StoredRole {
  readonly rows: readonly MatrixRow[];
  readonly fields: readonly FieldRule[];
}

interface HeldRole {
  readonly stored: StoredRole;
  readonly draft: readonly (readonly [string, readonly MatrixOperation[]])[];
  readonly fields: readonly FieldRule[];
}

/** What is not saved yet, with what it was made from, as text. */
export function heldRole(stored: StoredRole, draft: MatrixDraft, fields: readonly FieldRule[]): string {
  const held: HeldRole = { stored, draft: [...draft].map(([type, own]) => [type, [...own]]), fields };
  return JSON.stringify(held);
}

/** What was held, if anything was, on top of what is stored by now. */
export function takenUp(text: string | null, { rows, fields }: StoredRole) {
  if (text === null) return { draft: draftOf(rows), fields };
  // Nothing else writes it.
  const held = JSON.parse(text) as HeldRole;
  const draft = new Map(held.draft.map(([type, operations]) => [type, new Set(operations)]));
  return {
    draft: rebased(held.stored.rows, rows, draft),
    fields: rebasedRules(held.stored.fields, fields, held.fields),
  };
}

/** What policies can call a role: a code made of its name, where that has Latin letters. */
export const codeOf = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, "_")
    .replace(/^[_0-9]+/u, "")
    .replace(/_$/u, "");
