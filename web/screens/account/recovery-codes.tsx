// Recovery codes, the only time anybody sees them: to be copied or saved before one goes on.
import { Button, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy, IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../parts/controls/copy-text.ts";
import { keepFile } from "../../parts/keep-file.ts";
import classes from "./mfa.module.css";

export function RecoveryCodes({ codes, close }: { readonly codes: readonly string[]; readonly close: () => void }) {
  const { t } = useTranslation();
  const [kept, setKept] = useState(false);
  const text = `${codes.join("\n")}\n`;
  return (
    <Stack gap="md">
      <Text size="sm">{t("mfa.codes_lead")}</Text>
      <ul className={classes.codes} aria-label={t("mfa.codes")} dir="ltr">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          leftSection={<IconDownload size={15} />}
          onClick={() => {
            keepFile("recovery-codes.txt", new Blob([text], { type: "text/plain" }));
            setKept(true);
          }}
        >
          {t("mfa.save_codes")}
        </Button>
        <Button
          data-autofocus
          variant={kept ? "default" : "filled"}
          leftSection={kept ? <IconCheck size={15} /> : <IconCopy size={15} />}
          onClick={async () => setKept(await copyText(text))}
        >
          {t(kept ? "actions.copied" : "actions.copy")}
        </Button>
        <Button variant={kept ? "filled" : "default"} onClick={close}>
          {t("actions.done")}
        </Button>
      </Group>
    </Stack>
  );
}
