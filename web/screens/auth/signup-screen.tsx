// Signing up: an account in a new organization, in the one that invites, or in one that lets people of its domain join.
import { Anchor, Button, Group, Skeleton, Stack } from "@mantine/core";
import { IconMailCheck, IconUserOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AuthFrame } from "../../parts/layout/auth-frame.tsx";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { anonymous, session } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import { wayOf } from "./signup-draft.ts";
import { SignupFields } from "./signup-fields.tsx";

export function SignupScreen() {
  const { t } = useTranslation();
  const origin = useSearch({ from: "/access_controls/users/signup" });
  const { status, identity } = useSession();
  const [waiting, setWaiting] = useState<string>();
  usePageTitle(t("signup.title"));
  const query = useQuery({
    queryKey: ["signup", origin],
    queryFn: ({ signal }) => anonymous.account.readSignupForm(origin, signal),
  });
  const organization = query.data?.organization_name;
  const title = organization ? t("signup.title_join", { organization }) : t("signup.title");
  return (
    <AuthFrame title={title} lead={t(organization ? "signup.lead_join" : "signup.lead")} wide>
      <Loaded query={query} skeleton={<Skeleton h={520} radius="md" />}>
        {(form) => {
          if (waiting !== undefined) {
            return (
              <EmptyState
                icon={IconMailCheck}
                title={t("signup.waiting")}
                text={t("signup.waiting_lead", { email: waiting })}
                live
              />
            );
          }
          if (status === "in") {
            return (
              <Stack gap="md">
                <Notice tone="news">{t("signup.is_in", { name: identity?.fullName ?? "" })}</Notice>
                <Group gap="xs">
                  <Button renderRoot={(props) => <Link {...props} to="/" />}>{t("actions.home")}</Button>
                  <Button variant="default" onClick={() => void session.leave()}>
                    {t("shell.log_out")}
                  </Button>
                </Group>
              </Stack>
            );
          }
          const way = wayOf(origin, form);
          const closed = way !== "invited" && form.allow_public_signup !== 1;
          if (closed || (way === "found" && form.is_multi_tenant !== 1)) {
            return (
              <EmptyState icon={IconUserOff} title={t("signup.closed")} text={t("signup.closed_lead")}>
                <BackToLogin />
              </EmptyState>
            );
          }
          return (
            <Stack gap="lg">
              {origin.invitation !== undefined && way !== "invited" && <Notice tone="bad">{form.message[0]}</Notice>}
              <SignupFields form={form} origin={origin} way={way} waits={setWaiting} />
              <BackToLogin />
            </Stack>
          );
        }}
      </Loaded>
    </AuthFrame>
  );
}

function BackToLogin() {
  const { t } = useTranslation();
  return (
    <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/login" />}>
      {t("signup.back")}
    </Anchor>
  );
}
