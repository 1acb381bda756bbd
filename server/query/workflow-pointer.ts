// Returns the SQL that selects the workflow in force for a record type, so a statement that reads or creates a record also
// finds its workflow.
import type { Caller } from "../access/caller.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { RecordType } from "../metadata/record-type.ts";

/** A scalar of a statement: `<id> <version>` of the workflow that new records of a type start in, or NULL. */
export const workflowPointer = (caller: Pick<Caller, "organizationId">, type: RecordType): Sql =>
  type.field.has("current_stage")
    ? sql`
  (select w.id || ' ' || w.version from core__workflows w
   where w.organization_id = ${caller.organizationId}::bigint and w.controller = ${type.key} and w.is_active = 1 and w.deleted = 0
   order by w.created, w.id limit 1)`
    : sql`null::text`;

/** Of the row `r`: the workflow that it starts in, if it is in no stage yet. */
export const startsIn = (caller: Caller, type: RecordType): Sql =>
  type.field.has("current_stage")
    ? sql`case when r.current_stage is null then ${workflowPointer(caller, type)} end`
    : sql`null::text`;

/** Of the row `r`: `<node> <version> <since>`, or NULL where it is in no stage. Known whatever fields a caller may see. */
export const stageOf = (type: RecordType): Sql =>
  type.field.has("current_stage")
    ? sql`r.current_stage || ' ' || r.workflow_version || ' ' || r.stage_since`
    : sql`null::text`;

/** Of the row `r`, where it is in a stage: the last entry of its stage log, as a row value. */
export const lastStepOf = (caller: Caller, type: RecordType): Sql =>
  type.field.has("current_stage")
    ? sql`case when r.current_stage is not null then
  (select row(l.step, l.action_name, l.from_stage, l.kind, l.id, l.made)::text from core__stage_log l
   where l.organization_id = ${caller.organizationId}::bigint and l.related_type = ${type.key} and l.related_id = r.id::text and l.deleted = 0
   order by l.id desc limit 1) end`
    : sql`null::text`;
