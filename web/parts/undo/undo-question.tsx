// Asks before a move is undone that created records: they are deleted along.
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../controls/confirm-dialog.tsx";
import { undoNoted } from "../toasts.tsx";
import type { Action } from "./actions.ts";
import { stopAsking } from "./recent-actions.ts";

/** The toast says what became of it. */
const nothingYet = { error: null, isPending: false, reset: () => undefined };

export function UndoQuestion({ action }: { readonly action: Action | undefined }) {
  const { t } = useTranslation();
  // While it closes it says what it said.
  const last = useRef(action);
  last.current = action ?? last.current;
  const plan = last.current?.plan;
  const label = plan?.kind === "transition" ? plan.label : "";
  return (
    <ConfirmDialog
      opened={action !== undefined}
      close={stopAsking}
      title={t("workflow.undo_title", { label })}
      lead={t("workflow.undo_lead")}
      action={t("workflow.undo", { label })}
      onConfirm={() => {
        stopAsking();
        if (action) void undoNoted(action.id, true);
      }}
      change={nothingYet}
    />
  );
}
