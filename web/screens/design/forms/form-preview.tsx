// A form that is not saved yet, drawn by the very renderer of record pages: what is typed here goes nowhere, but shows and
// hides what it will.
import { Select, Skeleton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import type { FormDefinition } from "../../../../contract/form-definition.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { elementsOf } from "../../record/form/form-rules.ts";
import { RecordForm } from "../../record/form/record-form.tsx";
import type { Changes } from "../../record/form/use-draft.ts";
import record from "../../record/record.module.css";
import classes from "../design.module.css";
import { formPreviewQuery, rolesQuery } from "../design-queries.ts";
import canvas from "./canvas.module.css";

const BREATH_MS = 350;
const nothing = {};

interface FormPreviewProps {
  readonly recordTypeKey: string;
  readonly form: FormDefinition;
}

export function FormPreview({ recordTypeKey, form }: FormPreviewProps) {
  const { t } = useTranslation();
  const [role, setRole] = useState<string | null>(null);
  const [changes, setChanges] = useState<Changes>({});
  const [definition] = useDebouncedValue(JSON.stringify(form), BREATH_MS);
  const roles = useQuery(rolesQuery);
  const query = useQuery({
    ...formPreviewQuery(recordTypeKey, definition, role ?? undefined),
    placeholderData: keepPreviousData,
  });
  const preview = query.data;
  const failure = query.error instanceof WireFailure ? query.error.errors : query.error ? [query.error.message] : [];
  const lists = preview ? elementsOf(preview.form).filter(({ template }) => template === "related") : [];
  return (
    <section className={canvas.preview} aria-label={t("forms.view_preview")}>
      <Select
        size="xs"
        label={t("forms.seen_by")}
        description={t("forms.seen_by_lead")}
        clearable
        clearButtonProps={{ "aria-label": t("forms.seen_by_all") }}
        placeholder={t("forms.seen_by_all")}
        data={(roles.data ?? [])
          .filter(({ isAdministrator }) => !isAdministrator)
          .map(({ code, name }) => ({ value: code, label: name }))}
        value={role}
        onChange={setRole}
        mb="lg"
        maw={320}
      />
      {preview?.warnings?.map((words) => (
        <Notice key={words} tone="news">
          {words}
        </Notice>
      ))}
      {failure.length > 0 && <Notice tone="bad">{failure.join(" ")}</Notice>}
      {preview === undefined ? (
        failure.length === 0 && <Skeleton h={320} />
      ) : (
        <div className={record.editor}>
          <RecordForm
            view={{
              ...preview,
              // Something that is not new: what is only read is shown as well.
              id: "preview",
              name: "",
              allow_comments: 0,
              is_record_deleted: false,
              is_editable: 1,
              is_deletable: 0,
              permissions: nothing,
            }}
            record={preview.data[preview.alias] ?? nothing}
            isEdited
            changes={changes}
            errors={nothing}
            onChange={(field, change) => setChanges((before) => ({ ...before, [field]: change }))}
          />
        </div>
      )}
      {lists.length > 0 && (
        <p className={classes.none}>{t("forms.lists_below", { names: lists.map(({ label }) => label).join(", ") })}</p>
      )}
    </section>
  );
}
