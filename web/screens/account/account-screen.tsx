// One's own account: who I am, my password and second step, my sessions and API keys.
import { useTranslation } from "react-i18next";
import { PageHead } from "../../parts/layout/page-head.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import classes from "./account-screen.module.css";
import { AssistantsPart } from "./assistants-part.tsx";
import { FeedLinksPart } from "./feed-links-part.tsx";
import { ApiKeysPart } from "./keys/api-keys-part.tsx";
import { MfaPart } from "./mfa-part.tsx";
import { PasswordPart } from "./password-part.tsx";
import { ProfilePart } from "./profile-part.tsx";
import { SessionsPart } from "./sessions-part.tsx";

export function AccountScreen() {
  const { t } = useTranslation();
  usePageTitle(t("account.title"));
  return (
    <div className={classes.page}>
      <PageHead title={t("account.title")} lead={t("account.lead")} />
      <ProfilePart />
      <PasswordPart />
      <MfaPart />
      <SessionsPart />
      <ApiKeysPart />
      <AssistantsPart />
      <FeedLinksPart />
    </div>
  );
}
