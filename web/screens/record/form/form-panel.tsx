// The record itself: its form, to read; who may change it does so field by field, where each stands.
import { Button, Group, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../parts/layout/notice.tsx";
import { useLooking } from "../../../parts/live/looking.ts";
import { inlineFormQuery } from "../../../queries.ts";
import { useHeldPlace } from "../../../session/held-place.ts";
import type { PanelProps } from "../panel.ts";
import { ConflictPart } from "./conflict-part.tsx";
import { DuplicateDialog } from "./duplicate-dialog.tsx";
import { fieldName } from "./form-rules.ts";
import { InlineField } from "./inline-field.tsx";
import { RecordForm } from "./record-form.tsx";
import { useDraft } from "./use-draft.ts";
import { useInlineEdit } from "./use-inline-edit.ts";

const nothing = {};

export function FormPanel({ recordTypeKey, id, view, record }: PanelProps) {
  const { t } = useTranslation();
  const mayEdit = view.is_editable === 1 && !view.is_record_deleted;
  const { data: form } = useQuery({ ...inlineFormQuery(recordTypeKey, id), enabled: mayEdit });
  const edited = mayEdit ? form : undefined;
  const draft = useDraft(`${recordTypeKey}.${id}`, record);
  const inline = useInlineEdit({ recordTypeKey, id, edited, record, draft });
  useHeldPlace(inline.open !== undefined && draft.isDirty);
  useLooking(recordTypeKey, id, inline.open === undefined ? undefined : "edit");
  const rules = edited?.filterRules ?? {};
  const { conflict } = inline;
  return (
    <>
      {mayEdit && draft.isDirty && !inline.isSaving && inline.open === undefined && (
        <Notice tone="news">
          <Group gap="xs">
            <span>{t("record.unsaved")}</span>
            <Button
              component={Link}
              to={`/${recordTypeKey}/edit?id=${encodeURIComponent(id)}`}
              size="compact-xs"
              variant="default"
            >
              {t("record.go_on")}
            </Button>
            <Button size="compact-xs" variant="default" onClick={draft.clear}>
              {t("record.discard")}
            </Button>
          </Group>
        </Notice>
      )}
      <RecordForm
        view={edited ? { ...view, form: edited.form } : view}
        record={record}
        isEdited={false}
        changes={nothing}
        errors={nothing}
        onChange={() => undefined}
        open={inline.open}
        shown={
          edited &&
          ((element, isRequired) =>
            // A document is designed on a page of its own.
            element.document === undefined && (
              <InlineField
                {...{ element, record, isRequired, inline, draft }}
                rules={rules[fieldName(element)] ?? []}
              />
            ))
        }
      />
      <DuplicateDialog
        duplicates={inline.duplicates}
        isSaving={inline.isSaving}
        onSave={inline.saveAnyway}
        onClose={inline.cancel}
      />
      <Modal
        opened={conflict !== undefined}
        onClose={() => inline.resolve(undefined)}
        title={t("record.conflict")}
        size="lg"
        closeButtonProps={{ "aria-label": t("actions.close") }}
      >
        {conflict && (
          <ConflictPart
            {...conflict}
            changes={draft.changes}
            elementOf={() => conflict.element}
            isSaving={inline.isSaving}
            onSave={({ [fieldName(conflict.element)]: choice = "mine" }) => {
              const change = draft.changes[fieldName(conflict.element)];
              if (choice === "theirs") inline.resolve(undefined);
              // What was there before is a value of the wire, kept by the draft.
              else inline.resolve(choice === "mine" ? change : { value: (change?.from ?? null) as string | null });
            }}
            onReload={() => inline.resolve(undefined)}
          />
        )}
      </Modal>
    </>
  );
}
