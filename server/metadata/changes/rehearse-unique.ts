// Takes conversions that are only rehearsed, whose values are not written; refuses them where two records that differed would have the same
// values in fields that must be unique, in the words in which writing them would be refused. Reads alone.
import { say } from "../../../contract/messages.ts";
import type { Queryable } from "../../database/database.ts";
import { and, ident, join, type Sql, sql, typeName } from "../../database/sql.ts";
import { definitionRefused } from "../definition-refusal.ts";
import type { RecordType } from "../record-type.ts";
import type { Snapshot } from "../snapshot.ts";
import { type ShapedIndex, shapeTable } from "../table-shape.ts";
import { type Conversion, staysInPlace } from "./convert-fields.ts";
import { placeOf } from "./refuse-records.ts";

/** The unique sets of the new design that one of its fields is part of. */
export const uniqueSetsWith = (type: RecordType, snapshot: Snapshot, field: string): readonly ShapedIndex[] => {
  const columns = new Set((type.columns.get(field) ?? []).map(({ name }) => name));
  return shapeTable(type, snapshot).indexes.filter(
    (one) => one.unique && one.columns.some((name) => columns.has(name)),
  );
};

export async function requireUniqueValues(
  transaction: Queryable,
  before: RecordType,
  after: RecordType,
  snapshot: Snapshot,
  conversions: readonly Conversion[],
): Promise<void> {
  const rehearsed = conversions.filter(({ isEmpty }) => isEmpty);
  const sets = new Map(
    rehearsed.flatMap(({ to }) => uniqueSetsWith(after, snapshot, to.name).map((one) => [one.name, one] as const)),
  );
  for (const index of sets.values()) {
    if (!(await hasSameValues(transaction, before, after, index, rehearsed))) continue;
    const wrong = say("not_unique", { index: index.name });
    throw definitionRefused([{ at: placeOf(after, index.columns, "unique"), wrong }], after.key);
  }
}

async function hasSameValues(
  transaction: Queryable,
  before: RecordType,
  after: RecordType,
  { columns, live }: ShapedIndex,
  conversions: readonly Conversion[],
): Promise<boolean> {
  const idType = typeName(before.idKind === "uuid" ? "uuid" : "bigint");
  const isOwned = before.scope === "organization";
  const joins: Sql[] = [];
  const values = new Map<string, Sql>();
  for (const [index, { from, to, converted }] of conversions.entries()) {
    const written = after.columns.get(to.name) ?? [];
    if (!written.some(({ name }) => columns.includes(name))) continue;
    const given = `given${index}`;
    const names = written.map((_, at) => ident(`c${at}`));
    const arrays = written.map((_, at) => sql`${converted.rows.map((row) => row.values[at] ?? null)}::text[]`);
    const same = isOwned
      ? sql`${ident(given, "organization_id")}::bigint = r.organization_id and ${ident(given, "id")}::${idType} = r.id`
      : sql`${ident(given, "id")}::${idType} = r.id`;
    joins.push(sql`
      left join unnest(${converted.rows.map((row) => row.organizationId)}::text[], ${converted.rows.map((row) => row.id)}::text[], ${join(arrays)})
        as ${ident(given)}(organization_id, id, ${join(names)}) on ${same}`);
    for (const [at, column] of written.entries()) {
      const value = sql`${ident(given, `c${at}`)}::${typeName(column.type)}`;
      // Of text that stays where it is, only what is spelled otherwise was read; what becomes empty is like nothing.
      const kept = sql`case when ${ident(given, "id")} is null then r.${ident(column.name)} else ${value} end`;
      values.set(column.name, staysInPlace(from, to) ? kept : value);
    }
  }
  const stored = new Set([...before.columns.values()].flat().map(({ name }) => name));
  const others = columns.filter((name) => name !== "organization_id");
  // A new field is empty everywhere, and nothing is like what is empty.
  if (!others.every((name) => values.has(name) || stored.has(name))) return false;
  const compared = others.map((name) => values.get(name) ?? sql`r.${ident(name)}`);
  const keys = isOwned ? [sql`r.organization_id`, ...compared] : compared;
  const row = await transaction.row(sql`
    select 1 as found from ${ident(before.table)} r ${join(joins, " ")}
    where ${live ? sql`r.deleted = 0` : sql`true`} and ${and(compared.map((value) => sql`${value} is not null`))}
    group by ${join(keys)} having count(*) > 1 limit 1`);
  return row !== undefined;
}
