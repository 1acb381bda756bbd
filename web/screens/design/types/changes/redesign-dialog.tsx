// What saving a design would do to the records that are there, field by field, in numbers; saved only after a yes.
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { DesignForesight, FieldUse } from "../../../../../client/design/design.ts";
import { Notice } from "../../../../parts/layout/notice.tsx";
import type { TypeDraft } from "../type-draft.ts";
import classes from "./changes.module.css";
import { FieldUses } from "./field-uses.tsx";

interface RedesignDialogProps {
  readonly foresight: DesignForesight | undefined;
  /** What is about to be saved. */
  readonly draft: TypeDraft;
  readonly isSaving: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function RedesignDialog({ foresight, draft, isSaving, onConfirm, onClose }: RedesignDialogProps) {
  const { t } = useTranslation();
  const { renamed = [], discarded = [], converted = [], uses = {} } = foresight ?? {};
  const refused = converted.filter((field) => field.refused > 0);
  const typesOf = (name: string) => {
    const { storedType, type } = draft.fields.find((field) => field.name === name) ?? {};
    return { from: storedType && t(`field_types.${storedType}`), to: type && t(`field_types.${type}`) };
  };
  return (
    <Modal
      opened={foresight !== undefined}
      onClose={onClose}
      title={t("design.redesign")}
      size="lg"
      closeButtonProps={{ "aria-label": t("actions.close") }}
    >
      <Stack gap="lg">
        {renamed.length > 0 && (
          <Changes title={t("design.renames", { count: renamed.length })} lead={t("design.renames_lead")}>
            {renamed.map(({ field, label, from }) => (
              <Change key={field} label={label} uses={uses[from]} change="on_rename">
                <span dir="ltr">
                  <code>{from}</code> → <code>{field}</code>
                </span>
              </Change>
            ))}
          </Changes>
        )}
        {discarded.length > 0 && (
          <Changes title={t("design.goes", { count: discarded.length })} lead={t("design.goes_lead")}>
            {discarded.map(({ field, label, values }) => (
              <Change key={field} label={label} uses={uses[field]} change="on_remove">
                {values === 0 ? t("design.goes_empty") : t("design.removed_values", { count: values })}
              </Change>
            ))}
          </Changes>
        )}
        {converted.length > 0 && (
          <Changes title={t("design.changes", { count: converted.length })}>
            {converted.map(({ field, label, values, ...labels }) => {
              const { from = labels.from, to = labels.to } = typesOf(field);
              return (
                <Change key={field} label={label} uses={uses[field]} change="on_convert">
                  {t("design.changes_from_to", { from, to })} · {t("design.changes_values", { count: values })}
                </Change>
              );
            })}
          </Changes>
        )}
        {refused.map(({ field, label, to, values, refused: count, examples }) => (
          <Notice
            key={field}
            tone="bad"
            title={t("design.unfit", { label, to: typesOf(field).to ?? to, count, values })}
          >
            <ul>
              {examples.map((example) => (
                <li key={example}>{example}</li>
              ))}
            </ul>
            {t("design.unfit_lead")}
          </Notice>
        ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t("actions.cancel")}
          </Button>
          <Button
            color={discarded.length > 0 ? "red" : "iris"}
            loading={isSaving}
            disabled={refused.length > 0}
            onClick={onConfirm}
          >
            {t(discarded.length > 0 ? "design.redesign_go" : "design.save")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface ChangesProps {
  readonly title: string;
  readonly lead?: string;
  readonly children: ReactNode;
}

const Changes = ({ title, lead, children }: ChangesProps) => (
  <section>
    <h3 className={classes.title}>{title}</h3>
    <ul className={classes.fields}>{children}</ul>
    {lead !== undefined && (
      <Text size="xs" c="dimmed" mt={8}>
        {lead}
      </Text>
    )}
  </section>
);

interface ChangeProps {
  readonly label: string;
  readonly uses: readonly FieldUse[] | undefined;
  readonly change: "on_rename" | "on_remove" | "on_convert";
  readonly children: ReactNode;
}

const Change = ({ label, uses = [], change, children }: ChangeProps) => (
  <li>
    <div className={classes.field}>
      <b dir="auto">{label}</b>
      <span>{children}</span>
    </div>
    {uses.length > 0 && <FieldUses uses={uses} change={change} />}
  </li>
);
