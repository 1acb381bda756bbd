// Takes users; returns the statement that selects the principals who act for any of them in a workflow: the users
// themselves, their roles, and their groups, including nested ones.
import { type Sql, sql } from "../database/sql.ts";

/** One column of integers. */
export function actingAs(organizationId: string, users: readonly string[]): Sql {
  const org = sql`${organizationId}::bigint`;
  const who = sql`any(${[...users]}::bigint[])`;
  return sql`
    with recursive within(id, principal_id) as (
      select g.id, g.principal_id from access_controls__group_members m
      join access_controls__groups g on g.organization_id = ${org} and g.id = m.group_id and g.deleted = 0
      where m.organization_id = ${org} and m.user_id = ${who} and m.deleted = 0
      union
      select g.id, g.principal_id from within
      join access_controls__group_members m on m.organization_id = ${org} and m.member_group_id = within.id and m.deleted = 0
      join access_controls__groups g on g.organization_id = ${org} and g.id = m.group_id and g.deleted = 0
    )
    select u.principal_id from access_controls__users u where u.organization_id = ${org} and u.id = ${who} and u.deleted = 0
    union all
    select r.principal_id from access_controls__roles_users m
    join access_controls__roles r on r.organization_id = ${org} and r.id = m.role_id and r.deleted = 0
    where m.organization_id = ${org} and m.user_id = ${who} and m.deleted = 0
    union all
    select principal_id from within`;
}
