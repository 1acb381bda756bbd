// The input of a file or picture field: what is there, with a way to take it out, and a place to drop another.
import { ActionIcon, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInputProps } from "../inputs/field-input-props.ts";
import { DropZone } from "./drop-zone.tsx";
import { FileCard, fileFacts } from "./file-card.tsx";
import classes from "./file-field.module.css";
import { FilePlaceContext } from "./file-place.ts";
import { heldFile, holdFile, isPending } from "./pending-files.ts";

export function FileInput({ element, id, name, value, error, describedBy, onChange }: FieldInputProps) {
  const { t } = useTranslation();
  const record = useContext(FilePlaceContext);
  const [refusal, setRefusal] = useState<string>();
  const field = element.name.at(-1) ?? "";
  const facts = fileFacts(value);
  const isLost = isPending(value) && !heldFile(value);
  const sentence = refusal ?? (isLost ? t("files.choose_again", { name: facts?.name ?? "" }) : error);
  return (
    <div className={classes.field}>
      {facts && !isLost && (
        <FileCard
          value={value}
          place={record && !isPending(value) && element.name.length === 2 ? { ...record, field } : undefined}
          note={isPending(value) ? t("files.not_saved_yet") : undefined}
        >
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={t("files.remove", { name: facts.name })}
            onClick={() => {
              setRefusal(undefined);
              onChange(null);
            }}
          >
            <IconX size={16} stroke={1.6} />
          </ActionIcon>
        </FileCard>
      )}
      <DropZone
        id={id}
        label={name ?? element.label}
        isFilled={facts !== undefined && !isLost}
        accept={element.accept}
        maxBytes={element.max_bytes}
        describedBy={[describedBy, sentence ? `${id}-error` : undefined].filter(Boolean).join(" ") || undefined}
        isInvalid={sentence !== undefined}
        onRefuse={setRefusal}
        onFiles={([file]) => {
          setRefusal(undefined);
          if (file) onChange(holdFile(file));
        }}
      />
      {sentence && (
        <Text id={`${id}-error`} size="xs" c="var(--mantine-color-error)" role="alert">
          {sentence}
        </Text>
      )}
    </div>
  );
}
