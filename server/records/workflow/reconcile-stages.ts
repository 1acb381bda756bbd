// Takes records whose stage field and stage disagree; makes them agree, with entries in their history and log. The field
// wins if plain transitions lead to its value; otherwise, or if the record is deleted, the stage wins.

import type { Queryable } from "../../database/database.ts";
import { ident, join, sql } from "../../database/sql.ts";
import { instant } from "../../lib/instant.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { lockRecords } from "../../query/lock-rows.ts";
import { stageFieldOf, stagesFrom } from "../../workflow/stage-field.ts";
import type { Stage, Workflow } from "../../workflow/workflow.ts";
import { settle, type Work } from "../hooks.ts";
import { rowOf } from "../read/record-row.ts";
import { accessColumns } from "../save/recipes.ts";
import { writeDrafts } from "../save/write-drafts.ts";
import { logPlaced, placedDraft } from "./move-stages.ts";

/** Ids, of one version of a workflow. */
export async function recordsApart(
  db: Queryable,
  type: RecordType,
  organizationId: string,
  workflow: Workflow,
): Promise<readonly string[]> {
  const field = stageFieldOf(type, workflow);
  if (!field) return [];
  const apart = workflow.stages.map(
    (stage) => sql`(r.current_stage = ${stage.id}::uuid and r.${ident(field.name)} is distinct from ${stage.value})`,
  );
  const { rows } = await db.run(sql`
    select r.id::text from ${ident(type.table)} r
    where r.organization_id = ${organizationId}::bigint and r.workflow_version = ${workflow.version}::bigint
      and (${join(apart, " or ")}) order by r.id`);
  return rows.flatMap(([id]) => id ?? []);
}

export async function reconcile(
  work: Work,
  type: RecordType,
  workflow: Workflow,
  ids: readonly string[],
): Promise<void> {
  const field = stageFieldOf(type, workflow);
  if (!field) return;
  const at = instant();
  const columns = [...new Set(["id", "revision", "deleted", "stage_since", field.name, ...accessColumns(type)])];
  const { rows } = await work.transaction.run(lockRecords(type, work.caller, ids, columns));
  const drafts = rows.flatMap((texts) => {
    const before = rowOf(columns, texts);
    const stage = workflow.byNode.get(before.current_stage ?? "");
    if (!stage) return [];
    const told = before.deleted === "1" ? undefined : toldBy(workflow, stage, before[field.name] ?? null);
    const moved = told ? { current_stage: told.id, stage_since: at } : { [field.name]: stage.value };
    return [placedDraft(type, before, { ...before, ...moved }, texts[columns.length + 2] ?? null)];
  });
  const moved = drafts.filter(({ before = {}, after }) => before.current_stage !== after.current_stage);
  await logPlaced(work, type, moved, { label: "Reconciled", version: workflow.version, at });
  await writeDrafts(
    work,
    type,
    drafts.map((main) => ({ main, children: [] })),
    "edit",
  );
  await settle(work);
}

/** The stage that the field speaks of, if anybody could have brought the record there without a condition or an approval. */
const toldBy = (workflow: Workflow, stage: Stage, value: string | null): Stage | undefined =>
  stagesFrom(workflow, stage, (_, { kind, condition }) => kind === "move" && condition === undefined).find(
    (one) => value !== null && one.value === value,
  );
