// How something that somebody did is undone, as data: it is still known after a reload. Whether it is still possible is the
// service's word, which gives its reason.
import type { Moved } from "../../../client/records/workflow.ts";
import type { RecordTypeKey } from "../../../client/transport/address.ts";
import { client } from "../../session/session.ts";
import { type EditUndo, putBack } from "./put-back.ts";

export type UndoPlan =
  | ({ readonly kind: "edit"; readonly key: RecordTypeKey } & EditUndo)
  | { readonly kind: "delete"; readonly key: RecordTypeKey; readonly id: string }
  | {
      readonly kind: "transition";
      readonly key: RecordTypeKey;
      readonly id: string;
      /** Its entry in the stage log. */
      readonly step: string;
      readonly label: string;
      /** Undoing it deletes what it created. */
      readonly hasCreated: boolean;
    }
  | { readonly kind: "job"; readonly key: RecordTypeKey; readonly jobId: string };

/** Of a move that was just taken; undefined where its workflow does not let it be undone. */
export function undoOfMove(key: RecordTypeKey, id: string, name: string, { workflow }: Moved): UndoPlan | undefined {
  const { undo } = workflow ?? {};
  // Somebody may have gone on before the answer was made.
  if (undo?.name !== name) return undefined;
  return { kind: "transition", key, id, step: undo.step, label: undo.label, hasCreated: undo.has_created };
}

/** Undoes a job and follows what that takes to its end; gives what became of it. */
export type JobUndo = (key: RecordTypeKey, jobId: string) => Promise<string>;

/** Gives what there is to say of it, where that is more than that it is undone. */
export async function runPlan(plan: UndoPlan, undoJob: JobUndo): Promise<string | undefined> {
  switch (plan.kind) {
    case "edit": {
      const { kind: _, key, ...edit } = plan;
      await putBack(edit, (request) => client.records.changeRecord(key, request));
      return undefined;
    }
    case "delete":
      await client.records.restoreRecord(plan.key, plan.id);
      return undefined;
    case "transition": {
      const { message } = await client.workflow.undoTransition(plan.key, plan.id, plan.step);
      return message?.join(". ");
    }
    case "job":
      return undoJob(plan.key, plan.jobId);
  }
}
