// Feed links: made with an address that is shown once, and read under that address by programs that can't sign in: calendars,
// feed readers, spreadsheets. They read with the rights that the user who made it has at that moment.
import { createHash } from "node:crypto";
import path from "node:path";
import { Failure } from "../../../../contract/failures.ts";
import { say } from "../../../../contract/messages.ts";
import { settleShares } from "../../../access/acl-sets.ts";
import type { Caller } from "../../../access/caller.ts";
import { mayOperate } from "../../../access/matrix.ts";
import { readCaller } from "../../../access/read-caller.ts";
import { inOrganization } from "../../../database/scope.ts";
import { sql } from "../../../database/sql.ts";
import { setSecret } from "../../../identity/create-user.ts";
import { digest, newSecret, parseSecret, sameDigest } from "../../../lib/secrets/tokens.ts";
import { writeCalendar } from "../../../lib/writing/icalendar.ts";
import { writeRss } from "../../../lib/writing/rss.ts";
import { findType, requireType } from "../../../metadata/snapshot.ts";
import { addressed } from "../../../operations/addressed.ts";
import type { JsonResult, Operation, OperationContext, OperationResult } from "../../../operations/operation.ts";
import { asSaved, currentView, planView } from "../../../operations/plan-view.ts";
import { add as saveNew } from "../../../operations/save.ts";
import { isWhole } from "../../../plan/plan-rows.ts";
import { exportRows } from "../../../records/list/export-table.ts";
import { writeExport } from "../../../records/list/write-export.ts";
import { textAt } from "../../../request/tree.ts";
import { calendarEntries, type FedView, rssItems } from "../feed-content.ts";

export type FeedFormat = "calendar" | "rss" | "csv";

const files: Readonly<Record<FeedFormat, string>> = { calendar: "calendar.ics", rss: "list.rss", csv: "list.csv" };

export const add: Operation = {
  ...saveNew,
  run: async (context) => {
    const result = await saveNew.run(context);
    return context.call.method === "POST" && "body" in result ? withAddress(context, result) : result;
  },
};

/** Whoever asks again under the same Idempotency-Key finds one made already, and is not told. */
async function withAddress(context: OperationContext, result: JsonResult): Promise<JsonResult> {
  const { caller } = addressed(context);
  const { id } = result.body;
  if (typeof id !== "string") return result;
  const secret = newSecret("df", caller.organizationId, id);
  const format = await context.services.database.transaction(async (transaction) => {
    const row = await transaction.row(sql`
      select f.format from core__feed_links f
      where f.organization_id = ${caller.organizationId}::bigint and f.id = ${id}::bigint
        and not exists (select 1 from access_controls__secrets s where s.organization_id = ${caller.organizationId}::bigint
          and s.kind = 'feed-link' and s.subject = ${id}) for update of f`);
    if (row) await setSecret(transaction, caller.organizationId, "feed-link", id, digest(secret));
    return row?.format;
  });
  if (format == null) return result;
  const address = `/feeds/${files[format as FeedFormat]}?key=${secret}`;
  return { ...result, message: [say("feed_link_created")], body: { ...result.body, feed_address: address } };
}

const notFound = (): Failure => new Failure("unknown_feed");

interface Link {
  readonly caller: Caller;
  readonly viewId: string;
  readonly controller: string;
  readonly name: string;
  readonly format: FeedFormat;
}

/** Whatever is wrong with an address, it is answered alike. */
async function requireLink({ services, snapshot, call }: OperationContext): Promise<Link> {
  const key = textAt(call.parameters, "key") ?? "";
  const secret = parseSecret(key);
  if (secret?.prefix !== "df" || !/^\d{1,18}$/.test(secret.subject)) throw notFound();
  const organization = sql`${secret.organizationId}::bigint`;
  const row = await services.database.row(sql`
    select f.name, f.format, f.user_id::text as user_id, v.id::text as view_id, v.controller, s.hash
    from core__feed_links f
    join access_controls__secrets s on s.organization_id = ${organization} and s.kind = 'feed-link' and s.subject = f.id::text
    join core__listviews v on v.organization_id = ${organization} and v.id = f.listview_id and v.deleted = 0
    where f.organization_id = ${organization} and f.id = ${secret.subject}::bigint and f.deleted = 0
      and (f.expires is null or f.expires > now() at time zone 'utc')`);
  if (!row?.hash || !sameDigest(row.hash, digest(key))) throw notFound();
  await settleShares(services.database, snapshot, secret.organizationId);
  const caller = await readCaller(services.database, secret.organizationId, row.user_id ?? "0");
  if (!caller || !mayOperate(caller, requireType(snapshot, "core/feed_links"), "add")) throw notFound();
  await services.database.run(sql`
    update core__feed_links set last_used = now() at time zone 'utc'
    where organization_id = ${organization} and id = ${secret.subject}::bigint
      and (last_used is null or last_used < (now() at time zone 'utc') - interval '1 hour')`);
  return {
    caller,
    viewId: row.view_id ?? "",
    controller: row.controller ?? "",
    name: row.name ?? "",
    format: (row.format ?? "csv") as FeedFormat,
  };
}

/** The view itself: where the user can no longer see it, nothing else takes its place. */
async function requireView(context: OperationContext, { caller, viewId, controller, format }: Link): Promise<FedView> {
  const { services, snapshot } = context;
  const type = findType(snapshot, controller);
  if (!type || !mayOperate(caller, type, format === "csv" ? "export" : "index")) throw notFound();
  const choose = () => services.lists.views.choose(snapshot, caller, type, viewId, false);
  const view = await currentView(services, choose, caller.organizationId);
  const scope = { snapshot, type, caller, now: new Date() };
  if (view.id !== viewId || !isWhole(scope, view)) throw notFound();
  return { scope, view, base: baseOf(context) };
}

const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Where its links lead: to PUBLIC_URL, else to where it was read from. Whoever sends another Host reads the links to it alone. */
function baseOf({ services: { config }, request }: OperationContext): string | undefined {
  if (config.publicUrl !== undefined) return config.publicUrl;
  const host = request.header("host") ?? "";
  const isSecure = config.trustProxy && request.header("x-forwarded-proto")?.split(",")[0]?.trim() === "https";
  return HOST.test(host) && URL.canParse(`http://${host}`) ? `${isSecure ? "https" : "http"}://${host}` : undefined;
}

export const feed: Operation = {
  methods: ["GET"],
  authentication: "none",
  reads: true,
  async run(context) {
    const { services } = context;
    const link = await requireLink(context);
    const answer = async () => answerOf(context, link, await requireView(context, link));
    return inOrganization(link.caller.organizationId, services.config.statementMs, answer);
  },
};

async function answerOf(context: OperationContext, { name, format }: Link, fed: FedView): Promise<OperationResult> {
  const { database, config } = context.services;
  if (format === "calendar") {
    return textOf("text/calendar; charset=utf-8", writeCalendar(name, await calendarEntries(database, fed)));
  }
  if (format === "rss") {
    const link = new URL(`/${fed.scope.type.key}/index`, fed.base ?? "http://localhost").href;
    return textOf("application/rss+xml; charset=utf-8", writeRss(name, link, await rssItems(database, fed)));
  }
  const planned = planView(fed.scope, fed.view, asSaved);
  // Another view in place of the one that was meant would be other records.
  if (planned.kind !== "rows" || planned.message.length > 0) throw notFound();
  const { plan } = planned;
  const options = { title: name, controller: fed.scope.type.key, bom: false, folder: path.join(config.dataDir, "tmp") };
  const content = await writeExport(exportRows(database, plan, undefined, false), "csv", options);
  return { headers, raw: { contentType: "text/csv; charset=utf-8", content } };
}

const headers = { "cache-control": "private, no-cache", "x-robots-tag": "noindex" };

const textOf = (contentType: string, content: string): OperationResult => ({
  headers: { ...headers, etag: `"${createHash("sha256").update(content).digest("base64url").slice(0, 27)}"` },
  raw: { contentType, content },
});
