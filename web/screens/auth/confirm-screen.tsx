// Where the link that confirms an e-mail address leads. A button, because some mail programs open links by themselves.
import { Button, Stack } from "@mantine/core";

import { Link, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { AuthFrame } from "../../parts/layout/auth-frame.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { useWrite } from "../../parts/use-write.ts";
import { anonymous } from "../../session/session.ts";

export function ConfirmScreen() {
  const { t } = useTranslation();
  const { token = "" } = useSearch({ from: "/access_controls/users/confirm_mail" });
  usePageTitle(t("confirm.title"));
  const confirm = useWrite({ mutationFn: () => anonymous.account.confirmMail(token) });
  if (confirm.isSuccess) {
    return (
      <AuthFrame title={t("confirm.done")} lead={t("confirm.done_lead")}>
        <Button size="md" fullWidth renderRoot={(props) => <Link {...props} to="/" />}>
          {t("confirm.go_on")}
        </Button>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title={t("confirm.title")} lead={t("confirm.lead")}>
      <Stack gap="md">
        {confirm.error && (
          <Notice tone="bad" title={t("login.failed")}>
            {confirm.error.message}
          </Notice>
        )}
        <Button size="md" fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()} autoFocus>
          {t("confirm.submit")}
        </Button>
      </Stack>
    </AuthFrame>
  );
}
