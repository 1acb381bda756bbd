// Makes options of the values that a text field holds, most frequent first, when it becomes a choice. Asked for by a press of a button.
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { readOptions, withOptions } from "../../../../fields/design/option-rows.ts";
import { showDone, showWarning } from "../../../../parts/toasts.tsx";
import { client } from "../../../../session/session.ts";
import type { DraftField } from "../type-draft.ts";

interface OfferValuesProps {
  readonly recordTypeKey: string;
  readonly field: DraftField;
  readonly onChange: (options: unknown) => void;
}

export function OfferValues({ recordTypeKey, field, onChange }: OfferValuesProps) {
  const { t } = useTranslation();
  const offer = useMutation({
    mutationFn: () => client.design.readFieldValues(recordTypeKey, field.id),
    onSuccess: ({ values, is_all }) => {
      const before = readOptions(field.settings?.options);
      const after = withOptions(before, values.map(({ value }) => value.replaceAll("\n", " ")).join("\n"));
      if (after.length > before.length) onChange(after);
      const added = t("design.values_added", { count: after.length - before.length });
      showDone(is_all === 1 ? added : `${added} ${t("design.values_more")}`);
    },
    onError: (error) => showWarning(error.message),
  });
  return (
    <Button mt={6} size="compact-xs" variant="default" loading={offer.isPending} onClick={() => offer.mutate()}>
      {t("design.values_offer")}
    </Button>
  );
}
