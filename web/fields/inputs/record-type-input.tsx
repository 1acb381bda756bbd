// A text that names a record type, or several: chosen among those that the reader may list, by what they are called.
import { MultiSelect, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { navigationQuery } from "../../queries.ts";
import { type FieldInputProps, plainText } from "./field-input-props.ts";
import { useLateList } from "./use-late-list.ts";

function useChoices(current: readonly string[]) {
  const { data: modules = [] } = useQuery(navigationQuery);
  const data = modules.map((module) => ({
    group: module.label,
    items: module.entries.map((entry) => ({ value: entry.key, label: entry.label })),
  }));
  const unknown = current.filter((key) => !data.some(({ items }) => items.some((item) => item.value === key)));
  return unknown.length === 0
    ? data
    : [...data, { group: "", items: unknown.map((key) => ({ value: key, label: key })) }];
}

/** With semicolons between them. */
export function RecordTypesInput({ element, id, name, value, error, describedBy, onChange }: FieldInputProps) {
  const current = plainText(value).split(";").filter(Boolean);
  return (
    <MultiSelect
      id={id}
      aria-label={name}
      error={error}
      required={element.not_empty === "1"}
      aria-describedby={describedBy}
      searchable
      {...useLateList()}
      data={useChoices(current)}
      value={current}
      onChange={(keys) => onChange(keys.length === 0 ? null : keys.join(";"))}
    />
  );
}

export function RecordTypeInput({ element, id, name, value, error, describedBy, onChange }: FieldInputProps) {
  const current = plainText(value);
  return (
    <Select
      id={id}
      aria-label={name}
      error={error}
      required={element.not_empty === "1"}
      aria-describedby={describedBy}
      searchable
      {...useLateList()}
      allowDeselect={false}
      data={useChoices(current === "" ? [] : [current])}
      value={current === "" ? null : current}
      onChange={(key) => onChange(key)}
    />
  );
}
