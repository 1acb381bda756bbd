// Asks for a caller's lists as the service runs them (pages, counts, searches, exports, selections, groups, and the names
// that references show) and holds them against the naive model. Adds the answers that differ.
import type { Caller } from "../../server/access/caller.ts";
import { readVersions } from "../../server/database/versions.ts";
import { requireType } from "../../server/metadata/snapshot.ts";
import type { Scope } from "../../server/plan/column.ts";
import { generatedView, type ListView } from "../../server/plan/list-view.ts";
import { planGroups } from "../../server/plan/plan-groups.ts";
import { type ListPlan, planList } from "../../server/plan/plan-list.ts";
import { compileExport } from "../../server/query/compile-export.ts";
import { compileGroups, groupFixedColumns } from "../../server/query/compile-groups.ts";
import { fixedColumns } from "../../server/query/compile-list.ts";
import { matchingIds } from "../../server/query/matching-ids.ts";
import { groupTables, rateValues } from "../../server/records/list/groups/run-groups.ts";
import { runList, runUncounted } from "../../server/records/list/run-list.ts";
import { untilFresh } from "../../server/records/list/until-fresh.ts";
import { parseListParameters } from "../../server/request/list-parameters.ts";
import * as naive from "./naive-access.ts";
import { type Comparison, type Question, typesOf } from "./question.ts";
import type { WorldOrganization, WorldUser } from "./world.ts";

async function countGroups(db: Question["db"], scope: Scope, view: ListView): Promise<number> {
  const groups = planGroups(scope, view, parseListParameters({ q: JSON.stringify({ fields: ["count(id)"] }) }));
  const { rows } = await db.run(compileGroups(groups, groupTables(groups), rateValues(undefined)));
  return Number(rows[0]?.[groupFixedColumns.first] ?? 0);
}

export async function compareLists(
  { db, snapshot, lists, now }: Question,
  key: string,
  organization: WorldOrganization,
  user: WorldUser,
  masked: Caller,
  into: Comparison,
): Promise<void> {
  // Which rows are there has nothing to do with which fields are hidden; those are compared elsewhere.
  const caller: Caller = { ...masked, roles: masked.roles.map((role) => ({ ...role, fields: new Map() })) };
  const type = requireType(snapshot, key);
  const types = typesOf(snapshot);
  const scope = { snapshot, type, caller, now: new Date() };
  const view = generatedView(type);
  const plan = (sent: Readonly<Record<string, string>>): ListPlan =>
    planList(scope, view, parseListParameters({ limit: "1000", ...sent }));
  const everyRow = { where: { deleted: 0 } };
  const ids = (rows: { readonly length: number; text(row: number, column: number): string | null }) =>
    Array.from({ length: rows.length }, (_, row) => rows.text(row, fixedColumns.id) ?? "");

  const page = await untilFresh(() => runList(lists, plan({})));
  const one = await untilFresh(() => runList(lists, plan({ limit: "1" })));
  const filtered = await untilFresh(() => runList(lists, plan({ limit: "1", q: JSON.stringify(everyRow) })));
  const uncounted = await untilFresh(() => runUncounted(lists, plan({}), Date.now() + 60_000));
  const exported = await db.run(compileExport(plan({}), [], null));
  const chosen = await db.run(matchingIds(plan({})));
  const counted = await countGroups(db, scope, view);

  const those = organization.records.filter((record) => record.type === key);
  const version = await readVersions(db, [{ organizationId: organization.id, recordType: key }]);
  const nameOf = await lists.names.namesOf(caller, type, version, new Set(those.map(({ id }) => id)));
  const expected = those.filter((record) =>
    naive.mayWith(organization, user, types, organization, record, "read", now),
  );
  const seen = expected.map(({ id }) => id).sort();
  const answers: Readonly<Record<string, readonly (string | null | undefined)[]>> = {
    page: ids(page.rows),
    uncounted: ids(uncounted),
    export: exported.rows.map(([id]) => id),
    selection: chosen.rows.map(([id]) => id),
    names: those.flatMap(({ id }) => (nameOf(id) === null ? [] : [id])),
  };
  const who = `user ${user.id} of organization ${organization.id}: ${key}`;
  for (const [name, got] of Object.entries(answers)) {
    into.cases += those.length;
    into.allowed += seen.length;
    if (JSON.stringify([...got].sort()) !== JSON.stringify(seen)) {
      into.differences.push(`${who} by ${name} is ${[...got].sort()}, not ${seen}`);
    }
  }
  const totals = [page.total, one.total, filtered.total, counted];
  if (totals.some((total) => total !== seen.length))
    into.differences.push(`${who}: counts ${totals}, not ${seen.length}`);
}
