// The fields that records are found by in place of their ids: which can be used, and what a row says in them. Pure.
import { Failure } from "../../../contract/failures.ts";
import { about, say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { type Field, isFilledIn } from "../../fields/field-type.ts";
import { parseRecordId } from "../../fields/record-id.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { shown, type Tree } from "../../request/tree.ts";

/** More than anybody tells records apart by. */
const MOST_FIELDS = 5;

/** The fields of a key by their names or aliases; a field that is hidden from the caller is unknown. */
export function keyFields(type: RecordType, caller: Caller, names: readonly string[]): readonly Field[] {
  const { visible } = fieldMask(type, caller);
  const refuse = (reason: ReturnType<typeof say>): never => {
    throw new Failure("malformed_parameter", { with: { name: "key", reason } });
  };
  if (names.length === 0 || names.length > MOST_FIELDS) refuse(say("key_fields_count", { max: MOST_FIELDS }));
  const fields = names.map((sent) => {
    const name = type.fieldAliases.get(sent) ?? sent;
    const field = visible.has(name) ? type.field.get(name) : undefined;
    return field ?? refuse(say("unknown_field", { field: shown(sent) }));
  });
  for (const field of fields) {
    const isOne = (type.columns.get(field.name) ?? []).length === 1;
    if (!isOne || !typeOf(field).operators.includes("in")) refuse(say("key_not_comparable", { field: field.label }));
  }
  if (new Set(fields).size < fields.length) refuse(say("appears_twice"));
  return fields;
}

/** Filled in by the service: a row cannot bring a new value of it. */
export const isGiven = (fields: readonly Field[]): boolean => fields.some(isFilledIn);

/** The texts of a row's key as its columns hold them; null: it has none, and is new. */
export function keyOf(
  type: RecordType,
  caller: Caller,
  fields: readonly Field[],
  sent: Tree,
): readonly string[] | null | Failure {
  const texts: string[] = [];
  const byField: Record<string, readonly ReturnType<typeof say>[]> = {};
  for (const field of fields) {
    const value = sent[field.name] ?? aliased(type, field, sent);
    const parsed = field.name === "id" ? parseRecordId(value, type.idKind) : typeOf(field).parse(value, field, caller);
    const path = `${type.alias}.${field.name}`;
    if (!parsed.ok) byField[path] = parsed.errors.map((error) => about(field.label, error));
    else if (parsed.row[0] == null) byField[path] = [say("upsert_key_empty", { field: field.label })];
    else texts.push(parsed.row[0]);
  }
  if (texts.length === fields.length) return texts;
  const errors = Object.values(byField).flat();
  const isEmpty = errors.every(({ code }) => code === "upsert_key_empty");
  if (isEmpty && errors.length === fields.length && isGiven(fields)) return null;
  return new Failure("invalid", { errors, byField });
}

const aliased = (type: RecordType, field: Field, sent: Tree) =>
  [...type.fieldAliases].flatMap(([alias, name]) => (name === field.name ? (sent[alias] ?? []) : []))[0] ?? null;
