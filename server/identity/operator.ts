// The organization that runs the service: where what belongs to no other organization is written down.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export async function operatorId(db: Queryable): Promise<string> {
  const row = await db.row(sql`
    select organization_id::text as id from access_controls__organization_list o
    where is_operator = 1 order by o.organization_id limit 1`);
  if (!row?.id) throw new Error("no organization runs this service");
  return row.id;
}
