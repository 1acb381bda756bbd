// A text that names a record type, or several: chosen among those that the reader may list, by what they are called.
import { MultiSelect, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { NavigationEntry } from "../../../client/lists/navigation.ts";
import { useLateList } from "../../parts/controls/use-late-list.ts";
import { navigationQuery } from "../../queries.ts";
import { type FieldInputProps, plainText } from "./field-input-props.ts";
import { typeChoices } from "./type-choices.ts";

function useChoices(current: readonly string[], isOffered?: (entry: NavigationEntry) => boolean) {
  const { data: modules = [] } = useQuery(navigationQuery);
  return typeChoices(modules, current, isOffered);
}

const isFollowed = (entry: NavigationEntry): boolean => entry.isFollowed;

/** With semicolons between them: those whose changes can be followed. */
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
      data={useChoices(current, isFollowed)}
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
      // What is chosen already needs no list over the rest of the form.
      openOnFocus={current === ""}
      allowDeselect={false}
      data={useChoices(current === "" ? [] : [current])}
      value={current === "" ? null : current}
      onChange={(key) => onChange(key)}
    />
  );
}
