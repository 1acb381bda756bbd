// Takes rows as column texts, with their shares; returns the access recipe of each. The only place that decides what a
// record's access depends on.
import { chainOf, type Grants, noGrants, parseRecipe, plainRecipe, type Recipe, type Share } from "../../access/acl.ts";
import { factColumns, factIds, factsOfRow, readRecordFacts } from "../../access/facts/record-facts.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, sql } from "../../database/sql.ts";
import { referencedBy } from "../../metadata/associations.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { idTypeOf } from "../../query/lock-rows.ts";
import { workflowOfNode } from "../../workflow/find-workflow.ts";
import { grantsOf, type WorkflowState } from "../../workflow/state.ts";
import type { ColumnValues } from "../read/row-values.ts";
import { readAllAgreed } from "../workflow/stage-log.ts";

/** The columns that a record's access depends on. */
export function accessColumns(type: RecordType): readonly string[] {
  const people = type.fields.filter(
    (field) => !field.system && referencedBy(type, field) === "access_controls/users" && field.name !== "owned_by",
  );
  return [
    "owned_by",
    "primary_acl_group",
    ...(type.about === undefined ? [] : aboutColumns(type, type.about.field)),
    ...(type.personalFlag === undefined ? [] : [type.personalFlag]),
    // Whom a stage lends rights to, as far as the record itself says.
    ...(type.field.has("current_stage")
      ? ["current_stage", "workflow_version", ...people.map((field) => field.name)]
      : []),
  ];
}

/** Together with those that the organization's policies ask for. `now`: the rows to judge are locked already. */
export async function columnsOfAccess(
  transaction: Queryable,
  type: RecordType,
  organizationId: string,
  now = false,
): Promise<readonly string[]> {
  const facts = factIds(await readRecordFacts(transaction, organizationId, now), type);
  return [...new Set([...accessColumns(type), ...factColumns(type, facts)])];
}

const aboutColumns = (type: RecordType, field: string): readonly string[] =>
  type.field.has("related_id") ? [field, "related_id"] : [field];

/** `sharesOf`: what was shared by hand, by position of the row. Rows that are stored already have their id. */
export async function recipesOf(
  transaction: Queryable,
  snapshot: Snapshot,
  type: RecordType,
  organizationId: string,
  rows: readonly ColumnValues[],
  sharesOf: (index: number) => readonly Share[] = () => [],
): Promise<Recipe[]> {
  const everybody = type.personalFlag === undefined ? undefined : await wholeOrganization(transaction, organizationId);
  const followed =
    type.follows === undefined
      ? await heldBack(transaction, snapshot, type, organizationId, rows)
      : await recordsOf(transaction, snapshot, organizationId, rows);
  const lent = await lentBy(transaction, snapshot, type, organizationId, rows);
  const asked = factIds(await readRecordFacts(transaction, organizationId), type);
  const recipes: Recipe[] = [];
  for (const [index, row] of rows.entries()) {
    const facts = asked.size === 0 ? [] : factsOfRow(type, asked, row);
    recipes.push({
      type: type.key,
      owner: row.owned_by ?? null,
      group: row.primary_acl_group ?? null,
      shares: [
        ...sharesOf(index),
        ...(everybody && type.personalFlag !== undefined && row[type.personalFlag] !== "1" ? [everybody] : []),
      ],
      grants: lent[index] ?? noGrants,
      ...(facts.length === 0 ? {} : { facts }),
      ...followed(row),
    });
  }
  return recipes;
}

/**
 * What is about a confidential record, and does not follow it, is kept from those whom its own policy names by role: the
 * history of the record, and the history of what is attached to it, however far.
 */
async function heldBack(
  transaction: Queryable,
  snapshot: Snapshot,
  { about }: RecordType,
  organizationId: string,
  rows: readonly ColumnValues[],
): Promise<(row: ColumnValues) => { readonly of?: Recipe }> {
  if (about?.needs !== undefined)
    return ({ [about.field]: subject }) => (subject == null ? {} : { of: plainRecipe(subject, null, null) });
  if (about === undefined || about.confidential.size === 0) return () => ({});
  const [anyKey = ""] = about.confidential;
  const isAttached = (row: ColumnValues) => snapshot.types.get(row[about.field] ?? "")?.about !== undefined;
  const attached = await recordsOf(transaction, snapshot, organizationId, rows.filter(isAttached));
  const subjectsOf = (row: ColumnValues): readonly (string | null | undefined)[] => {
    if (!isAttached(row)) return [row[about.field]];
    // Of many such records at once it is not known which they are about.
    if (row.related_id == null) return [anyKey];
    const { of } = attached(row);
    return of ? chainOf(of).map(({ type }) => type) : [];
  };
  return (row) => {
    const subject = subjectsOf(row).find((key) => key != null && about.confidential.has(key));
    return subject == null ? {} : { of: plainRecipe(subject, null, null) };
  };
}

/** What the stage lends that each record is in. */
async function lentBy(
  transaction: Queryable,
  snapshot: Snapshot,
  type: RecordType,
  organizationId: string,
  rows: readonly ColumnValues[],
): Promise<readonly Grants[]> {
  const states: (Omit<WorkflowState, "agreed"> | undefined)[] = [];
  for (const { current_stage: node, workflow_version: version } of rows) {
    const workflow =
      node == null ? undefined : await workflowOfNode(transaction, snapshot, organizationId, node, version ?? "");
    const stage = workflow?.byNode.get(node ?? "");
    states.push(workflow && stage ? { workflow, stage } : undefined);
  }
  const voted = rows.flatMap(({ id }, index) => (states[index]?.stage.needsAll && id != null ? [id] : []));
  const agreed = await readAllAgreed(transaction, organizationId, type.key, voted);
  return rows.map((row, index) => {
    const state = states[index];
    if (!state) return noGrants;
    return grantsOf({ ...state, agreed: agreed.get(row.id ?? "") ?? [] }, (field) => row[field] ?? null);
  });
}

async function wholeOrganization(transaction: Queryable, organizationId: string): Promise<Share> {
  const row = await transaction.row(sql`
    select principal_id as principal from access_controls__organizations where organization_id = ${organizationId}::bigint`);
  return { principal: Number(row?.principal), rights: ["read"], until: null };
}

/** The recipes of the records that rows are attached to. A record whose type is shared, or that is not there, has none. */
async function recordsOf(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
  rows: readonly ColumnValues[],
): Promise<(row: ColumnValues) => { readonly of?: Recipe }> {
  const ids = new Map<RecordType, Set<string>>();
  for (const { related_type: key, related_id: id } of rows) {
    const type = snapshot.types.get(key ?? "");
    if (type?.scope === "organization" && id != null) ids.set(type, (ids.get(type) ?? new Set()).add(id));
  }
  const recipes = new Map<string, Recipe>();
  for (const [type, some] of ids) {
    const found = await transaction.run(sql`
      select r.id::text, s.recipe from ${ident(type.table)} r
      join core__acl_sets s on s.organization_id = ${organizationId}::bigint and s.id = r.acl_id
      where r.organization_id = ${organizationId}::bigint and r.id = any(${[...some]}::${idTypeOf(type)}[])`);
    for (const [id, recipe] of found.rows) recipes.set(`${type.key} ${id}`, parseRecipe(type.key, recipe ?? ""));
  }
  return ({ related_type: key, related_id: id }) => {
    const of = recipes.get(`${key} ${id}`);
    return of ? { of } : {};
  };
}
