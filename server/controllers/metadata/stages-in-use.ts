// Takes a record type as it is and as it would be; refuses a design that takes away what stages of workflows are mapped to:
// a stage without its option could be entered by nobody. Checks every organization, since they share the record type.

import { type Message, say } from "../../../contract/messages.ts";
import type { WorkflowDefinition } from "../../../contract/workflow.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { DesignFault } from "../../lib/design-fault.ts";
import { typeOf } from "../../metadata/compile.ts";
import { definitionRefused } from "../../metadata/definition-refusal.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { isUnderWay } from "../../metadata/uses/needed-by-transitions.ts";
import { readDefinition } from "../../workflow/definition-schema.ts";
import { mayBeStage, optionLabel } from "../../workflow/stage-field.ts";

export async function requireStageOptions(
  db: Queryable,
  organizationId: string,
  before: RecordType,
  after: RecordType,
): Promise<void> {
  if (!before.field.has("current_stage")) return;
  // The version in force, and those by which records are still on their way.
  const rows = await db.rows(sql`
    select w.organization_id::text as organization, w.name, v.definition
    from core__workflows w
    join core__workflow_versions v on v.organization_id = w.organization_id and v.workflow_id = w.id
    where w.controller = ${before.key}
      and ((w.deleted = 0 and v.number = w.version) or ${isUnderWay(before, "w", sql`v.number`)})
    order by w.organization_id, w.name, v.number desc`);
  const wrong = rows.flatMap(({ organization, name, definition }) => {
    const whose = organization === organizationId ? say("the_workflow", { name: name ?? "" }) : say("foreign_workflow");
    const stored = readDefinition(JSON.parse(definition ?? "{}"));
    return stored.ok ? lostStages(stored.definition, before, after, whose) : [];
  });
  // Versions of one workflow are wrong alike.
  const distinct = new Map(wrong.map((one) => [JSON.stringify(one), one]));
  if (distinct.size > 0) throw definitionRefused([...distinct.values()]);
}

function lostStages(
  { stage_field: name, stages }: WorkflowDefinition,
  before: RecordType,
  after: RecordType,
  workflow: Message,
): DesignFault[] {
  if (name === undefined) return [];
  const [was, is] = [before.field.get(name), after.field.get(name)];
  if (!was || !mayBeStage(was)) return [];
  if (!is || !mayBeStage(is)) {
    return [{ at: `fields.${name}.type`, wrong: say("holds_stages", { field: was.label, workflow }) }];
  }
  const options = new Set(typeOf(is).ranked?.(is) ?? []);
  return stages.flatMap(({ name: stage, value }) =>
    value === undefined || options.has(value)
      ? []
      : [
          {
            at: `fields.${name}.settings.options`,
            wrong: say("is_stage", { option: optionLabel(was, value), stage, workflow }),
          },
        ],
  );
}
