// Takes records; returns the name of each, for a text that is written now and read later. Checks no rights: the code that
// chooses the readers of that text does.
import type { Queryable } from "../../database/database.ts";
import { expression, ident, quote, sql } from "../../database/sql.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { isAmongIds } from "../../query/lock-rows.ts";

/** By id; what has no name has no entry. */
export async function recordNames(
  db: Queryable,
  type: RecordType,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const field = type.field.get(type.displayField);
  const text = field ? typeOf(field).select(field, (column) => `r.${quote(column)}`) : "r.id";
  const wall = type.scope === "shared" ? sql`true` : sql`r.organization_id = ${organizationId}::bigint`;
  const rows = await db.rows(sql`
    select r.id::text as id, ${expression(`(${text})::text`)} as name from ${ident(type.table)} r
    where ${wall} and ${isAmongIds(type, ids)}`);
  return new Map(rows.flatMap(({ id, name }) => (id != null && name != null ? [[id, name]] : [])));
}
