// A text that is shown once, with the way to copy it and the way on.
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CopyField } from "./copy-field.tsx";

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
      <CopyField
        label={label}
        value={value}
        button={{ label: copy, variant: "filled", takesFocus: true, onCopied: setCopied }}
      />
      <Group justify="flex-end">
        <Button variant={copied ? "filled" : "default"} onClick={close}>
          {t("actions.done")}
        </Button>
      </Group>
    </Stack>
  );
}
