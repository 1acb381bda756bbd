// A record to read: what it is called, its key facts, what may be done with it, and its panels.
import { ActionIcon, Button, Group, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconBell,
  IconBellOff,
  IconCopy,
  IconDots,
  IconLink,
  IconPencil,
  IconPrinter,
  IconTrash,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { isOn } from "../../../client/design/record-types.ts";
import type { RecordView, WireRecord } from "../../../client/records/records.ts";
import { useCommands } from "../../parts/commands/commands.ts";
import { copyText } from "../../parts/controls/copy-text.ts";
import { CustomizeItems } from "../../parts/customize-items.tsx";
import { StarButton } from "../../parts/favorites/star-button.tsx";
import { useLooking } from "../../parts/live/looking.ts";
import { noteRecent } from "../../parts/recent-records.ts";
import { showDone } from "../../parts/toasts.tsx";
import { whoMayQuery } from "../../queries.ts";
import { copyOf } from "./copied-values.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { DeletedNote } from "./deleted-note.tsx";
import { NeighborLinks } from "./neighbor-links.tsx";
import { PanelLayout } from "./panel-layout.tsx";
import { PresentPeople } from "./present-people.tsx";
import classes from "./record-head.module.css";
import { RecordHead } from "./record-head.tsx";
import { someNames } from "./some-names.ts";
import { useFollowing } from "./use-following.ts";
import { useRecordName } from "./use-record-name.ts";

interface RecordPageProps {
  readonly module: string;
  readonly controller: string;
  readonly view: RecordView;
  readonly record: WireRecord;
}

export function RecordPage({ module, controller, view, record }: RecordPageProps) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const [deleting, { open, close }] = useDisclosure(false);
  const params = { module, controller };
  const key = `${module}/${controller}`;
  const id = view.id ?? "";
  const name = useRecordName(view);
  const mayEdit = view.is_editable === 1;
  useEffect(() => noteRecent({ key, id, name }), [key, id, name]);
  const edit = (): void => void navigate({ to: "/$module/$controller/edit", params, search: { id }, state: true });
  const copyLink = async (): Promise<void> => {
    // The address of the record, not of the panel that happens to be open.
    const address = `${window.location.origin}/${key}/view?id=${encodeURIComponent(id)}`;
    if (await copyText(address)) showDone(t("record.link_copied"));
  };
  const mayAdd = useQuery({ ...whoMayQuery(key), select: ({ mine }) => isOn(mine.add) }).data === true;
  const duplicate = (): void =>
    void navigate({ to: "/$module/$controller/add", params, state: { copied: copyOf(id, record, view.workflow) } });
  useLooking(key, id, view.is_record_deleted ? undefined : "view");
  const following = useFollowing(key, id, !view.is_record_deleted);
  const FollowIcon = following?.isFollowing ? IconBellOff : IconBell;
  useCommands([
    ...(following
      ? [
          {
            id: "follow",
            label: t(following.isFollowing ? "record.unfollow_named" : "record.follow_named", { name }),
            group: "record",
            keys: "s",
            icon: FollowIcon,
            run: following.toggle,
          } as const,
        ]
      : []),
    ...(mayAdd
      ? [
          {
            id: "duplicate",
            label: t("record.duplicate_named", { name }),
            group: "record",
            icon: IconCopy,
            run: duplicate,
          } as const,
        ]
      : []),
    { id: "copy-link", label: t("record.copy_link_named", { name }), group: "record", icon: IconLink, run: copyLink },
    ...(mayEdit
      ? [
          {
            id: "edit",
            label: t("record.edit_named", { name }),
            group: "record",
            keys: "e",
            icon: IconPencil,
            run: edit,
          } as const,
        ]
      : []),
    ...(view.is_deletable === 1
      ? [
          {
            id: "delete",
            label: t("record.delete_named", { name }),
            group: "record",
            icon: IconTrash,
            run: open,
          } as const,
        ]
      : []),
  ]);
  return (
    <>
      <RecordHead recordTypeKey={key} title={name} view={view} record={record}>
        <Group gap={6} wrap="nowrap">
          <PresentPeople recordTypeKey={key} id={id} />
          <NeighborLinks {...{ module, controller, id }} />
          {!view.is_record_deleted && (
            <StarButton favorite={{ controller: key, id, name, label: view.singular, icon: null, lists: null }} />
          )}
          {mayEdit && (
            <Button
              variant="default"
              size="xs"
              className={classes.edit ?? ""}
              leftSection={<IconPencil size={15} stroke={1.6} aria-hidden="true" />}
              renderRoot={(props) => (
                <Link {...props} to="/$module/$controller/edit" params={params} search={{ id }} state />
              )}
            >
              {t("record.edit")}
            </Button>
          )}
          <Menu position="bottom-end" width={200} shadow="md" offset={4} withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size={30} aria-label={t("record.more")}>
                <IconDots size={17} stroke={1.6} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {following && (
                <>
                  <Menu.Item leftSection={<FollowIcon size={16} stroke={1.6} />} onClick={following.toggle}>
                    {t(following.isFollowing ? "record.unfollow" : "record.follow")}
                  </Menu.Item>
                  {following.followers.length > 0 && (
                    <Menu.Label>
                      {t("record.followers", {
                        names: new Intl.ListFormat(i18n.language).format(
                          someNames(
                            following.followers.map((one) => one.name),
                            (count) => t("record.more_followers", { count }),
                          ),
                        ),
                      })}
                    </Menu.Label>
                  )}
                  <Menu.Divider />
                </>
              )}
              <Menu.Item leftSection={<IconLink size={16} stroke={1.6} />} onClick={copyLink}>
                {t("record.copy_link")}
              </Menu.Item>
              {mayAdd && (
                <Menu.Item leftSection={<IconCopy size={16} stroke={1.6} />} onClick={duplicate}>
                  {t("record.duplicate")}
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconPrinter size={16} stroke={1.6} />} onClick={() => window.print()}>
                {t("record.print")}
              </Menu.Item>
              <CustomizeItems recordTypeKey={key} of="record" />
              {view.is_deletable === 1 && (
                <>
                  <Menu.Divider />
                  <Menu.Item
                    color="var(--mantine-color-error)"
                    leftSection={<IconTrash size={16} stroke={1.6} />}
                    onClick={open}
                  >
                    {t("record.delete")}
                  </Menu.Item>
                </>
              )}
            </Menu.Dropdown>
          </Menu>
        </Group>
      </RecordHead>
      {view.is_record_deleted && <DeletedNote recordTypeKey={key} id={id} name={name} view={view} />}
      <PanelLayout {...{ module, controller, id, name, view, record }} recordTypeKey={key} />
      <DeleteDialog
        recordTypeKey={key}
        id={id}
        name={name}
        opened={deleting}
        close={close}
        onDeleted={() => void navigate({ to: "/$module/$controller/index", params })}
        onRestored={() => void navigate({ to: "/$module/$controller/view", params, search: { id } })}
      />
    </>
  );
}
