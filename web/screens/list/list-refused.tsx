// A list that cannot be shown as its address asks for it: why, and the ways on. A link may name fields that whoever opens
// it does not see.
import { Button, Group } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../parts/layout/empty-state.tsx";

interface ListRefusedProps {
  readonly reason: string;
  /** Undefined where it is not known what to leave out. */
  readonly onWithout: (() => void) | undefined;
  readonly onSaved: () => void;
}

export function ListRefused({ reason, onWithout, onSaved }: ListRefusedProps) {
  const { t } = useTranslation();
  return (
    <EmptyState icon={IconEyeOff} live title={t("table.refused")} text={t("table.refused_lead", { reason })}>
      <Group gap="xs">
        {onWithout && <Button onClick={onWithout}>{t("table.without")}</Button>}
        <Button variant="default" onClick={onSaved}>
          {t("table.as_saved")}
        </Button>
      </Group>
    </EmptyState>
  );
}
