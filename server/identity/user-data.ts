// Takes a user's id; gives the parts of a login answer that tell who logged in, without anything secret.
import { readPerson } from "../access/read-caller.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export async function userData(db: Queryable, organizationId: string, userId: string) {
  const person = await readPerson(db, organizationId, userId);
  const row = await db.row(sql`
    select id, user_name, first_name, last_name, name, title, time_zone, locale, hour_format, theme, last_login, created
    from access_controls__users
    where organization_id = ${organizationId}::bigint and id = ${userId}::bigint`);
  return {
    user_id: userId,
    user_fullname: person?.fullName ?? null,
    organization_id: organizationId,
    organization_name: person?.organizationName ?? null,
    data: {
      users: {
        ...row,
        roles: person?.roles.map((role) => role.code) ?? [],
        is_administrator: person?.isAdministrator ? "1" : "0",
      },
    },
  };
}
