// Which records a reference can name: a condition over their fields and those of the record itself.
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { schemaQuery } from "../../../queries.ts";
import { choiceFields } from "./computed/formula-hints.ts";
import { FormulaInput } from "./computed/formula-input.tsx";
import { fieldPaths } from "./fault-place.ts";
import type { DraftField, FieldChanges, TypeDraft } from "./type-draft.ts";

interface ChoicesPartProps {
  readonly field: DraftField;
  readonly draft: TypeDraft;
  readonly error: string | undefined;
  readonly onChange: (changes: FieldChanges) => void;
}

export function ChoicesPart({ field, draft, error, onChange }: ChoicesPartProps) {
  const { t } = useTranslation();
  const to = typeof field.settings?.to === "string" ? field.settings.to : "";
  const isOwn = to === `${draft.module}/${draft.controller}`;
  // Of the type that is being designed, the draft knows more.
  const { data } = useQuery({ ...schemaQuery(to), enabled: to !== "" && !isOwn, retry: false });
  if (to === "") return null;
  const theirs = isOwn ? draft.fields : (data?.fields ?? []).filter(({ system }) => !system);
  const own = draft.fields.filter(({ name }) => name !== "" && name !== field.name);
  return (
    <FormulaInput
      label={t("design.where")}
      help={t("design.where_help")}
      isOptional
      fields={[
        ...theirs.map(({ name, label }) => ({ id: name, name, label })),
        ...own.map(({ id, name, label }) => ({
          id: `record.${id}`,
          name: `record.${name}`,
          label: t("design.where_own", { label: label || name }),
        })),
      ]}
      choices={[...choiceFields(theirs), ...choiceFields(own).map((one) => ({ ...one, name: `record.${one.name}` }))]}
      paths={fieldPaths(field.id, ["where"])}
      value={field.where ?? ""}
      error={error}
      onChange={(formula) => onChange({ where: formula === "" ? undefined : formula })}
    />
  );
}
