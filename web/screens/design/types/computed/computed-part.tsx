// How a computed field comes to its values: a formula, a lookup or a roll-up, with what it gives on a few records as it is designed.
import { Button, Checkbox, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type Ref, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isSameResult } from "../../../../../contract/formula/same-formula.ts";
import { type ComputedDefinition, rollUpFunctions } from "../../../../../contract/record-type.ts";
import { fieldTypes } from "../../../../fields/index.ts";
import { schemaQuery } from "../../../../queries.ts";
import { writeFormula } from "../../../../texts/write-formula.ts";
import classes from "../../design.module.css";
import { fieldPaths } from "../fault-place.ts";
import { renamesOf } from "../type-draft.ts";
import { ComputedPreview } from "./computed-preview.tsx";
import type { ComputedProps } from "./computed-props.ts";
import { formulaAmount } from "./formula-amount.ts";
import { FormulaHint } from "./formula-hint.tsx";
import { choiceFields } from "./formula-hints.ts";
import { FormulaInput } from "./formula-input.tsx";
import { LookupPart } from "./lookup-part.tsx";
import { isSummarized, rollUpChanges } from "./roll-up-changes.ts";

export function ComputedPart(props: ComputedProps) {
  const { t } = useTranslation();
  const { computed, error, field, draft } = props;
  const whole = error("computed");
  return (
    <>
      {computed.kind === "formula" && <FormulaPart {...props} computed={computed} />}
      {computed.kind === "lookup" && <LookupPart {...props} computed={computed} />}
      {computed.kind === "roll-up" && <RollUpPart {...props} computed={computed} />}
      {whole && (
        <p className={classes.error} role="alert">
          {whole}
        </p>
      )}
      {computed.kind !== "formula" && <Reveals {...props} computed={computed} />}
      <p className={classes.help}>{t("design.computed_rights")}</p>
      <ComputedPreview key={field.id} draft={draft} field={field} />
    </>
  );
}

function ResultType({ field, choices, onChange, ref }: ComputedProps & { readonly ref?: Ref<HTMLInputElement> }) {
  const { t } = useTranslation();
  const types = choices.field_types.filter((type) => type.may_be_computed).map(({ id }) => id);
  return (
    <Select
      ref={ref}
      label={t("design.result_type")}
      allowDeselect={false}
      data={types.map((id) => ({ value: id, label: t(`field_types.${id}`) }))}
      value={field.type}
      onChange={(value) => {
        const type = types.find((id) => id === value);
        if (type !== undefined) onChange({ type, settings: undefined });
      }}
    />
  );
}

function FormulaPart(props: ComputedProps<Extract<ComputedDefinition, { kind: "formula" }>>) {
  const { computed, draft, field, stored, choices, error, onChange } = props;
  const { t, i18n } = useTranslation();
  const [source] = useDebouncedValue(computed.formula, 400);
  const others = draft.fields.filter(({ id }) => id !== field.id);
  const money = choices.field_types.find(({ id, may_be_computed }) => may_be_computed && fieldTypes[id].hasCurrency);
  const { fault, proposal } = formulaAmount(source, others, field, money?.id);
  // One that is stored just so is left alone when the design is saved. Until then it calls its fields by either name.
  const renames = renamesOf(draft.fields);
  const isKept = stored && (isSameResult(stored, field) || isSameResult(stored, field, renames));
  const shownFault = isKept ? undefined : fault;
  const resultType = useRef<HTMLInputElement>(null);
  return (
    <>
      <ResultType {...props} ref={resultType} />
      <FormulaInput
        label={t("design.formula_text")}
        help={t("design.formula_help")}
        fields={others}
        choices={choiceFields(others)}
        paths={fieldPaths(field.id, ["computed.formula", "computed"])}
        value={computed.formula}
        error={error("computed.formula") ?? (shownFault && writeFormula(shownFault, i18n.language))}
        onChange={(formula) => onChange({ computed: { kind: "formula", formula } })}
      />
      <Group gap="xs" mt={proposal ? 0 : -14}>
        {/* Always there: what comes into it is told. */}
        <div role="status" className={proposal && classes.help}>
          {proposal &&
            (proposal.label === undefined
              ? t("design.formula_own_money")
              : t("design.formula_money", { field: proposal.label }))}
        </div>
        {proposal && (
          <Button
            size="compact-xs"
            variant="light"
            onClick={() => {
              onChange(proposal.changes);
              // The button goes: whoever pressed it goes on where its change is seen.
              resultType.current?.focus();
            }}
          >
            {t("design.formula_use_money")}
          </Button>
        )}
      </Group>
    </>
  );
}

function RollUpPart(props: ComputedProps<Extract<ComputedDefinition, { kind: "roll-up" }>>) {
  const { computed, field: designed, draft, choices, error, onChange } = props;
  const { t } = useTranslation();
  const own = `${draft.module}/${draft.controller}`;
  const ways = choices.record_types.flatMap((type) =>
    type.references
      .filter(({ to }) => to === own)
      .map(({ field, label }) => ({
        value: `${type.key} ${field}`,
        label: t("design.roll_up_via", { type: type.plural, field: label }),
      })),
  );
  const child = useQuery({ ...schemaQuery(computed.type), enabled: computed.type !== "" });
  const fields = (child.data?.fields ?? []).filter((one) => isSummarized(one, computed.function));
  const results = choices.field_types.flatMap(({ id, may_be_computed }) => (may_be_computed ? [id] : []));
  const put = (changes: Partial<typeof computed>) =>
    onChange(rollUpChanges({ computed, type: designed.type, fields: child.data?.fields, results }, changes));
  return (
    <>
      <Select
        label={t("design.roll_up_of")}
        withAsterisk
        searchable
        selectFirstOptionOnChange
        description={ways.length === 0 ? t("design.roll_up_none") : undefined}
        data={ways}
        data-path={fieldPaths(designed.id, ["computed.type", "computed.via", "computed"])}
        value={computed.type === "" ? null : `${computed.type} ${computed.via}`}
        error={
          computed.type === "" && error("computed.type")
            ? t("record.required", { label: t("design.roll_up_of") })
            : (error("computed.type") ?? error("computed.via"))
        }
        onChange={(value) => {
          const [type = "", via = ""] = (value ?? "").split(" ");
          put({ type, via, field: "" });
        }}
      />
      <Select
        label={t("design.roll_up_function")}
        allowDeselect={false}
        data={rollUpFunctions.map((name) => ({ value: name, label: t(`design.roll_up_functions.${name}`) }))}
        value={computed.function}
        onChange={(value) => put({ function: rollUpFunctions.find((name) => name === value) ?? "count" })}
      />
      <Select
        label={t("design.roll_up_field")}
        withAsterisk={computed.function !== "count"}
        clearable
        searchable
        selectFirstOptionOnChange
        disabled={computed.type === ""}
        data={fields.map(({ name, label }) => ({ value: name, label }))}
        value={computed.field ?? null}
        data-path={fieldPaths(designed.id, ["computed.field"])}
        error={error("computed.field")}
        onChange={(value) => put({ field: value ?? "" })}
      />
      <TextInput
        label={t("design.roll_up_where")}
        description={t("design.roll_up_where_help")}
        spellCheck={false}
        dir="ltr"
        value={computed.where ?? ""}
        data-path={fieldPaths(designed.id, ["computed.where"])}
        error={error("computed.where")}
        onChange={(event) => put({ where: event.currentTarget.value })}
      />
      <FormulaHint
        source={computed.where ?? ""}
        fields={choiceFields(child.data?.fields ?? [])}
        onChange={(where) => put({ where })}
      />
      <ResultType {...props} />
    </>
  );
}

function Reveals({ computed, onChange }: ComputedProps<Exclude<ComputedDefinition, { kind: "formula" }>>) {
  const { t } = useTranslation();
  return (
    <Checkbox
      label={t("design.reveals")}
      description={t("design.reveals_lead")}
      checked={computed.reveals ?? false}
      onChange={(event) => {
        const { reveals: _, ...rest } = computed;
        onChange({ computed: event.currentTarget.checked ? { ...rest, reveals: true } : rest });
      }}
    />
  );
}
