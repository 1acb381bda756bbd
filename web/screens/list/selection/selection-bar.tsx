// The quiet bar under a list that has a selection: how many, all of them, and what can be done with them.
import { ActionIcon, Button, Menu, Tooltip } from "@mantine/core";
import { IconDownload, IconPencil, IconRestore, IconTrash, IconX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import { type ExportFormat, exportFormats, type ListChoice, type ListPage } from "../../../../client/lists/lists.ts";
import { useFormats } from "../../../fields/formats.ts";
import { keepFile } from "../../../parts/keep-file.ts";
import { showDone, showWarning } from "../../../parts/toasts.tsx";
import { client } from "../../../session/session.ts";
import { useBulk } from "../../jobs/use-bulk.tsx";
import { BulkDelete } from "./bulk-delete.tsx";
import { BulkEdit } from "./bulk-edit.tsx";
import classes from "./selection.module.css";
import type { Selection } from "./use-selection.ts";

export interface SelectionRights {
  readonly edit: boolean;
  /** Why not, where somebody might expect to. */
  readonly noEdit: string | undefined;
  readonly delete: boolean;
  readonly export: boolean;
}

interface SelectionBarProps {
  readonly schema: RecordTypeSchema;
  readonly head: ListPage;
  readonly choice: ListChoice;
  readonly selection: Selection;
  readonly rights: SelectionRights;
}

export function SelectionBar({ schema, head, choice, selection, rights }: SelectionBarProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [open, setOpen] = useState<"edit" | "delete">();
  const { key, plural } = schema.recordType;
  const { count, awaited } = selection;
  const told = awaited ?? count;
  const download = useMutation({
    mutationFn: (format: ExportFormat) => client.bulk.exportSelected(key, choice, selection.picked, format),
    onSuccess: ({ name, content }, format) => {
      const fileName = name ?? `${plural}.${format}`;
      keepFile(fileName, content);
      showDone(t("list.exported", { name: fileName }));
    },
    onError: (error) => showWarning(error.message),
  });
  const close = (): void => setOpen(undefined);
  const done = (): void => {
    close();
    selection.clear();
  };
  // In the recycle bin there is one thing to do; it needs no question.
  const deletedColumn = `${head.idColumn.split(".")[0]}.deleted`;
  const isBin = head.rows.length > 0 && head.rows.every((row) => row[deletedColumn] === "1");
  const restore = useBulk(key, () => client.bulk.restoreSelected(key, selection.picked), done);
  const totals = head.header.some((column) => column.compute_column_total === "1") || undefined;
  const dialog = { recordTypeKey: key, picked: selection.picked, count, close, onDone: done };
  return (
    <>
      <div role="toolbar" aria-label={t("bulk.bar")} className={classes.bar} data-totals={totals}>
        <span className={classes.count} role="status">
          {t(awaited === undefined ? "bulk.selected" : "bulk.selecting", {
            count: told,
            replace: { count: formats.count(told) },
          })}
        </span>
        {head.isExact && head.total > count && (
          <Button size="compact-sm" variant="subtle" className={classes.all ?? ""} onClick={selection.everything}>
            {t("bulk.select_all", { total: formats.count(head.total) })}
          </Button>
        )}
        <span className={classes.rule} />
        {isBin && rights.delete && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconRestore size={15} stroke={1.7} />}
            disabled={awaited !== undefined}
            loading={restore.isPending}
            onClick={() => restore.mutate(undefined, { onError: (error) => showWarning(error.message) })}
          >
            {t("record.restore")}
          </Button>
        )}
        {!isBin && (rights.edit || rights.noEdit !== undefined) && (
          <Tooltip label={rights.noEdit} disabled={rights.noEdit === undefined} multiline maw={320}>
            <Button
              size="compact-sm"
              variant="subtle"
              color="gray"
              {...(rights.noEdit === undefined ? {} : { "aria-disabled": true, "data-disabled": true })}
              leftSection={<IconPencil size={15} stroke={1.7} />}
              disabled={awaited !== undefined}
              onClick={() => (rights.noEdit === undefined ? setOpen("edit") : showWarning(rights.noEdit))}
            >
              {t("bulk.edit")}
            </Button>
          </Tooltip>
        )}
        {!isBin && rights.delete && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={15} stroke={1.7} />}
            disabled={awaited !== undefined}
            onClick={() => setOpen("delete")}
          >
            {t("bulk.delete")}
          </Button>
        )}
        {rights.export && (
          <Menu position="top" shadow="md" withInitialFocusPlaceholder={false}>
            <Menu.Target>
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                disabled={awaited !== undefined}
                loading={download.isPending}
                leftSection={<IconDownload size={15} stroke={1.7} />}
              >
                {t("bulk.export")}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {exportFormats.map((format) => (
                <Menu.Item key={format} onClick={() => download.mutate(format)}>
                  {t("list.export_as", { format: format.toUpperCase() })}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.clear ?? ""}
          aria-label={t("actions.clear")}
          title={t("actions.clear")}
          onClick={selection.clear}
        >
          <IconX size={16} stroke={1.7} />
        </ActionIcon>
      </div>
      <BulkEdit {...dialog} schema={schema} opened={open === "edit"} />
      <BulkDelete {...dialog} opened={open === "delete"} />
    </>
  );
}
