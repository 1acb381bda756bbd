// Takes a record; gives what it is called, for a text that is written now and read later. Asks nobody's right: that is for
// whoever chooses the readers of that text.
import type { Queryable } from "../../database/database.ts";
import { expression, ident, quote, sql } from "../../database/sql.ts";
import { typeOf } from "../../metadata/compile.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { idTypeOf } from "../../query/lock-rows.ts";

export async function recordName(
  db: Queryable,
  type: RecordType,
  organizationId: string,
  id: string,
): Promise<string | null> {
  const field = type.field.get(type.displayField);
  const text = field ? typeOf(field).select(field, (column) => `r.${quote(column)}`) : "r.id";
  const wall = type.scope === "shared" ? sql`true` : sql`r.organization_id = ${organizationId}::bigint`;
  const row = await db.row(sql`
    select ${expression(`(${text})::text`)} as name from ${ident(type.table)} r where ${wall} and r.id = ${id}::${idTypeOf(type)}`);
  return row?.name ?? null;
}
