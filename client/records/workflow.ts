// A record's way through its workflow: taking a transition, the log of those taken, and what waits for the caller.
import type { WireOfferedRecord, WireTransition } from "../../contract/workflow.ts";
import type { RecordTypeKey } from "../transport/address.ts";
import type { Answer, Call } from "../transport/transport.ts";
import type { RecordView, WireChild, WireValue } from "./records.ts";

export type { WireOfferedRecord, WireStage, WireTransition, WireWorkflow } from "../../contract/workflow.ts";

/** About a record that a transition creates: `new`, `none`, or the id of one that is there. */
export interface RecordChoice {
  readonly use: string;
  /** What it lacks is filled in. */
  readonly merge: boolean;
}

const sentChoices = (choices: Readonly<Record<string, RecordChoice>>) =>
  Object.fromEntries(Object.entries(choices).map(([as, { use, merge }]) => [as, { use, merge: merge ? "1" : "0" }]));

/** What a transition would create and lets one choose. */
export async function readTransition(
  call: Call,
  key: RecordTypeKey,
  id: string,
  name: string,
  signal?: AbortSignal,
): Promise<readonly WireOfferedRecord[]> {
  const body = await call<{ data: { transition: { records: readonly WireOfferedRecord[] } } }>(`${key}/transition`, {
    query: { id, name },
    signal,
  });
  return body.data.transition.records;
}

/** Takes the record's last transition back; refused where it is not `step` any more. */
export const undoTransition = (
  call: Call,
  key: RecordTypeKey,
  id: string,
  step?: string,
): Promise<Answer<RecordView>> => call<RecordView>(`${key}/undo_transition`, { query: { id, step }, body: {} });

export interface TransitionRequest {
  readonly alias: string;
  readonly id: string;
  /** The stage that the person saw: another one by now is a conflict. */
  readonly node: string;
  readonly transition: Pick<WireTransition, "name" | "label">;
  readonly comment: string;
  readonly records: Readonly<Record<string, RecordChoice>>;
  /** Fields that go along. */
  readonly values: Readonly<Record<string, WireValue | readonly WireChild[]>>;
}

/** Without a form where the record is no longer the caller's to see. */
export type Moved = Pick<RecordView, "id"> & Partial<RecordView>;

export const takeTransition = (call: Call, key: RecordTypeKey, request: TransitionRequest): Promise<Answer<Moved>> => {
  const { alias, id, node, transition, comment, records, values } = request;
  return call<Moved>(`${key}/edit`, {
    body: {
      data: {
        [alias]: {
          ...values,
          id,
          stage_log: { node_id: node, comment: comment === "" ? null : comment, records: sentChoices(records) },
        },
        action: { [transition.name]: transition.label },
      },
    },
  });
};

export interface StageLogEntry {
  readonly id: string;
  readonly step: "start" | "move" | "vote";
  readonly kind: "move" | "approve" | "reject" | "recall" | null;
  readonly label: string | null;
  /** Ids of stages. */
  readonly from: string | null;
  readonly __from: string | null;
  readonly to: string;
  readonly __to: string | null;
  readonly comment: string | null;
  readonly created: string;
  readonly __created_by: string | null;
  readonly seconds: string | null;
  readonly left: string | null;
}

export async function readStageLog(
  call: Call,
  key: RecordTypeKey,
  id: string,
  signal?: AbortSignal,
): Promise<readonly StageLogEntry[]> {
  const body = await call<{ data: { stage_log: readonly StageLogEntry[] } }>(`${key}/stage_log`, {
    query: { id },
    signal,
  });
  return body.data.stage_log;
}

export interface WaitingRecord {
  readonly id: string;
  readonly controller: RecordTypeKey;
  readonly singular: string;
  readonly icon: string | null;
  readonly record_display_name: string | null;
  readonly __current_stage: string | null;
  readonly stage_since: string | null;
  readonly __owned_by: string | null;
}

export interface WaitingCount {
  readonly controller: RecordTypeKey;
  readonly label: string;
  readonly count: number;
}

export interface MyWork {
  readonly records: readonly WaitingRecord[];
  readonly counts: readonly WaitingCount[];
  readonly total: number;
}

export const WORK_PAGE = 50;

interface WorkBody {
  readonly data: { readonly my_work: readonly WaitingRecord[]; readonly counts: readonly WaitingCount[] };
  readonly total_count: number;
}

export async function readMyWork(
  call: Call,
  controller: RecordTypeKey | undefined,
  page: number,
  signal?: AbortSignal,
): Promise<MyWork> {
  const { data, total_count: total } = await call<WorkBody>("core/workflows/my_work", {
    query: { controller, page, limit: WORK_PAGE },
    signal,
  });
  return { records: data.my_work, counts: data.counts, total };
}

export const countMyWork = async (call: Call, signal?: AbortSignal): Promise<number> =>
  (await call<WorkBody>("core/workflows/my_work", { query: { count: 1 }, signal })).total_count;
