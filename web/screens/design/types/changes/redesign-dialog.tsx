// What saving a design would do to the records that are there, in numbers; saved only after a yes.
import { Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { DesignForesight } from "../../../../../client/design/design.ts";
import { Notice } from "../../../../parts/layout/notice.tsx";
import { FieldUses } from "./field-uses.tsx";

interface RedesignDialogProps {
  readonly foresight: DesignForesight | undefined;
  readonly isSaving: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function RedesignDialog({ foresight, isSaving, onConfirm, onClose }: RedesignDialogProps) {
  const { t } = useTranslation();
  const { renamed = [], discarded = [], converted = [], uses = {} } = foresight ?? {};
  const refused = converted.filter((field) => field.refused > 0);
  return (
    <Modal
      opened={foresight !== undefined}
      onClose={onClose}
      title={t("design.redesign")}
      size="lg"
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <Stack gap="md">
        {renamed.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              {t("design.renames", { count: renamed.length })}
            </Text>
            <List size="sm" spacing={4} mt={4}>
              {renamed.map(({ field, label, from }) => (
                <List.Item key={field}>
                  <b>{label}</b> {t("design.renames_from", { from, to: field })}
                  <FieldUses uses={uses[from] ?? []} change="on_rename" />
                </List.Item>
              ))}
            </List>
          </div>
        )}
        {discarded.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              {t("design.goes", { count: discarded.length })}
            </Text>
            <List size="sm" spacing={4} mt={4}>
              {discarded.map(({ field, label, values }) => (
                <List.Item key={field}>
                  <b>{label}</b> {values === 0 ? t("design.goes_empty") : t("design.goes_values", { count: values })}
                  <FieldUses uses={uses[field] ?? []} change="on_remove" />
                </List.Item>
              ))}
            </List>
            <Text size="sm" c="dimmed" mt={6}>
              {t("design.goes_lead")}
            </Text>
          </div>
        )}
        {converted.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              {t("design.changes", { count: converted.length })}
            </Text>
            <List size="sm" spacing={4} mt={4}>
              {converted.map(({ field, label, from, to, values }) => (
                <List.Item key={field}>
                  <b>{label}</b> {t("design.changes_from", { from, to })}{" "}
                  {t("design.changes_values", { count: values })}
                  <FieldUses uses={uses[field] ?? []} change="on_convert" />
                </List.Item>
              ))}
            </List>
          </div>
        )}
        {refused.map(({ field, label, to, values, refused: count, examples }) => (
          <Notice key={field} tone="bad" title={t("design.unfit", { label, to, count, values })}>
            <List size="sm" spacing={2} my={4}>
              {examples.map((example) => (
                <List.Item key={example}>{example}</List.Item>
              ))}
            </List>
            {t("design.unfit_lead")}
          </Notice>
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("actions.cancel")}
          </Button>
          <Button
            color={discarded.length > 0 ? "red" : "iris"}
            loading={isSaving}
            disabled={refused.length > 0}
            onClick={onConfirm}
          >
            {t("design.redesign_go")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
