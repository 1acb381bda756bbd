// Saved mappings: use one that was saved before, or save what is chosen now.
import { Button, Checkbox, Group, Menu, Modal, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBookmark, IconChevronDown } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Dialect, FoundFile, ImportSettings } from "../../../../client/records/imports.ts";
import { reasonsOf } from "../../../../client/transport/wire-failure.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { showDone } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { importMappingsQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { dialectIn, settingsOf } from "../choices.ts";
import type { Kept } from "../kept.ts";

interface SavedMappingsProps {
  readonly recordTypeKey: string;
  readonly found: FoundFile;
  readonly kept: Kept;
  readonly onUse: (use: { dialect: Partial<Dialect>; settings: Partial<ImportSettings> }) => void;
}

export function SavedMappings({ recordTypeKey, kept, onUse }: SavedMappingsProps) {
  const { t } = useTranslation();
  const { data: saved = [] } = useQuery(importMappingsQuery(recordTypeKey));
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Menu position="bottom-end" width={240} shadow="md" offset={4} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconBookmark size={15} stroke={1.6} aria-hidden="true" />}
            rightSection={<IconChevronDown size={14} stroke={1.6} aria-hidden="true" />}
          >
            {t("imports.saved.button")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {saved.map(({ id, name, settings }) => (
            <Menu.Item key={id} onClick={() => onUse({ dialect: dialectIn(settings), settings })}>
              {name}
            </Menu.Item>
          ))}
          {saved.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={open}>{t("imports.saved.save")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t("imports.saved.save")}
        closeButtonProps={{ "aria-label": t("actions.close") }}
      >
        <SaveForm {...{ recordTypeKey, kept, close }} />
      </Modal>
    </>
  );
}

interface SaveFormProps extends Pick<SavedMappingsProps, "recordTypeKey" | "kept"> {
  readonly close: () => void;
}

function SaveForm({ recordTypeKey, kept, close }: SaveFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [name, setName] = useState(kept.file.name.replace(/\.[^.]+$/, ""));
  const [isShared, setShared] = useState(false);
  const save = useWrite({
    mutationFn: () =>
      client.imports.addMapping(recordTypeKey, name.trim(), settingsOf(kept.choices, kept.dialect), isShared),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: importMappingsQuery(recordTypeKey).queryKey });
      showDone(t("imports.saved.done"));
      close();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") save.mutate();
      }}
    >
      <Stack gap="md">
        {save.error && <Notice tone="bad">{reasonsOf(save.error).join(" ")}</Notice>}
        <TextInput
          label={t("imports.saved.name")}
          value={name}
          required
          maxLength={100}
          data-autofocus
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Checkbox
          size="sm"
          label={t("imports.saved.share")}
          checked={isShared}
          onChange={({ currentTarget }) => setShared(currentTarget.checked)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            {t("actions.cancel")}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t("imports.saved.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
