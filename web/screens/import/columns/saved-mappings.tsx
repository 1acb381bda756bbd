// Saved mappings: use one that was saved before, save what is chosen now, rename, share and delete those that are there.
import { ActionIcon, Button, Loader, Menu, Modal, Text } from "@mantine/core";
import { IconBookmark, IconChevronDown, IconPencil, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SavedMapping } from "../../../../client/records/import-mappings.ts";
import type { Dialect, ImportSettings } from "../../../../client/records/imports.ts";
import { showUndo, showWarning } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { importMappingsQuery } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { dialectIn, settingsOf } from "../choices.ts";
import shared from "../import.module.css";
import type { Kept } from "../kept.ts";
import { MappingForm } from "./mapping-form.tsx";
import classes from "./saved-mappings.module.css";

interface SavedMappingsProps {
  readonly recordTypeKey: string;
  readonly kept: Kept;
  readonly onUse: (use: { dialect: Partial<Dialect>; settings: Partial<ImportSettings> }) => void;
}

/** What is open: a new mapping, all of them, or one of them. */
type Opened = "new" | "all" | SavedMapping;

export function SavedMappings({ recordTypeKey, kept, onUse }: SavedMappingsProps) {
  const { t } = useTranslation();
  const { data: saved = [] } = useQuery(importMappingsQuery(recordTypeKey));
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const now = useRef(kept.choices);
  useEffect(() => {
    now.current = kept.choices;
  }, [kept.choices]);
  const chosen = useRef("");
  const use = useMutation({
    mutationFn: ({ id }: { id: string; choices: Kept["choices"] }) => client.importMappings.readMappingSettings(id),
    // Whoever went on choosing meanwhile keeps what they chose, and of several mappings the last one.
    onSuccess: (settings, { id, choices }) => {
      if (id === chosen.current && choices === now.current) onUse({ dialect: dialectIn(settings), settings });
    },
    onError: (error, { id }) => {
      if (id === chosen.current) showWarning(error.message);
    },
  });
  const mapping = typeof opened === "object" ? opened : undefined;
  return (
    <>
      <Menu position="bottom-end" width={240} shadow="md" offset={4} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            // Not disabled meanwhile: it keeps the focus.
            aria-busy={use.isPending}
            leftSection={
              use.isPending ? <Loader size={15} /> : <IconBookmark size={15} stroke={1.6} aria-hidden="true" />
            }
            rightSection={<IconChevronDown size={14} stroke={1.6} aria-hidden="true" />}
          >
            {t("imports.saved.button")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {saved.map(({ id, name }) => (
            <Menu.Item
              key={id}
              onClick={() => {
                chosen.current = id;
                use.mutate({ id, choices: kept.choices });
              }}
            >
              <bdi>{name}</bdi>
            </Menu.Item>
          ))}
          {saved.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setOpened("new")}>{t("imports.saved.save")}</Menu.Item>
          {saved.some(({ mayEdit, mayDelete }) => mayEdit || mayDelete) && (
            <Menu.Item onClick={() => setOpened("all")}>{t("imports.saved.manage")}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={opened !== undefined}
        onClose={close}
        title={t(`imports.saved.${mapping ? "edit" : opened === "all" ? "manage" : "save"}`)}
        size={460}
        closeButtonProps={{ "aria-label": t("actions.close") }}
      >
        {opened === "all" ? (
          <Mappings recordTypeKey={recordTypeKey} saved={saved} onEdit={setOpened} />
        ) : (
          <MappingForm
            recordTypeKey={recordTypeKey}
            mapping={mapping}
            name={mapping?.name ?? kept.file.name.replace(/\.[^.]+$/, "")}
            settings={settingsOf(kept.choices, kept.dialect)}
            close={mapping ? () => setOpened("all") : close}
          />
        )}
      </Modal>
    </>
  );
}

interface MappingsProps {
  readonly recordTypeKey: string;
  readonly saved: readonly SavedMapping[];
  readonly onEdit: (mapping: SavedMapping) => void;
}

function Mappings({ recordTypeKey, saved, onEdit }: MappingsProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: importMappingsQuery(recordTypeKey).queryKey });
  const remove = useWrite({
    mutationFn: ({ id }: SavedMapping) => client.importMappings.deleteMapping(id),
    onSuccess: (_, { id, name }) => {
      void refresh();
      showUndo(t, t("views.deleted", { name }), async () => {
        await client.importMappings.restoreMapping(id).finally(refresh);
        return undefined;
      });
    },
    onError: (error) => showWarning(error.message),
  });
  if (saved.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t("imports.saved.none")}
      </Text>
    );
  }
  return (
    <ul className={classes.mappings}>
      {saved.map((mapping) => (
        <li key={mapping.id}>
          <span>
            <bdi>{mapping.name}</bdi>
            <span className={shared.quiet}>{t(`imports.saved.${mapping.isPersonal ? "personal" : "shared"}`)}</span>
          </span>
          {mapping.mayEdit && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("imports.saved.edit_of", { name: mapping.name })}
              onClick={() => onEdit(mapping)}
            >
              <IconPencil size={16} stroke={1.6} aria-hidden="true" />
            </ActionIcon>
          )}
          {mapping.mayDelete && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("imports.saved.delete_of", { name: mapping.name })}
              loading={remove.isPending && remove.variables.id === mapping.id}
              onClick={() => remove.mutate(mapping)}
            >
              <IconTrash size={16} stroke={1.6} aria-hidden="true" />
            </ActionIcon>
          )}
        </li>
      ))}
    </ul>
  );
}
