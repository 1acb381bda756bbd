// Asks before a key is revoked; programs that use it stop working.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ApiKey, revokeApiKey } from "../../../client/api-keys.ts";
import { showDone } from "../../parts/toasts.tsx";
import { apiKeysQuery } from "../../queries.ts";
import { call } from "../../session/session.ts";
import { useLast } from "./use-last.ts";

interface RevokeDialogProps {
  /** Open while there is one. */
  readonly apiKey: ApiKey | undefined;
  readonly close: () => void;
}

export function RevokeDialog({ apiKey, close }: RevokeDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const name = useLast(apiKey?.name) ?? "";
  const revoke = useMutation({
    mutationFn: (id: string) => revokeApiKey(call, id),
    onSuccess: () => {
      showDone(t("keys.revoked_toast", { name }));
      close();
    },
    onSettled: () => queryClient.invalidateQueries(apiKeysQuery),
  });
  return (
    <Modal
      opened={apiKey !== undefined}
      onClose={close}
      title={t("keys.revoke_title", { name })}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      onExitTransitionEnd={revoke.reset}
    >
      <Stack gap="md">
        <Text size="sm">{t("keys.revoke_lead")}</Text>
        {revoke.error && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {revoke.error.message}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close} data-autofocus>
            {t("actions.cancel")}
          </Button>
          <Button color="red" loading={revoke.isPending} onClick={() => apiKey && revoke.mutate(apiKey.id)}>
            {t("keys.revoke")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
