// List views: one that cannot run is refused, one is the default of everybody, and what draws it is what its query says.
import { type Message, say } from "../../../contract/messages.ts";
import { recordChanges } from "../../database/changes.ts";
import { type Sql, sql } from "../../database/sql.ts";
import type { RecordChange, RecordHooks, Work } from "../../records/hooks.ts";
import type { ColumnValues } from "../../records/read/row-values.ts";
import { checkListView } from "./check-view.ts";

export const listviewHooks: RecordHooks = {
  compute: ({ query, ui_helper: helper }) => withHelper(query ?? null, helper ?? null),
  check: async (work, change) => {
    const { operation, before, after } = change;
    if ((operation !== "add" && operation !== "edit") || !after) return {};
    const { transaction, snapshot, caller } = work;
    const view = { controller: after.controller ?? null, query: after.query ?? null };
    const unchanged = before && before.controller === view.controller && before.query === view.query;
    const faults = unchanged ? {} : await checkListView(transaction, snapshot, caller, view);
    return caller.isAdministrator ? faults : { ...faults, ...forEverybody(before, after) };
  },
  follow: async (work, change) => {
    if (change.after?.is_default !== "1" || change.after.deleted === "1") return;
    await lockDefaults(work, change);
    // One that comes back takes its place only where nobody else has it by now.
    if (change.operation === "restore" && (await hasAnother(work, change))) await noDefault(work, change);
    else await onlyDefault(work, change);
  },
};

/** What administrators choose for everybody: the flags of a view that is not personal, and what each is about. */
const chosenForAll = { is_default: say("default_for_all"), is_pinned: say("pinned_for_all") } as const;

function forEverybody(before: ColumnValues | undefined, after: ColumnValues): Record<string, Message[]> {
  const isForAll = (row: ColumnValues | undefined, flag: string) => row?.[flag] === "1" && row.is_personal !== "1";
  const faults = Object.entries(chosenForAll).filter(([flag]) => isForAll(after, flag) && !isForAll(before, flag));
  return Object.fromEntries(faults.map(([flag, said]) => [flag, [said]]));
}

/** The query's own helper counts; a query without one gets the record's, so that every query names one. */
function withHelper(query: string | null, helper: string | null): ColumnValues {
  let parsed: unknown;
  try {
    parsed = JSON.parse(query ?? "{}");
  } catch {
    return {};
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return {};
  const named = "ui_helper" in parsed ? parsed.ui_helper : undefined;
  if (typeof named === "string") return { ui_helper: named };
  return { query: JSON.stringify({ ...parsed, ui_helper: helper ?? "table" }), ui_helper: helper ?? "table" };
}

/** Of two that become the default at the same time, the second sees the first. */
async function lockDefaults({ transaction, caller }: Work, { after }: RecordChange): Promise<void> {
  const key = JSON.stringify(["default view", caller.organizationId, after?.controller]);
  await transaction.run(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
}

/** One default per record type for everybody, and one for each person among their own: the others that claim to be it. */
const others = ({ caller }: Work, { id, after }: RecordChange): Sql => sql`
  organization_id = ${caller.organizationId}::bigint and controller = ${after?.controller ?? null}
  and id <> ${id ?? null}::uuid and is_default = 1 and ${
    after?.is_personal === "1"
      ? sql`is_personal = 1 and owned_by = ${after.owned_by ?? null}::bigint`
      : sql`is_personal is distinct from 1`
  }`;

const hasAnother = async (work: Work, change: RecordChange): Promise<boolean> =>
  (await work.transaction.row(sql`
    select 1 as found from core__listviews where ${others(work, change)} and deleted = 0 limit 1`)) !== undefined;

const onlyDefault = (work: Work, change: RecordChange) => clearDefault(work, others(work, change));

const noDefault = (work: Work, { id }: RecordChange) =>
  clearDefault(work, sql`organization_id = ${work.caller.organizationId}::bigint and id = ${id ?? null}::uuid`);

async function clearDefault({ transaction, caller }: Work, which: Sql): Promise<void> {
  const { rows } = await transaction.run(sql`
    update core__listviews set is_default = 0, revision = revision + 1 where ${which} returning acl_id, id`);
  await recordChanges(
    transaction,
    caller.organizationId,
    "core/listviews",
    rows.map(([aclId, id]) => ({ aclId: aclId ?? "0", delta: 0, id: id ?? undefined, operation: "edit" })),
  );
}
