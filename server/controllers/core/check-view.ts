// Takes a list view as somebody wants to save it; gives what is wrong with it, by field. A view that cannot run for the
// person who saves it cannot be saved: its query is planned, and PostgreSQL is asked to plan it too.

import { Failure } from "../../../contract/failures.ts";
import { isMessage, type Message, say } from "../../../contract/messages.ts";
import type { Caller } from "../../access/caller.ts";
import { mayOperate } from "../../access/matrix.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { asSaved, planView } from "../../operations/plan-view.ts";
import { generatedView, parseViewQuery } from "../../plan/list-view.ts";
import { compileExport } from "../../query/compile-export.ts";
import { compileGroups } from "../../query/compile-groups.ts";
import { rateValues } from "../../records/list/groups/run-groups.ts";

export interface CheckedView {
  readonly controller: string | null;
  /** JSON text. */
  readonly query: string | null;
}

export type ViewFaults = Readonly<Record<string, readonly Message[]>>;

export async function checkListView(
  db: Queryable,
  snapshot: Snapshot,
  caller: Caller,
  { controller, query }: CheckedView,
): Promise<ViewFaults> {
  if (controller === null) return {};
  const type = snapshot.types.get(controller);
  if (!type || !mayOperate(caller, type, "index")) {
    return { controller: [say("type_not_listable", { type: controller })] };
  }
  try {
    await tryQuery(db, snapshot, caller, type, query);
    return {};
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error;
    // The language's own faults begin with the parameter that it usually comes in.
    return { query: [say("bad_view_query", { reason: reasonOf(error) })] };
  }
}

async function tryQuery(
  db: Queryable,
  snapshot: Snapshot,
  caller: Caller,
  type: RecordType,
  text: string | null,
): Promise<void> {
  const { query, look } = parseViewQuery(text);
  // As a request, not as a view: of a view, columns that are not there are passed over.
  const scope = { snapshot, type, caller, now: new Date() };
  const { kind, plan } = planView(scope, generatedView(type), { ...asSaved, q: query });
  const statement =
    kind === "rows" ? compileExport(plan, plan.columns, null) : compileGroups(plan, [], rateValues(undefined));
  await db.run(sql`explain ${statement}`);
  // What rows are put in sections and colored by is asked for by whoever draws them.
  const { sections, conditions } = look;
  if (sections.length > 0) planView(scope, generatedView(type), { ...asSaved, q: { header: true, group: sections } });
  for (const where of conditions) planView(scope, generatedView(type), { ...asSaved, q: { header: true, where } });
}

/** What is wrong with the query, without the name of the parameter that it came in. */
function reasonOf({ said }: Failure): Message {
  const { reason } = said.params;
  return isMessage(reason) ? reason : said;
}
