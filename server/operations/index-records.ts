// index: a page of a record type's list, through a saved view, the caller's access and its own parameters.
import { createHash } from "node:crypto";
import { Failure } from "../../contract/failures.ts";
import type { Caller } from "../access/caller.ts";
import { readVersions } from "../database/versions.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { GENERATED_VIEW } from "../plan/list-view.ts";
import { type ListPlan, planList } from "../plan/plan-list.ts";
import { presentList, presentRows, readNames } from "../records/present-list.ts";
import { runList, StaleMemory, tablesOf } from "../records/run-list.ts";
import { type ListParameters, parseListParameters } from "../request/list-parameters.ts";
import type { Operation, OperationContext, OperationResult } from "./operation.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const MOST_TRIES = 4;

export const indexRecords: Operation = {
  methods: ["GET", "POST"],
  authentication: "required",
  reads: true,
  matrix: "index",
  async run(context) {
    const { caller, type } = context;
    if (!caller || !type) throw new Failure("login_required");
    const parameters = parseListParameters(context.call.parameters);
    for (let tries = 1; ; tries += 1) {
      try {
        return await listOnce(context, caller, type, parameters);
      } catch (error) {
        // What was kept in memory had just changed; with it forgotten, the next try reads it anew.
        if (!(error instanceof StaleMemory) || tries >= MOST_TRIES) throw error;
      }
    }
  },
};

async function listOnce(
  context: OperationContext,
  caller: Caller,
  type: RecordType,
  parameters: ListParameters,
): Promise<OperationResult> {
  const { lists, database } = context.services;
  const { snapshot } = context;
  const { view, version, message } = await lists.views.choose(snapshot, caller, type, parameters.viewId);
  const plan = planList({ snapshot, type, caller, now: new Date() }, view, parameters);
  if (parameters.track && view.id !== GENERATED_VIEW) lists.views.remember(caller, type, view.id);

  const tag = requestTag(context, plan, caller);
  const { ifNoneMatch } = context.call;
  if (ifNoneMatch?.includes(tag)) {
    const etag = etagOf(tag, await context.time("versions", () => readVersions(database, tablesOf(plan))));
    if (ifNoneMatch.includes(etag)) return { headers: { etag }, raw: { contentType: JSON_TYPE, content: "" } };
  }
  const result = await context.time("query", () => runList(lists, plan));
  if (result.versions.views !== version) {
    lists.views.forget(caller.organizationId);
    throw new StaleMemory();
  }
  const names = await context.time("names", () => readNames(lists, plan, result));
  const content = await context.time("present", () =>
    presentList(plan, result, presentRows(plan, result, names), new Map(), caller, message),
  );
  const headers = result.exact && message.length === 0 ? { etag: etagOf(tag, result.versions.text) } : {};
  return { headers: { ...headers, "cache-control": "private, no-cache" }, raw: { contentType: JSON_TYPE, content } };
}

/** Everything but the tables' state that a response depends on. */
function requestTag({ snapshot }: OperationContext, plan: ListPlan, caller: Caller): string {
  const parts = [
    snapshot.version,
    caller.organizationId,
    caller.userId,
    caller.isAdministrator,
    plan.maskKey,
    plan.signature,
    plan.page,
    plan.limit,
    plan.withHeader,
    plan.method,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 16);
}

const etagOf = (tag: string, versions: string): string => `"${tag}.${versions.replaceAll(" ", ".")}"`;
