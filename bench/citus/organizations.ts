// Takes an empty database; prepares it and fills it with organizations that each have an administrator and leads. Gives them with
// the tokens of their administrators once a service runs.
import { hash } from "@node-rs/argon2";
import { type Database, openDatabase } from "../../server/database/database.ts";
import { sql } from "../../server/database/sql.ts";
import { createUser } from "../../server/identity/create-user.ts";
import { ensureFirstOrganization } from "../../server/identity/first-organization.ts";
import { foundOrganization } from "../../server/identity/found-organization.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import { prepareDatabase } from "../../server/prepare.ts";
import { insertRows } from "../../server/records/save/insert-rows.ts";

export const PASSWORD = "correct-horse-battery";

export interface Organization {
  readonly id: string;
  readonly userName: string;
  readonly userId: string;
  readonly leadIds: readonly string[];
  /** Others, each with a few leads of their own, who can be deactivated. */
  readonly leaverIds: readonly string[];
}

const leads = (count: number, owner: string) =>
  Array.from({ length: count }, (_, index) => ({
    first_name: "Lead",
    last_name: `Number ${index}`,
    company_name: `Company ${index}`,
    email: `lead${index}@example.com`,
    source: "web",
    rating: "cold",
    status: "new",
    owned_by: owner,
    created_by: owner,
    modified_by: owner,
  }));

export const LEADS_OF_LEAVERS = 5;

export async function fillDatabase(
  url: string,
  count: number,
  leadsEach: number,
): Promise<{ readonly db: Database; readonly snapshot: Snapshot; readonly organizations: readonly Organization[] }> {
  const db = openDatabase({ connectionString: url });
  const metadata = await prepareDatabase(db);
  const snapshot = metadata.current();
  await ensureFirstOrganization(db, metadata, { adminUserName: "admin", adminPassword: PASSWORD }, "Operator");
  const passwordHash = await hash(PASSWORD, { memoryCost: 64, timeCost: 1 });
  const organizations: Organization[] = [];
  for (let number = 1; number <= count; number += 1) {
    const userName = `admin${number}`;
    organizations.push(
      await db.transaction(async (transaction) => {
        const { id, roles } = await foundOrganization(transaction, snapshot, {
          name: `Organization ${number}`,
          currencyId: null,
          isOperator: false,
        });
        const owner = await createUser(transaction, snapshot, id, {
          userName,
          firstName: null,
          lastName: userName,
          roleIds: [roles.get("administrator") ?? ""],
          passwordHash,
        });
        const leadIds = await insertRows(
          transaction,
          snapshot,
          requireType(snapshot, "crm/leads"),
          id,
          leads(leadsEach, owner),
        );
        const leaverIds: string[] = [];
        for (const leaver of ["first", "second"]) {
          const leaverId = await createUser(transaction, snapshot, id, {
            userName: `${leaver}${number}`,
            firstName: null,
            lastName: leaver,
            roleIds: [roles.get("administrator") ?? ""],
            passwordHash,
          });
          await insertRows(
            transaction,
            snapshot,
            requireType(snapshot, "crm/leads"),
            id,
            leads(LEADS_OF_LEAVERS, leaverId),
          );
          leaverIds.push(leaverId);
        }
        return { id, userName, userId: owner, leadIds, leaverIds };
      }),
    );
  }
  return { db, snapshot, organizations };
}

/** Which machine has the organization: host and port. */
export async function placeOf(db: Database, organizationId: string): Promise<string> {
  const row = await db.row(sql`
    select n.nodename || ':' || n.nodeport as place from pg_dist_placement p join pg_dist_node n using (groupid)
    where p.shardid = get_shard_id_for_distribution_column('core__changes'::regclass, ${organizationId}::bigint)`);
  return row?.place ?? "";
}
