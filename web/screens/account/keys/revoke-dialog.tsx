// Asks before a key is revoked; programs that use it stop working.
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ApiKey } from "../../../../client/people/api-keys.ts";
import { ConfirmDialog } from "../../../parts/controls/confirm-dialog.tsx";
import { showDone } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { apiKeysQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { useLast } from "../use-last.ts";

interface RevokeDialogProps {
  /** Open while there is one. */
  readonly apiKey: ApiKey | undefined;
  readonly close: () => void;
}

export function RevokeDialog({ apiKey, close }: RevokeDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const name = useLast(apiKey?.name) ?? "";
  const revoke = useWrite({
    mutationFn: (id: string) => client.account.revokeApiKey(id),
    onSuccess: () => {
      showDone(t("keys.revoked_toast", { name }));
      close();
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries(apiKeysQuery),
        queryClient.invalidateQueries({ queryKey: ["admin-keys"] }),
      ]),
  });
  return (
    <ConfirmDialog
      opened={apiKey !== undefined}
      close={close}
      title={t("keys.revoke_title", { name })}
      lead={t("keys.revoke_lead")}
      action={t("keys.revoke")}
      change={revoke}
      onConfirm={() => apiKey && revoke.mutate(apiKey.id)}
    />
  );
}
