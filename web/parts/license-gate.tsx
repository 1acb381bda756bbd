// A new version of the license agreement, after logging in or while one works: it is read and accepted, or one leaves. What is
// typed behind it stays; the answer to accepting says that nothing waits any more.
import { Button, Text } from "@mantine/core";

import { useTranslation } from "react-i18next";
import { client, session } from "../session/session.ts";
import { Notice } from "./layout/notice.tsx";
import { LicenseDialog } from "./license-dialog.tsx";
import { useWrite } from "./use-write.ts";

export function LicenseGate({ organizationId }: { readonly organizationId: string | undefined }) {
  const { t } = useTranslation();
  const accept = useWrite({ mutationFn: (version: string) => client.account.acceptLicense(version) });
  return (
    <LicenseDialog
      opened
      close={undefined}
      origin={organizationId === undefined ? {} : { organization_id: organizationId }}
      intro={
        <>
          <Text size="sm" mb="md">
            {t("license.changed")}
          </Text>
          {accept.error && <Notice tone="bad">{accept.error.message}</Notice>}
        </>
      }
      actions={(version) => (
        <>
          <Button variant="default" onClick={() => void session.leave()}>
            {t("shell.log_out")}
          </Button>
          <Button loading={accept.isPending} onClick={() => accept.mutate(version ?? "")}>
            {t("license.accept")}
          </Button>
        </>
      )}
    />
  );
}
