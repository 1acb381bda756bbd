// Asks for a link to choose a new password. Says the same whether there is such a user or not.
import { Anchor, Button, Stack, TextInput } from "@mantine/core";

import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { AuthFrame } from "../../parts/layout/auth-frame.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { useWrite } from "../../parts/use-write.ts";
import { anonymous } from "../../session/session.ts";

export function ForgottenScreen() {
  const { t } = useTranslation();
  const [userName, setUserName] = useState("");
  const [asked, setAsked] = useState(false);
  usePageTitle(t("forgotten.title"));
  const ask = useWrite({ mutationFn: () => anonymous.account.forgetPassword(userName.trim()) });
  function submit(event: FormEvent): void {
    event.preventDefault();
    setAsked(true);
    if (userName.trim() !== "") ask.mutate();
  }
  return (
    <AuthFrame title={t("forgotten.title")} lead={t("forgotten.lead")}>
      <form onSubmit={submit} noValidate aria-label={t("forgotten.title")}>
        <Stack gap="md">
          {ask.isSuccess && (
            <Notice tone="news" title={t("forgotten.sent")}>
              {t("forgotten.sent_lead")}
            </Notice>
          )}
          {ask.error && <Notice tone="bad">{ask.error.message}</Notice>}
          <TextInput
            label={t("login.user_name")}
            size="md"
            autoFocus
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="auto"
            value={userName}
            onChange={(event) => setUserName(event.currentTarget.value)}
            error={asked && userName.trim() === "" ? t("login.missing_user_name") : undefined}
          />
          <Button type="submit" size="md" fullWidth loading={ask.isPending}>
            {t("forgotten.submit")}
          </Button>
          <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/login" />}>
            {t("signup.back")}
          </Anchor>
        </Stack>
      </form>
    </AuthFrame>
  );
}
