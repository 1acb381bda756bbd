// Takes a checked definition; saves it as the workflow's next version and updates the nodes that records refer to. A stage
// keeps its node forever, by its key; a stage missing from the new version is retired, never removed.
import type { WorkflowDefinition } from "../../../contract/workflow.ts";
import { recordChanges } from "../../database/changes.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { insertRows } from "../save/insert-rows.ts";

const NODES = "core/workflow_nodes";

/** Gives the version's number. Call within the transaction that saves the workflow. */
export async function addVersion(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  workflowId: string,
  definition: WorkflowDefinition,
  author: string | null,
): Promise<string> {
  const org = sql`${organizationId}::bigint`;
  const latest = await transaction.row(sql`
    select coalesce(max(number), 0) + 1 as next from core__workflow_versions
    where organization_id = ${org} and workflow_id = ${workflowId}::uuid`);
  const number = latest?.next ?? "1";
  const authored = author === null ? {} : { created_by: author, modified_by: author };
  await insertRows(transaction, snapshot, requireType(snapshot, "core/workflow_versions"), organizationId, [
    { workflow_id: workflowId, number, definition: JSON.stringify(definition), ...authored },
  ]);
  const moved = await transaction.run(sql`
    update core__workflows set version = ${number}::bigint
    where organization_id = ${org} and id = ${workflowId}::uuid returning acl_id::text, id::text`);
  await changed(transaction, organizationId, "core/workflows", moved.rows);
  await bringNodes(transaction, snapshot, organizationId, workflowId, definition);
  return number;
}

const changed = (
  transaction: Queryable,
  organizationId: string,
  type: string,
  rows: readonly (readonly (string | null)[])[],
): Promise<void> =>
  recordChanges(
    transaction,
    organizationId,
    type,
    rows.map(([aclId, id]) => ({ aclId: aclId ?? "0", delta: 0, id: id ?? undefined, operation: "edit" })),
  );

async function bringNodes(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  workflowId: string,
  { stages }: WorkflowDefinition,
): Promise<void> {
  const org = sql`${organizationId}::bigint`;
  const known = await transaction.rows(sql`
    select id, key from core__workflow_nodes where organization_id = ${org} and workflow_id = ${workflowId}::uuid`);
  const nodes = stages.map((stage, index) => ({
    key: stage.key,
    name: stage.name,
    sequence: String(index + 1),
    kind: stage.kind ?? "stage",
    color: stage.color ?? null,
  }));
  const idOf = new Map(known.map((node) => [node.key, node.id]));
  const added = nodes.filter((node) => !idOf.has(node.key));
  const rows = added.map((node) => ({ ...node, workflow_id: workflowId, is_retired: "0" }));
  await insertRows(transaction, snapshot, requireType(snapshot, NODES), organizationId, rows);
  const updated: (readonly (string | null)[])[] = [];
  for (const node of nodes) {
    const id = idOf.get(node.key);
    if (id == null) continue;
    const result = await transaction.run(sql`
      update core__workflow_nodes set name = ${node.name}, sequence = ${node.sequence}::bigint, kind = ${node.kind},
        color = ${node.color}, is_retired = 0
      where organization_id = ${org} and id = ${id}::uuid returning acl_id::text, id::text`);
    updated.push(...result.rows);
  }
  const retired = await transaction.run(sql`
    update core__workflow_nodes set is_retired = 1
    where organization_id = ${org} and workflow_id = ${workflowId}::uuid and is_retired = 0
      and not (key = any(${nodes.map((node) => node.key)}::text[])) returning acl_id::text, id::text`);
  await changed(transaction, organizationId, NODES, [...updated, ...retired.rows]);
}
