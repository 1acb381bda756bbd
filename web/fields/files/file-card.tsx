// A file as people see it: a small picture or a mark of its kind, its name and size, and what can be done with it.

import { ActionIcon, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload, IconFile, IconFileText, IconFileTypePdf, IconPhoto } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { FilePlace } from "../../../client/records/attachments.ts";
import type { WireValue } from "../../../client/records/records.ts";
import { showWarning } from "../../parts/toasts.tsx";
import { useFormats } from "../formats.ts";
import classes from "./file-field.module.css";
import { heldFile } from "./pending-files.ts";
import { downloadFile, useFileUrl, useObjectUrl } from "./use-file-url.ts";

export interface FileFacts {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

export function fileFacts(value: WireValue): FileFacts | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, pending, name, type, size } = value;
  if (!id && !pending) return undefined;
  return { id: id ?? "", name: name ?? id ?? "", type: type ?? "", size: Number(size ?? 0) };
}

export function useFileSize(): (bytes: number) => string {
  const formats = useFormats();
  return (bytes) => {
    const [unit, divisor] =
      bytes >= 1024 * 1024
        ? (["megabyte", 1024 * 1024] as const)
        : bytes >= 1024
          ? (["kilobyte", 1024] as const)
          : (["byte", 1] as const);
    return formats.measure(bytes / divisor, unit, { short: unit !== "byte", places: unit === "megabyte" ? 1 : 0 });
  };
}

const isPicture = (type: string): boolean => /^image\/(?:jpeg|png|webp|gif)$/.test(type);

function KindIcon({ type }: { readonly type: string }) {
  const Icon = isPicture(type)
    ? IconPhoto
    : type === "application/pdf"
      ? IconFileTypePdf
      : type.startsWith("text/")
        ? IconFileText
        : IconFile;
  return <Icon size={20} stroke={1.4} aria-hidden="true" />;
}

interface FileCardProps {
  readonly value: WireValue;
  /** What it is called, where that is not the file's name. */
  readonly name?: string | undefined;
  /** Undefined while it is not saved. */
  readonly place: FilePlace | undefined;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

export function FileCard({ value, name, place, note, children }: FileCardProps) {
  const { t } = useTranslation();
  const sizeText = useFileSize();
  const [opened, { open, close }] = useDisclosure(false);
  const facts = fileFacts(value);
  const held = heldFile(value);
  const picture = facts !== undefined && isPicture(facts.type);
  const stored = useFileUrl(picture && !held ? place : undefined, facts?.id ?? "", true);
  const local = useObjectUrl(held);
  if (!facts) return null;
  const thumbnail = local ?? stored;
  const called = name ?? facts.name;
  const mark = thumbnail ? (
    <img src={thumbnail} alt="" className={classes.thumbnail} />
  ) : (
    <span className={classes.kind}>
      <KindIcon type={facts.type} />
    </span>
  );
  return (
    <div className={classes.card}>
      {picture && place && !held ? (
        <button
          type="button"
          className={classes.preview}
          onClick={open}
          aria-label={t("files.preview", { name: called })}
        >
          {mark}
        </button>
      ) : (
        mark
      )}
      <span className={classes.facts}>
        <span className={classes.name} title={called}>
          {called}
        </span>
        <span className={classes.note}>{note ?? sizeText(facts.size)}</span>
      </span>
      {place && !held && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t("files.download", { name: called })}
          onClick={() => downloadFile(place, facts.name).catch((error: Error) => showWarning(error.message))}
        >
          <IconDownload size={16} stroke={1.6} />
        </ActionIcon>
      )}
      {children}
      {picture && place && (
        <Modal
          opened={opened}
          onClose={close}
          title={called}
          size="xl"
          closeButtonProps={{ "aria-label": t("actions.close") }}
        >
          <WholePicture place={place} version={facts.id} name={called} />
        </Modal>
      )}
    </div>
  );
}

function WholePicture({ place, version, name }: { place: FilePlace; version: string; name: string }) {
  const url = useFileUrl(place, version, false);
  return url ? <img src={url} alt={name} className={classes.whole} /> : <div className={classes.waiting} />;
}
