// Feed links: a person makes them, for what that person can list; what nobody could subscribe to is refused.
import { Failure } from "../../../contract/failures.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { mayOperate } from "../../access/matrix.ts";
import { mayRead } from "../../access/visibility.ts";
import { sql } from "../../database/sql.ts";
import { instant } from "../../lib/instant.ts";
import { keptByTheService } from "../../metadata/kept-by-the-service.ts";
import { findType, requireType } from "../../metadata/snapshot.ts";
import { asSaved, planView } from "../../operations/plan-view.ts";
import { generatedView, parseViewQuery } from "../../plan/list-view.ts";
import { isWhole } from "../../plan/plan-rows.ts";
import type { RecordHooks, Work } from "../../records/hooks.ts";
import type { ColumnValues } from "../../records/read/row-values.ts";
import { calendarOf } from "./feed-content.ts";

const MOST_LINKS = 50;

export const feedLinkHooks: RecordHooks = {
  // A leaked key must not outlive its revocation.
  peopleOnly: say("feed_links_by_people"),
  bookkeeping: true,
  // Its address was revoked with it.
  refuses: { restore: keptByTheService },
  prepare: async ({ caller }) => ({ user_id: caller.userId }),
  check: async (work, { operation, after }) => {
    if (operation !== "add" || !after) return {};
    if (work.caller.elevated !== undefined) return { name: [say("webhook_not_by_workflow")] };
    const faults: Record<string, Message[]> = {};
    if (after.expires != null && after.expires <= instant()) faults.expires = [say("feed_link_expired")];
    if (await hasTooMany(work)) faults.name = [say("feed_links_too_many", { max: MOST_LINKS })];
    const fault = await viewFault(work, after);
    if (fault) faults.listview_id = [fault];
    return faults;
  },
  follow: async ({ transaction, caller }, { operation, id }) => {
    if (operation !== "delete" && operation !== "purge") return;
    await transaction.run(sql`
      delete from access_controls__secrets
      where organization_id = ${caller.organizationId}::bigint and kind = 'feed-link' and subject = ${id}`);
  },
};

async function hasTooMany({ transaction, caller }: Work): Promise<boolean> {
  const row = await transaction.row(sql`
    select count(*)::text as count from core__feed_links
    where organization_id = ${caller.organizationId}::bigint and user_id = ${caller.userId}::bigint and deleted = 0`);
  return Number(row?.count) >= MOST_LINKS;
}

async function viewFault({ transaction, snapshot, caller }: Work, after: ColumnValues): Promise<Message | undefined> {
  if (after.listview_id == null) return undefined;
  const row = await transaction.row(sql`
    select r.controller, r.query::text as query from core__listviews r
    where ${mayRead(caller, requireType(snapshot, "core/listviews"), "r", "few")} and r.id = ${after.listview_id}::uuid
      and r.deleted = 0`);
  const type = findType(snapshot, row?.controller ?? "");
  if (!row || !type || !mayOperate(caller, type, "index")) return say("feed_link_view");
  if (after.format === "csv" && !mayOperate(caller, type, "export")) return say("feed_no_export");
  try {
    const view = { ...generatedView(type), ...parseViewQuery(row.query ?? null) };
    if (after.format === "calendar") return calendarOf(view) ? undefined : say("feed_needs_calendar");
    const scope = { snapshot, type, caller, now: new Date() };
    const { kind, message } = planView(scope, view, asSaved);
    if (message.length > 0 || !isWhole(scope, view)) return say("feed_link_view");
    return kind === "rows" || after.format === "rss" ? undefined : say("feed_needs_list");
  } catch (error) {
    if (error instanceof Failure && error.status < 500) return say("feed_link_view");
    throw error;
  }
}
