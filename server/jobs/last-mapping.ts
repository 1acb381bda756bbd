// Where somebody's last import of a record type put each column of its file.
import type { Caller } from "../access/caller.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { storedJson } from "../database/stored-json.ts";
import { jobInputSchema } from "./job.ts";

export async function lastMapping(
  db: Queryable,
  { organizationId, userId }: Caller,
  controller: string,
): Promise<ReadonlyMap<string, string>> {
  const row = await db.row(sql`
    select input::text as input from core__jobs
    where organization_id = ${organizationId}::bigint and kind = 'import' and controller = ${controller}
      and created_by = ${userId}::bigint
    order by id desc limit 1`);
  const last = row ? storedJson(jobInputSchema, row.input, "core__jobs.input").import : undefined;
  return new Map(last?.mapping.map(({ column, target }) => [column, target]) ?? []);
}
