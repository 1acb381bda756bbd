// What a new record starts with: a value, by the very input that its form will have, what is worked out, or a value of a record that it names.
import { Select } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { elementOfDesign } from "../../../fields/design/design-element.ts";
import { startFormulas } from "../../../fields/design/field-design.ts";
import { fieldTypes } from "../../../fields/index.ts";
import { schemaQuery } from "../../../queries.ts";
import classes from "../design.module.css";
import type { DraftField, FieldChanges, TypeDraft } from "./type-draft.ts";

interface InitialPartProps {
  readonly field: DraftField;
  readonly draft: TypeDraft;
  readonly error: string | undefined;
  readonly onChange: (changes: FieldChanges) => void;
}

const FIXED = "fixed";

/** Values of referenced records that the field could start with: formula and words. */
function useTakenOverChoices(field: DraftField, draft: TypeDraft): readonly (readonly [string, string])[] {
  const { t } = useTranslation();
  const references = draft.fields.flatMap(({ id, name, label, type, settings, computed }) => {
    const to = settings?.to;
    const isOther = id !== field.id && name !== "" && fieldTypes[type].isReference === true && !computed;
    return isOther && typeof to === "string" && to !== "" ? [{ name, label: label || name, to }] : [];
  });
  const schemas = useQueries({
    queries: references.map(({ to }) => ({ ...schemaQuery(to), retry: false })),
  });
  const target = field.settings?.to;
  const own = `${draft.module}/${draft.controller}`;
  return references.flatMap(({ name, label }, index) => {
    const { fields = [], hasMany = [] } = schemas[index]?.data ?? {};
    // What is worked out there is not known yet when its rows are saved along with it.
    const isAround = hasMany.some(({ type, via, owned }) => owned && type === own && via === name);
    return (
      fields
        .filter((one) => !one.system && one.type === field.type && (one.to ?? target) === target)
        .filter((one) => !(isAround && one.computed))
        // An amount with a currency of its own can't be taken over: the number would come to mean another amount.
        .filter((one) => !field.settings?.currencyField && (one.looked_up_as ?? one.type) === one.type)
        .map(
          (one) =>
            [
              `${name.replace(/_id$/u, "")}.${one.name}`,
              t("design.initial_of", { reference: label, field: one.label }),
            ] as const,
        )
    );
  });
}

export function InitialPart({ field, draft, error, onChange }: InitialPartProps) {
  const { t } = useTranslation();
  const id = useId();
  const { Input, design } = fieldTypes[field.type];
  const taken = useTakenOverChoices(field, draft);
  if (Input === undefined) return null;
  const { initialFormula: chosen } = field;
  const wordsOf = (formula: string): string => {
    const known = startFormulas.find((one) => one === formula);
    return known ? t(`design.start_formulas.${known}`) : formula;
  };
  const offered = [
    ...(design.formulas?.(field.settings ?? {}) ?? []).map((formula) => [formula, wordsOf(formula)] as const),
    ...taken,
  ];
  const isOffered = chosen === undefined || offered.some(([formula]) => formula === chosen);
  const formulas = isOffered ? offered : [...offered, [chosen, wordsOf(chosen)] as const];
  return (
    <div>
      <label htmlFor={id} className={classes.caption}>
        {t("design.initial")}
      </label>
      {formulas.length > 0 && (
        <Select
          aria-label={t("design.initial_kind")}
          mb={6}
          allowDeselect={false}
          searchable={formulas.length > 12}
          data={[
            { value: FIXED, label: t("design.initial_fixed") },
            ...formulas.map(([value, label]) => ({ value, label })),
          ]}
          value={chosen ?? FIXED}
          error={chosen === undefined ? undefined : error}
          onChange={(value) =>
            onChange({ initial: undefined, initialFormula: value === FIXED || value === null ? undefined : value })
          }
        />
      )}
      {chosen === undefined && (
        <Input
          element={elementOfDesign(field)}
          id={id}
          value={field.initial ?? null}
          error={error}
          describedBy={undefined}
          onChange={(value) => onChange({ initial: typeof value === "string" ? value : undefined })}
        />
      )}
    </div>
  );
}
