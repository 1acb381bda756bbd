// The file of an import: dropped, chosen or made of pasted rows, sent with its progress, and from then on a line with its name.
import { Button, Progress, Text } from "@mantine/core";
import { IconFileSpreadsheet } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundFile } from "../../../client/records/imports.ts";
import { reasonsOf } from "../../../client/transport/wire-failure.ts";
import { DropZone } from "../../fields/files/drop-zone.tsx";
import { useFileSize } from "../../fields/files/file-card.tsx";
import { useFormats } from "../../fields/formats.ts";
import { Notice } from "../../parts/layout/notice.tsx";
import { useWrite } from "../../parts/use-write.ts";
import { client } from "../../session/session.ts";
import { type HandedRows, handedRows, rowsFile, takeRows } from "../list/paste/rows-file.ts";
import { usePastedRows } from "../list/paste/use-pasted-rows.ts";
import type { Block } from "../list/range/cell-block.ts";
import classes from "./import.module.css";
import { PasteArea } from "./paste-area.tsx";

const MOST_BYTES = 1024 ** 3;

interface FileStepProps {
  readonly recordTypeKey: string;
  readonly plural: string;
  readonly file: FoundFile["file"] | undefined;
  readonly onFound: (found: FoundFile) => void;
  readonly onRemove: () => void;
}

export function FileStep({ recordTypeKey, plural, file, onFound, onRemove }: FileStepProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const sizeOf = useFileSize();
  const [part, setPart] = useState(0);
  const [refusal, setRefusal] = useState<string>();
  /** Rows that were typed: there again if they could not be read. */
  const [typed, setTyped] = useState("");
  const stop = useRef<AbortController>(undefined);
  const upload = useWrite({
    mutationFn: ({ file: chosen, headerRow }: HandedRows) => {
      stop.current = new AbortController();
      setPart(0);
      const dialect = headerRow === undefined ? {} : { header_row: headerRow };
      return client.imports.uploadImport(recordTypeKey, chosen, dialect, setPart, stop.current.signal);
    },
    onSuccess: (found) => {
      setTyped("");
      onFound(found);
    },
    onError: (error) => setRefusal(stop.current?.signal.aborted ? undefined : reasonsOf(error).join(" ")),
  });
  // What was pasted into the list is taken in place of what was chosen before.
  const takeHanded = useEffectEvent((): void => {
    const rows = handedRows(recordTypeKey);
    if (rows === undefined) return;
    takeRows(recordTypeKey);
    onRemove();
    upload.mutate(rows);
  });
  useEffect(() => takeHanded(), []);
  const takeBlock = (block: Block): void => {
    setRefusal(undefined);
    upload.mutate({ file: rowsFile(`${t("list.pasted_rows")}.csv`, block), headerRow: undefined });
  };
  const takeText = (text: string): void => {
    setRefusal(undefined);
    const name = `${t("list.pasted_rows")}.${text.includes("\t") ? "tsv" : "csv"}`;
    upload.mutate({ file: new File([text], name), headerRow: undefined });
  };
  usePastedRows(file === undefined && !upload.isPending, takeBlock);
  if (file !== undefined) {
    return (
      <div className={classes.file}>
        <IconFileSpreadsheet size={20} stroke={1.5} aria-hidden="true" />
        <span className={classes.fileName} dir="auto">
          {file.name}
        </span>
        <span className={classes.quiet}>{sizeOf(file.size)}</span>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onRemove}>
          {t("imports.other_file")}
        </Button>
      </div>
    );
  }
  const sent = upload.variables?.file;
  if (upload.isPending && sent) {
    const percent = Math.round(100 * part);
    return (
      <div className={classes.sending}>
        <div className={classes.line}>
          <span className={classes.fileName} dir="auto">
            {sent.name}
          </span>
          <Button size="compact-xs" variant="default" onClick={() => stop.current?.abort()}>
            {t("actions.cancel")}
          </Button>
        </div>
        <Progress value={percent} size="sm" animated={percent === 100} aria-label={t("imports.uploading")} />
        <span className={classes.quiet} role="status">
          {percent === 100
            ? t("imports.reading")
            : t("imports.sent", { percent: formats.count(percent), size: sizeOf(sent.size) })}
        </span>
      </div>
    );
  }
  return (
    <div className={classes.first}>
      {refusal !== undefined && (
        <Notice tone="bad" title={t("imports.upload_failed")}>
          {refusal}
        </Notice>
      )}
      <div className={classes.drop}>
        <DropZone
          label={t("imports.choose_file")}
          maxBytes={MOST_BYTES}
          onFiles={([chosen]) => {
            setRefusal(undefined);
            if (chosen) upload.mutate({ file: chosen, headerRow: undefined });
          }}
          onRefuse={setRefusal}
        >
          <div className={classes.dropWords}>
            <IconFileSpreadsheet size={28} stroke={1.3} aria-hidden="true" />
            <Text size="sm" fw={500}>
              {t("imports.drop_title", { type: plural })}
            </Text>
            <Text size="sm" c="dimmed">
              {t("imports.drop_lead")}
            </Text>
          </div>
        </DropZone>
      </div>
      <PasteArea text={typed} onText={setTyped} onRows={takeText} />
      <Text size="xs" c="dimmed">
        {t("imports.safe")}
      </Text>
    </div>
  );
}
