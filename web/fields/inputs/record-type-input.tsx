// A text that names a record type: chosen among those that the reader may list, by what they are called.
import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { navigationQuery } from "../../queries.ts";
import { type FieldInputProps, plainText } from "./field-input-props.ts";

export function RecordTypeInput({ element, id, name, value, error, describedBy, onChange }: FieldInputProps) {
  const { data: modules = [] } = useQuery(navigationQuery);
  const current = plainText(value);
  const data = modules.map((module) => ({
    group: module.label,
    items: module.entries.map((entry) => ({ value: entry.key, label: entry.label })),
  }));
  const isKnown = current === "" || data.some(({ items }) => items.some((item) => item.value === current));
  return (
    <Select
      id={id}
      aria-label={name}
      error={error}
      required={element.not_empty === "1"}
      aria-describedby={describedBy}
      searchable
      allowDeselect={false}
      data={isKnown ? data : [...data, { group: "", items: [{ value: current, label: current }] }]}
      value={current === "" ? null : current}
      onChange={(key) => onChange(key)}
    />
  );
}
