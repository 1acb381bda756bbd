// index: a page of a record type's list, through a saved view, the caller's access and its own parameters.

import { createHash } from "node:crypto";
import { Failure } from "../../contract/failures.ts";
import { isGeneratedView } from "../../contract/generated-view.ts";
import { say } from "../../contract/messages.ts";
import { writeAll } from "../../contract/texts/write.ts";
import { type Caller, readerOf, rightsOf } from "../access/caller.ts";
import { matrixOf } from "../access/matrix.ts";
import { undeletable } from "../access/undeletable.ts";
import { isGivenUp } from "../database/errors.ts";
import { apartFromClient } from "../database/scope.ts";
import { readVersions } from "../database/versions.ts";
import type { RecordType } from "../metadata/record-type.ts";
import type { ListView } from "../plan/list-view.ts";
import type { GroupsPlan } from "../plan/plan-groups.ts";
import { type ListPlan, planList } from "../plan/plan-list.ts";
import { columnTotals } from "../records/list/column-totals.ts";
import { rateDay } from "../records/list/exchange-rates.ts";
import { presentGroups } from "../records/list/groups/present-groups.ts";
import { groupTables, hasMoney, runGroups } from "../records/list/groups/run-groups.ts";
import { listNotices } from "../records/list/list-notices.ts";
import { presentList, readNames } from "../records/list/present-list.ts";
import { ratesOf, runList, tablesOf } from "../records/list/run-list.ts";
import { untilFresh } from "../records/list/until-fresh.ts";
import { writeRows } from "../records/list/write-rows.ts";
import { type ListParameters, parseListParameters } from "../request/list-parameters.ts";
import type { Operation, OperationContext, OperationResult } from "./operation.ts";
import { type PlannedView, planChosen } from "./plan-view.ts";

const JSON_TYPE = "application/json; charset=utf-8";

export const indexRecords: Operation = {
  methods: ["GET", "POST"],
  authentication: "required",
  reads: true,
  matrix: "index",
  async run(context) {
    const { caller, type } = context;
    if (!caller || !type) throw new Failure("login_required");
    const parameters = parseListParameters(context.call.parameters);
    return untilFresh(() => listOnce(context, caller, type, parameters));
  },
};

/** A list within another response: the JSON text of its `paginate`. */
export async function listWithin(
  context: OperationContext,
  caller: Caller,
  type: RecordType,
  parameters: ListParameters,
): Promise<string> {
  const { content } = await untilFresh(async () => {
    const { view, version } = await context.services.lists.views.choose(
      context.snapshot,
      caller,
      type,
      undefined,
      false,
    );
    const scope = { snapshot: context.snapshot, type, caller, now: new Date() };
    const kept = await undeletable(context.services.database, caller, type);
    const answer = await answerRows(context, planList(scope, asTable(view), parameters), [], kept);
    if (answer?.versions.views === version) return answer;
    context.services.lists.views.forget(caller.organizationId);
    return undefined;
  });
  return JSON.stringify(JSON.parse(content.toString()).paginate);
}

/** The columns of a view without its conditions and groups: what is asked for decides which records. */
function asTable(view: ListView): ListView {
  const { where: _where, group, having: _having, search: _search, ...rest } = view.query;
  const query = group === undefined ? rest : { header: true };
  return { ...view, query };
}

/** Undefined where something that it was made from has changed since: it is made again. */
async function listOnce(
  context: OperationContext,
  caller: Caller,
  type: RecordType,
  parameters: ListParameters,
): Promise<OperationResult | undefined> {
  const { views } = context.services.lists;
  const started = performance.now();
  const { chosen, planned, own } = await planChosen(context, caller, type, parameters);
  if (parameters.noticesOnly) return foretell(context, planned);
  const { view } = planned.plan;
  const tracks = parameters.track && !context.call.headOnly && !own;
  if (tracks && !isGeneratedView(view.id)) void views.remember(caller, type, view.id);

  const message = writeAll([...chosen.message, ...planned.message], context.language);
  const kept = await undeletable(context.services.database, caller, type);
  const tag = [requestTag(context, planned.plan, caller) + moneyTag(planned.plan, caller), ...kept].join("-");
  const unchanged = await confirm(context, tag, planned);
  if (unchanged) return unchanged;
  const lacks: { index?: string | undefined } = {};
  const noteTime = () => {
    const { organizationId } = caller;
    // What was asked for with fields of its own says nothing about the view that it came by.
    const ofView = !own && parameters.viewQuery === undefined;
    const ms = performance.now() - started;
    const personId = caller.credential.kind === "session" ? caller.userId : undefined;
    const list = { organizationId, recordType: type.key, view: ofView ? view.id : "", ms, wanted: lacks.index };
    context.services.viewTimes.note({ ...list, personId });
  };
  const answering =
    planned.kind === "rows"
      ? answerRows(context, planned.plan, message, kept, lacks)
      : answerGroups(context, planned.plan, message, parameters.mayEstimate);
  const answer = await answering.catch((error: unknown) => {
    if (isGivenUp(error) || (error instanceof Failure && error.code === "client_gone")) noteTime();
    throw error;
  });
  if (!answer) return undefined;
  if (answer.versions.views !== chosen.version) {
    views.forget(caller.organizationId);
    return undefined;
  }
  // What a sample took says nothing of the view.
  if (planned.kind === "rows" || answer.final) noteTime();
  const headers = answer.final && message.length === 0 ? { etag: etagOf(tag, answer.versions.text) } : {};
  return {
    headers: { ...headers, "cache-control": "private, no-cache" },
    raw: { contentType: JSON_TYPE, content: answer.content },
  };
}

/** What a list that takes long will say, before it has its rows. */
async function foretell(
  { services: { lists, config }, language }: OperationContext,
  planned: PlannedView,
): Promise<OperationResult> {
  const effort = { large: config.largeListRows, tookMs: Number.POSITIVE_INFINITY };
  const notices =
    planned.kind === "rows" ? await listNotices(lists, planned.plan, effort, language, config.automaticIndexes) : [];
  return { body: { notices } };
}

/** A 304 where the caller already has what it would get: the versions of the tables tell, and no row is read. */
async function confirm(
  { call, services, time }: OperationContext,
  tag: string,
  planned: PlannedView,
): Promise<OperationResult | undefined> {
  const { ifNoneMatch } = call;
  if (!ifNoneMatch?.includes(tag)) return undefined;
  const tables = planned.kind === "rows" ? tablesOf(planned.plan) : groupTables(planned.plan);
  const etag = etagOf(tag, await time("versions", () => readVersions(services.database, tables)));
  return ifNoneMatch.includes(etag.slice(WEAK.length))
    ? { headers: { etag }, raw: { contentType: JSON_TYPE, content: "" } }
    : undefined;
}

interface Answer {
  readonly content: string | Buffer;
  readonly versions: { readonly text: string; readonly views: string };
  /** Nothing of it is still being worked out. */
  readonly final: boolean;
}

const NO_ROWS = Buffer.from("[]");

/** `kept`: ids of records that cannot be deleted, whatever their sets say. `lacks` is told the index that would help. */
async function answerRows(
  context: OperationContext,
  plan: ListPlan,
  message: readonly string[],
  kept: ReadonlySet<string>,
  lacks: { index?: string | undefined } = {},
): Promise<Answer | undefined> {
  const { lists, config } = context.services;
  const started = performance.now();
  const noticesNow = async () => {
    const effort = { large: config.largeListRows, tookMs: performance.now() - started };
    const notices = await listNotices(lists, plan, effort, context.language, config.automaticIndexes);
    lacks.index = notices[0]?.field;
    return notices;
  };
  const result = await context
    .time("query", () => runList(lists, plan))
    .catch(async (error: unknown) => {
      if (!(error instanceof Failure) || !isGivenUp(error)) throw error;
      // Too slow for an answer: it says why, and what would help, although the request itself has no time left.
      const notices = await apartFromClient(noticesNow);
      if (notices.length === 0) throw error;
      throw error.with({ errors: notices.map(({ code, label }) => say(code, { name: label })), body: { notices } });
    });
  if (!result) return undefined;
  const notices = await noticesNow();
  const versionOf = result.versions.of;
  const rates = await ratesOf(lists, plan, versionOf);
  const totals = await context.time("totals", () => columnTotals(lists.matches, result.plan, versionOf, rates));
  const names = await context.time("names", () => readNames(lists, plan, result));
  const content = await context.time("present", () => {
    const rows = plan.method === "count" ? NO_ROWS : writeRows(result.plan, result.rows, names, { rates, kept });
    return presentList(plan, result, rows, totals, plan.scope.caller, message, notices);
  });
  const final = result.exact && totals.complete && notices.length === 0;
  return { content, versions: result.versions, final };
}

async function answerGroups(
  context: OperationContext,
  plan: GroupsPlan,
  message: readonly string[],
  mayEstimate = false,
): Promise<Answer | undefined> {
  const { lists, config } = context.services;
  const large = mayEstimate ? config.largeListRows : undefined;
  const result = await context.time("query", () => runGroups(lists, plan, large));
  if (!result) return undefined;
  const content = await context.time("present", () => presentGroups(plan, result, message));
  return { content, versions: result.versions, final: result.exact };
}

const tags = new WeakMap<ListPlan | GroupsPlan, string>();

/** Everything but the tables' state that a response depends on. A plan is made for one caller. */
function requestTag(context: OperationContext, plan: ListPlan | GroupsPlan, caller: Caller): string {
  let tag = tags.get(plan);
  if (tag === undefined) {
    tag = makeTag(context, plan, caller);
    tags.set(plan, tag);
  }
  return tag;
}

/** Amounts are converted by the newest rates of the day, to the organization's currency. */
const moneyTag = (plan: ListPlan | GroupsPlan, caller: Caller): string =>
  hasMoney(plan) ? `.${rateDay()}.${caller.currencyId ?? ""}` : "";

function makeTag({ snapshot }: OperationContext, plan: ListPlan | GroupsPlan, caller: Caller): string {
  const parts = [
    snapshot.version,
    snapshot.wording,
    caller.organizationId,
    readerOf(caller),
    caller.isAdministrator,
    // What the flags of each row are made of, beside its access set, and which names of other records are told.
    rightsOf(caller),
    matrixOf(caller, plan.scope.type),
    plan.maskKey,
    plan.signature,
    plan.page,
    plan.limit,
    plan.withHeader,
    plan.method,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);
}

/** Weak: the same list may be sent in several encodings. */
const WEAK = "W/";

const etagOf = (tag: string, versions: string): string => `${WEAK}"${tag}.${versions.replaceAll(" ", ".")}"`;
