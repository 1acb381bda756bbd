// The input for a field, by its type: one line per type. Values are those of the wire.
import { Checkbox, MultiSelect, Select, Textarea, TextInput } from "@mantine/core";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { readInstant, writeInstant } from "../../client/instant.ts";
import type { FormElement } from "../../client/records.ts";
import type { FieldTypeId } from "../../contract/field-types.ts";
import type { FieldInputProps } from "./field-input-props.ts";
import { ReferenceInput } from "./reference-input.tsx";

const base = ({ element, id, error, describedBy }: FieldInputProps) => ({
  id,
  error,
  required: element.not_empty === 1,
  "aria-describedby": describedBy,
});

const orNull = (text: string): string | null => (text === "" ? null : text);

const typed = (type: string, inputMode?: "decimal" | "numeric"): ComponentType<FieldInputProps> =>
  function TypedInput(props) {
    return (
      <TextInput
        {...base(props)}
        type={type}
        {...(inputMode === undefined ? {} : { inputMode })}
        {...(props.element.max_length ? { maxLength: props.element.max_length } : {})}
        value={props.value}
        onChange={(event) => props.onChange(orNull(event.currentTarget.value))}
      />
    );
  };

function LongText(props: FieldInputProps) {
  return (
    <Textarea
      {...base(props)}
      autosize
      minRows={3}
      maxRows={14}
      value={props.value}
      onChange={(event) => props.onChange(orNull(event.currentTarget.value))}
    />
  );
}

function Flag({ element, id, value, error, onChange }: FieldInputProps) {
  return (
    <Checkbox
      id={id}
      error={error}
      checked={value === "1"}
      aria-label={element.label}
      py={7}
      onChange={(event) => onChange(event.currentTarget.checked ? "1" : "0")}
    />
  );
}

const dataOf = ({ options = [] }: FormElement) => options.map(({ value, text }) => ({ value, label: text }));

function Choice(props: FieldInputProps) {
  const { t } = useTranslation();
  const { element } = props;
  return (
    <Select
      {...base(props)}
      data={dataOf(element)}
      value={orNull(props.value)}
      searchable={(element.options?.length ?? 0) > 8}
      clearable={element.not_empty === 0}
      clearButtonProps={{ "aria-label": t("record.clear", { label: element.label }) }}
      allowDeselect={element.not_empty === 0}
      onChange={(value) => props.onChange(value)}
    />
  );
}

function Choices(props: FieldInputProps) {
  return (
    <MultiSelect
      {...base(props)}
      data={dataOf(props.element)}
      value={props.value === "" ? [] : props.value.split(";")}
      searchable
      onChange={(values) => props.onChange(orNull(values.join(";")))}
    />
  );
}

/** Entered in the reader's own zone, kept as UTC. */
function DateTime(props: FieldInputProps) {
  const date = readInstant(props.value);
  const local = date && new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  return (
    <TextInput
      {...base(props)}
      type="datetime-local"
      value={local ?? ""}
      onChange={(event) => {
        const chosen = new Date(event.currentTarget.value);
        props.onChange(Number.isNaN(chosen.getTime()) ? null : writeInstant(chosen));
      }}
    />
  );
}

function Point(props: FieldInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      {...base(props)}
      placeholder={t("record.latitude_longitude")}
      value={props.value}
      onChange={(event) => props.onChange(orNull(event.currentTarget.value))}
    />
  );
}

/** Types without a line (addresses, uploads, running numbers) are shown, and cannot be changed here yet. */
export const fieldInputs: Readonly<Partial<Record<FieldTypeId, ComponentType<FieldInputProps>>>> = {
  "short-text": typed("text"),
  "long-text": LongText,
  integer: typed("text", "numeric"),
  decimal: typed("text", "decimal"),
  money: typed("text", "decimal"),
  percent: typed("text", "decimal"),
  flag: Flag,
  date: typed("date"),
  "date-time": DateTime,
  choice: Choice,
  "multiple-choice": Choices,
  reference: ReferenceInput,
  email: typed("email"),
  phone: typed("tel"),
  url: typed("url"),
  json: LongText,
  "geo-point": Point,
};
