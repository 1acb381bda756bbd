// Turns two-step login on, step by step: the password, the key for the app and a first code, then the recovery codes.
import { Anchor, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MfaSecret } from "../../../client/people/mfa.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { CodeField } from "../../parts/controls/code-field.tsx";
import { PasswordField } from "../../parts/controls/password-field.tsx";
import { showDone } from "../../parts/toasts.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { client } from "../../session/session.ts";
import classes from "./mfa.module.css";
import { MFA_KEY } from "./mfa-key.ts";
import { QrPicture } from "./qr-picture.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

/** At its field where the service names it, else as it is. */
export const wordsFor = (error: Error | null, field: string): string | undefined =>
  error === null ? undefined : (error instanceof WireFailure && error.byField[field]?.join(" ")) || error.message;

export function TurnOnDialog({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState<MfaSecret>();
  const [codes, setCodes] = useState<readonly string[]>();
  const queryClient = useQueryClient();
  const done = (given: readonly string[]): void => {
    setCodes(given);
    showDone(t("mfa.turned_on"));
    void queryClient.invalidateQueries({ queryKey: [MFA_KEY] });
    void queryClient.invalidateQueries({ queryKey: ["own-sessions"] });
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t(codes === undefined ? "mfa.title" : "mfa.codes")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      closeOnClickOutside={secret === undefined}
      closeOnEscape={codes === undefined}
    >
      {codes !== undefined ? (
        <RecoveryCodes codes={codes} close={close} />
      ) : secret === undefined ? (
        <PasswordStep done={setSecret} close={close} />
      ) : (
        <CodeStep secret={secret} done={done} close={close} />
      )}
    </Modal>
  );
}

interface StepProps<Result> {
  readonly done: (result: Result) => void;
  readonly close: () => void;
}

function PasswordStep({ done, close }: StepProps<MfaSecret>) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  const begin = useWrite({ mutationFn: () => client.account.beginMfa(password), onSuccess: done });
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        begin.mutate();
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t("mfa.begin_lead")}</Text>
        <PasswordField
          label={t("login.password")}
          autoComplete="current-password"
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={wordsFor(begin.error, "users.user_password")}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t("actions.cancel")}
          </Button>
          <Button type="submit" loading={begin.isPending} disabled={password === ""}>
            {t("mfa.go_on")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function CodeStep({ secret, done, close }: StepProps<readonly string[]> & { readonly secret: MfaSecret }) {
  const { t } = useTranslation();
  const [code, setCode] = useState("");
  const confirm = useWrite({ mutationFn: () => client.account.confirmMfa(code.trim()), onSuccess: done });
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        confirm.mutate();
      }}
    >
      <Stack gap="md">
        <Text size="sm">{t("mfa.scan")}</Text>
        <div className={classes.scan}>
          <QrPicture text={secret.otpauth_url} label={t("mfa.picture")} />
          <div className={classes.words}>
            <div>
              <Text size="sm" fw={500}>
                {t("mfa.key")}
              </Text>
              {/* In groups, as it is read off and typed. */}
              <span className={classes.key} dir="ltr">
                {secret.secret.replace(/(.{4})(?=.)/g, "$1 ")}
              </span>
            </div>
            <Anchor size="sm" href={secret.otpauth_url}>
              {t("mfa.open_app")}
            </Anchor>
          </div>
        </div>
        <CodeField
          description={undefined}
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={wordsFor(confirm.error, "users.otp")}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t("actions.cancel")}
          </Button>
          <Button type="submit" loading={confirm.isPending} disabled={code.trim() === ""}>
            {t("mfa.confirm")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
