// A new role: its name, the code that policies know it by, and, if wanted, the permissions of another one to start from.
import { Button, Modal, Group as Row, Select, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ListedRole } from "../../../../client/people/administration.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { client } from "../../../session/session.ts";
import { useChange } from "../use-change.ts";
import { codeOf } from "./matrix-draft.ts";

interface RoleDialogProps {
  readonly roles: readonly ListedRole[];
  readonly close: () => void;
  readonly done: (id: string) => void;
}

/** What the other role is given, as rows of the new one. */
async function copyFrom(source: string, target: string): Promise<void> {
  const rows = await client.administration.readMatrix(source);
  const fields = await client.administration.readFieldRules(source);
  if (rows.length + fields.length === 0) return;
  await client.administration.saveRole(target, {
    rows: rows.map((row) => ({ ...row, id: undefined })),
    givenUp: [],
    fields: fields.map((rule) => ({ ...rule, id: undefined })),
    fieldsGivenUp: [],
  });
}

export function RoleDialog({ roles, close, done }: RoleDialogProps) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const [ownCode, setCode] = useState<string>();
  const [description, setDescription] = useState("");
  const [source, setSource] = useState<string | null>(null);
  const code = ownCode ?? codeOf(name);
  const add = useChange({
    run: async () => {
      const id = await client.administration.addRole({ name: name.trim(), code, description: description.trim() });
      if (source !== null) await copyFrom(source, id);
      done(id);
    },
    done: t("admin.role_added", { name: name.trim() }),
    refresh: ["admin-roles", "admin-matrix", "list"],
    after: close,
    quiet: true,
  });
  const byField = add.error instanceof WireFailure ? add.error.byField : {};
  const known = byField["roles.name"] ?? byField["roles.code"];
  return (
    <Modal opened onClose={close} title={t("admin.add_role")} closeButtonProps={{ "aria-label": t("actions.close") }}>
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          add.mutate(undefined);
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t("admin.name")}
            data-autofocus
            withAsterisk
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={byField["roles.name"]?.join(" ") ?? (known ? undefined : add.error?.message)}
          />
          <TextInput
            label={t("admin.role_code")}
            description={t("admin.role_code_lead")}
            withAsterisk
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={byField["roles.code"]?.join(" ")}
          />
          <TextInput
            label={t("admin.group_description")}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Select
            label={t("admin.role_copy")}
            description={t("admin.role_copy_lead")}
            clearable
            data={roles.filter((one) => !one.isAdministrator).map((one) => ({ value: one.id, label: one.name }))}
            value={source}
            onChange={setSource}
          />
          <Row justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t("actions.cancel")}
            </Button>
            <Button type="submit" loading={add.isPending}>
              {t("admin.create_role")}
            </Button>
          </Row>
        </Stack>
      </form>
    </Modal>
  );
}
