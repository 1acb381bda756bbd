// Makes a feed link of a view and shows its address, the only time anybody sees it; lists those that one has of the view.
import { Button, Group, Modal, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FeedFormat } from "../../../../client/lists/feed-links.ts";
import type { SavedView } from "../../../../client/lists/saved-views.ts";
import { CopyOnce } from "../../../parts/copy-once.tsx";
import { FeedLinksTable, useFeedLinks } from "../../../parts/feed-links.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { client } from "../../../session/session.ts";

interface SubscribeDialogProps {
  readonly view: SavedView;
  /** Its records lie on days. */
  readonly isCalendar: boolean;
  readonly onClose: () => void;
}

export function SubscribeDialog({ view, isCalendar, onClose }: SubscribeDialogProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const formats: readonly FeedFormat[] = isCalendar ? ["calendar", "rss", "csv"] : ["rss", "csv"];
  const [format, setFormat] = useState<FeedFormat>(isCalendar ? "calendar" : "rss");
  const [address, setAddress] = useState<string>();
  const { data: links = [] } = useFeedLinks(view.id);
  const add = useWrite({
    mutationFn: () => client.account.addFeedLink({ name: view.name, listview_id: view.id, format }),
    onSuccess: (path) => {
      setAddress(new URL(path, location.origin).href);
      void queryClient.invalidateQueries({ queryKey: ["feed-links"] });
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={address === undefined ? t("programs.subscribe_title", { name: view.name }) : t("programs.link_made")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
      closeOnClickOutside={address === undefined}
      closeOnEscape={address === undefined}
    >
      {address === undefined ? (
        <Stack gap="md">
          <Text size="sm">{t("programs.subscribe_lead")}</Text>
          <SegmentedControl
            aria-label={t("programs.format")}
            fullWidth
            value={format}
            onChange={(value) => setFormat(formats.find((one) => one === value) ?? "rss")}
            data={formats.map((value) => ({ value, label: t(`programs.format_${value}`) }))}
          />
          {add.error && (
            <Text size="sm" c="red" role="alert">
              {add.error.message}
            </Text>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t("actions.cancel")}
            </Button>
            <Button data-autofocus loading={add.isPending} onClick={() => add.mutate()}>
              {t("programs.make_link")}
            </Button>
          </Group>
          {links.length > 0 && <FeedLinksTable label={t("programs.links_of_view")} links={links} />}
        </Stack>
      ) : (
        <CopyOnce
          lead={t("programs.link_made_lead")}
          label={t("programs.link_address")}
          value={address}
          copy={t("actions.copy")}
          close={onClose}
        />
      )}
    </Modal>
  );
}
