// What is asked before an administrator shuts somebody out, or takes the second step off somebody's login.
import { Select } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListedUser } from "../../../client/people/administration.ts";
import { ConfirmDialog } from "../../parts/controls/confirm-dialog.tsx";
import { client } from "../../session/session.ts";
import { useChange } from "./use-change.ts";

/** What shows users. */
export const usersRefresh = ["admin-users", "list", "admin-sessions"];

interface DeactivateDialogProps {
  readonly user: ListedUser;
  readonly newOwners: readonly ListedUser[];
  readonly close: () => void;
}

export function DeactivateDialog({ user, newOwners, close }: DeactivateDialogProps) {
  const { t } = useTranslation();
  const [newOwner, setNewOwner] = useState<string | null>(null);
  const deactivate = useChange({
    run: () => client.administration.deactivateUser(user.id, newOwner ?? undefined),
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
        label={t("admin.newOwner")}
        description={t("admin.new_owner_lead")}
        placeholder={t("admin.new_owner_none")}
        searchable
        clearable
        clearButtonProps={{ "aria-label": t("actions.clear") }}
        data={newOwners.map((one) => ({ value: one.id, label: one.name || one.userName }))}
        value={newOwner}
        onChange={setNewOwner}
        nothingFoundMessage={t("signup.nothing")}
      />
    </ConfirmDialog>
  );
}

export function ResetMfaDialog({ user, close }: { readonly user: ListedUser; readonly close: () => void }) {
  const { t } = useTranslation();
  const reset = useChange({
    run: () => client.account.resetMfa(user.id),
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
