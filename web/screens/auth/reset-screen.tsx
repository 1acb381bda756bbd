// Where the link of a message leads: a new password, or a first one.
import { Anchor, Button, Stack } from "@mantine/core";

import { Link, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { PasswordField } from "../../parts/controls/password-field.tsx";
import { AuthFrame } from "../../parts/layout/auth-frame.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { RuleList } from "../../parts/layout/rule-list.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { useWrite } from "../../parts/use-write.ts";
import { anonymous } from "../../session/session.ts";

export function ResetScreen() {
  const { t } = useTranslation();
  const { token = "" } = useSearch({ from: "/access_controls/users/reset_forgotten_password" });
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  usePageTitle(t("reset.title"));
  const reset = useWrite({
    mutationFn: () => anonymous.account.resetPassword({ token, user_password: password, confirm_password: again }),
  });
  const byField = reset.error instanceof WireFailure ? reset.error.byField : {};
  const at = (name: string) => byField[`users.${name}`]?.join(" ");
  function submit(event: FormEvent): void {
    event.preventDefault();
    reset.mutate();
  }
  if (reset.isSuccess) {
    return (
      <AuthFrame title={t("reset.done")} lead={t("reset.done_lead")}>
        <Button size="md" fullWidth renderRoot={(props) => <Link {...props} to="/login" />}>
          {t("login.submit")}
        </Button>
      </AuthFrame>
    );
  }
  const unnamed = reset.error && Object.keys(byField).length === 0 ? reset.error.message : undefined;
  const refusal = at("token") ?? unnamed;
  return (
    <AuthFrame title={t("reset.title")} lead={t("reset.lead")}>
      <form onSubmit={submit} noValidate aria-label={t("reset.title")}>
        <Stack gap="md">
          {refusal !== undefined && (
            <Notice tone="bad" title={t("login.failed")}>
              {refusal}{" "}
              <Anchor
                size="sm"
                renderRoot={(props) => <Link {...props} to="/access_controls/users/activate_forgotten_password" />}
              >
                {t("reset.again")}
              </Anchor>
            </Notice>
          )}
          <PasswordField
            label={t("password.new")}
            size="md"
            autoFocus
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={at("user_password")}
          />
          <PasswordField
            label={t("password.confirm")}
            size="md"
            autoComplete="new-password"
            value={again}
            onChange={(event) => setAgain(event.currentTarget.value)}
            error={at("confirm_password")}
          />
          <RuleList
            rules={[
              { words: t("password.rule_length"), met: [...password].length >= 10 },
              { words: t("password.rule_same"), met: password !== "" && password === again },
            ]}
          />
          <Button type="submit" size="md" fullWidth loading={reset.isPending}>
            {t("reset.submit")}
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}
