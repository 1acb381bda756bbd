// Takes an open database; once, lets workflows from before say which field is their stage, and brings records together
// whose field and stage tell different stories. What a record was before stays in its history.
import { createHash } from "node:crypto";
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import type { Caller } from "../access/caller.ts";
import { serviceCaller } from "../access/elevate.ts";
import type { Database } from "../database/database.ts";
import { withSchemaLock } from "../database/migrate.ts";
import { sql } from "../database/sql.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { reconcile, recordsApart } from "../records/workflow/reconcile-stages.ts";
import { adoptStageField } from "../workflow/adopt-stage-field.ts";
import { readDefinition } from "../workflow/definition-schema.ts";
import { workflowInForce } from "../workflow/find-workflow.ts";
import { standardWorkflows } from "./standard-workflows.ts";

const MARKER = "stage fields";
const CHUNK = 1_000;

/** Shipped definitions that nobody has changed become the ones that are shipped now. */
const shippedBefore: ReadonlyMap<string, string> = new Map([
  ["2c0812547779240cb1aaf64dbb3fa396c6d45e503f10b37e8f8b2af5e4499eb0", "crm/leads"],
]);

/** One row tells that there is nothing to do. Gives how many records were changed. `read`: once nobody else can change the design. */
export async function adoptStageFields(db: Database, read: () => Promise<Snapshot>): Promise<number> {
  const done = await db.row(sql`select 1 as done from metadata__synced_tables where table_name = ${MARKER}`);
  if (done) return 0;
  return withSchemaLock(db, async () => {
    const snapshot = await read();
    const versions = await db.rows(sql`
      select v.organization_id::text as organization, v.workflow_id::text as workflow, v.number::text as number,
        v.definition::text as definition, w.controller
      from core__workflow_versions v
      join core__workflows w on w.organization_id = v.organization_id and w.id = v.workflow_id
      order by v.organization_id, v.workflow_id, v.number`);
    let count = 0;
    for (const { organization, workflow, number, definition, controller } of versions) {
      const type = snapshot.types.get(controller ?? "");
      if (!type || organization == null || workflow == null || number == null) continue;
      const shape = readDefinition(JSON.parse(definition ?? "{}"));
      if (!shape.ok) continue;
      const stored = shape.definition;
      const current = upgraded(stored) ?? adoptStageField(stored, type);
      if (current) await rewrite(db, organization, workflow, number, current);
      if (stored.stage_field === undefined && !current) continue;
      const compiled = await workflowInForce(db, snapshot, organization, `${workflow} ${number}`);
      const caller = await administratorOf(db, organization);
      if (!compiled || !caller) continue;
      const apart = await recordsApart(db, type, organization, compiled);
      for (let start = 0; start < apart.length; start += CHUNK) {
        const ids = apart.slice(start, start + CHUNK);
        await db.transaction((transaction) =>
          reconcile({ transaction, snapshot, caller, hooks: {}, accessChanges: new Set() }, type, compiled, ids),
        );
      }
      count += apart.length;
    }
    await db.run(sql`
      insert into metadata__synced_tables (table_name, fingerprint) values (${MARKER}, '1') on conflict do nothing`);
    return count;
  });
}

function upgraded(stored: WorkflowDefinition): WorkflowDefinition | undefined {
  const print = createHash("sha256")
    .update(JSON.stringify(sorted(stored)))
    .digest("hex");
  const controller = shippedBefore.get(print);
  return standardWorkflows.find((one) => one.controller === controller)?.definition;
}

/** The same value with the keys of every object in order: the database keeps them in its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, held]) => [key, sorted(held)]));
}

/** What a version says is written down twice: in the version, and, of the newest, in the workflow itself. */
async function rewrite(
  db: Database,
  organizationId: string,
  workflowId: string,
  number: string,
  definition: WorkflowDefinition,
): Promise<void> {
  const [org, id, text] = [sql`${organizationId}::bigint`, sql`${workflowId}::uuid`, JSON.stringify(definition)];
  await db.transaction(async (transaction) => {
    await transaction.run(sql`
      update core__workflow_versions set definition = ${text}::jsonb
      where organization_id = ${org} and workflow_id = ${id} and number = ${number}::bigint`);
    await transaction.run(sql`
      update core__workflows set definition = ${text}::jsonb
      where organization_id = ${org} and id = ${id} and version = ${number}::bigint`);
  });
}

/** In whose name it is done: the organization's first administrator. */
async function administratorOf(db: Database, organizationId: string): Promise<Caller | undefined> {
  const org = sql`${organizationId}::bigint`;
  const row = await db.row(sql`
    select u.id::text as id from access_controls__users u
    join access_controls__roles_users m on m.organization_id = ${org} and m.user_id = u.id and m.deleted = 0
    join access_controls__roles r on r.organization_id = ${org} and r.id = m.role_id and r.is_administrator = 1
    where u.organization_id = ${org} order by u.deleted, u.id limit 1`);
  if (row?.id == null) return undefined;
  return serviceCaller(organizationId, row.id, "upgrade");
}
