// Changing the password: rules that tick off while typing, the service's refusals at the field they belong to.
import { Button, type PasswordInputProps } from "@mantine/core";

import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { PasswordField } from "../../parts/controls/password-field.tsx";
import { RuleList } from "../../parts/layout/rule-list.tsx";
import { Section } from "../../parts/layout/section.tsx";
import { showDone } from "../../parts/toasts.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { client } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import classes from "./password-part.module.css";
import { type PasswordDraft, passwordRules } from "./password-rules.ts";

const empty: PasswordDraft = { old_password: "", user_password: "", confirm_password: "" };
const inputs = [
  { name: "old_password", label: "old", autoComplete: "current-password" },
  { name: "user_password", label: "new", autoComplete: "new-password" },
  { name: "confirm_password", label: "confirm", autoComplete: "new-password" },
] as const;

export function PasswordPart() {
  const { t } = useTranslation();
  const { identity } = useSession();
  const [draft, setDraft] = useState(empty);
  const [errors, setErrors] = useState<Partial<Record<keyof PasswordDraft, string>>>({});
  const change = useWrite({
    mutationFn: () => client.account.changePassword(draft),
    onSuccess: () => {
      setDraft(empty);
      showDone(t("password.changed_detail"), t("password.changed"));
    },
    onError: (error) => setErrors(errorsOf(error)),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    const unmet = passwordRules.find(({ holds }) => !holds(draft));
    if (draft.old_password === "") {
      setErrors({ old_password: t("password.missing_old") });
    } else if (unmet === undefined) {
      setErrors({});
      change.mutate();
    } else {
      setErrors({ [unmet.rule === "same" ? "confirm_password" : "user_password"]: t(`password.rule_${unmet.rule}`) });
    }
  }

  const inputProps = (name: keyof PasswordDraft): PasswordInputProps => ({
    name,
    value: draft[name],
    error: errors[name],
    onChange: (event) => {
      const { value } = event.currentTarget;
      setDraft((now) => ({ ...now, [name]: value }));
      setErrors((now) => ({ ...now, [name]: undefined }));
    },
  });
  return (
    <Section title={t("password.title")} lead={t("password.lead")}>
      <form onSubmit={submit} noValidate className={classes.form} aria-label={t("password.title")}>
        <input type="hidden" autoComplete="username" value={identity?.user?.user_name ?? ""} />
        {inputs.map(({ name, label, autoComplete }) => (
          <PasswordField key={name} {...inputProps(name)} label={t(`password.${label}`)} autoComplete={autoComplete} />
        ))}
        <RuleList
          rules={passwordRules.map(({ rule, holds }) => ({ words: t(`password.rule_${rule}`), met: holds(draft) }))}
        />
        <div>
          <Button type="submit" loading={change.isPending}>
            {t("password.submit")}
          </Button>
        </div>
      </form>
    </Section>
  );
}

/** Sentences to the fields they name; a refusal without a field stands at the new password. */
function errorsOf(error: unknown): Partial<Record<keyof PasswordDraft, string>> {
  const byField = error instanceof WireFailure ? error.byField : {};
  const found = inputs.flatMap(({ name }) => {
    const sentences = byField[`users.${name}`];
    return sentences?.length ? [[name, sentences.join(" ")] as const] : [];
  });
  if (found.length > 0) return Object.fromEntries(found);
  return { user_password: error instanceof Error ? error.message : String(error) };
}
