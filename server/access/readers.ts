// Takes a record; gives the SQL of which users may read it: the same answer that visibility.ts gives about one caller,
// asked the other way round, for those who are to be told about the record.
import { ident, type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { EVERYONE } from "./caller.ts";

export interface ReadRecord {
  readonly type: RecordType;
  readonly id: string;
  readonly idType: Sql;
}

/** Active users `u` who may read the record; `which` narrows them, `order` ends the statement. */
export function usersWhoRead(
  organizationId: string,
  { type, id, idType }: ReadRecord,
  which: Sql,
  order: Sql = sql`order by u.id`,
): Sql {
  const org = sql`${organizationId}::bigint`;
  return sql`
    with recursive record as (
      select s.readers from ${ident(type.table)} r
      join core__acl_sets s on s.organization_id = ${org} and s.id = r.acl_id
      where r.organization_id = ${org} and r.id = ${id}::${idType} and r.deleted = 0
    ), reading(id) as (
      select g.id from record join access_controls__groups g on g.principal_id = any(record.readers)
      where g.organization_id = ${org} and g.deleted = 0
      union
      select g.id from reading
      join access_controls__group_members m on m.organization_id = ${org} and m.group_id = reading.id and m.deleted = 0
      join access_controls__groups g on g.organization_id = ${org} and g.id = m.member_group_id and g.deleted = 0
    )
    select u.id::text as id, u.user_name, u.name from record
    join access_controls__users u on u.organization_id = ${org} and u.deleted = 0 and u.is_active = 1
    join access_controls__organizations o on o.organization_id = ${org} and o.id = u.organization_id
    cross join lateral (
      select coalesce(bool_or(r.is_administrator = 1), false) as is_administrator,
        coalesce(bool_or('view' = any(matrix.operations)), false) as may_view,
        coalesce(bool_or(r.principal_id = any(record.readers)), false) as reads
      from access_controls__roles_users m
      join access_controls__roles r on r.organization_id = ${org} and r.id = m.role_id and r.deleted = 0
      left join lateral (
        select p.operations from access_controls__role_operations p
        where p.organization_id = ${org} and p.role_id = r.id and p.deleted = 0 and p.record_type in (${type.key}, '*')
        order by p.record_type = '*' limit 1) matrix on true
      where m.organization_id = ${org} and m.user_id = u.id and m.deleted = 0) roles
    where (${type.confidential ? sql`(roles.is_administrator or roles.may_view)` : sql`roles.is_administrator or roles.may_view`} and (
        roles.reads or u.principal_id = any(record.readers) or o.principal_id = any(record.readers)
        or ${EVERYONE} = any(record.readers)
        or exists (
          select 1 from access_controls__group_members m
          where m.organization_id = ${org} and m.user_id = u.id and m.deleted = 0 and m.group_id in (select id from reading))))
      and ${which}
    ${order}`;
}
