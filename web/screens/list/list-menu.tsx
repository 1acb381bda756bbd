// What else can be done with a list: fill it from a file, take it along as one, and read about the record type.

import { ActionIcon, Menu } from "@mantine/core";
import {
  IconDots,
  IconDownload,
  IconInfoCircle,
  IconSquare,
  IconSquareCheckFilled,
  IconTableImport,
} from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeFacts } from "../../../client/design/record-types.ts";
import { type ExportFormat, exportFormats, type ListChoice } from "../../../client/lists/lists.ts";
import { CustomizeItems } from "../../parts/customize-items.tsx";
import { keepFile } from "../../parts/keep-file.ts";
import { showDone, showWarning } from "../../parts/toasts.tsx";
import { schemaQuery } from "../../queries.ts";
import { client } from "../../session/session.ts";
import { PinItem } from "../../views/pin-item.tsx";

/** What is attached to a record and no part of what it says. */
const notExported = new Set(["core/comments", "core/attachments"]);

interface ListMenuProps {
  readonly module: string;
  readonly controller: string;
  readonly recordType: RecordTypeFacts;
  readonly choice: ListChoice;
  readonly mayExport: boolean;
  readonly mayImport: boolean;
  /** The saved view that is shown. */
  readonly view: { readonly id: string; readonly name: string } | undefined;
}

export function ListMenu({ module, controller, recordType, choice, mayExport, mayImport, view }: ListMenuProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: children = [] } = useQuery({
    ...schemaQuery(recordType.key),
    select: ({ hasMany }) => hasMany.filter(({ owned, type }) => owned === true && !notExported.has(type ?? "")),
  });
  const [withChildren, setWithChildren] = useState(false);
  const download = useMutation({
    mutationFn: (format: ExportFormat) =>
      client.lists.exportList(recordType.key, choice, format, withChildren && children.length > 0),
    onSuccess: ({ name, content }, format) => {
      const fileName = name ?? `${recordType.plural}.${format}`;
      keepFile(fileName, content);
      showDone(t("list.exported", { name: fileName }));
    },
    onError: (error) => showWarning(error.message, t("list.export_failed")),
  });
  return (
    <Menu position="bottom-end" width={216} shadow="md" offset={4} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          aria-label={t("list.more")}
          title={t("list.more")}
          loading={download.isPending}
        >
          <IconDots size={17} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {view && (
          <>
            <PinItem viewId={view.id} viewName={view.name} />
            <Menu.Divider />
          </>
        )}
        {mayImport && (
          <Menu.Item
            leftSection={<IconTableImport size={16} stroke={1.6} />}
            onClick={() => void navigate({ to: "/$module/$controller/import", params: { module, controller } })}
          >
            {t("list.import", { type: recordType.plural })}
          </Menu.Item>
        )}
        {mayExport &&
          exportFormats.map((format) => (
            <Menu.Item
              key={format}
              leftSection={<IconDownload size={16} stroke={1.6} />}
              onClick={() => download.mutate(format)}
            >
              {t("list.export_as", { format: format.toUpperCase() })}
            </Menu.Item>
          ))}
        {mayExport && children.length > 0 && (
          <Menu.Item
            role="menuitemcheckbox"
            aria-checked={withChildren}
            closeMenuOnClick={false}
            leftSection={
              withChildren ? (
                <IconSquareCheckFilled size={16} />
              ) : (
                <IconSquare size={16} stroke={1.6} aria-hidden="true" />
              )
            }
            onClick={() => setWithChildren(!withChildren)}
          >
            {t("list.export_children")}
          </Menu.Item>
        )}
        {(mayImport || mayExport) && <Menu.Divider />}
        <Menu.Item
          leftSection={<IconInfoCircle size={16} stroke={1.6} />}
          onClick={() => void navigate({ to: "/$module/$controller/about", params: { module, controller } })}
        >
          {t("about.title", { type: recordType.plural })}
        </Menu.Item>
        {recordType.scope === "organization" && <CustomizeItems recordTypeKey={recordType.key} of="list" />}
      </Menu.Dropdown>
    </Menu>
  );
}
