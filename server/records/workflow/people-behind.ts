// Takes the actors of records; returns the active users they stand for: users themselves, everyone in a role, everyone in a
// group and its subgroups. One statement for any number of records.
import { type Actor, principalOf } from "../../access/acl.ts";
import { readFacts } from "../../access/principal-lookup.ts";
import { sql } from "../../database/sql.ts";
import { namedActors } from "../../workflow/actor-context.ts";
import type { Work } from "../hooks.ts";

/** A role or a group can be large; nobody reads the five hundred and first notification. */
const MOST_TOLD = 500;

export interface Asked {
  readonly owner: string | null;
  readonly actors: readonly Actor[];
}

/** User ids in ascending order, for each that is asked. */
export async function peopleBehind(work: Work, asked: readonly Asked[]): Promise<readonly (readonly string[])[]> {
  const { transaction, caller } = work;
  const actors = [...new Set(asked.flatMap((one) => one.actors))];
  if (actors.length === 0) return asked.map(() => []);
  const owners = [...new Set(asked.flatMap((one) => (one.actors.length > 0 ? (one.owner ?? []) : [])))];
  const facts = await readFacts(transaction, caller.organizationId, namedActors(owners, actors));
  const principals = asked.map(({ owner, actors: own }) => own.flatMap((one) => principalOf(one, owner, facts) ?? []));
  const users = await usersBehind(work, [...new Set(principals.flat())]);
  return principals.map((own) => {
    const found = new Set(own.flatMap((principal) => users.get(principal) ?? []));
    return [...found].sort((a, b) => Number(a) - Number(b)).slice(0, MOST_TOLD);
  });
}

async function usersBehind(
  { transaction, caller }: Work,
  principals: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (principals.length === 0) return new Map();
  const org = sql`${caller.organizationId}::bigint`;
  const rows = await transaction.rows(sql`
    with recursive asked(principal) as (
      select unnest(${principals.map(String)}::bigint[])
    ), within(principal, id) as (
      select asked.principal, g.id from asked
      join access_controls__groups g on g.organization_id = ${org} and g.principal_id = asked.principal and g.deleted = 0
      union
      select within.principal, g.id from within
      join access_controls__group_members m on m.organization_id = ${org} and m.group_id = within.id and m.deleted = 0
      join access_controls__groups g on g.organization_id = ${org} and g.id = m.member_group_id and g.deleted = 0
    ), named(principal, id) as (
      select asked.principal, u.id from asked
      join access_controls__users u on u.organization_id = ${org} and u.principal_id = asked.principal and u.deleted = 0
      union
      select asked.principal, m.user_id from asked
      join access_controls__roles r on r.organization_id = ${org} and r.principal_id = asked.principal and r.deleted = 0
      join access_controls__roles_users m on m.organization_id = ${org} and m.role_id = r.id and m.deleted = 0
      union
      select within.principal, m.user_id from within
      join access_controls__group_members m on m.organization_id = ${org} and m.group_id = within.id and m.deleted = 0
    ), ranked as (
      select named.principal, u.id, row_number() over (partition by named.principal order by u.id) as rank from named
      join access_controls__users u on u.organization_id = ${org} and u.id = named.id and u.deleted = 0 and u.is_active = 1
    )
    select principal::text as principal, id::text as id from ranked where rank <= ${MOST_TOLD}::bigint order by ranked.principal, ranked.rank`);
  const users = new Map<number, string[]>();
  for (const { principal, id } of rows) {
    const known = users.get(Number(principal));
    if (known) known.push(id ?? "");
    else users.set(Number(principal), [id ?? ""]);
  }
  return users;
}
