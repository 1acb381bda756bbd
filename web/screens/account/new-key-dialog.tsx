// Makes an API key, and shows its secret: the only time anybody sees it, so the dialog does not close by accident.
import { Button, Group, Modal, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiKeyScope } from "../../../client/people/api-keys.ts";
import { writeInstant } from "../../../client/transport/instant.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { CopyOnce } from "../../parts/copy-once.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { apiKeysQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";

const DAY_MS = 86_400_000;

interface NewKeyDialogProps {
  readonly opened: boolean;
  readonly close: () => void;
}

export function NewKeyDialog({ opened, close }: NewKeyDialogProps) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState<string>();
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t(secret === undefined ? "keys.create" : "keys.made")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      closeOnClickOutside={secret === undefined}
      closeOnEscape={secret === undefined}
      onExitTransitionEnd={() => setSecret(undefined)}
    >
      {secret === undefined ? (
        <NewKeyForm made={setSecret} close={close} />
      ) : (
        <CopyOnce
          lead={t("keys.made_lead")}
          label={t("keys.secret")}
          value={secret}
          copy={t("actions.copy")}
          close={close}
        />
      )}
    </Modal>
  );
}

function NewKeyForm({ made, close }: { readonly made: (secret: string) => void; readonly close: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<ApiKeyScope>("read");
  const [days, setDays] = useState("90");
  const [asked, setAsked] = useState(false);
  const add = useWrite({
    mutationFn: () => {
      const expires = days === "" ? {} : { expires: writeInstant(new Date(Date.now() + Number(days) * DAY_MS)) };
      return client.account.addApiKey({ name: name.trim(), scope, ...expires });
    },
    onSuccess: ({ secret }) => {
      made(secret);
      void queryClient.invalidateQueries(apiKeysQuery);
    },
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    setAsked(true);
    if (name.trim() !== "") add.mutate();
  }

  const refused = add.error instanceof WireFailure ? add.error.byField["api_keys.name"]?.join(" ") : undefined;
  const missing = asked && name.trim() === "" ? t("keys.missing_name") : undefined;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={t("keys.name")}
          placeholder={t("keys.name_placeholder")}
          data-autofocus
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={missing ?? refused ?? add.error?.message}
        />
        <Stack gap={4}>
          <Text size="sm" fw={500} id="key-scope">
            {t("keys.scope")}
          </Text>
          <SegmentedControl
            aria-labelledby="key-scope"
            fullWidth
            value={scope}
            onChange={(value) => setScope(value === "write" ? "write" : "read")}
            data={[
              { value: "read", label: t("keys.scope_read") },
              { value: "write", label: t("keys.scope_write") },
            ]}
          />
        </Stack>
        <Select
          label={t("keys.expires")}
          allowDeselect={false}
          value={days}
          onChange={(value) => setDays(value ?? "")}
          data={[
            { value: "30", label: t("keys.days", { count: 30 }) },
            { value: "90", label: t("keys.days", { count: 90 }) },
            { value: "365", label: t("keys.in_a_year") },
            { value: "", label: t("keys.never") },
          ]}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t("actions.cancel")}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t("keys.make")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
