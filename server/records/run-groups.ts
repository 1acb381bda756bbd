// Takes a plan of groups; runs it, or gives what was kept while every table that it reads stayed the same. Access is
// looked up in the statement itself.
import { ACL_SETS } from "../access/acl-sets.ts";
import { readVersions, type VersionedTable } from "../database/versions.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { GroupsPlan } from "../plan/plan-groups.ts";
import { compileGroups, type GroupRows, groupFixedColumns } from "../query/compile-groups.ts";
import { VIEW_TABLES } from "./list-views.ts";
import type { ListSources } from "./run-list.ts";

export interface GroupsResult extends GroupRows {
  readonly versions: { readonly text: string; readonly views: string };
}

export function groupTables(plan: GroupsPlan): VersionedTable[] {
  const { type, caller } = plan.scope;
  const tableOf = (one: RecordType): VersionedTable => ({
    organizationId: one.scope === "shared" ? "0" : caller.organizationId,
    recordType: one.key,
  });
  const own = [...VIEW_TABLES, ACL_SETS].map((recordType) => ({ organizationId: caller.organizationId, recordType }));
  return [...own, ...new Map([type, ...plan.through].map((one) => [one.key, tableOf(one)])).values()];
}

const viewsOf = (versions: string): string => versions.split(" ").slice(0, VIEW_TABLES.length).join(" ");

export async function runGroups({ db, groups }: ListSources, plan: GroupsPlan): Promise<GroupsResult> {
  const tables = groupTables(plan);
  const { organizationId, userId } = plan.scope.caller;
  const key = `${organizationId} ${userId} ${plan.maskKey} ${plan.page} ${plan.limit} ${plan.signature}`;
  const version = await readVersions(db, tables);
  const known = groups.find(key, version);
  if (known) return { ...known, versions: { text: version, views: viewsOf(version) } };
  const made = await groups.make(key, async () => {
    const { rows } = await db.run(compileGroups(plan, tables));
    const [first] = rows;
    if (first) {
      const seen = first[groupFixedColumns.versions] ?? "";
      return { version: seen, value: { rows, total: Number(first[groupFixedColumns.total]) } };
    }
    // A page past the end tells nothing of how many there are; the first one does.
    const [one] = plan.page === 1 ? [] : (await db.run(compileGroups({ ...plan, page: 1, limit: 1 }, tables))).rows;
    return { version, value: { rows, total: Number(one?.[groupFixedColumns.total] ?? 0) } };
  });
  return { ...made.value, versions: { text: made.version, views: viewsOf(made.version) } };
}
