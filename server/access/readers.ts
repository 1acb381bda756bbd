// Takes a record; returns the SQL for who may do what with it: the rule (rule.ts) for any user instead of a given one. Used
// to decide whom to notify about a record, and to show who has which right on it.
import { recordRights } from "../../contract/permissions.ts";
import { expression, ident, join, type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { EVERYONE } from "./caller.ts";
import { type People, permitOf, type Rule, ruleOf } from "./rule.ts";

export interface ReadRecord {
  readonly type: RecordType;
  readonly id: string;
  readonly idType: Sql;
}

/** Records of one type, each with a user who may or may not read it. */
export interface ReadingPairs {
  readonly type: RecordType;
  readonly idType: Sql;
  readonly records: readonly string[];
  readonly users: readonly string[];
}

/** Whether user `u` of organization `o`, with `roles`, is among them. */
function among(people: People): Sql {
  switch (people) {
    case "everybody":
      return sql`true`;
    case "administrators":
      return sql`roles.is_administrator`;
    case "operators":
      return sql`(roles.is_administrator and o.is_operator = 1)`;
    case "nobody":
      return sql`false`;
  }
}

/** Who passes the record's set, which has `subjects`. */
const passes = (rule: Rule, subjects: Sql): Sql =>
  rule.unlessAbout.length === 0
    ? among(rule.passes)
    : sql`(${among(rule.passes)} and (${subjects} && ${rule.unlessAbout}::text[]) is not true)`;

/** The operations that role `r` allows on a type: by its own entry, else by that for all types. */
const matrixEntry = (org: Sql, key: Sql): Sql => sql`(
  select p.operations from access_controls__role_operations p
  where p.organization_id = ${org} and p.role_id = r.id and p.deleted = 0 and p.record_type in (${key}, '*')
  order by p.record_type = '*' limit 1)::text[]`;

const rolesOf = (org: Sql): Sql => sql`access_controls__roles_users m
  join access_controls__roles r on r.organization_id = ${org} and r.id = m.role_id and r.deleted = 0`;

/** Active users `u` who may read the record; `which` narrows them, `order` ends the statement. */
export function usersWhoRead(
  organizationId: string,
  { type, id, idType }: ReadRecord,
  which: Sql,
  order: Sql = sql`order by u.id`,
): Sql {
  const org = sql`${organizationId}::bigint`;
  return sql`
    ${readers(org, type, sql`r.id = ${id}::${idType}`)}
    select u.id::text as id, u.user_name, u.name ${readingUsers(org, type, sql`record`, which)}
    ${order}`;
}

/** Of each pair whose user is active and may read its record: `record` and `id` of the user. */
export function pairsWhoRead(organizationId: string, { type, idType, records, users }: ReadingPairs): Sql {
  const org = sql`${organizationId}::bigint`;
  const pairs = sql`unnest(${records}::${idType}[], ${users}::bigint[]) as pair(record, user_id)
    join record on record.id = pair.record`;
  return sql`
    ${readers(org, type, sql`r.id = any(${[...new Set(records)]}::${idType}[])`)}
    select record.id::text as record, u.id::text as id ${readingUsers(org, type, pairs, sql`u.id = pair.user_id`)}`;
}

/** The records, and the groups that are named in the set of each, with all groups in them. */
function readers(org: Sql, type: RecordType, which: Sql): Sql {
  return sql`
    with recursive record as (
      ${recordFacts(org, ruleOf(type, "read"), type)} ${which} and r.deleted = 0
    ), reading(record, id) as (
      select record.id, g.id from record join access_controls__groups g on g.principal_id = any(record.named)
      where g.organization_id = ${org} and g.deleted = 0
      union
      select reading.record, g.id from reading
      join access_controls__group_members m on m.organization_id = ${org} and m.group_id = reading.id and m.deleted = 0
      join access_controls__groups g on g.organization_id = ${org} and g.id = m.member_group_id and g.deleted = 0
    )`;
}

/** `from` has the records; users `u` are those of `which`. */
function readingUsers(org: Sql, type: RecordType, from: Sql, which: Sql): Sql {
  const rule = ruleOf(type, "read");
  const { always, byRole } = permitOf(type, "view");
  const permitted = byRole ? sql`(${among(always)} or roles.may_view)` : among(always);
  const named = rule.needs.length > 0 ? sql`(${isNamed(org)} and ${mayWithSubjects(org, rule)})` : isNamed(org);
  return sql`from ${from}
    join access_controls__users u on u.organization_id = ${org} and u.deleted = 0 and u.is_active = 1 and ${which}
    join access_controls__organizations o on o.organization_id = ${org} and o.id = u.organization_id
    cross join lateral (
      select coalesce(bool_or(r.is_administrator = 1), false) as is_administrator,
        coalesce(bool_or('view' = any(${matrixEntry(org, sql`${type.key}`)})), false) as may_view,
        coalesce(bool_or(r.principal_id = any(record.named)), false) as named
      from ${rolesOf(org)} where m.organization_id = ${org} and m.user_id = u.id and m.deleted = 0) roles
    where ${permitted} and (${passes(rule, sql`record.subjects`)} or ${named})`;
}

/** What is shared by all organizations has no set. */
const recordFacts = (org: Sql, rule: Rule, type: RecordType): Sql =>
  rule.walled
    ? sql`select r.id, ${principalsIn(rule)} as named, s.subjects from ${ident(type.table)} r
        join core__acl_sets s on s.organization_id = ${org} and s.id = r.acl_id where r.organization_id = ${org} and`
    : sql`select r.id, null::integer[] as named, null::text[] as subjects from ${ident(type.table)} r where`;

/** All principals that a set `s` names for the rule. */
const principalsIn = ({ named }: Rule): Sql =>
  join(
    named.map((column) => expression(`s.${column}`)),
    " || ",
  );

/** By itself, a role, its organization, as everyone, or by a group that it is in at any depth. */
const isNamed = (org: Sql): Sql => sql`(
  roles.named or u.principal_id = any(record.named) or o.principal_id = any(record.named) or ${EVERYONE} = any(record.named)
  or exists (
    select 1 from access_controls__group_members m
    where m.organization_id = ${org} and m.user_id = u.id and m.deleted = 0
      and (record.id, m.group_id) in (select reading.record, reading.id from reading)))`;

const mayWithSubjects = (org: Sql, { needs }: Rule): Sql => sql`(roles.is_administrator or not exists (
  select 1 from unnest(record.subjects) as subject where not exists (
    select 1 from ${rolesOf(org)} where m.organization_id = ${org} and m.user_id = u.id and m.deleted = 0
      and ${matrixEntry(org, sql`subject`)} && ${needs}::text[])))`;

/** Rows of `right`, `principal` and `passes`: who holds which right by being named in the set, or (1) as an administrator. */
export function principalsWhoHold(organizationId: string, type: RecordType, aclId: string): Sql {
  const org = sql`${organizationId}::bigint`;
  const set = sql`from core__acl_sets s where s.organization_id = ${org} and s.id = ${aclId}::integer`;
  const parts = recordRights.flatMap((right) => {
    const rule = ruleOf(type, right);
    const named = sql`select ${right}::text as "right", unnest(${principalsIn(rule)}) as principal, 0 as passes ${set}`;
    if (rule.passes !== "administrators") return [named];
    const passing = sql`(s.subjects && ${rule.unlessAbout}::text[]) is not true`;
    return [
      named,
      sql`select ${right}::text, r.principal_id, 1 from access_controls__roles r, core__acl_sets s
        where r.organization_id = ${org} and r.deleted = 0 and r.is_administrator = 1
          and s.organization_id = ${org} and s.id = ${aclId}::integer and ${passing}`,
    ];
  });
  return join(parts, " union ");
}
