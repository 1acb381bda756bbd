// Takes the texts by which a file names records of a type; gives their ids: by id, running number, e-mail address, any value
// that must be unique, or by what they are called, among what the caller may read. Call within the import's transaction.
import type { Failure } from "../../../contract/failures.ts";
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayLook } from "../../access/matrix.ts";
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

/** The fields that records of a type are found by beside their ids, the surest first: none of what the caller cannot list. */
export function findingFields(type: RecordType, caller: Caller): readonly string[] {
  if (!mayLook(caller, type.key)) return [];
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
  /** `wanted`: what each text is compared as. */
  const settle = async (pairs: readonly (readonly [text: string, wanted: string])[], matches: Sql): Promise<void> => {
    if (pairs.length === 0) return;
    const [texts, wanted] = [pairs.map(([text]) => text), pairs.map(([, as]) => as)];
    const rows = await transaction.run(sql`
      select given.value, min(r.id::text), count(*)::text
      from unnest(${texts}::text[], ${wanted}::text[]) as given(value, wanted) join ${ident(type.table)} r on ${matches}
      where ${mayRead(caller, type, "r", "few")} and r.deleted = 0 group by given.value`);
    for (const [text, id, count] of rows.rows) {
      if (text == null || id == null) continue;
      found.set(text, count === "1" ? { id } : { count: Number(count) });
    }
    left = left.filter((text) => !found.has(text));
  };
  const asIs = (some: readonly string[]) => some.map((text) => [text, text] as const);
  await settle(asIs(ids), sql`r.id = given.wanted::${idTypeOf(type)}`);
  for (const name of findingFields(type, caller)) {
    const field = type.field.get(name);
    const [column] = type.columns.get(name) ?? [];
    if (!field || !column || left.length === 0) continue;
    const plain = expression(`r.${quote(column.name)}`);
    if (!/^(?:text|character)/u.test(column.type)) {
      // What is no value of the field names none of its records.
      const values = left.flatMap((text) => {
        const parsed = typeOf(field).parse(text, field, caller);
        return parsed.ok && parsed.row[0] != null ? [[text, parsed.row[0]] as const] : [];
      });
      await settle(values, sql`${plain} = given.wanted::${typeName(column.type)}`);
      continue;
    }
    await settle(asIs(left), sql`${plain} = given.wanted`);
    // As people write it, where nothing is called exactly so.
    const stored = expression(likenessOf(field, (at) => `r.${quote(at)}`));
    const given = expression(likenessOf(field, () => "given.wanted"));
    await settle(asIs(left), sql`${stored} = ${given}`);
  }
  return found;
}

/** Texts that would be the same record to people, together; the first of each names it. */
export async function groupAlike(
  { transaction }: Work,
  type: RecordType,
  texts: readonly string[],
): Promise<readonly (readonly [string, ...string[]])[]> {
  const field = type.field.get(type.displayField);
  const likeness = expression(field ? likenessOf(field, () => "given.value") : "given.value");
  const { rows } = await transaction.run(sql`
    select given.value, coalesce(${likeness}, given.value) from unnest(${texts}::text[]) with ordinality as given(value, position)
    order by given.position`);
  const groups = new Map<string, [string, ...string[]]>();
  for (const [text, like] of rows) {
    if (text == null || like == null) continue;
    const group = groups.get(like);
    if (group) group.push(text);
    else groups.set(like, [text]);
  }
  return [...groups.values()];
}
