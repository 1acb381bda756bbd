// Takes the European Central Bank's file of exchange rates and tells what came of it.
import { Button, FileButton } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { showDone, showWarning } from "../../parts/toasts.tsx";
import { client } from "../../session/session.ts";
import classes from "./list-screen.module.css";

export function ImportRatesButton() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: (file: File) => client.records.importRates(file),
    onSuccess: ({ message }) => {
      showDone(message.join(". "));
      // Every sum may be another one now.
      void queryClient.invalidateQueries({ queryKey: ["list"] });
    },
    onError: (error) => showWarning(error.message, t("money.import_failed")),
  });
  return (
    <FileButton accept=".xml,.csv,text/xml,application/xml,text/csv" onChange={(file) => file && send.mutate(file)}>
      {(props) => (
        <Button
          {...props}
          size="xs"
          variant="default"
          className={classes.import ?? ""}
          aria-label={t("money.import_rates")}
          loading={send.isPending}
          leftSection={<IconUpload size={15} stroke={1.6} aria-hidden="true" />}
        >
          <span>{t("money.import_rates")}</span>
        </Button>
      )}
    </FileButton>
  );
}
