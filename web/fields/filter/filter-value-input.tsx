// The input for values to compare with, by the type of the field: one value, two ends, or several. Days may be relative
// to today, people may be "me". Values are those of the wire.
import { Button, Select, TagsInput, TextInput } from "@mantine/core";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { FieldTypeId } from "../../../contract/field-types.ts";
import { fieldInputs } from "../field-input.tsx";
import { type FieldInputProps, plainText } from "../field-input-props.ts";
import classes from "./filter-value.module.css";
import { FilterValueRecords } from "./filter-value-records.tsx";
import { RelativeDayInput } from "./relative-day-input.tsx";

function PlainText({ id, value, onChange }: FieldInputProps) {
  return (
    <TextInput id={id} size="xs" value={plainText(value)} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}

function YesNo({ id, value, onChange }: FieldInputProps) {
  const { t } = useTranslation();
  return (
    <Select
      id={id}
      size="xs"
      allowDeselect={false}
      value={plainText(value) || null}
      data={[
        { value: "1", label: t("values.yes") },
        { value: "0", label: t("values.no") },
      ]}
      onChange={(next) => onChange(next)}
    />
  );
}

function OneOption({ id, element, value, onChange }: FieldInputProps) {
  return (
    <Select
      id={id}
      size="xs"
      allowDeselect={false}
      searchable={(element.options?.length ?? 0) > 8}
      value={plainText(value) || null}
      data={(element.options ?? []).map((option) => ({ value: option.value, label: option.text }))}
      onChange={(next) => onChange(next)}
    />
  );
}

function Day(props: FieldInputProps) {
  return <RelativeDayInput {...props} exact={fieldInputs.date ?? PlainText} />;
}

function Moment(props: FieldInputProps) {
  return <RelativeDayInput {...props} exact={fieldInputs["date-time"] ?? PlainText} />;
}

/** Types without a line are compared as texts. */
const oneValue: Readonly<Partial<Record<FieldTypeId, ComponentType<FieldInputProps>>>> = {
  flag: YesNo,
  date: Day,
  "date-time": Moment,
  choice: OneOption,
  "multiple-choice": OneOption,
};

export interface SoughtInputProps extends Omit<FieldInputProps, "value" | "text" | "onChange"> {
  readonly values: readonly string[];
  readonly many: boolean;
  readonly onValues: (values: readonly string[]) => void;
}

export function FilterValueInput({ values, many, onValues, ...props }: SoughtInputProps) {
  const { t } = useTranslation();
  const { element, id } = props;
  if (element.type === "reference" && element.controller !== undefined) {
    return <FilterValueRecords {...props} controller={element.controller} {...{ values, many, onValues }} />;
  }
  if (many) {
    const known = element.options?.map((option) => ({ value: option.value, label: option.text }));
    return known === undefined ? (
      <TagsInput
        id={id}
        size="xs"
        value={[...values].filter((value) => value !== "")}
        placeholder={t("filter.several")}
        onChange={onValues}
      />
    ) : (
      <SeveralOptions id={id} label={element.label} options={known} {...{ values, onValues }} />
    );
  }
  const Input = (element.type && oneValue[element.type]) ?? PlainText;
  return (
    <Input
      {...props}
      value={values[0] ?? ""}
      onChange={(value) => onValues([typeof value === "string" ? value : ""])}
    />
  );
}

interface SeveralOptionsProps {
  readonly id: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly values: readonly string[];
  readonly onValues: (values: readonly string[]) => void;
}

/** All options at once: most choices have few, and one sees what is in and what is not. */
function SeveralOptions({ id, label, options, values, onValues }: SeveralOptionsProps) {
  return (
    <fieldset id={id} className={classes.options}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => {
        const chosen = values.includes(option.value);
        return (
          <Button
            key={option.value}
            size="compact-xs"
            variant={chosen ? "light" : "default"}
            aria-pressed={chosen}
            onClick={() =>
              onValues(
                chosen
                  ? values.filter((value) => value !== option.value)
                  : [...values.filter((value) => value !== ""), option.value],
              )
            }
          >
            {option.label}
          </Button>
        );
      })}
    </fieldset>
  );
}
