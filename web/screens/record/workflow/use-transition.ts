// Taking a transition: sent with the stage that is on the screen, so that what somebody else did meanwhile is a conflict
// that says so, and never a surprise.
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RecordView, WireValue } from "../../../../client/records/records.ts";
import type { Moved, RecordChoice, WireTransition, WireWorkflow } from "../../../../client/records/workflow.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { showDone, showUndo, showWarning } from "../../../parts/toasts.tsx";
import { undoOfMove } from "../../../parts/undo/undo-plan.ts";
import { useWrite } from "../../../parts/use-write.ts";
import { forgetRecords, recordQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import type { PanelProps } from "../panel.ts";

interface Attempt {
  readonly transition: WireTransition;
  readonly comment: string;
  readonly values: Readonly<Record<string, WireValue>>;
  readonly records: Readonly<Record<string, RecordChoice>>;
}

export interface Moving {
  readonly isPending: boolean;
  readonly error: Error | null;
  take(transition: WireTransition, comment: string, values: Attempt["values"], records?: Attempt["records"]): void;
  reset(): void;
}

const isWhole = (moved: Moved): moved is RecordView => moved.form !== undefined;

export function useTransition(
  { recordTypeKey, id, view }: PanelProps,
  workflow: WireWorkflow,
  onTaken: () => void,
): Moving {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const forget = () =>
    Promise.all([forgetRecords(queryClient, recordTypeKey), queryClient.invalidateQueries({ queryKey: ["my-work"] })]);
  const mutation = useWrite({
    mutationFn: (attempt: Attempt) =>
      client.workflow.takeTransition(recordTypeKey, { ...attempt, alias: view.alias, id, node: workflow.stage }),
    onSuccess: (moved, { transition }) => {
      onTaken();
      if (isWhole(moved)) {
        queryClient.setQueryData(recordQuery(recordTypeKey, "view", id).queryKey, { ...moved });
        const stays = moved.workflow?.stage === workflow.stage;
        const said = t(stays ? "workflow.voted" : "workflow.moved", { stage: moved.workflow?.__stage ?? "" });
        const undo = stays ? undefined : undoOfMove(recordTypeKey, id, transition.name, moved);
        showUndo(t, said, undo, { name: moved.name ?? id });
        void forget();
        return;
      }
      // It went on to somebody whose records one does not see.
      showDone(t("workflow.out_of_sight"));
      queryClient.removeQueries({ queryKey: ["record", recordTypeKey, id] });
      void forget();
      void navigate({ to: "/core/workflows/my_work" });
    },
    onError: (error, { transition }) => {
      const moved = error instanceof WireFailure && error.code === "stage_moved";
      if (moved) void forget();
      // A dialog says it where it was asked.
      if (moved || transition.kind === "move") showWarning(error.message);
      if (moved) onTaken();
    },
  });
  return {
    isPending: mutation.isPending,
    error: mutation.error,
    take: (transition, comment, values, records = {}) => mutation.mutate({ transition, comment, values, records }),
    reset: mutation.reset,
  };
}
