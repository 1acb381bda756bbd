// The organizations and people of a soak: 200 people in three organizations, each with leads of their own to begin with.
import type { Database } from "../../server/database/database.ts";
import { sql } from "../../server/database/sql.ts";
import { createUser } from "../../server/identity/create-user.ts";
import { foundOrganization } from "../../server/identity/found-organization.ts";
import { hashPassword } from "../../server/lib/secrets/password.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import { insertRows } from "../../server/records/save/insert-rows.ts";
import { benchPassword } from "../organization/people.ts";

export interface Inhabitant {
  readonly id: string;
  readonly organizationId: string;
  readonly userName: string;
  readonly isAdministrator: boolean;
}

const ORGANIZATIONS = ["north", "south"] as const;
const LEADS_AT_FIRST = 2_000;

/** `first`: the organization that is there already, whose administrator designs for all. */
export async function buildWorld(
  db: Database,
  snapshot: Snapshot,
  first: string,
  people: number,
): Promise<readonly Inhabitant[]> {
  const passwordHash = await hashPassword(benchPassword);
  return db.transaction(async (transaction) => {
    const organizations = [first];
    for (const name of ORGANIZATIONS) {
      const { id } = await foundOrganization(transaction, snapshot, { name, currencyId: null, isOperator: false });
      organizations.push(id);
    }
    const all: Inhabitant[] = [];
    for (const [index, organizationId] of organizations.entries()) {
      const roles = await transaction.rows(sql`
        select id::text as id, code from access_controls__roles where organization_id = ${organizationId}::bigint`);
      const roleId = (code: string) => roles.find((role) => role.code === code)?.id ?? "";
      const count = Math.floor((people + organizations.length - 1 - index) / organizations.length);
      const own: string[] = [];
      for (let number = 0; number < count; number += 1) {
        const isAdministrator = number === 0;
        const code = isAdministrator ? "administrator" : number % 10 === 1 ? "sales_manager" : "sales_rep";
        const userName = `soak.${index}.${number}`;
        const user = { userName, firstName: "Soak", lastName: userName, roleIds: [roleId(code)], passwordHash };
        const id = await createUser(transaction, snapshot, organizationId, user);
        own.push(id);
        all.push({ id, organizationId, userName, isAdministrator });
      }
      const leads = Array.from({ length: LEADS_AT_FIRST }, (_, lead) => ({
        last_name: `First ${lead}`,
        name: `First ${lead}`,
        score: String(lead % 100),
        owned_by: own[lead % own.length] ?? null,
      }));
      await insertRows(transaction, snapshot, requireType(snapshot, "crm/leads"), organizationId, leads);
    }
    return all;
  });
}
