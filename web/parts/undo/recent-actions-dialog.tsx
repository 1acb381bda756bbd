// One's own last actions: what was done and when, each with Undo while that is possible, or why it was not.
import { Button, Modal } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { Ago } from "../ago.tsx";
import { EmptyState } from "../layout/empty-state.tsx";
import { undoNoted } from "../toasts.tsx";
import { type Action, titleOf } from "./actions.ts";
import classes from "./recent-actions.module.css";
import { canUndoAction, useRecentActions } from "./recent-actions.ts";

interface RecentActionsDialogProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export function RecentActionsDialog({ opened, close }: RecentActionsDialogProps) {
  const { t } = useTranslation();
  const actions = useRecentActions();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t("undo.title")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      {actions.length === 0 ? (
        <EmptyState icon={IconHistory} title={t("undo.empty")} text={t("undo.empty_lead")} small />
      ) : (
        <ul className={classes.list}>
          {actions.map((action) => (
            <li key={action.id} className={classes.row}>
              <span className={classes.words}>
                <span dir="auto" data-undone={action.state === "undone" || undefined}>
                  {titleOf(action)}
                </span>
                <small>
                  <Ago text={new Date(action.at).toISOString()} />
                  {action.reason !== undefined && (
                    <span className={classes.reason}> · {t("undo.refused", { reason: action.reason })}</span>
                  )}
                </small>
              </span>
              <End action={action} />
            </li>
          ))}
        </ul>
      )}
    </Modal>
  );
}

function End({ action }: { readonly action: Action }) {
  const { t } = useTranslation();
  if (action.state === "undone") return <small className={classes.state}>{t("undo.undone")}</small>;
  if (action.state === "refused") return null;
  if (!canUndoAction(action)) return <small className={classes.state}>{t("undo.page_closed")}</small>;
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={action.state === "undoing"}
      aria-label={t("undo.one", { what: titleOf(action) })}
      onClick={() => void undoNoted(action.id)}
    >
      {t("record.undo")}
    </Button>
  );
}
