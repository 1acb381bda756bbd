// How an assistant is connected: the address, what to give it, and what to mind. The key itself is made above.
import { Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyButton, CopyField } from "../../parts/copy-field.tsx";
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
        <CopyField label={t("assistants.address")} value={address} button={{ name: t("assistants.copy_address") }} />
        <div>
          <Group justify="space-between" gap="xs" pb={4}>
            <Text size="sm" fw={500}>
              {t("assistants.configuration")}
            </Text>
            <CopyButton text={configuration} name={t("assistants.copy_configuration")} />
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
