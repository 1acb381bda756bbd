// What is typed as a text: one line of it, with the keyboard that its kind asks for, or many.
import { Textarea, TextInput } from "@mantine/core";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { type FieldInputProps, plainText } from "./field-input-props.ts";
import { base, orNull } from "./input-basics.ts";
import { RecordTypeInput, RecordTypesInput } from "./record-type-input.tsx";

/** Addresses and numbers of phones run from left to right in every language; other texts as they begin. */
const directionOf = (type: string): "ltr" | "auto" => (type === "text" ? "auto" : "ltr");

const typed = (type: string, inputMode?: "decimal" | "numeric"): ComponentType<FieldInputProps> =>
  function TypedInput(props) {
    return (
      <TextInput
        {...base(props)}
        type={type}
        dir={directionOf(type)}
        {...(inputMode === undefined ? {} : { inputMode })}
        {...(props.element.max_length ? { maxLength: props.element.max_length } : {})}
        value={plainText(props.value)}
        onChange={(event) => props.onChange(orNull(event.currentTarget.value))}
      />
    );
  };

const OneLine = typed("text");
export const WholeNumberInput = typed("text", "numeric");
export const NumberInput = typed("text", "decimal");
export const EmailInput = typed("email");
export const PhoneInput = typed("tel");
export const UrlInput = typed("url");

/** A text that names a record type is chosen, not written. */
export function ShortTextInput(props: FieldInputProps) {
  if (props.element.names === "record-types") return <RecordTypesInput {...props} />;
  return props.element.names === "record-type" ? <RecordTypeInput {...props} /> : <OneLine {...props} />;
}

export function LongTextInput(props: FieldInputProps) {
  return (
    <Textarea
      {...base(props)}
      dir="auto"
      autosize
      minRows={3}
      maxRows={14}
      value={plainText(props.value)}
      onChange={(event) => props.onChange(orNull(event.currentTarget.value))}
    />
  );
}

export function PointInput(props: FieldInputProps) {
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
