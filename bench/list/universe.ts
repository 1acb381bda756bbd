// The people and rows that the list benchmark asks for: an organisation of a thousand owners, a caller who may read half
// of all leads, one who may read a thousandth, and any number of leads with per-record access.

import { plainRecipe } from "../../server/access/acl.ts";
import { internAcl } from "../../server/access/acl-sets.ts";
import { foldChanges, recount } from "../../server/database/changes.ts";
import type { Database } from "../../server/database/database.ts";
import { ident, sql } from "../../server/database/sql.ts";
import { createUser, nextPrincipals } from "../../server/identity/create-user.ts";
import { hashPassword } from "../../server/lib/secrets/password.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import { insertRows } from "../../server/records/save/insert-rows.ts";

export const benchPassword = "correct-horse-battery";
export const callers = { administrator: "admin", half: "half", few: "owner.0001" } as const;
const OWNERS = 1000;

export async function buildPeople(
  db: Database,
  snapshot: Snapshot,
  organizationId: string,
  roles: ReadonlyMap<string, string>,
): Promise<void> {
  const passwordHash = await hashPassword(benchPassword);
  await db.transaction(async (transaction) => {
    const [principal = ""] = await nextPrincipals(transaction, 1);
    const [group = ""] = await insertRows(
      transaction,
      snapshot,
      requireType(snapshot, "access_controls/groups"),
      organizationId,
      [{ name: "Half", principal_id: principal }],
    );
    const role = [roles.get("sales_rep") ?? ""];
    const add = (userName: string) =>
      createUser(transaction, snapshot, organizationId, {
        userName,
        firstName: "Owner",
        lastName: userName,
        roleIds: role,
        passwordHash,
      });
    const members = [await add(callers.half)];
    for (let count = 1; count <= OWNERS; count += 1) {
      const id = await add(`owner.${String(count).padStart(4, "0")}`);
      if (count > OWNERS / 2) members.push(id);
    }
    await insertRows(
      transaction,
      snapshot,
      requireType(snapshot, "access_controls/group_members"),
      organizationId,
      members.map((id) => ({ group_id: group, user_id: id })),
    );
  });
}

const words =
  "copper river amber maple stone harbor silver meadow ember willow granite falcon cedar ivory saffron".split(" ");

/** Leads as SQL makes them: 30 filled columns, created over three years, owners spread evenly. */
export async function buildLeads(
  db: Database,
  snapshot: Snapshot,
  organizationId: string,
  rows: number,
  progress: (done: number) => void,
): Promise<void> {
  const owners = (
    await db.rows(sql`
      select id::text as id from access_controls__users
      where organization_id = ${organizationId}::bigint and user_name like 'owner.%' order by user_name`)
  ).map((row) => row.id ?? "");
  const aclIds = await db.transaction((transaction) =>
    internAcl(
      transaction,
      snapshot,
      organizationId,
      owners.map((owner) => plainRecipe("crm/leads", owner, null)),
    ),
  );
  // Built once over all rows, the trigram index takes a fraction of what keeping it row by row does.
  const search = await db.row(sql`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'crm__leads' and indexdef like '%gin_trgm_ops%'`);
  if (search?.name) await db.run(sql`drop index ${ident(search.name)}`);
  const batch = 100_000;
  for (let from = 0; from < rows; from += batch) {
    const to = Math.min(rows, from + batch);
    await db.run(sql`
      insert into crm__leads (organization_id, created, created_by, modified, modified_by, owned_by, revision, business_key,
        deleted, acl_id, name, salutation, first_name, last_name, company_name, job_title, department, status, source,
        campaign, rating, score, industry, annual_revenue, amount, employees, website, email, phone, mobile, city,
        do_not_call, do_not_email, last_contacted, next_follow_up, location, location_lon, description)
      select ${organizationId}::bigint, t.at, o.id, t.at, o.id, o.id, 1, 'L-' || lpad(g::text, 8, '0'), 0, o.acl,
        w.a || ' ' || w.b, 'ms', w.a, w.b || ' ' || g, initcap(w.a) || ' ' || w.c || ' Ltd', 'Head of ' || w.c, 'sales',
        (array['new','contacted','qualified','converted','unqualified'])[1 + g % 5], (array['web','referral','event','ads'])[1 + g % 4],
        'Campaign ' || g % 40, (array['hot','warm','cold'])[1 + g % 3], g % 100, 'technology', (g % 9000) * 1000.00, (g % 500) * 100.00,
        g % 4000, 'https://' || w.a || '.example/', w.a || '.' || w.b || g || '@' || w.c || '.example', '+1 555 01' || lpad((g % 10000)::text, 4, '0'),
        '+1 555 02' || lpad((g % 10000)::text, 4, '0'), initcap(w.c), 0, 0, t.at, t.at::date, 50 + (g % 100) * 0.01, 8 + (g % 100) * 0.01,
        'A note about ' || w.b || ' and ' || w.c || case when g % 100000 = 77 then ' zanzibar' || g else '' end
      from generate_series(${from + 1}::bigint, ${to}::bigint) g
      cross join lateral (select timestamp '2023-01-01' + g * (interval '3 years' / ${rows}::bigint) as at) t
      cross join lateral (select (${words}::text[])[1 + g % 15] as a, (${words}::text[])[1 + (g / 15) % 15] as b,
        (${words}::text[])[1 + (g / 225) % 15] as c) w
      cross join lateral (select (${owners}::bigint[])[1 + (g * 7919) % ${owners.length}::bigint] as id,
        (${aclIds}::integer[])[1 + (g * 7919) % ${owners.length}::bigint] as acl) o`);
    progress(to);
  }
  if (search?.definition) await db.script(`set maintenance_work_mem = '1GB'; ${search.definition}`);
  await recount(db, organizationId, "crm/leads", "crm__leads");
  while ((await foldChanges(db)) > 0);
  await db.script("vacuum analyze crm__leads");
}
