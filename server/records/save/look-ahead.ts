// Takes the plans of many stored records; returns what their drafts can depend on, read once for all: the form in force,
// their workflows, the columns to read, the actors. A record that changes before it is locked is noticed and handled alone.

import { readFacts } from "../../access/principal-lookup.ts";
import { wall } from "../../access/visibility.ts";
import { ident, sql } from "../../database/sql.ts";
import type { CompiledForm } from "../../forms/compile-form.ts";
import { findForm } from "../../forms/find-form.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { SavePlan } from "../../plan/plan-write.ts";
import { formPointer } from "../../query/form-pointer.ts";
import { isAmongIds } from "../../query/lock-rows.ts";
import { workflowPointer } from "../../query/workflow-pointer.ts";
import { namedActors, needsFacts } from "../../workflow/actor-context.ts";
import { workflowInForce, workflowOfNode } from "../../workflow/find-workflow.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { actorsOfWorkflow, fieldsOfWorkflow } from "../../workflow/workflow-fields.ts";
import { hooksOf, type Work } from "../hooks.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { readAllAgreed } from "../workflow/stage-log.ts";
import type { KnownOfMany } from "../workflow/workflow-step.ts";
import { columnsToRead } from "./batch.ts";

export interface StoredPlans {
  readonly plans: readonly SavePlan[];
  readonly ids: readonly string[];
  /** A transition was named, whatever is sent beside it. */
  readonly takesTransition: boolean;
}

export interface Outlook {
  readonly form: CompiledForm;
  readonly columns: readonly string[];
  /** `startsIn`: the workflow that a record starts in, if it is in none yet. */
  isForeseen(row: ColumnValues, startsIn: string | null): boolean;
  /** Of the rows as they were locked. */
  known(rows: readonly ColumnValues[]): Promise<KnownOfMany>;
}

const stageOf = ({ current_stage: node, workflow_version: version }: ColumnValues): string => `${node} ${version}`;

export async function lookAhead(
  work: Work,
  type: RecordType,
  { plans, ids, takesTransition }: StoredPlans,
): Promise<Outlook> {
  const { transaction, snapshot, caller } = work;
  const { organizationId } = caller;
  const [pointers = []] = (
    await transaction.run(sql`
      select ${formPointer(caller, type)}, ${workflowPointer(caller, type)}, ${stagesOf(work, type, ids)}`)
  ).rows;
  const [saved = null, inForce = null, stages] = pointers;
  const form = await findForm(transaction, snapshot, type, caller, "edit", saved);
  const begun = await workflowInForce(transaction, snapshot, organizationId, inForce);
  const byStage = new Map<string, Workflow | undefined>();
  for (const stage of stages?.split(",") ?? []) {
    const [node = "", version = ""] = stage.split(" ");
    byStage.set(stage, await workflowOfNode(transaction, snapshot, organizationId, node, version));
  }
  const workflows = new Set([begun, ...byStage.values()].filter((one) => one !== undefined));
  const fieldsMoving = new Set([...workflows].flatMap(({ stageField }) => stageField ?? []));
  const moves =
    takesTransition ||
    plans.some(({ write, stage }) => stage.expected !== undefined || hasAny(write.values, fieldsMoving));
  const ofWorkflows = [...workflows].flatMap((workflow) => [...fieldsOfWorkflow(workflow, moves)]);
  const actors = moves ? [...workflows].flatMap(actorsOfWorkflow).filter(needsFacts) : [];
  return {
    form,
    columns: columnsToRead(type, plans, form, hooksOf(work, type), ofWorkflows),
    isForeseen: (row, startsIn) =>
      row.current_stage == null ? startsIn === null || startsIn === inForce : byStage.has(stageOf(row)),
    known: async (rows) => {
      const owners = [...new Set(rows.flatMap((row) => row.owned_by ?? []))];
      const voted = rows.flatMap((row) =>
        byStage.get(stageOf(row))?.byNode.get(row.current_stage ?? "")?.needsAll ? (row.id ?? []) : [],
      );
      return {
        facts:
          actors.length === 0 ? undefined : await readFacts(transaction, organizationId, namedActors(owners, actors)),
        agreed: await readAllAgreed(transaction, organizationId, type.key, voted),
      };
    },
  };
}

const hasAny = (values: ReadonlyMap<string, unknown>, names: ReadonlySet<string>): boolean =>
  [...names].some((name) => values.has(name));

/** The stages that the records are in, as `<node> <version>` with commas between. */
const stagesOf = ({ caller }: Work, type: RecordType, ids: readonly string[]) =>
  type.field.has("current_stage")
    ? sql`(select string_agg(distinct r.current_stage || ' ' || r.workflow_version, ',') from ${ident(type.table)} r
        where ${wall(caller, type, "r")} and ${isAmongIds(type, ids)})`
    : sql`null::text`;
