// Makes an API key, for oneself or for a service account, and shows its secret: the only time anybody sees it, so the dialog does not
// close by accident.
import { Button, Collapse, Group, Modal, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiKeyScope, ServiceAccount } from "../../../../client/people/api-keys.ts";
import { writeInstant } from "../../../../client/transport/instant.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { CopyOnce } from "../../../parts/copy-once.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { apiKeysQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { type DraftLimits, KeyLimitsFields, limitsOf, noLimits } from "./key-limits.tsx";

const DAY_MS = 86_400_000;

interface NewKeyDialogProps {
  readonly opened: boolean;
  readonly close: () => void;
  /** Whom it can be for; for oneself without. */
  readonly accounts?: readonly ServiceAccount[] | undefined;
  /** Which of them it is for, unless another is chosen. */
  readonly account?: string | undefined;
}

export function NewKeyDialog({ opened, close, accounts, account }: NewKeyDialogProps) {
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
        <NewKeyForm made={setSecret} close={close} accounts={accounts} account={account} />
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

interface NewKeyFormProps extends Pick<NewKeyDialogProps, "close" | "accounts" | "account"> {
  readonly made: (secret: string) => void;
}

function NewKeyForm({ made, close, accounts, account: wanted }: NewKeyFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [chosen, setAccount] = useState(wanted ?? (accounts?.length === 1 ? (accounts[0]?.id ?? null) : null));
  // The address may name somebody who is no service account.
  const account = accounts?.find(({ id }) => id === chosen)?.id ?? null;
  const [name, setName] = useState("");
  const [scope, setScope] = useState<ApiKeyScope>("read");
  const [days, setDays] = useState("90");
  const [isLimited, setLimited] = useState(false);
  const [limits, setLimits] = useState<DraftLimits>(noLimits);
  const [asked, setAsked] = useState(false);
  const add = useWrite({
    mutationFn: () => {
      const expires = days === "" ? {} : { expires: writeInstant(new Date(Date.now() + Number(days) * DAY_MS)) };
      const owner = account === null ? {} : { user_id: account };
      return client.account.addApiKey({ name: name.trim(), scope, ...expires, ...limitsOf(limits, scope), ...owner });
    },
    onSuccess: ({ secret }) => {
      made(secret);
      void queryClient.invalidateQueries(apiKeysQuery);
      void queryClient.invalidateQueries({ queryKey: ["admin-keys"] });
    },
    onError: (error) => {
      if (error instanceof WireFailure && (error.byField["api_keys.networks"] || error.byField["api_keys.limits"])) {
        setLimited(true);
      }
    },
  });
  const missing = asked && name.trim() === "" ? t("keys.missing_name") : undefined;
  const missingAccount = asked && accounts && account === null ? t("programs.missing") : undefined;

  function submit(event: FormEvent): void {
    event.preventDefault();
    setAsked(true);
    if (name.trim() !== "" && !(accounts && account === null)) add.mutate();
  }

  const byField = add.error instanceof WireFailure ? add.error.byField : {};
  const refused = (field: string): string | undefined => byField[`api_keys.${field}`]?.join(" ");
  const other = Object.keys(byField).length === 0 ? add.error?.message : undefined;
  const Chevron = isLimited ? IconChevronDown : IconChevronRight;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {accounts && (
          <Select
            label={t("programs.account")}
            data={accounts.map(({ id, name: label }) => ({ value: id, label }))}
            value={account}
            onChange={setAccount}
            allowDeselect={false}
            error={missingAccount ?? refused("user_id")}
          />
        )}
        <TextInput
          label={t("keys.name")}
          placeholder={t("keys.name_placeholder")}
          data-autofocus
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={missing ?? refused("name") ?? other}
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
          error={refused("expires")}
        />
        <div>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            px={4}
            aria-expanded={isLimited}
            aria-controls="key-limits"
            leftSection={<Chevron size={15} stroke={1.8} className="mirrored" aria-hidden="true" />}
            onClick={() => setLimited(!isLimited)}
          >
            {t("programs.limit")}
          </Button>
          <Collapse expanded={isLimited} id="key-limits">
            {isLimited && (
              <KeyLimitsFields
                limits={limits}
                scope={scope}
                onChange={setLimits}
                errors={{ limits: refused("limits"), networks: refused("networks") }}
              />
            )}
          </Collapse>
        </div>
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
