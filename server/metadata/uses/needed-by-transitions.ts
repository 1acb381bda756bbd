// Takes a record type as it is and as it would be; refuses to remove a field that a transition of a workflow asks for: nobody could take it
// any more, and records would stay where they are. Checks every organization, since they share the record type.
import { say } from "../../../contract/messages.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, type Sql, sql } from "../../database/sql.ts";
import { renamedFields } from "../changes/rename-fields.ts";
import { definitionRefused } from "../definition-refusal.ts";
import type { RecordType } from "../record-type.ts";
import { transitionFields } from "./uses-in-documents.ts";

const MOST_TOLD = 50;

/** Whether records of the type are on their way through a version of the workflow of a row. */
export const isUnderWay = ({ table }: RecordType, workflow: string, version: Sql): Sql => sql`exists (
  select 1 from ${ident(table)} one
  join core__workflow_nodes n on n.organization_id = one.organization_id and n.id = one.current_stage and n.kind <> 'end'
  where one.organization_id = ${ident(workflow, "organization_id")} and n.workflow_id = ${ident(workflow, "id")}
    and one.workflow_version = ${version} and one.deleted = 0)`;

interface Version {
  readonly organization: string | null | undefined;
  readonly name: string | null | undefined;
  readonly definition: unknown;
  readonly isInForce: boolean;
}

export async function requireTransitionFields(
  db: Queryable,
  organizationId: string,
  before: RecordType,
  after: RecordType,
): Promise<void> {
  const renames = renamedFields(before, after);
  const gone = before.fields.filter(({ name }) => !after.field.has(name) && !renames.has(name));
  if (gone.length === 0 || !before.field.has("current_stage")) return;
  const faults = (await versionsThatCount(db, before)).flatMap(({ organization, name, definition, isInForce }) =>
    transitionFields(definition).flatMap(({ label, fields }) =>
      gone
        .filter((field) => fields.includes(field.name))
        .map((field) => {
          const isOwn = organization === organizationId;
          const workflow = isOwn ? say("the_workflow", { name: name ?? "" }) : say("foreign_workflow");
          const said = { field: field.label, transition: isOwn ? label : "…", workflow };
          const wrong = isInForce ? say("transition_needs", said) : say("transition_needed", said);
          return { at: `fields.${field.name}`, wrong };
        }),
    ),
  );
  const distinct = new Map(faults.map((one) => [JSON.stringify(one), one]));
  if (distinct.size > 0) throw definitionRefused([...distinct.values()].slice(0, MOST_TOLD));
}

/** The version in force of an active workflow, and those by which records are still on their way. */
async function versionsThatCount(db: Queryable, type: RecordType): Promise<readonly Version[]> {
  // Materialized: records are looked for once for each version.
  const rows = await db.rows(sql`
    with versions as materialized (
      select w.organization_id, w.name, w.deleted, w.is_active, v.number, v.number = w.version as is_last, v.definition,
        ${isUnderWay(type, "w", sql`v.number`)} as is_under_way
      from core__workflows w
      join core__workflow_versions v on v.organization_id = w.organization_id and v.workflow_id = w.id
      where w.controller = ${type.key})
    select organization_id::text as organization, name, definition::text as definition,
      (deleted = 0 and is_last)::integer::text as in_force
    from versions where (deleted = 0 and is_active = 1 and is_last) or is_under_way
    order by organization_id, name, number desc`);
  return rows.map(({ organization, name, definition, in_force }) => ({
    organization,
    name,
    definition: JSON.parse(definition ?? "null"),
    isInForce: in_force === "1",
  }));
}
