// The facts of one's own user record that a login tells.
import { useTranslation } from "react-i18next";
import { Section } from "../../parts/section.tsx";
import { useSession } from "../../session/use-session.ts";
import classes from "./profile-part.module.css";

export function ProfilePart() {
  const { t } = useTranslation();
  const { identity } = useSession();
  const user = identity?.user;
  const facts = [
    [t("account.full_name"), identity?.fullName],
    [t("account.user_name"), user?.user_name],
    [t("account.job_title"), user?.title],
    [t("account.organization"), identity?.organization],
    [t("account.time_zone"), user?.time_zone],
    [t("account.locale"), user?.locale],
  ] as const;
  return (
    <Section title={t("account.profile")}>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-empty={!value || undefined}>{value || t("account.not_set")}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
