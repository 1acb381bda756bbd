// How something that somebody did is undone, as data: it is still known after a reload. Whether it is still possible is the
// service's word, which gives its reason.
import type { SaveRequest } from "../../../client/records/records.ts";
import type { RecordTypeKey } from "../../../client/transport/address.ts";
import { client } from "../../session/session.ts";

export type UndoPlan =
  /** Puts values back, on the revision that the change left: whatever somebody changed since is not overwritten. */
  | {
      readonly kind: "edit";
      readonly key: RecordTypeKey;
      readonly alias: string;
      readonly id: string;
      readonly revision: string | undefined;
      readonly values: SaveRequest["values"];
    }
  | { readonly kind: "delete"; readonly key: RecordTypeKey; readonly id: string }
  | { readonly kind: "transition"; readonly key: RecordTypeKey; readonly id: string }
  | { readonly kind: "job"; readonly key: RecordTypeKey; readonly jobId: string };

export async function runPlan(plan: UndoPlan): Promise<void> {
  switch (plan.kind) {
    case "edit": {
      const { key, alias, id, revision, values } = plan;
      await client.records.changeRecord(key, { alias, id, revision, values });
      return;
    }
    case "delete":
      await client.records.restoreRecord(plan.key, plan.id);
      return;
    case "transition":
      await client.workflow.undoTransition(plan.key, plan.id);
      return;
    case "job":
      await client.bulk.undoJob(plan.jobId);
  }
}
