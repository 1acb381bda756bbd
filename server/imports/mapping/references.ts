// Takes the texts by which a file names records of a type; gives their ids: by id, running number, e-mail address, any value
// that must be unique, or by what they are called, among what the caller may read. Call within the import's transaction.
import type { Failure } from "../../../contract/failures.ts";
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayRead } from "../../access/visibility.ts";
import { expression, ident, quote, type Sql, sql, typeName } from "../../database/sql.ts";
import { recordIdOf } from "../../fields/record-id.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { likenessOf } from "../../metadata/table-shape.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import type { Work } from "../../records/hooks.ts";
import { uniqueSets } from "../../records/save/check-unique.ts";

export type Found = { readonly id: string } | { readonly count: number } | { readonly failure: Failure };

/** The fields that records of a type are found by beside their ids, the surest first. */
export function findingFields(type: RecordType, caller: Caller): readonly string[] {
  const { visible } = fieldMask(type, caller);
  const unique = uniqueSets(type).flatMap((names) => (names.length === 1 ? names : []));
  const mail = type.fields.filter((field) => typeOf(field).isMailAddress).map(({ name }) => name);
  const own = ["business_key", "user_name", "code"].filter((name) => type.field.has(name));
  const names = new Set([...own, ...unique, ...mail, type.displayField]);
  return [...names].filter((name) => visible.has(name) && type.columns.get(name)?.length === 1);
}

const MOST_CHARACTERS = 500;

/** By text; without an entry: there is none. `count`: so many are called so. */
export async function findReferences(
  { transaction, caller }: Work,
  type: RecordType,
  texts: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  let left = [...texts].filter((text) => text.length <= MOST_CHARACTERS);
  const ids = left.filter((text) => recordIdOf(text, type.idKind) !== undefined);
  const byId = sql`select given.value, r.id::text from unnest(${ids}::text[]) as given(value)
    join ${ident(type.table)} r on r.id = given.value::${idTypeOf(type)}`;
  const settle = async (lookup: Sql): Promise<void> => {
    const { rows } = await transaction.run(
      sql`${lookup} where ${mayRead(caller, type, "r", "few")} and r.deleted = 0 limit 10000`,
    );
    const matches = new Map<string, Set<string>>();
    for (const [text, id] of rows) {
      if (text == null || id == null) continue;
      matches.set(text, (matches.get(text) ?? new Set()).add(id));
    }
    for (const [text, some] of matches) {
      const [id = ""] = some;
      found.set(text, some.size === 1 ? { id } : { count: some.size });
    }
    left = left.filter((text) => !found.has(text));
  };
  if (ids.length > 0) await settle(byId);
  for (const name of findingFields(type, caller)) {
    const field = type.field.get(name);
    const [column] = type.columns.get(name) ?? [];
    if (!field || !column || left.length === 0) continue;
    const plain = expression(`r.${quote(column.name)}`);
    const values = sql`unnest(${left}::text[]) as given(value)`;
    const isText = /^(?:text|character)/u.test(column.type);
    await settle(
      sql`select given.value, r.id::text from ${values} join ${ident(type.table)} r on ${plain} = ${isText ? sql`given.value` : sql`given.value::${typeName(column.type)}`}`,
    );
    // As people write it, where nothing is called exactly so.
    if (left.length === 0 || !isText) continue;
    const stored = expression(likenessOf(field, (at) => `r.${quote(at)}`));
    const given = expression(likenessOf(field, () => "given.value"));
    const rest = sql`unnest(${left}::text[]) as given(value)`;
    await settle(sql`select given.value, r.id::text from ${rest} join ${ident(type.table)} r on ${stored} = ${given}`);
  }
  return found;
}
