// The stages of a record type's workflow, with what leads from one to another.
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";
import type { WireValue } from "./records.ts";
import type { RecordChoice } from "./workflow.ts";

export interface WorkflowStage {
  readonly id: string;
  readonly name: string;
  readonly kind: "start" | "stage" | "end";
  readonly color: string | null;
  /** The option of the stage field that means it. */
  readonly value: string | null;
}

export interface StageTransition {
  readonly name: string;
  readonly label: string;
  /** Ids of stages. */
  readonly from: string;
  readonly to: string;
  readonly reason: "none" | "optional" | "required";
  /** Fields that have to be filled in for it. */
  readonly required: readonly { readonly field: string; readonly label: string }[];
  /** It creates records that can be chosen. */
  readonly has_choices: boolean;
}

export interface WorkflowStages {
  /** The field that is the stage, if there is one. */
  readonly stage_field: string | null;
  readonly stages: readonly WorkflowStage[];
  readonly transitions: readonly StageTransition[];
}

export async function readStages(call: Call, key: RecordTypeKey, signal?: AbortSignal): Promise<WorkflowStages> {
  const { data } = await call<{ data: WorkflowStages }>("core/workflows/stages", {
    query: { controller: key },
    signal,
  });
  return data;
}

/** What was asked for before it is taken. */
export interface TransitionAnswers {
  readonly reason?: string | undefined;
  readonly values?: Readonly<Record<string, WireValue>>;
  readonly records?: Readonly<Record<string, RecordChoice>>;
}
