// The statements that change stored rows: only the columns that changed, the revision, and who did it when.

import type { Caller } from "../access/caller.ts";
import { wall } from "../access/visibility.ts";
import { expression, ident, join, quote, type Sql, sql, typeName } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { idTypeOf, isAmongIds } from "./lock-rows.ts";

function stamp(type: RecordType, caller: Caller): Sql {
  const author = type.scope === "shared" ? sql`` : sql`, modified_by = ${caller.userId}::bigint`;
  return sql`revision = r.revision + 1, modified = now() at time zone 'utc'${author}`;
}

export interface RowUpdate {
  readonly id: string;
  /** New texts by column. */
  readonly columns: Readonly<Record<string, string | null>>;
  /** Where the access set changes too. */
  readonly aclId: string | undefined;
}

/** All rows name the same columns. What is the same for all is sent once. */
export function updateRows(type: RecordType, caller: Caller, rows: readonly RowUpdate[]): Sql {
  const [first] = rows;
  if (!first) throw new Error("nothing to update");
  const types = new Map([...type.columns.values()].flat().map((column) => [column.name, column.type]));
  const texts = new Map(Object.keys(first.columns).map((name) => [name, rows.map((row) => row.columns[name] ?? null)]));
  if (first.aclId !== undefined) {
    types.set("acl_id", "integer");
    texts.set(
      "acl_id",
      rows.map((row) => row.aclId ?? null),
    );
  }
  const ids = rows.map((row) => row.id);
  const given: Sql[] = [sql`${ids}::${idTypeOf(type)}[]`];
  const casts: Sql[] = [ident("id")];
  const sets = [...texts].map(([name, values]) => {
    const columnType = types.get(name);
    if (columnType === undefined) throw new Error(`${type.table} has no column ${name}`);
    const [one = null] = values;
    if (values.every((value) => value === one)) return sql`${ident(name)} = ${one}::${typeName(columnType)}`;
    // Read as what they are when the statement begins, not row by row. There are no arrays of arrays of any length.
    const isArray = columnType.endsWith("[]");
    const position = given.push(isArray ? sql`${values}::text[]` : sql`${values}::${typeName(`${columnType}[]`)}`);
    casts.push(isArray ? sql`${ident(`v${position}`)}::${typeName(columnType)}` : ident(`v${position}`));
    return sql`${ident(name)} = ${ident("given", `v${position}`)}`;
  });
  const update = sql`update ${expression(quote(type.table))} r set ${join([...sets, stamp(type, caller)])}`;
  if (given.length === 1) return sql`${update} where ${wall(caller, type, "r")} and ${isAmongIds(type, ids)}`;
  const names = given.map((_, index) => ident(index === 0 ? "id" : `v${index + 1}`));
  return sql`
    with given(${join(names)}) as materialized (
      select ${join(casts)} from unnest(${join(given)}) as sent(${join(names)}))
    ${update} from given
    where ${wall(caller, type, "r")} and r.id = given.id`;
}

/** Deletes softly, or brings back, every named row that is not yet so. Gives id, acl_id, revision and created of each. */
export function markDeleted(type: RecordType, caller: Caller, ids: readonly string[], deleted: "0" | "1"): Sql {
  const aclId = type.scope === "shared" ? sql`'0'` : sql`r.acl_id::text`;
  return sql`
    update ${expression(quote(type.table))} r set deleted = ${deleted}::smallint, ${stamp(type, caller)}
    where ${wall(caller, type, "r")} and r.id = any(${ids}::${idTypeOf(type)}[]) and r.deleted <> ${deleted}::smallint
    returning r.id::text, ${aclId}, r.revision::text, r.created`;
}
