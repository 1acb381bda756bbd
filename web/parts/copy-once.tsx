// A text that is shown once, with the way to copy it and the way on.
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "./controls/copy-text.ts";

interface CopyOnceProps {
  readonly lead: string;
  readonly label: string;
  readonly value: string;
  /** The words on the button. */
  readonly copy: string;
  readonly close: () => void;
}

export function CopyOnce({ lead, label, value, copy, close }: CopyOnceProps) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  return (
    <Stack gap="md">
      <Text size="sm">{lead}</Text>
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
        <Button
          flex="none"
          data-autofocus
          variant={copied ? "default" : "filled"}
          leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          onClick={async () => setCopied(await copyText(value))}
        >
          {copied ? t("actions.copied") : copy}
        </Button>
      </Group>
      <span className="visually-hidden" role="status">
        {copied ? t("actions.copied") : ""}
      </span>
      <Group justify="flex-end">
        <Button variant={copied ? "filled" : "default"} onClick={close}>
          {t("actions.done")}
        </Button>
      </Group>
    </Stack>
  );
}
