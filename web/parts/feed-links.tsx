// One's own feed links, of one view or of all, and the way to revoke one.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FeedLink } from "../../client/lists/feed-links.ts";
import { client } from "../session/session.ts";
import { useSession } from "../session/use-session.ts";
import { ConfirmDialog } from "./controls/confirm-dialog.tsx";
import { FactsTable, RowAction } from "./layout/facts-table.tsx";
import { Moment } from "./moment.tsx";
import { showDone } from "./toasts.tsx";
import { useWrite } from "./use-write.ts";

/** `view`: those of one view alone. */
export function useFeedLinks(view?: string) {
  const { identity } = useSession();
  const user = identity?.userId ?? "";
  return useQuery({
    queryKey: ["feed-links", user, view ?? "all"],
    queryFn: ({ signal }) => client.account.listFeedLinks(user, view, signal),
    enabled: user !== "",
    staleTime: 0,
  });
}

interface FeedLinksTableProps {
  readonly label: string;
  readonly links: readonly FeedLink[];
  /** Says which view each is of. */
  readonly withView?: boolean;
}

export function FeedLinksTable({ label, links, withView = false }: FeedLinksTableProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [revoking, setRevoking] = useState<FeedLink>();
  const revoke = useWrite({
    mutationFn: (link: FeedLink) => client.account.revokeFeedLink(link.id),
    onSuccess: (_, { name }) => {
      showDone(t("keys.revoked_toast", { name }));
      setRevoking(undefined);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["feed-links"] }),
  });
  const columns = [
    t("programs.link"),
    ...(withView ? [t("programs.view")] : []),
    t("programs.format"),
    t("keys.last_used"),
    t("admin.actions"),
  ];
  return (
    <>
      <FactsTable label={label} columns={columns}>
        {links.map((link) => (
          <tr key={link.id}>
            <th scope="row">{link.name}</th>
            {withView && <td data-label={t("programs.view")}>{link.view}</td>}
            <td>{t(`programs.format_${link.format}`)}</td>
            <td data-label={t("keys.last_used")}>
              <Moment text={link.lastUsed} none={t("keys.never")} />
            </td>
            <td>
              <RowAction label={t("keys.revoke_name", { name: link.name })} onClick={() => setRevoking(link)}>
                {t("keys.revoke")}
              </RowAction>
            </td>
          </tr>
        ))}
      </FactsTable>
      {revoking && (
        <ConfirmDialog
          opened
          close={() => setRevoking(undefined)}
          title={t("programs.revoke_link_title", { name: revoking.name })}
          lead={t("programs.revoke_link_lead")}
          action={t("keys.revoke")}
          change={revoke}
          onConfirm={() => revoke.mutate(revoking)}
        />
      )}
    </>
  );
}
