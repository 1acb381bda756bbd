// core/listviews budgets: how long the lists of each view took in the last week, with the index that would help. For the
// administrators of the organization, of its own views alone; who may build an index is said by metadata/indexes.ts.

import { Failure } from "../../../../contract/failures.ts";
import { isGeneratedView } from "../../../../contract/generated-view.ts";
import { verb } from "../../../../contract/messages.ts";
import type { Caller } from "../../../access/caller.ts";
import { fieldMask } from "../../../access/field-mask.ts";
import { mayDesign, mayJudgeViews, mayOperate } from "../../../access/matrix.ts";
import { mayRead } from "../../../access/visibility.ts";
import { sql } from "../../../database/sql.ts";
import {
  type AddedIndex,
  addedIndexes,
  automaticIndexes,
  MOST_INDEXES,
  notIndexable,
} from "../../../metadata/indexes.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { requireType } from "../../../metadata/snapshot.ts";
import type { Operation, OperationContext } from "../../../operations/operation.ts";
import { requireCaller } from "../../../operations/require-caller.ts";
import { namedView } from "../../../plan/list-view.ts";
import { indexProgress } from "../../../query/index-progress.ts";
import { DAYS, readViewTimes, type ViewTime } from "../../../records/view-times/read-times.ts";
import { presentIndex } from "../../metadata/indexes.ts";

/** What nineteen of twenty lists of a view should stay below. */
const BUDGET_MS = 500;
/** Of fewer lists one that was slow says nothing about the view. */
const ENOUGH = 20;

export const budgets: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = requireCaller(context);
    const { database } = context.services;
    if (!mayJudgeViews(caller)) {
      const { plural } = requireType(context.snapshot, "core/listviews");
      throw new Failure("administrator_required", { with: { operation: verb("view"), type: plural } });
    }
    const times = await readViewTimes(database, caller.organizationId);
    const names = await viewNames(context, caller, times);
    const indexes = new Map<string, Promise<readonly AddedIndex[]>>();
    const indexesOf = (key: string) => {
      const known = indexes.get(key) ?? addedIndexes(database, key);
      indexes.set(key, known);
      return known;
    };
    const views = [];
    for (const time of times) {
      const type = context.snapshot.types.get(time.recordType);
      // Views that are gone, and types that are, have no figures any more.
      const name = type && nameOf(type, caller, time.view, names);
      if (!type || name === undefined || !mayOperate(caller, type, "index")) continue;
      const index = await indexOf(context, caller, type, time, indexesOf);
      views.push({
        id: time.view,
        name,
        controller: type.key,
        label: type.plural,
        lists: String(time.lists),
        p50_ms: Math.round(time.p50),
        p95_ms: Math.round(time.p95),
        is_over: time.lists >= ENOUGH && time.p95 > BUDGET_MS ? 1 : 0,
        index,
      });
    }
    const automatic = mayDesign(caller) ? await automaticOnes(context) : [];
    return { body: { data: { days: DAYS, budget_ms: BUDGET_MS, views, automatic } } };
  },
};

/** By id; null: the caller may not read it. */
async function viewNames(
  { services, snapshot }: OperationContext,
  caller: Caller,
  times: readonly ViewTime[],
): Promise<ReadonlyMap<string, string | null>> {
  const ids = times.map(({ view }) => view).filter((id) => id !== "");
  const isReadable = mayRead(caller, requireType(snapshot, "core/listviews"), "r");
  const rows = await services.database.rows(sql`
    select r.id::text as id, case when ${isReadable} then r.name end as name from core__listviews r
    where r.organization_id = ${caller.organizationId}::bigint and r.deleted = 0 and r.id = any(${ids}::uuid[])`);
  // Those that ship are called by their readers' words, as everywhere.
  return new Map(rows.map(({ id, name }) => [id ?? "", typeof name === "string" ? snapshot.words(name) : null]));
}

/** Empty: not a saved view; null: not for the caller; undefined: gone. */
function nameOf(
  type: RecordType,
  { language }: Caller,
  view: string,
  names: ReadonlyMap<string, string | null>,
): string | null | undefined {
  if (view === "") return "";
  return isGeneratedView(view) ? namedView(type, language).name : names.get(view);
}

/** Of every record type, for who can do something about them. */
async function automaticOnes(context: OperationContext) {
  const indexes = [];
  for (const { key, ...index } of await automaticIndexes(context.services.database)) {
    const type = context.snapshot.types.get(key);
    if (type) indexes.push({ controller: key, type: type.plural, ...(await presentIndex(context, type, index)) });
  }
  return indexes;
}

async function indexOf(
  { services }: OperationContext,
  caller: Caller,
  type: RecordType,
  { wanted }: ViewTime,
  indexesOf: (key: string) => Promise<readonly AddedIndex[]>,
) {
  const field = wanted === undefined ? undefined : type.field.get(wanted);
  if (!field || !fieldMask(type, caller).visible.has(field.name) || notIndexable(type, field)) return null;
  const added = await indexesOf(type.key);
  const one = added.find((other) => other.field === field.name);
  // There by its design.
  if (!one && field.indexed) return null;
  const isFree = one === undefined || one.state === "failed";
  const isRoom = added.filter((other) => other !== one).length < MOST_INDEXES;
  return {
    field: field.name,
    label: field.label,
    state: one?.state ?? null,
    automatic: one?.automatic ? 1 : 0,
    progress: one?.state === "building" ? await indexProgress(services.database, type, field.name) : null,
    // What the database said is for who can do something about it.
    failure: mayDesign(caller) ? (one?.failure ?? null) : null,
    may_build: mayDesign(caller) && isFree && isRoom ? 1 : 0,
    may_remove: mayDesign(caller) ? 1 : 0,
  };
}
