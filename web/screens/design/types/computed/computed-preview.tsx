// What a computed field comes to on a few records that are there, as it is designed; and, once saved, how far its job is.
import { Loader } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../../../client/transport/wire-failure.ts";
import type { FieldDefinition } from "../../../../../contract/record-type.ts";
import classes from "../../design.module.css";
import { computedPreviewQuery, computingQuery } from "../../design-queries.ts";
import { type DraftField, definitionOf, type TypeDraft } from "../type-draft.ts";

interface ComputedPreviewProps {
  readonly draft: TypeDraft;
  readonly field: DraftField;
}

/** Whether enough of it is filled in to come to anything. */
function isDesigned(field: FieldDefinition | undefined): boolean {
  const computed = field?.computed;
  if (!field?.name || !field.label || !computed) return false;
  switch (computed.kind) {
    case "formula":
      return computed.formula.trim() !== "";
    case "lookup":
      return computed.through.length > 0 && computed.field !== "";
    case "roll-up":
      return computed.type !== "" && (computed.function === "count" || (computed.field ?? "") !== "");
  }
}

/** What is wrong with how it is computed; of what else is wrong, nothing: that is said where it is saved. */
function ownFaults(error: unknown, name: string, place: number): string | undefined {
  if (!(error instanceof WireFailure)) return undefined;
  const own = Object.entries(error.byField).filter(([path]) =>
    [name, place].some((one) => path.includes(`fields.${one}.computed`)),
  );
  return own.length > 0 ? own.flatMap(([, words]) => words).join(" ") : undefined;
}

export function ComputedPreview({ draft, field }: ComputedPreviewProps) {
  const { t } = useTranslation();
  const drafted = useMemo(() => definitionOf(draft), [draft]);
  const [definition] = useDebouncedValue(drafted, 600);
  const place = definition.fields.findIndex(({ name }) => name === field.name);
  const isComplete = isDesigned(definition.fields[place]);
  const preview = useQuery({
    ...computedPreviewQuery(definition, field.name),
    enabled: isComplete,
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
      {(preview.isError || !isComplete) && (
        <p className={classes.help}>
          {ownFaults(preview.error, field.name, place) ?? t("design.computed_preview_later")}
        </p>
      )}
    </section>
  );
}
