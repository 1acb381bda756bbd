// What needs the password and a code together: turning two-step login off, and new recovery codes.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { CodeField } from "../../parts/controls/code-field.tsx";
import { PasswordField } from "../../parts/controls/password-field.tsx";
import { Notice } from "../../parts/layout/notice.tsx";
import { showDone } from "../../parts/toasts.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { client } from "../../session/session.ts";
import { MFA_KEY } from "./mfa-key.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

export function TurnOffDialog({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  return (
    <ProveDialog
      title={t("mfa.turn_off_title")}
      lead={t("mfa.turn_off_lead")}
      action={t("mfa.turn_off")}
      isDanger
      close={close}
      run={(password, code) => client.account.endMfa(password, code)}
      after={() => {
        showDone(t("mfa.turned_off"));
        close();
      }}
    />
  );
}

export function RenewCodesDialog({ close }: { readonly close: () => void }) {
  const { t } = useTranslation();
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <ProveDialog
      title={t(codes === undefined ? "mfa.renew" : "mfa.codes")}
      lead={t("mfa.renew_lead")}
      action={t("mfa.renew")}
      close={close}
      run={(password, code) => client.account.renewRecoveryCodes(password, code)}
      after={setCodes}
    >
      {codes && <RecoveryCodes codes={codes} close={close} />}
    </ProveDialog>
  );
}

interface ProveDialogProps<Result> {
  readonly title: string;
  readonly lead: string;
  readonly action: string;
  readonly isDanger?: boolean;
  readonly close: () => void;
  readonly run: (password: string, code: string) => Promise<Result>;
  readonly after: (result: Result) => void;
  /** What stands in place of the form once it is done. */
  readonly children?: ReactNode;
}

function ProveDialog<Result>(props: ProveDialogProps<Result>) {
  const { title, lead, action, isDanger = false, close, run, after, children } = props;
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const change = useWrite({
    mutationFn: () => run(password, code.trim()),
    onSuccess: (result) => {
      after(result);
      void queryClient.invalidateQueries({ queryKey: [MFA_KEY] });
    },
  });
  const byField = change.error instanceof WireFailure ? change.error.byField : {};
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      closeOnClickOutside={!children}
      closeOnEscape={!children}
    >
      {children || (
        <form
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            change.mutate();
          }}
        >
          <Stack gap="md">
            <Text size="sm">{lead}</Text>
            {change.error && Object.keys(byField).length === 0 && <Notice tone="bad">{change.error.message}</Notice>}
            <PasswordField
              label={t("login.password")}
              autoComplete="current-password"
              data-autofocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              error={byField["users.user_password"]?.join(" ")}
            />
            <CodeField
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={byField["users.otp"]?.join(" ")}
            />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                {t("actions.cancel")}
              </Button>
              <Button
                type="submit"
                loading={change.isPending}
                disabled={password === "" || code.trim() === ""}
                {...(isDanger ? { color: "red" } : {})}
              >
                {action}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
