// Who may see the record and what they may do with it, each with the reason; and sharing it by hand.
import { ActionIcon, Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconShare2, IconX } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { AccessHolder, AccessReason, RecordShare } from "../../../../client/records/access.ts";
import type { Formats } from "../../../../contract/formats.ts";
import { recordRights } from "../../../../contract/permissions.ts";
import { useFormats } from "../../../fields/formats.ts";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Tag } from "../../../parts/layout/tag.tsx";
import { showDone, showWarning } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { accessQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import type { PanelProps } from "../panel.ts";
import classes from "./access-panel.module.css";
import { PanelSkeleton } from "./panel-skeleton.tsx";
import { ShareDialog } from "./share-dialog.tsx";

export function AccessPanel({ recordTypeKey, id, name }: PanelProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const query = useQuery(accessQuery(recordTypeKey, id));
  const [sharing, { open, close }] = useDisclosure(false);
  const { queryKey } = accessQuery(recordTypeKey, id);
  const unshare = useWrite({
    mutationFn: (share: RecordShare) => client.access.unshareRecord(recordTypeKey, id, share.id),
    onSuccess: (access, share) => {
      queryClient.setQueryData(queryKey, access);
      showDone(t("access.unshared", { name: share.name }));
    },
    onError: (error) => showWarning(error.message),
  });
  return (
    <Loaded query={query} skeleton={<PanelSkeleton />}>
      {({ holders, shares }) => (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {t("access.lead")}
          </Text>
          <ul className={classes.holders}>
            {holders.map((holder) => (
              <Holder
                key={holder.principal_id}
                holder={holder}
                share={shares.find((one) => one.principal_id === holder.principal_id)}
                onUnshare={unshare.mutate}
              />
            ))}
          </ul>
          <Button
            mt="md"
            size="xs"
            variant="default"
            leftSection={<IconShare2 size={15} stroke={1.6} aria-hidden="true" />}
            onClick={open}
          >
            {t("access.share")}
          </Button>
          <ShareDialog
            {...{ recordTypeKey, id, name, close }}
            opened={sharing}
            onShared={(access, whom) => {
              queryClient.setQueryData(queryKey, access);
              close();
              showDone(t("access.shared", { name: whom }));
            }}
          />
        </>
      )}
    </Loaded>
  );
}

interface HolderProps {
  readonly holder: AccessHolder;
  readonly share: RecordShare | undefined;
  readonly onUnshare: (share: RecordShare) => void;
}

function Holder({ holder, share, onUnshare }: HolderProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const rights = recordRights.filter((right) => holder.reasons.some((one) => one.right === right));
  const reasons = [...new Set(holder.reasons.map((reason) => reasonText(t, formats, reason)))];
  return (
    <li className={classes.holder}>
      <div>
        <span className={classes.name}>
          {holder.kind === "everyone" ? t("grantees.everyone") : holder.name}
          {holder.kind !== "user" && holder.kind !== "everyone" && <Tag>{t(`access.kind_${holder.kind}`)}</Tag>}
        </span>
        <span className={classes.reasons}>{reasons.join(" · ")}</span>
      </div>
      <span className={classes.rights}>{rights.map((right) => t(`access.may_${right}`)).join(", ")}</span>
      {share && (
        <ActionIcon
          size="sm"
          variant="subtle"
          color="gray"
          aria-label={t("access.unshare", { name: share.name })}
          title={t("access.unshare", { name: share.name })}
          onClick={() => onUnshare(share)}
        >
          <IconX size={14} stroke={1.8} />
        </ActionIcon>
      )}
    </li>
  );
}

const plainReasons = [
  "owner",
  "owner_groups",
  "primary_group",
  "organization",
  "everyone",
  "workflow",
  "administrator",
  "record",
] as const;

function reasonText(t: TFunction, formats: Formats, { reason, until }: AccessReason): string {
  if (reason === "share") {
    return until === undefined
      ? t("access.because_share")
      : t("access.because_share_until", { date: formats.dateTime(until) });
  }
  if (reason.startsWith("role:")) return t("access.because_role");
  const plain = plainReasons.find((one) => one === reason);
  return plain === undefined ? reason : t(`access.because_${plain}`);
}
