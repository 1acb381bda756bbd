// Tells an administrator whose own address is unconfirmed that emails may be on hold for it, and sends the link.
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Notice } from "../../parts/layout/notice.tsx";
import { client } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import { useChange } from "./use-change.ts";

export function ConfirmAddressNote() {
  const { t } = useTranslation();
  const userId = useSession().identity?.userId ?? "";
  const { data: email } = useQuery({
    queryKey: ["own-unconfirmed-address", userId],
    queryFn: ({ signal }) => client.administration.unconfirmedAddress(userId, signal),
    enabled: userId !== "",
  });
  const send = useChange({
    run: () => client.administration.sendConfirmation(),
    done: t("outgoing.confirmation_sent", { email: email ?? "" }),
    refresh: ["own-unconfirmed-address"],
  });
  if (!email) return null;
  return (
    <Notice tone="news" title={t("outgoing.confirm")}>
      {t("outgoing.confirm_lead", { email })}{" "}
      <Button size="compact-xs" variant="default" loading={send.isPending} onClick={() => send.mutate(undefined)}>
        {t("outgoing.send_confirmation")}
      </Button>
    </Notice>
  );
}
