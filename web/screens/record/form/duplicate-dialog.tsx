// A save that looks like a record already there: which ones, each a click away, and the choice to save all the same.
import { Button, Group, Modal, Text } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Duplicate } from "../../../../client/records/records.ts";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import classes from "./duplicate-dialog.module.css";

/** The records that a refused save looks like; undefined where it was refused for another reason. */
export function duplicatesOf(error: unknown): readonly Duplicate[] | undefined {
  if (!(error instanceof WireFailure) || error.code !== "possible_duplicate") return undefined;
  // The body of this failure, as the service's contract has it.
  return (error.body as { duplicates?: readonly Duplicate[] }).duplicates;
}

interface DuplicateDialogProps {
  readonly duplicates: readonly Duplicate[] | undefined;
  readonly isSaving: boolean;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

export function DuplicateDialog({ duplicates, isSaving, onSave, onClose }: DuplicateDialogProps) {
  const { t, i18n } = useTranslation();
  const labels = [...new Set(duplicates?.flatMap((one) => one.labels) ?? [])].map((label) => label.toLowerCase());
  const listed = new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(labels);
  return (
    <Modal
      opened={duplicates !== undefined}
      onClose={onClose}
      title={t("duplicates.title")}
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <Text size="sm">{labels.length > 0 ? t("duplicates.lead", { labels: listed }) : t("duplicates.lead_plain")}</Text>
      <ul className={classes.list}>
        {duplicates?.map(({ id, name, controller }) => (
          <li key={id}>
            <a
              href={`/${controller}/view?id=${encodeURIComponent(id)}`}
              target="_blank"
              rel="noreferrer"
              className={classes.match}
            >
              <span>{name ?? id}</span>
              <IconExternalLink size={15} stroke={1.6} aria-hidden="true" />
              <span className="visually-hidden">, {t("duplicates.opens_apart")}</span>
            </a>
          </li>
        ))}
      </ul>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("duplicates.back")}
        </Button>
        <Button loading={isSaving} onClick={onSave}>
          {t("duplicates.save")}
        </Button>
      </Group>
    </Modal>
  );
}
