// The input for values to compare with, by the type of the field: one value, two ends, or several. Days may be relative
// to today, people may be "me". Values are those of the wire.
import { Button, TagsInput, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { fieldTypes } from "../index.ts";
import { type FieldInputProps, plainText } from "../inputs/field-input-props.ts";
import type { FilterValuesProps } from "../inputs/filter-values-props.ts";
import classes from "./filter-value.module.css";

function PlainText({ id, value, onChange }: FieldInputProps) {
  return (
    <TextInput id={id} size="xs" value={plainText(value)} onChange={(event) => onChange(event.currentTarget.value)} />
  );
}

export function FilterValueInput({ values, many, onValues, ...props }: FilterValuesProps) {
  const { t } = useTranslation();
  const { element, id } = props;
  const { FilterValues, FilterInput = PlainText } = fieldTypes[element.type ?? "short-text"];
  if (FilterValues) return <FilterValues {...props} {...{ values, many, onValues }} />;
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
  return (
    <FilterInput
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
