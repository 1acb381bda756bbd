// Takes a list that ran, or was stopped; returns what its reader should know beside its rows: that it is slow because an
// index is missing, and whether the reader can have one built.
import { say } from "../../../contract/messages.ts";
import type { Language } from "../../../contract/texts/write.ts";
import { write } from "../../../contract/texts/write.ts";
import { mayDesign } from "../../access/matrix.ts";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { addedIndexes, isOpenToService, MOST_INDEXES } from "../../metadata/indexes.ts";
import { type ListEffort, neededIndex } from "../../plan/needed-index.ts";
import type { ListPlan } from "../../plan/plan-list.ts";
import { type ListSources, liveRows } from "./run-list.ts";

export interface ListNotice {
  readonly code: "needs_index";
  readonly text: string;
  readonly controller: string;
  readonly field: string;
  readonly label: string;
  /** What became of the wish for one; null: nobody asked. */
  readonly state: string | null;
  readonly may_build: 0 | 1;
  /** The service builds it by itself where it is lacked often. */
  readonly is_automatic: 0 | 1;
  /** The reader sees how far it is. */
  readonly may_design: 0 | 1;
}

export async function listNotices(
  sources: ListSources,
  plan: ListPlan,
  { large, tookMs }: Omit<ListEffort, "rows">,
  language: Language,
  isAutomatic: boolean,
): Promise<readonly ListNotice[]> {
  const field = neededIndex(plan, { rows: Number.POSITIVE_INFINITY, large, tookMs });
  if (!field || (await liveRows(sources, plan)).mine <= large) return [];
  const { type, caller } = plan.scope;
  const added = await addedIndexes(sources.db, type.key);
  const state = added.find((one) => one.field === field.name)?.state ?? null;
  const willBeBuilt = isAutomatic && state === null && (await isLeftToService(sources.db, type.key, field.name));
  const isFree = added.length < MOST_INDEXES && (state === null || state === "failed");
  return [
    {
      code: "needs_index",
      text: write(say("needs_index", { name: field.label }), language),
      controller: type.key,
      field: field.name,
      label: field.label,
      state,
      may_build: mayDesign(caller) && isFree ? 1 : 0,
      is_automatic: willBeBuilt ? 1 : 0,
      may_design: mayDesign(caller) ? 1 : 0,
    },
  ];
}

const isLeftToService = async (db: Queryable, key: string, field: string): Promise<boolean> =>
  (await db.row(sql`select 1 as open where ${isOpenToService(key, field)}`)) !== undefined;
