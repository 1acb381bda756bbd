// What somebody chose in the last import of a record type: where each column went, and how days and numbers were written.
import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import type { CellHabits } from "../imports/mapping/cells.ts";
import { specSchema } from "../imports/spec.ts";

const lastSchema = z.object({
  import: specSchema.pick({ mapping: true, dateOrder: true, decimalSign: true }).exactOptional(),
});

export interface LastImport {
  readonly mapping: ReadonlyMap<string, string>;
  readonly habits: CellHabits | undefined;
}

export async function lastImport(
  db: Queryable,
  { organizationId, userId }: Caller,
  controller: string,
): Promise<LastImport> {
  const row = await db.row(sql`
    select input::text as input from core__jobs
    where organization_id = ${organizationId}::bigint and kind = 'import' and controller = ${controller}
      and created_by = ${userId}::bigint
    order by id desc limit 1`);
  const last = row ? storedJson(lastSchema, row.input, "core__jobs.input").import : undefined;
  return { mapping: new Map(last?.mapping.map(({ column, target }) => [column, target]) ?? []), habits: last };
}
