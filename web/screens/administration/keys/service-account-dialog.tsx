// Makes a service account: a user for a program, with a role, that comes in by keys alone. The first key is made right after it.
import { Button, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { client } from "../../../session/session.ts";
import { useChange } from "../use-change.ts";

/** `Web shop sync` → `web.shop.sync`: what most people would choose. */
const userNameOf = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9 ]/g, "")
    .split(" ")
    .filter(Boolean)
    .join(".");

interface ServiceAccountDialogProps {
  readonly close: () => void;
  readonly made: (id: string) => void;
}

export function ServiceAccountDialog({ close, made }: ServiceAccountDialogProps) {
  const { t } = useTranslation();
  const { data: roles = [] } = useQuery({
    queryKey: ["admin-roles"],
    queryFn: ({ signal }) => client.administration.listRoles(signal),
  });
  const [name, setName] = useState("");
  const [chosenName, setUserName] = useState<string>();
  const [role, setRole] = useState<string | null>(null);
  const [asked, setAsked] = useState(false);
  const userName = chosenName ?? userNameOf(name);
  const add = useChange({
    run: async () => {
      const values = { name: name.trim(), userName: userName.trim(), roleId: role ?? "" };
      made((await client.administration.addServiceAccount(values)).id);
    },
    done: t("programs.account_made", { name: name.trim() }),
    refresh: ["admin-keys", "admin-users", "list"],
    after: close,
    quiet: true,
  });
  const values = [name.trim(), userName.trim(), role ?? ""];
  const missing = (value: string): string | undefined => (asked && value === "" ? t("programs.missing") : undefined);

  function submit(event: FormEvent): void {
    event.preventDefault();
    setAsked(true);
    if (values.every((value) => value !== "")) add.mutate(undefined);
  }

  const byField = add.error instanceof WireFailure ? add.error.byField : {};
  const refused = (field: string): string | undefined => byField[`users.${field}`]?.join(" ");
  const known = ["last_name", "user_name"].some((field) => refused(field) !== undefined);
  return (
    <Modal
      opened
      onClose={close}
      title={t("programs.new_account")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t("programs.new_account_lead")}
          </Text>
          <TextInput
            label={t("programs.account_name")}
            placeholder={t("programs.account_name_placeholder")}
            data-autofocus
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={missing(name.trim()) ?? refused("last_name")}
          />
          <TextInput
            label={t("programs.account_user_name")}
            dir="ltr"
            maxLength={100}
            value={userName}
            onChange={(event) => setUserName(event.currentTarget.value)}
            error={missing(userName.trim()) ?? refused("user_name")}
          />
          <Select
            label={t("programs.account_role")}
            description={t("programs.account_role_lead")}
            data={roles.map(({ id, name: label }) => ({ value: id, label }))}
            value={role}
            onChange={setRole}
            allowDeselect={false}
            error={missing(role ?? "") ?? (known ? undefined : add.error?.message)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t("actions.cancel")}
            </Button>
            <Button type="submit" loading={add.isPending}>
              {t("programs.make_account")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
