// Takes a record type as it is and as it would be; refuses another name for a field that a form or a workflow calls by the old one. Lists,
// imports, webhooks and requests know the old name as an alias; these do not. Checks every organization, since they share the type.
import { type Message, say } from "../../../contract/messages.ts";
import type { Queryable } from "../../database/database.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { type Renames, renamedFields } from "../../metadata/changes/rename-fields.ts";
import { definitionRefused } from "../../metadata/definition-refusal.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { isUnderWay } from "../../metadata/uses/needed-by-transitions.ts";
import { fieldsUsed } from "../../metadata/uses/uses-in-documents.ts";

export async function requireUnusedNames(
  db: Queryable,
  organizationId: string,
  snapshot: Snapshot,
  before: RecordType,
  after: RecordType,
): Promise<void> {
  const renames = renamedFields(before, after);
  if (renames.size === 0) return;
  const { types } = snapshot;
  const then = { ...snapshot, types: new Map([...types, [before.key, before]]) };
  const found = [...(await inForms(db, then, before, renames)), ...(await inWorkflows(db, then, before, renames))].map(
    ({ field, organization, name, kind }) => {
      const mine = kind === "form" ? say("the_form", { name }) : say("the_workflow", { name });
      const foreign = kind === "form" ? say("foreign_form") : say("foreign_workflow");
      return fault(before, renames, field, organization === organizationId ? mine : foreign);
    },
  );
  const distinct = new Map(found.map((one) => [JSON.stringify(one), one]));
  if (distinct.size > 0) throw definitionRefused([...distinct.values()].slice(0, MOST_TOLD));
}

const MOST_TOLD = 50;

const fault = (type: RecordType, renames: Renames, field: string, user: Message) => ({
  at: `fields.${renames.get(field) ?? field}.name`,
  wrong: say("name_in_use", { name: field, field: type.field.get(field)?.label ?? field, user }),
});

interface UsedName {
  readonly field: string;
  readonly organization: string;
  readonly name: string;
  readonly kind: "form" | "workflow";
}

const speaksOf = (column: Sql, renames: Renames): Sql =>
  sql`exists (select 1 from unnest(${[...renames.keys()]}::text[]) wanted where strpos(${column}::text, wanted) > 0)`;

const usedIn = (
  kind: UsedName["kind"],
  snapshot: Snapshot,
  type: RecordType,
  renames: Renames,
  rows: readonly Readonly<Record<string, string | null>>[],
): readonly UsedName[] =>
  rows.flatMap(({ organization, name, controller, definition }) => {
    const of = snapshot.types.get(controller ?? "");
    const used = of ? fieldsUsed(kind, JSON.parse(definition ?? "null"), { snapshot, type: of }, type.key) : [];
    return used
      .filter((field) => renames.has(field))
      .map((field) => ({ kind, field, organization: organization ?? "", name: name ?? "" }));
  });

async function inForms(db: Queryable, snapshot: Snapshot, type: RecordType, renames: Renames) {
  const rows = await db.rows(sql`
    select organization_id::text as organization, name, controller, definition::text as definition from core__forms
    where deleted = 0 and ${speaksOf(sql`definition`, renames)} order by organization_id, id`);
  return usedIn("form", snapshot, type, renames, rows);
}

/** The versions in force, and those by which records of the type are still on their way. */
async function inWorkflows(db: Queryable, snapshot: Snapshot, type: RecordType, renames: Renames) {
  const onTheirWay = type.field.has("current_stage")
    ? sql`w.controller = ${type.key} and ${isUnderWay(type, "w", sql`v.number`)}`
    : sql`false`;
  const rows = await db.rows(sql`
    select w.organization_id::text as organization, w.name, w.controller, v.definition::text as definition
    from core__workflows w
    join core__workflow_versions v on v.organization_id = w.organization_id and v.workflow_id = w.id
    where ${speaksOf(sql`v.definition`, renames)} and ((w.deleted = 0 and v.number = w.version) or (${onTheirWay}))
    order by w.organization_id, w.name, v.number desc`);
  return usedIn("workflow", snapshot, type, renames, rows);
}
