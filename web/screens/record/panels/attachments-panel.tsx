// The files that are attached to a record: pictures with their thumbnails, dropped and sent at once with their progress, deleted with
// a way back.
import { ActionIcon, Progress } from "@mantine/core";
import { IconTrash, IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { FormElement, RecordView, WireChild } from "../../../../client/records/records.ts";
import { permission } from "../../../../contract/permissions.ts";
import { DropZone } from "../../../fields/files/drop-zone.tsx";
import { FileCard } from "../../../fields/files/file-card.tsx";
import file from "../../../fields/files/file-field.module.css";
import { Section } from "../../../parts/layout/section.tsx";
import { showUndo, showWarning } from "../../../parts/toasts.tsx";
import { useWrite } from "../../../parts/use-write.ts";
import { forgetRecords } from "../../../queries.ts";
import { client } from "../../../session/session.ts";
import { rowsOf } from "../form/child-rows.ts";
import { elementsOf, fieldName, isFileGrid } from "../form/form-rules.ts";
import type { PanelProps } from "../panel.ts";

/** The grid of files in a record's form. */
export const filesOf = (view: RecordView): FormElement | undefined => elementsOf(view.form).find(isFileGrid);

interface Sending {
  readonly key: number;
  readonly name: string;
  readonly part: number;
  readonly stop: AbortController;
}

export function AttachmentsPanel({ recordTypeKey, id, name, view, record }: PanelProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [sending, setSending] = useState<readonly Sending[]>([]);
  const element = filesOf(view);
  if (!element) return null;
  const rows = rowsOf(record, fieldName(element));
  const mayEdit = view.is_editable === 1 && !view.is_record_deleted && element.permission !== permission.DELETE;
  if (rows.length === 0 && !mayEdit) return null;
  const place = { recordTypeKey, id };
  const takes = element.children?.find(({ template }) => template === "upload");

  const send = async (one: File): Promise<void> => {
    const entry = { key: Math.random(), name: one.name, part: 0, stop: new AbortController() };
    setSending((all) => [...all, entry]);
    const tell = (part: number) =>
      setSending((all) => all.map((other) => (other.key === entry.key ? { ...other, part } : other)));
    try {
      await client.files.addAttachment(place, one, tell, entry.stop.signal);
      await forgetRecords(queryClient, recordTypeKey);
    } catch (error) {
      if (entry.stop.signal.aborted) return;
      showWarning(t("files.failed", { name: one.name, reason: reasonOf(error) }));
    } finally {
      setSending((all) => all.filter((other) => other.key !== entry.key));
    }
  };
  return (
    <Section title={element.label}>
      {(rows.length > 0 || sending.length > 0) && (
        <ul className={file.list}>
          {rows.map((row) => (
            <Attachment key={String(row.id)} row={row} mayEdit={mayEdit} recordTypeKey={recordTypeKey} />
          ))}
          {sending.map(({ key, name: called, part, stop }) => (
            <li key={key} className={file.card}>
              <span className={file.kind} />
              <span className={file.facts}>
                <span className={file.name}>{called}</span>
                <Progress value={part * 100} size="xs" aria-label={called} className={file.progress ?? ""} />
              </span>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={28}
                aria-label={t("files.stop", { name: called })}
                onClick={() => stop.abort()}
              >
                <IconX size={16} stroke={1.6} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {mayEdit && (
        <DropZone
          label={t("files.choose", { name })}
          multiple
          maxBytes={takes?.max_bytes}
          accept={takes?.accept}
          onRefuse={showWarning}
          onFiles={(chosen) => {
            for (const one of chosen) void send(one);
          }}
        />
      )}
    </Section>
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errors } = "errors" in error ? (error as { errors: readonly string[] }) : { errors: [] };
  return errors.at(-1) ?? error.message;
}

interface AttachmentProps {
  readonly row: WireChild;
  readonly mayEdit: boolean;
  readonly recordTypeKey: string;
}

const ATTACHMENTS = "core/attachments";

function Attachment({ row, mayEdit, recordTypeKey }: AttachmentProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const id = String(row.id);
  const name = typeof row.name === "string" ? row.name : id;
  const refresh = () => forgetRecords(queryClient, recordTypeKey);
  const remove = useWrite({
    mutationFn: () => client.records.deleteRecord(ATTACHMENTS, id),
    onSuccess: async () => {
      await refresh();
      showUndo(t, t("files.removed", { name }), async () => {
        await client.records.restoreRecord(ATTACHMENTS, id);
        await refresh();
        return t("files.restored", { name });
      });
    },
    onError: (error) => showWarning(error.message),
  });
  return (
    <li>
      <FileCard value={row.file ?? null} name={name} place={{ recordTypeKey: ATTACHMENTS, id, field: "file" }}>
        {mayEdit && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            loading={remove.isPending}
            aria-label={t("files.remove_attachment", { name })}
            onClick={() => remove.mutate()}
          >
            <IconTrash size={16} stroke={1.6} />
          </ActionIcon>
        )}
      </FileCard>
    </li>
  );
}
