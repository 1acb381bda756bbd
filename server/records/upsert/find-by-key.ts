// Takes the keys of rows; keeps everybody else who upserts the same keys waiting until the transaction ends, and gives the
// records that have them: those that the caller may read, and no others.
import { createHash } from "node:crypto";
import type { Caller } from "../../access/caller.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { UPSERT_LOCK, UPSERT_ROW_LOCK } from "../../database/locks.ts";
import { and, ident, join, type Sql, sql, typeName } from "../../database/sql.ts";
import type { Field } from "../../fields/field-type.ts";
import type { RecordType } from "../../metadata/record-type.ts";

export type Key = readonly string[];

/** Up to here each key is locked by itself; more lock the record type, which costs one lock however many they are. */
const FEW = 50;

export const keyText = (key: Key): string => JSON.stringify(key);

export async function lockKeys(
  transaction: Queryable,
  { organizationId }: Caller,
  type: RecordType,
  fields: readonly Field[],
  keys: readonly Key[],
): Promise<void> {
  if (keys.length > FEW) return lockAllKeys(transaction, organizationId, type);
  const whole = hashOf([organizationId, type.key]);
  const names = fields.map(({ name }) => name);
  // Always in the same order, so that two who lock the same ones never wait in a circle.
  const each = [...new Set(keys.map((key) => hashOf([organizationId, type.key, ...names, ...key])))].sort(
    (a, b) => a - b,
  );
  await transaction.run(sql`select pg_advisory_xact_lock_shared(${UPSERT_LOCK}, ${whole}::integer)`);
  await transaction.run(sql`
    select pg_advisory_xact_lock(${UPSERT_ROW_LOCK}, one) from unnest(${each.map(String)}::integer[]) as one`);
}

export async function lockAllKeys(transaction: Queryable, organizationId: string, type: RecordType): Promise<void> {
  const whole = hashOf([organizationId, type.key]);
  await transaction.run(sql`select pg_advisory_xact_lock(${UPSERT_LOCK}, ${whole}::integer)`);
}

const hashOf = (parts: readonly string[]): number =>
  createHash("sha256").update(JSON.stringify(parts)).digest().readInt32BE(0);

export interface Match {
  readonly id: string;
  readonly count: number;
}

/** Records with these keys and the numbers of the keys, among those that the caller may read. */
function withKeys(caller: Caller, type: RecordType, fields: readonly Field[], keys: readonly Key[]): Sql {
  const columns = fields.flatMap(({ name }) => type.columns.get(name) ?? []);
  const given = columns.map(
    (column, index) => sql`${keys.map((key) => key[index] ?? "")}::text[]::${typeName(column.type)}[]`,
  );
  const names = columns.map((_, index) => ident(`k${index}`));
  const equal = columns.map((column, index) => sql`r.${ident(column.name)} = g.${ident(`k${index}`)}`);
  return sql`unnest(${join(given)}) with ordinality as g(${join([...names, ident("n")])})
    join ${ident(type.table)} r on ${and(equal)}
    where ${mayRead(caller, type, "r", "few")} and r.deleted = 0`;
}

/** In the order of their ids, as everybody locks them who changes many. */
export async function lockByKey(
  transaction: Queryable,
  caller: Caller,
  type: RecordType,
  fields: readonly Field[],
  keys: readonly Key[],
): Promise<void> {
  await transaction.run(sql`select 1 from ${withKeys(caller, type, fields, keys)} order by r.id for update of r`);
}

/** By `keyText`. */
export async function findByKey(
  transaction: Queryable,
  caller: Caller,
  type: RecordType,
  fields: readonly Field[],
  keys: readonly Key[],
): Promise<ReadonlyMap<string, Match>> {
  if (keys.length === 0) return new Map();
  const { rows } = await transaction.run(sql`
    select g.n::text, min(r.id::text), count(*)::text from ${withKeys(caller, type, fields, keys)} group by g.n`);
  return new Map(
    rows.map(([number, id, count]) => [
      keyText(keys[Number(number) - 1] ?? []),
      { id: id ?? "", count: Number(count ?? 0) },
    ]),
  );
}
