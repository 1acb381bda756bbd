// Gives workflows by what a record or a record type points to. A version of a workflow never changes, so one that was
// read is kept; what can change (which one is in force) comes with the caller's own statement.
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { Recent } from "../lib/memory/recent.ts";
import type { Snapshot } from "../metadata/snapshot.ts";
import { compileWorkflow } from "./compile-workflow.ts";
import { readDefinition } from "./definition-schema.ts";
import type { Workflow } from "./workflow.ts";

const MAX_KEPT = 2_000;

interface Kept {
  readonly workflows: Map<string, Workflow | undefined>;
  /** Which workflow a node belongs to. */
  readonly nodes: Map<string, string>;
}

/** By snapshot, so that what one database holds is never taken for another's. */
const kept = new WeakMap<Snapshot, Kept>();

function memoryOf(snapshot: Snapshot): Kept {
  let memory = kept.get(snapshot);
  if (!memory) {
    memory = { workflows: new Recent(MAX_KEPT), nodes: new Recent(MAX_KEPT) };
    kept.set(snapshot, memory);
  }
  return memory;
}

/** `pointer` is what workflowPointer gave. */
export async function workflowInForce(
  db: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  pointer: string | null | undefined,
): Promise<Workflow | undefined> {
  const [id, version] = pointer?.split(" ") ?? [];
  return id === undefined || version === undefined ? undefined : find(db, snapshot, organizationId, id, version);
}

/** The workflow, in the version by which a record that is in a stage goes on. */
export async function workflowOfNode(
  db: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  node: string,
  version: string,
): Promise<Workflow | undefined> {
  const { nodes } = memoryOf(snapshot);
  const key = `${organizationId} ${node}`;
  let id = nodes.get(key);
  if (id === undefined) {
    const row = await db.row(sql`
      select workflow_id::text as id from core__workflow_nodes
      where organization_id = ${organizationId}::bigint and id = ${node}::uuid`);
    if (row?.id == null) return undefined;
    id = row.id;
    nodes.set(key, id);
  }
  return find(db, snapshot, organizationId, id, version);
}

async function find(
  db: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  id: string,
  version: string,
): Promise<Workflow | undefined> {
  const { workflows } = memoryOf(snapshot);
  const key = `${organizationId} ${id} ${version}`;
  const known = workflows.get(key);
  if (known) return known;
  const found = await read(db, organizationId, id, version);
  if (found) workflows.set(key, found);
  return found;
}

async function read(db: Queryable, organizationId: string, id: string, version: string): Promise<Workflow | undefined> {
  const org = sql`${organizationId}::bigint`;
  const row = await db.row(sql`
    select w.name, w.controller, v.definition from core__workflow_versions v
    join core__workflows w on w.organization_id = ${org} and w.id = v.workflow_id
    where v.organization_id = ${org} and v.workflow_id = ${id}::uuid and v.number = ${version}::bigint`);
  if (row?.definition == null) return undefined;
  const shape = readDefinition(JSON.parse(row.definition));
  if (!shape.ok) return undefined;
  const nodes = await db.rows(sql`
    select id::text as id, key from core__workflow_nodes where organization_id = ${org} and workflow_id = ${id}::uuid`);
  return compileWorkflow({
    id,
    name: row.name ?? "",
    version,
    type: row.controller ?? "",
    definition: shape.definition,
    nodes: new Map(nodes.map((node) => [node.key ?? "", node.id ?? ""])),
  });
}
