// The input for a field, by its type: one line per type. Values are those of the wire.

import { Checkbox, MultiSelect, Select, Textarea, TextInput } from "@mantine/core";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { FormElement } from "../../client/records/records.ts";
import { readInstant, writeInstant } from "../../client/transport/instant.ts";
import type { FieldTypeId } from "../../contract/field-types.ts";
import { clockAt, instantIn } from "../../contract/zones.ts";
import { AddressInput } from "./address-parts.tsx";
import { RecordTypeInput } from "./design/record-type-input.tsx";
import { type FieldInputProps, plainText } from "./field-input-props.ts";
import { FileInput } from "./files/file-input.tsx";
import { useTimeZone } from "./formats.ts";
import { JsonInput } from "./json-field.tsx";
import { ReferenceInput } from "./reference-input.tsx";

const base = ({ element, id, name, error, describedBy }: FieldInputProps) => ({
  id,
  "aria-label": name,
  error,
  required: element.not_empty === "1",
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
        value={plainText(props.value)}
        onChange={(event) => props.onChange(orNull(event.currentTarget.value))}
      />
    );
  };

const OneLine = typed("text");

/** A text that names a record type is chosen, not written. */
function ShortText(props: FieldInputProps) {
  return props.element.names === "record-type" ? <RecordTypeInput {...props} /> : <OneLine {...props} />;
}

function LongText(props: FieldInputProps) {
  return (
    <Textarea
      {...base(props)}
      autosize
      minRows={3}
      maxRows={14}
      value={plainText(props.value)}
      onChange={(event) => props.onChange(orNull(event.currentTarget.value))}
    />
  );
}

function Flag({ element, id, name, value, error, onChange }: FieldInputProps) {
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

const dataOf = ({ options = [] }: FormElement) => options.map(({ value, text }) => ({ value, label: text }));

function Choice(props: FieldInputProps) {
  const { t } = useTranslation();
  const { element } = props;
  return (
    <Select
      {...base(props)}
      data={dataOf(element)}
      value={orNull(plainText(props.value))}
      searchable={(element.options?.length ?? 0) > 8}
      clearable={element.not_empty === "0"}
      clearButtonProps={{ "aria-label": t("record.clear", { label: element.label }) }}
      allowDeselect={element.not_empty === "0"}
      onChange={(value) => props.onChange(value)}
    />
  );
}

function Choices(props: FieldInputProps) {
  return (
    <MultiSelect
      {...base(props)}
      data={dataOf(props.element)}
      value={plainText(props.value).split(";").filter(Boolean)}
      searchable
      onChange={(values) => props.onChange(orNull(values.join(";")))}
    />
  );
}

/** Entered in the time zone of the reader's profile, whatever the browser's is; kept as UTC. */
function DateTime(props: FieldInputProps) {
  const timeZone = useTimeZone();
  const date = readInstant(plainText(props.value));
  return (
    <TextInput
      {...base(props)}
      type="datetime-local"
      title={timeZone}
      value={date ? clockAt(date, timeZone).slice(0, 16) : ""}
      onChange={(event) => {
        const chosen = instantIn(event.currentTarget.value, timeZone);
        props.onChange(chosen === undefined ? null : writeInstant(chosen));
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
      value={plainText(props.value)}
      onChange={(event) => props.onChange(orNull(event.currentTarget.value))}
    />
  );
}

/** Types without a line (running numbers) are shown, and cannot be changed here. */
export const fieldInputs: Readonly<Partial<Record<FieldTypeId, ComponentType<FieldInputProps>>>> = {
  "short-text": ShortText,
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
  json: JsonInput,
  "geo-point": Point,
  address: AddressInput,
  file: FileInput,
  image: FileInput,
};
