// What is asked before an administrator shuts somebody out, or takes the second step off somebody's login.
import { Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { deactivateUser, type ListedUser } from "../../../client/administration.ts";
import { resetMfa } from "../../../client/mfa.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { call } from "../../session/session.ts";
import { useChange } from "./use-change.ts";

/** What shows users. */
export const usersRefresh = ["admin-users", "list", "admin-sessions"];

interface DeactivateDialogProps {
  readonly user: ListedUser;
  readonly heirs: readonly ListedUser[];
  readonly close: () => void;
}

export function DeactivateDialog({ user, heirs, close }: DeactivateDialogProps) {
  const { t } = useTranslation();
  const [heir, setHeir] = useState<string | null>(null);
  const deactivate = useChange({
    run: () => deactivateUser(call, user.id, heir ?? undefined),
    done: t("admin.deactivated", { name: user.name }),
    refresh: usersRefresh,
    after: close,
    quiet: true,
  });
  return (
    <ConfirmDialog
      opened
      close={close}
      title={t("admin.deactivate_title", { name: user.name })}
      lead={t("admin.deactivate_lead")}
      action={t("admin.deactivate")}
      change={deactivate}
      onConfirm={() => deactivate.mutate(undefined)}
    >
      <Select
        label={t("admin.heir")}
        description={t("admin.heir_lead")}
        placeholder={t("admin.heir_none")}
        searchable
        clearable
        clearButtonProps={{ "aria-label": t("actions.clear") }}
        data={heirs.map((one) => ({ value: one.id, label: one.name || one.userName }))}
        value={heir}
        onChange={setHeir}
        nothingFoundMessage={t("signup.nothing")}
      />
    </ConfirmDialog>
  );
}

export function ResetMfaDialog({ user, close }: { readonly user: ListedUser; readonly close: () => void }) {
  const { t } = useTranslation();
  const reset = useChange({
    run: () => resetMfa(call, user.id),
    done: t("mfa.reset_done", { name: user.name }),
    refresh: ["admin-mfa"],
    after: close,
    quiet: true,
  });
  return (
    <ConfirmDialog
      opened
      close={close}
      title={t("mfa.reset_title", { name: user.name })}
      lead={t("mfa.reset_lead")}
      action={t("mfa.reset")}
      change={reset}
      onConfirm={() => reset.mutate(undefined)}
    />
  );
}
