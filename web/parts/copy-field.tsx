// A text to be copied, with its button; the button alone, too. That it was copied is said to screen readers.
import { Button, type ButtonProps, Group, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "./controls/copy-text.ts";

interface CopyButtonProps extends Pick<ButtonProps, "variant"> {
  readonly text: string;
  /** Said of the button where its words alone do not tell what is copied. */
  readonly name?: string;
  /** The words on it. */
  readonly label?: string;
  readonly takesFocus?: boolean;
  readonly onCopied?: (copied: boolean) => void;
}

export function CopyButton({ text, name, label, variant = "default", takesFocus, onCopied }: CopyButtonProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(text);
    setCopied(isCopied);
    onCopied?.(isCopied);
  };
  return (
    <>
      <Button
        flex="none"
        data-autofocus={takesFocus || undefined}
        variant={copied ? "default" : variant}
        aria-label={name}
        leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        onClick={copy}
      >
        {copied ? t("actions.copied") : (label ?? t("actions.copy"))}
      </Button>
      <span className="visually-hidden" role="status">
        {copied ? t("actions.copied") : ""}
      </span>
    </>
  );
}

interface CopyFieldProps {
  /** Over the text. */
  readonly label: string;
  readonly value: string;
  readonly button: Omit<CopyButtonProps, "text">;
}

export function CopyField({ label, value, button }: CopyFieldProps) {
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        label={label}
        readOnly
        value={value}
        dir="ltr"
        flex={1}
        miw={0}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={value} {...button} />
    </Group>
  );
}
