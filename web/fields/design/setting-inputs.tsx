// The inputs of settings, by their kind: one line per kind. Which settings a field has is told by its type's design.
import { NumberInput, Select, Switch, TagsInput, TextInput } from "@mantine/core";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { SettingKind } from "./field-design.ts";
import { OptionsInput } from "./options-input.tsx";
import { RecordTypePicker } from "./record-type-picker.tsx";
import type { SettingInputProps } from "./setting-input-props.ts";

const MEGABYTE = 1024 * 1024;

const base = ({ design, label, help, error }: SettingInputProps) => ({
  label,
  description: help || undefined,
  error,
  withAsterisk: design.required ?? false,
});

const number =
  (unit: number): ComponentType<SettingInputProps> =>
  (props) => {
    const { least, most, usual } = props.design;
    return (
      <NumberInput
        {...base(props)}
        size="sm"
        allowDecimal={false}
        value={typeof props.value === "number" ? Math.round(props.value / unit) : ""}
        placeholder={usual === undefined ? "" : String(usual)}
        {...(least === undefined ? {} : { min: least })}
        {...(most === undefined ? {} : { max: most })}
        onChange={(value) => props.onChange(typeof value === "number" ? value * unit : undefined)}
      />
    );
  };

/** A day of the calendar, as the browser asks for one. */
function Day(props: SettingInputProps) {
  return (
    <TextInput
      {...base(props)}
      type="date"
      value={typeof props.value === "string" ? props.value.slice(0, 10) : ""}
      onChange={(event) => props.onChange(event.currentTarget.value || undefined)}
    />
  );
}

/** A number of any size: kept as the text that was typed, which is exact. */
function Limit(props: SettingInputProps) {
  const value = typeof props.value === "string" || typeof props.value === "number" ? String(props.value) : "";
  return (
    <TextInput
      {...base(props)}
      inputMode="numeric"
      value={value}
      onChange={(event) => props.onChange(event.currentTarget.value.trim() || undefined)}
    />
  );
}

function Word(props: SettingInputProps) {
  return (
    <TextInput
      {...base(props)}
      value={typeof props.value === "string" ? props.value : ""}
      onChange={(event) => props.onChange(event.currentTarget.value || undefined)}
    />
  );
}

function Target(props: SettingInputProps) {
  return (
    <RecordTypePicker
      {...base(props)}
      types={props.types}
      value={typeof props.value === "string" ? props.value : null}
      onChange={(key) => props.onChange(key ?? undefined)}
    />
  );
}

/** A reference to a currency, among the other fields. */
function CurrencyField(props: SettingInputProps) {
  const found = props.fields.filter(({ settings }) => settings?.to === "masters/currencies");
  return (
    <Select
      {...base(props)}
      clearable
      clearButtonProps={{ "aria-label": props.label }}
      disabled={found.length === 0 && typeof props.value !== "string"}
      data={found.map(({ name, label }) => ({ value: name, label: label ?? name }))}
      value={typeof props.value === "string" ? props.value : null}
      onChange={(value) => props.onChange(value ?? undefined)}
    />
  );
}

function OnOff(props: SettingInputProps) {
  const { label, description, error } = base(props);
  return (
    <Switch
      {...{ label, error }}
      description={description}
      checked={props.value === true}
      onChange={(event) => props.onChange(event.currentTarget.checked || undefined)}
    />
  );
}

function OneOf(props: SettingInputProps) {
  const { t } = useTranslation();
  const [usual, ...more] = props.design.choices ?? [];
  if (usual === undefined) return null;
  return (
    <Select
      {...base(props)}
      allowDeselect={false}
      data={[usual, ...more].map((one) => ({ value: one, label: t(`design.setting_choices.${one}`) }))}
      value={typeof props.value === "string" ? props.value : usual}
      onChange={(value) => props.onChange(value === usual || value === null ? undefined : value)}
    />
  );
}

const usualMediaTypes = ["application/pdf", "image/*", "text/csv", "text/plain", "audio/*", "video/*"];

function MediaTypes(props: SettingInputProps) {
  return (
    <TagsInput
      {...base(props)}
      size="sm"
      data={usualMediaTypes}
      value={Array.isArray(props.value) ? props.value.map(String) : []}
      onChange={(values) => props.onChange(values.length === 0 ? undefined : values)}
    />
  );
}

export const settingInputs: Readonly<Record<SettingKind, ComponentType<SettingInputProps>>> = {
  count: number(1),
  megabytes: number(MEGABYTE),
  limit: Limit,
  word: Word,
  day: Day,
  options: OptionsInput,
  "record-type": Target,
  "currency-field": CurrencyField,
  "media-types": MediaTypes,
  "one-of": OneOf,
  switch: OnOff,
};
