// stages: the stages of a record type's workflow and the transitions between them, for boards and funnels. What one may
// do with a record is in that record's own view.

import { Failure } from "../../../../contract/failures.ts";
import { say } from "../../../../contract/messages.ts";
import { sql } from "../../../database/sql.ts";
import { requireType } from "../../../metadata/snapshot.ts";
import { addressed } from "../../../operations/addressed.ts";
import type { Operation } from "../../../operations/operation.ts";
import { workflowPointer } from "../../../query/workflow-pointer.ts";
import { textAt } from "../../../request/tree.ts";
import { workflowInForce } from "../../../workflow/find-workflow.ts";
import { stageFieldOf } from "../../../workflow/stage-field.ts";
import { hasChoices } from "../../../workflow/state.ts";

export const stages: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const { caller } = addressed(context);
    const { snapshot, services, call } = context;
    const controller = textAt(call.parameters, "controller");
    if (controller === undefined) {
      throw new Failure("malformed_parameter", {
        with: { name: "controller", reason: say("must_name_type") },
      });
    }
    const type = requireType(snapshot, controller);
    const db = services.database;
    const pointer = await db.row(sql`select ${workflowPointer(caller, type)} as pointer`);
    const workflow = await workflowInForce(db, snapshot, caller.organizationId, pointer?.pointer);
    if (!workflow) return { body: { data: { workflow: null, stage_field: null, stages: [], transitions: [] } } };
    const transitions = workflow.stages.flatMap((stage) =>
      stage.out.map((one) => ({
        name: one.name,
        label: snapshot.words(one.label),
        kind: one.kind,
        from: stage.id,
        to: workflow.byKey.get(one.to)?.id ?? "",
        condition: one.conditionText ?? null,
        required: one.required.map((field) => ({ field, label: type.field.get(field)?.label ?? field })),
        reason: one.reason,
        has_choices: hasChoices(one),
      })),
    );
    const shown = workflow.stages.map(({ id, key, name, kind, color, value }) => ({
      id,
      key,
      name: snapshot.words(name),
      kind,
      color,
      value,
    }));
    const field = stageFieldOf(type, workflow)?.name ?? null;
    const head = { id: workflow.id, name: snapshot.words(workflow.name), version: workflow.version };
    return { body: { data: { workflow: head, stage_field: field, stages: shown, transitions } } };
  },
};
