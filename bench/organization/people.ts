// The organization that is measured: an administrator, a thousand owners in teams, a caller who reads half of all leads
// and one who reads a thousandth.
import { internAcl } from "../../server/access/acl-sets.ts";
import type { Database, Queryable } from "../../server/database/database.ts";
import { sql } from "../../server/database/sql.ts";
import { createUser, nextPrincipals } from "../../server/identity/create-user.ts";
import { hashPassword } from "../../server/lib/secrets/password.ts";
import { requireType, type Snapshot } from "../../server/metadata/snapshot.ts";
import { insertRows } from "../../server/records/save/insert-rows.ts";
import { recipesOf } from "../../server/records/save/recipes.ts";
import { isInHalf, type Owner, type StageOfStatus } from "./lead-rows.ts";
import { type Status, statuses } from "./vocabulary.ts";

export const benchPassword = "correct-horse-battery";
const TEAMS = 20;

/** A thousand, and fewer only where there are few leads. */
const ownersFor = (rows: number): number => Math.min(1000, Math.max(20, Math.floor(rows / 10)));

/** The owner who has about as many leads as the average, and is not in the group "Half": a thousandth of all, as a rule. */
export const fewOwner = (owners: number): number => 2 * Math.floor(owners * 0.14) + 1;

export const callers = { administrator: "admin", half: "half", few: "few" } as const;
export type CallerName = keyof typeof callers;
export const callerNames = Object.keys(callers) as CallerName[]; // the keys of a constant object

/** Gives the owners' ids, in order. */
export async function buildPeople(
  db: Database,
  snapshot: Snapshot,
  organizationId: string,
  rows: number,
): Promise<readonly string[]> {
  const passwordHash = await hashPassword(benchPassword);
  const role = await db.row(sql`
    select id::text as id from access_controls__roles
    where organization_id = ${organizationId}::bigint and code = 'sales_rep'`);
  const count = ownersFor(rows);
  const few = fewOwner(count);
  return db.transaction(async (transaction) => {
    const add = (userName: string) =>
      createUser(transaction, snapshot, organizationId, {
        userName,
        firstName: "Owner",
        lastName: userName,
        roleIds: [role?.id ?? ""],
        passwordHash,
      });
    const half = await add(callers.half);
    const owners: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      owners.push(await add(number === few ? callers.few : `owner.${String(number).padStart(4, "0")}`));
    }
    const principals = await nextPrincipals(transaction, TEAMS + 1);
    const groups = await insertRows(
      transaction,
      snapshot,
      requireType(snapshot, "access_controls/groups"),
      organizationId,
      principals.map((principal, index) => ({
        name: index === 0 ? "Half" : `Team ${index}`,
        principal_id: principal,
      })),
    );
    const [whole = "", ...teams] = groups;
    // In no team: who reads a thousandth has only its own leads.
    const members = [
      { group_id: whole, user_id: half },
      ...owners.flatMap((user, index) => (isInHalf(index + 1) ? [{ group_id: whole, user_id: user }] : [])),
      ...owners.flatMap((user, index) =>
        index + 1 === few ? [] : [{ group_id: teams[index % TEAMS] ?? "", user_id: user }],
      ),
    ];
    await insertRows(
      transaction,
      snapshot,
      requireType(snapshot, "access_controls/group_members"),
      organizationId,
      members,
    );
    return owners;
  });
}

/** The node and version of the workflow that leads of each status are in, as if they had been added over the wire. */
export async function readStages(db: Queryable, organizationId: string): Promise<ReadonlyMap<Status, StageOfStatus>> {
  const nodes = await db.rows(sql`
    select n.id::text as id, n.key, w.version::text as version from core__workflow_nodes n
    join core__workflows w on w.organization_id = n.organization_id and w.id = n.workflow_id
    where n.organization_id = ${organizationId}::bigint and w.controller = 'crm/leads' and w.is_active = 1 and w.deleted = 0`);
  return new Map(
    statuses.flatMap((status) => {
      const node = nodes.find(({ key }) => key === (status === "unqualified" ? "lost" : status));
      return node ? [[status, { node: node.id ?? "", version: node.version ?? "" }] as const] : [];
    }),
  );
}

/** The access sets of each owner's leads, and of what is attached to them. */
export async function internOwners(
  db: Database,
  snapshot: Snapshot,
  organizationId: string,
  ownerIds: readonly string[],
  stages: ReadonlyMap<Status, StageOfStatus>,
): Promise<{ readonly owners: readonly Owner[]; readonly attached: ReadonlyMap<string, readonly string[]> }> {
  return db.transaction(async (transaction) => {
    const setsOf = async (key: string, status?: Status) => {
      const stage = status && stages.get(status);
      const rows = ownerIds.map((owner) => ({
        owned_by: owner,
        ...(stage ? { current_stage: stage.node, workflow_version: stage.version, status: status ?? null } : {}),
      }));
      const type = requireType(snapshot, key);
      const recipes = await recipesOf(transaction, snapshot, type, organizationId, rows);
      return internAcl(transaction, snapshot, organizationId, recipes);
    };
    const open = await setsOf("crm/leads", "new");
    const closed = await setsOf("crm/leads", "converted");
    const attached = new Map<string, readonly string[]>();
    for (const key of ["core/addresses", "core/email_addresses"]) attached.set(key, await setsOf(key));
    return {
      owners: ownerIds.map((id, index) => ({ id, aclIds: { open: open[index] ?? "", closed: closed[index] ?? "" } })),
      attached,
    };
  });
}
