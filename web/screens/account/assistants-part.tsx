// How an assistant is connected: the address, what to give it, and what to mind. The key itself is made above.
import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../parts/controls/copy-text.ts";
import { Section } from "../../parts/layout/section.tsx";
import classes from "./assistants-part.module.css";

/** As most programs take it. */
const configurationFor = (url: string): string =>
  JSON.stringify(
    { mcpServers: { dossier: { type: "http", url, headers: { Authorization: "Bearer dk_…" } } } },
    undefined,
    2,
  );

export function AssistantsPart() {
  const { t } = useTranslation();
  const address = `${location.origin}/mcp`;
  const configuration = configurationFor(address);
  return (
    <Section title={t("assistants.title")} lead={t("assistants.lead")}>
      <Stack gap="md">
        <ol className={classes.steps}>
          <li>{t("assistants.step_key")}</li>
          <li>{t("assistants.step_address")}</li>
        </ol>
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            label={t("assistants.address")}
            readOnly
            value={address}
            dir="ltr"
            flex={1}
            miw={0}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={address} label={t("assistants.copy_address")} />
        </Group>
        <div>
          <Group justify="space-between" gap="xs" pb={4}>
            <Text size="sm" fw={500}>
              {t("assistants.configuration")}
            </Text>
            <CopyButton text={configuration} label={t("assistants.copy_configuration")} />
          </Group>
          <pre className={classes.code} dir="ltr">
            {configuration}
          </pre>
        </div>
        <Text size="sm" c="dimmed">
          {t("assistants.caution")}
        </Text>
      </Stack>
    </Section>
  );
}

function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  return (
    <>
      <Button
        flex="none"
        variant="default"
        aria-label={label}
        leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        onClick={async () => setCopied(await copyText(text))}
      >
        {t(copied ? "actions.copied" : "actions.copy")}
      </Button>
      <span className="visually-hidden" role="status">
        {copied ? t("actions.copied") : ""}
      </span>
    </>
  );
}
