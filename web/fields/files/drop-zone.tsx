// A place to drop files on, or to choose them by a click or the keyboard. Checks what can be told before sending: size
// and, for pictures, what the system says they are. The service looks at the content.
import { IconUpload } from "@tabler/icons-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFileSize } from "./file-card.tsx";
import classes from "./file-field.module.css";

interface DropZoneProps {
  readonly id?: string | undefined;
  readonly label: string;
  readonly accept?: readonly string[] | undefined;
  readonly maxBytes?: number | undefined;
  readonly multiple?: boolean;
  /** There is a file already. */
  readonly isFilled?: boolean;
  readonly describedBy?: string | undefined;
  readonly isInvalid?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onRefuse: (sentence: string) => void;
  readonly children?: ReactNode;
}

export function DropZone(props: DropZoneProps) {
  const {
    id,
    label,
    accept = [],
    maxBytes,
    multiple = false,
    isFilled,
    describedBy,
    isInvalid,
    onFiles,
    onRefuse,
    children,
  } = props;
  const { t } = useTranslation();
  const sizeText = useFileSize();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);

  const take = (chosen: readonly File[]): void => {
    const files = multiple ? chosen : chosen.slice(0, 1);
    const wrong = files.map(faultOf).find((fault) => fault !== undefined);
    if (wrong !== undefined) onRefuse(wrong);
    else if (files.length > 0) onFiles(files);
  };
  const faultOf = ({ name, size, type }: File): string | undefined => {
    if (size === 0) return t("files.empty", { name });
    if (maxBytes !== undefined && size > maxBytes) return t("files.too_large", { name, size: sizeText(maxBytes) });
    const taken = accept.length === 0 || type === "" || accept.some((kind) => matches(kind, type));
    return taken ? undefined : t("files.wrong_kind", { name, kinds: accept.map(kindName).join(", ") });
  };
  const carriesFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes("Files");
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for the pointer; the input inside serves the keyboard
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      data-invalid={isInvalid || undefined}
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(false);
        take([...event.dataTransfer.files]);
      }}
    >
      {children}
      <label className={classes.choose}>
        <IconUpload size={16} stroke={1.6} aria-hidden="true" />
        <span>{t(multiple ? "files.drop_many" : isFilled ? "files.drop_another" : "files.drop_one")}</span>
        <input
          ref={input}
          id={id}
          type="file"
          className="visually-hidden"
          aria-label={label}
          aria-describedby={describedBy}
          aria-invalid={isInvalid || undefined}
          accept={accept.join(",")}
          multiple={multiple}
          onChange={(event) => {
            take([...(event.currentTarget.files ?? [])]);
            // The same file can be chosen again after it was taken out.
            event.currentTarget.value = "";
          }}
        />
      </label>
    </div>
  );
}

const matches = (kind: string, type: string): boolean =>
  kind.endsWith("/*") ? type.startsWith(kind.slice(0, -1)) : kind === type;

/** `image/jpeg` → `JPEG`. */
const kindName = (kind: string): string => kind.replace(/^.*\//, "").replace("*", kind).toUpperCase();
