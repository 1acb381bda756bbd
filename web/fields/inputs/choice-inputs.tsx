// What is chosen: yes or no, one of the options, or several; and the same as values to compare with.
import { Checkbox, MultiSelect, Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useLateList } from "../../parts/controls/use-late-list.ts";
import { type FieldInputProps, plainText } from "./field-input-props.ts";
import { base, optionsOf, orNull } from "./input-basics.ts";

export function FlagInput({ element, id, name, value, error, onChange }: FieldInputProps) {
  return (
    <Checkbox
      id={id}
      error={error}
      checked={value === "1"}
      aria-label={name ?? element.label}
      py={7}
      onChange={(event) => onChange(event.currentTarget.checked ? "1" : "0")}
    />
  );
}

export function ChoiceInput(props: FieldInputProps) {
  const { t } = useTranslation();
  const { element } = props;
  return (
    <Select
      {...base(props)}
      {...useLateList()}
      data={optionsOf(element)}
      value={orNull(plainText(props.value))}
      searchable={(element.options?.length ?? 0) > 8}
      clearable={element.not_empty === "0"}
      clearButtonProps={{ "aria-label": t("record.clear", { label: element.label }) }}
      allowDeselect={element.not_empty === "0"}
      onChange={(value) => props.onChange(value)}
    />
  );
}

export function ChoicesInput(props: FieldInputProps) {
  return (
    <MultiSelect
      {...base(props)}
      {...useLateList()}
      data={optionsOf(props.element)}
      value={plainText(props.value).split(";").filter(Boolean)}
      searchable
      onChange={(values) => props.onChange(orNull(values.join(";")))}
    />
  );
}

export function FlagFilter({ id, value, onChange }: FieldInputProps) {
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

export function ChoiceFilter({ id, element, value, onChange }: FieldInputProps) {
  return (
    <Select
      id={id}
      size="xs"
      allowDeselect={false}
      searchable={(element.options?.length ?? 0) > 8}
      value={plainText(value) || null}
      data={optionsOf(element)}
      onChange={(next) => onChange(next)}
    />
  );
}
