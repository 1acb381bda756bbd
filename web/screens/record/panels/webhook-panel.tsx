// What a webhook sent lately and what became of it, each to be sent again; a test, and a new secret, which is shown once.
import { Button, Group, Skeleton } from "@mantine/core";
import { IconKey, IconSend } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WebhookDelivery } from "../../../../client/records/webhooks.ts";
import { useFormats } from "../../../fields/formats.ts";
import { Ago } from "../../../parts/ago.tsx";
import { ConfirmDialog } from "../../../parts/controls/confirm-dialog.tsx";
import { FactsTable, RowAction } from "../../../parts/layout/facts-table.tsx";
import { Section } from "../../../parts/layout/section.tsx";
import { Tag } from "../../../parts/layout/tag.tsx";
import { RecordLink } from "../../../parts/record-link.tsx";
import { showOnce } from "../../../parts/shown-once.ts";
import { showDone, showWarning } from "../../../parts/toasts.tsx";
import { useTypeLabel } from "../../../parts/use-type-label.ts";
import { useWrite } from "../../../parts/use-write.ts";
import { client } from "../../../session/session.ts";
import type { PanelProps } from "../panel.ts";
import classes from "../record.module.css";
import { deliveryInterval } from "./delivery-interval.ts";

const SHOWN = 20;

const isWaiting = ({ status }: WebhookDelivery) => status === "waiting";

export function WebhookPanel({ id, view, recordTypeKey }: PanelProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const query = useQuery({
    queryKey: ["webhook-deliveries", id],
    queryFn: ({ signal }) => client.webhooks.readDeliveries(id, SHOWN, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => deliveryInterval(state, Date.now()),
  });
  const refresh = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: ["webhook-deliveries", id] }),
      queryClient.invalidateQueries({ queryKey: ["record", recordTypeKey, id] }),
    ]);
  const onError = (error: Error) => showWarning(error.message);
  const test = useWrite({
    mutationFn: () => client.webhooks.testWebhook(id),
    onSuccess: () => showDone(t("webhooks.test_sent")),
    onError,
    onSettled: refresh,
  });
  const again = useWrite({
    mutationFn: (delivery: string) => client.webhooks.sendDeliveryAgain(delivery),
    onSuccess: () => showDone(t("webhooks.sent_again")),
    onError,
    onSettled: refresh,
  });
  const rotate = useWrite({
    mutationFn: () => client.webhooks.rotateWebhookSecret(id),
    onSuccess: (answer) => {
      setAsking(false);
      showOnce(answer);
    },
  });
  const mayManage = view.is_editable === 1 && !view.is_record_deleted;
  const deliveries = query.data;
  return (
    <Section
      title={t("webhooks.deliveries")}
      lead={t("webhooks.deliveries_lead")}
      action={
        mayManage && (
          <Group gap={6}>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconKey size={14} stroke={1.8} aria-hidden="true" />}
              onClick={() => setAsking(true)}
            >
              {t("webhooks.new_secret")}
            </Button>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconSend size={14} stroke={1.8} aria-hidden="true" />}
              loading={test.isPending}
              onClick={() => test.mutate()}
            >
              {t("webhooks.send_test")}
            </Button>
          </Group>
        )
      }
    >
      {deliveries === undefined ? (
        query.isError ? (
          <p className={classes.nothing}>{query.error.message}</p>
        ) : (
          <Skeleton h={72} />
        )
      ) : deliveries.length === 0 ? (
        <p className={classes.nothing}>{t("webhooks.none")}</p>
      ) : (
        <Deliveries
          deliveries={deliveries}
          again={mayManage ? again.mutate : undefined}
          sending={again.isPending ? again.variables : undefined}
        />
      )}
      <ConfirmDialog
        opened={isAsking}
        close={() => setAsking(false)}
        title={t("webhooks.new_secret")}
        lead={t("webhooks.new_secret_lead")}
        action={t("webhooks.create_secret")}
        change={rotate}
        onConfirm={() => rotate.mutate()}
      />
    </Section>
  );
}

function NextAttempt({ text }: { readonly text: string | null }) {
  const { t } = useTranslation();
  const formats = useFormats();
  if (text === null) return null;
  return <div className={classes.next}>{t("webhooks.next_attempt", { when: formats.dateTime(text) })}</div>;
}

const tones = { waiting: "plain", delivered: "good", failed: "bad", dropped: "plain" } as const;

interface DeliveriesProps {
  readonly deliveries: readonly WebhookDelivery[];
  readonly again: ((id: string) => void) | undefined;
  readonly sending: string | undefined;
}

function Deliveries({ deliveries, again, sending }: DeliveriesProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const typeLabel = useTypeLabel();
  const named = ({ operation, record_type: type, record_id: id }: WebhookDelivery) =>
    [t(`webhooks.operations.${operation}`, operation), type === null ? "" : typeLabel(type), id ?? ""]
      .filter(Boolean)
      .join(" · ");
  return (
    <FactsTable
      label={t("webhooks.deliveries")}
      columns={[
        t("webhooks.change"),
        t("webhooks.status"),
        t("webhooks.answer"),
        t("webhooks.when"),
        t("webhooks.actions"),
      ]}
    >
      {deliveries.map((one) => (
        <tr key={one.id}>
          <th scope="row">
            <RecordLink module="core" controller="webhook_deliveries" id={one.id}>
              {named(one)}
            </RecordLink>
          </th>
          <td data-label={t("webhooks.status")}>
            <Tag tone={tones[one.status]}>{t(`webhooks.statuses.${one.status}`)}</Tag>
          </td>
          <td data-label={t("webhooks.answer")}>
            {one.problem ??
              (one.answer_status === null
                ? "–"
                : `${one.answer_status} · ${t("webhooks.milliseconds", { text: formats.count(Number(one.milliseconds)) })}`)}
            {isWaiting(one) && one.problem !== null && <NextAttempt text={one.next_attempt} />}
          </td>
          <td data-label={t("webhooks.when")}>
            <Ago text={one.created ?? ""} />
          </td>
          <td>
            {again !== undefined && !isWaiting(one) && (
              <RowAction
                loading={sending === one.id}
                label={t("webhooks.send_again_name", { name: named(one) })}
                onClick={() => again(one.id)}
              >
                {t("webhooks.send_again")}
              </RowAction>
            )}
          </td>
        </tr>
      ))}
    </FactsTable>
  );
}
