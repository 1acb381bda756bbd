// The session has ended while something was typed: logs the same person in again on the spot, and everything goes on.
import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";

import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { session } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import { CodeField } from "../controls/code-field.tsx";
import { PasswordField } from "../controls/password-field.tsx";
import { Notice } from "../layout/notice.tsx";
import { useWrite } from "../use-write.ts";

const isCodeAsked = (error: unknown): boolean => error instanceof WireFailure && error.code === "otp_required";

export function LoginAgain() {
  const { t } = useTranslation();
  const { identity } = useSession();
  const known = identity?.user?.user_name;
  const [typedName, setTypedName] = useState("");
  const [password, setPassword] = useState("");
  /** Undefined until the service asks for one. */
  const [code, setCode] = useState<string>();
  const userName = known ?? typedName;
  const enter = useWrite({
    mutationFn: () => session.enter(userName, password, code?.trim()),
    onError: (error) => {
      if (isCodeAsked(error)) setCode("");
    },
  });
  const refusal = isCodeAsked(enter.error) ? null : enter.error;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    enter.mutate();
  };
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t("login.again")}
    >
      <form onSubmit={submit}>
        <Stack gap="md">
          <Text size="sm">{t("login.again_lead")}</Text>
          {refusal && (
            <Notice tone="bad" title={t("login.failed")}>
              {code === undefined ? refusal.message : t("login.code_wrong")}
            </Notice>
          )}
          {known === undefined ? (
            <TextInput
              label={t("login.user_name")}
              autoComplete="username"
              value={typedName}
              onChange={(event) => setTypedName(event.currentTarget.value)}
            />
          ) : (
            <Text size="sm" c="dimmed">
              {t("login.again_as", { name: identity?.fullName || known })}
            </Text>
          )}
          <PasswordField
            label={t("login.password")}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            data-autofocus
          />
          {code !== undefined && (
            <CodeField autoFocus value={code} onChange={(event) => setCode(event.currentTarget.value)} />
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => session.giveUp()}>
              {t("login.leave")}
            </Button>
            <Button
              type="submit"
              loading={enter.isPending}
              disabled={userName === "" || password === "" || code?.trim() === ""}
            >
              {t("login.submit")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
