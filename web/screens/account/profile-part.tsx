// Who I am: what is given, and what I may change of it.
import { useTranslation } from "react-i18next";
import { Section } from "../../parts/layout/section.tsx";
import { useSession } from "../../session/use-session.ts";
import { ProfileForm } from "./profile-form.tsx";
import classes from "./profile-part.module.css";

export function ProfilePart() {
  const { t } = useTranslation();
  const { identity } = useSession();
  const user = identity?.user;
  const facts = [
    [t("account.user_name"), user?.user_name],
    [t("account.organization"), identity?.organization],
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
      <ProfileForm />
    </Section>
  );
}
