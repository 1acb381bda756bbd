// The definition of a form as a document: designed where it may be changed, else shown as it looks.
import { useTranslation } from "react-i18next";
import type { DocumentProps } from "../../../fields/files/document-tools.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { FormDesigner } from "./form-designer.tsx";
import { readForm, writeForm } from "./form-draft.ts";
import { FormPreview } from "./form-preview.tsx";

export function FormDocument({ value, recordTypeKey, errors, onChange }: DocumentProps) {
  const { t } = useTranslation();
  const form = readForm(value);
  if (form === undefined && value.trim() !== "") return <Notice tone="bad">{t("design.unreadable")}</Notice>;
  if (onChange === undefined) return form && <FormPreview recordTypeKey={recordTypeKey} form={form} />;
  return (
    <FormDesigner
      key={recordTypeKey}
      recordTypeKey={recordTypeKey}
      form={form}
      errors={errors}
      onChange={(next) => onChange(writeForm(next))}
    />
  );
}
