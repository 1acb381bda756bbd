// The signup form itself: every fault at its field, what was typed kept, the license read before it can be accepted.
import { Button, Checkbox, FileInput, Group, Select, SimpleGrid, Stack, TextInput } from "@mantine/core";

import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SignupForm, SignupOrigin } from "../../../client/people/auth.ts";
import type { SessionBody } from "../../../client/people/users.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { PasswordField } from "../../parts/controls/password-field.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { RuleList } from "../../parts/layout/rule-list.tsx";
import { LicenseDialog } from "../../parts/license-dialog.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { anonymous, session } from "../../session/session.ts";
import { emptyDraft, type Faults, faultsOf, habits, type SignupDraft, signupCall, type Way } from "./signup-draft.ts";

interface SignupFieldsProps {
  readonly form: SignupForm;
  readonly origin: SignupOrigin;
  readonly way: Way;
  /** The account waits for its address to be confirmed. */
  readonly waits: (email: string) => void;
}

export function SignupFields({ form, origin, way, waits }: SignupFieldsProps) {
  const { t, i18n } = useTranslation();
  const invited = form.data.users.email_addresses[0]?.email;
  const [draft, setDraft] = useState<SignupDraft>({
    ...emptyDraft,
    email: invited ?? "",
    // Whoever founds an organization runs it, whatever the role beside that.
    role_id: way === "found" || form.signup_roles.length === 1 ? (form.signup_roles[0]?.value ?? "") : "",
  });
  const [picture, setPicture] = useState<File | null>(null);
  const [faults, setFaults] = useState<Faults>({});
  const [reading, setReading] = useState(false);
  const [hasRead, setHasRead] = useState(false);
  const formElement = useRef<HTMLFormElement>(null);
  const set = (change: Partial<SignupDraft>) => {
    setDraft((now) => ({ ...now, ...change }));
    setFaults((now) => ({ ...now, ...Object.fromEntries(Object.keys(change).map((name) => [name, undefined])) }));
  };
  const send = useWrite({
    mutationFn: () =>
      anonymous.account.signUp(signupCall(draft, way, origin, habits(form, i18n.language)), picture ?? undefined),
    onSuccess: (answer) => {
      // Without tokens there is a step left to take.
      if (answer.access_token !== undefined) session.begin(answer as typeof answer & SessionBody);
      else waits(draft.email.trim());
    },
    onError: (error) => {
      const found = error instanceof WireFailure ? faultsOf(error.byField) : {};
      setFaults(Object.keys(found).length > 0 ? found : { other: error.message });
      // The first invalid field, once it is marked as such.
      setTimeout(() => formElement.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    },
  });
  const text = (name: Exclude<keyof SignupDraft, "accepted">) => ({
    value: draft[name],
    error: faults[name],
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    setFaults({});
    send.mutate();
  }
  return (
    <form ref={formElement} onSubmit={submit} noValidate aria-label={t("signup.title")}>
      <Stack gap="md">
        {faults.other !== undefined && (
          <Notice tone="bad" title={t("login.failed")}>
            {faults.other}
          </Notice>
        )}
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput label={t("signup.first_name")} autoComplete="given-name" autoFocus {...text("first_name")} />
          <TextInput label={t("signup.last_name")} autoComplete="family-name" withAsterisk {...text("last_name")} />
        </SimpleGrid>
        <TextInput
          label={t("signup.email")}
          type="email"
          autoComplete="email"
          dir="ltr"
          readOnly={invited !== undefined}
          description={t(way === "join" ? "signup.email_join" : "signup.email_lead")}
          withAsterisk={way === "join"}
          {...text("email")}
        />
        <TextInput
          label={t("signup.user_name")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="auto"
          withAsterisk
          description={t("signup.user_name_lead")}
          {...text("user_name")}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <PasswordField
            label={t("login.password")}
            autoComplete="new-password"
            withAsterisk
            {...text("user_password")}
          />
          <PasswordField
            label={t("signup.again")}
            autoComplete="new-password"
            withAsterisk
            {...text("confirm_password")}
          />
        </SimpleGrid>
        <RuleList
          rules={[
            { words: t("password.rule_length"), met: [...draft.user_password].length >= 10 },
            {
              words: t("password.rule_same"),
              met: draft.user_password !== "" && draft.user_password === draft.confirm_password,
            },
          ]}
        />
        {way === "found" && (
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
            <TextInput
              label={t("signup.organization")}
              autoComplete="organization"
              withAsterisk
              {...text("organization")}
            />
            <Select
              label={t("signup.currency")}
              withAsterisk
              searchable
              data={form.currencies.map((one) => ({ value: one.value, label: one.text }))}
              value={draft.currency_id || null}
              onChange={(value) => set({ currency_id: value ?? "" })}
              error={faults.currency_id}
              nothingFoundMessage={t("signup.nothing")}
            />
          </SimpleGrid>
        )}
        {way === "join" && faults.organization !== undefined && <Notice tone="bad">{faults.organization}</Notice>}
        {way === "join" && (
          <Select
            label={t("signup.role")}
            withAsterisk
            data={form.signup_roles.map((one) => ({ value: one.value, label: one.text }))}
            value={draft.role_id || null}
            onChange={(value) => set({ role_id: value ?? "" })}
            error={faults.role_id}
          />
        )}
        <FileInput
          label={t("signup.picture")}
          description={t("signup.picture_lead")}
          accept="image/jpeg,image/png,image/webp,image/gif"
          clearable
          clearButtonProps={{ "aria-label": t("actions.clear") }}
          placeholder={t("signup.picture_choose")}
          value={picture}
          onChange={(file) => {
            setPicture(file);
            setFaults((now) => ({ ...now, picture: undefined }));
          }}
          error={faults.picture}
        />
        <Stack gap={6}>
          <Group gap="xs">
            <Button
              variant="default"
              size="xs"
              onClick={() => {
                setReading(true);
                setHasRead(true);
              }}
            >
              {t("license.read")}
            </Button>
          </Group>
          <Checkbox
            label={t("license.agree")}
            description={hasRead ? undefined : t("license.read_first")}
            disabled={!hasRead}
            checked={draft.accepted}
            onChange={(event) => set({ accepted: event.currentTarget.checked })}
            error={faults.accepted}
          />
        </Stack>
        <Button type="submit" size="md" fullWidth loading={send.isPending}>
          {t("signup.submit")}
        </Button>
      </Stack>
      <LicenseDialog
        opened={reading}
        close={() => setReading(false)}
        origin={origin}
        actions={() => (
          <Button
            onClick={() => {
              set({ accepted: true });
              setReading(false);
            }}
          >
            {t("license.accept")}
          </Button>
        )}
      />
    </form>
  );
}
