// What a computed field comes to on a few records that are there, as it is designed; and, once saved, how far its job is.
import { Loader } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import classes from "../design.module.css";
import { computedPreviewQuery, computingQuery } from "../design-queries.ts";
import { type DraftField, definitionOf, type TypeDraft } from "./type-draft.ts";

interface ComputedPreviewProps {
  readonly draft: TypeDraft;
  readonly field: DraftField;
}

export function ComputedPreview({ draft, field }: ComputedPreviewProps) {
  const { t } = useTranslation();
  const drafted = useMemo(() => definitionOf(draft), [draft]);
  const [definition] = useDebouncedValue(drafted, 600);
  const preview = useQuery({
    ...computedPreviewQuery(definition, field.name),
    enabled: field.name !== "",
    placeholderData: keepPreviousData,
  });
  const rows = preview.data?.rows;
  const key = `${draft.module}/${draft.controller}`;
  const computing = useQuery({ ...computingQuery(key), enabled: field.isStored });
  const job = computing.data?.find(({ fields }) => fields.includes(field.name));
  return (
    <section aria-label={t("design.computed_preview")} aria-busy={preview.isFetching}>
      <b className={classes.caption}>{t("design.computed_preview")}</b>
      {job && (
        <p className={classes.help} role="status">
          {t("design.computing", { percent: Math.floor((100 * job.done) / Math.max(job.total, job.done, 1)) })}
        </p>
      )}
      {preview.isFetching && <Loader size="xs" />}
      {rows?.length === 0 && <p className={classes.help}>{t("design.computed_preview_none")}</p>}
      {rows && rows.length > 0 && (
        <ul>
          {rows.map(({ id, name, value }) => (
            <li key={id}>
              {name ?? id}: <b>{value ?? "–"}</b>
            </li>
          ))}
        </ul>
      )}
      {preview.isError && <p className={classes.help}>{preview.error.message}</p>}
    </section>
  );
}
